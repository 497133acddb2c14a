/* expect: error: none; errors: 0; stored: 48; transitions: 69 */
/* Fields are assigned from left to right: a later index sees an earlier field. */
chan q = [2] of { byte, byte };
byte a[3];

active [2] proctype Sender()
{
	q!_pid + 1,_pid + 5
}

active proctype Receiver()
{
	byte i, k;
	do
	:: k < 2 -> i = 0; q?i,a[i]; k++
	:: k == 2 -> break
	od;
	assert(a[0] == 0)
}
