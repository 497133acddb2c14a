/* expect: error: none; errors: 0; stored: 194; transitions: 344 */
/* _ in a receive throws a field away. */
chan q = [2] of { byte, byte, byte };

active [2] proctype Sender()
{
	q!_pid,_pid + 1,7;
	q!_pid,9,_pid
}

active proctype Receiver()
{
	byte x = 5, k;
	do
	:: k < 4 -> q?_,x,_; k++
	:: k == 4 -> break
	:: q?_,_,7; k++
	od;
	assert(x != 5)
}
