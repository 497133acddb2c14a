/* expect: error: assertion violated (in==1); depth: 25; errors: 60; stored: 216; transitions: 553 */
/* A mutual exclusion that tests before it sets. */
bool flag[3];
byte in;

active [3] proctype P()
{
	do
	:: !(flag[0] || flag[1] || flag[2]) ->
		flag[_pid] = true;
		in++;
		assert(in == 1);
		in--;
		flag[_pid] = false
	od
}
