/* expect: error: none; errors: 0; stored: 38; transitions: 65 */
/* Peterson's algorithm. */
bool flag[2];
byte turn, in;

active [2] proctype P()
{
	do
	:: flag[_pid] = true;
	   turn = 1 - _pid;
	   (!flag[1 - _pid] || turn == _pid);
	   in++;
	   assert(in == 1);
	   in--;
	   flag[_pid] = false
	od
}
