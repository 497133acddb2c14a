/* expect: spin: wrong */
/* expect: error: none; errors: 0; stored: 42; transitions: 59 */
/* Fields are assigned from left to right: a later index sees an earlier field. When SPIN's search backs up
 * it restores the element at the old index, not the one that was written, and meets states that no run has. */
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
