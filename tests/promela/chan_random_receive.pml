/* expect: error: assertion violated ((order[1]!=3)||(order[2]!=4)); depth: 17; errors: 1; stored: 214; transitions: 271 */
/* q??m takes the first message that matches, wherever it stands. */
mtype = { a, b, c };
chan q = [3] of { mtype, byte };
byte order[3];

active proctype Sender()
{
	q!a,1; q!b,2; q!c,3; q!b,4
}

active proctype Receiver()
{
	byte x, k;
	do
	:: q??b,x -> order[k % 3] = x; k++
	:: q??c,x -> order[k % 3] = x; k++
	:: q?a,x -> order[k % 3] = x; k++
	:: k == 4 -> break
	od;
	assert(order[1] != 3 || order[2] != 4)
}
