/* expect: error: assertion violated (a!=1); depth: 37; errors: 18; stored: 11541; transitions: 29839 */
/* q!!m inserts before the first larger message, over all fields. */
chan q = [4] of { byte, byte };

active [2] proctype Sender()
{
	byte i = 3;
	do
	:: i > 0 -> q!!i,_pid; i--
	:: i == 0 -> break
	od
}

active proctype Receiver()
{
	byte a, b, k;
	do
	:: k < 6 -> q?a,b; k++
	:: k == 6 -> break
	:: full(q) -> assert(q?[1,0] || q?[1,1] || q?[2,0] || q?[2,1])
	od;
	assert(a != 1)
}
