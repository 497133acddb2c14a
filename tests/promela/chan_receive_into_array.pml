/* expect: error: invalid end state; depth: 13; errors: 1; stored: 251; transitions: 436 */
/* A received field may go to an array element or a struct field. */
typedef S { byte v; byte w[2] };
chan q = [2] of { byte, byte };
byte a[3];
S s;

active proctype Sender()
{
	byte i;
	for (i : 0 .. 2) { q!i,i * 2 }
	q!1,7
}

active proctype Receiver()
{
	byte i;
	do
	:: i < 3 -> q?i,a[i]; i++
	:: i < 3 -> q?i,s.w[i % 2]; i++
	:: q?s.v,s.w[1] -> break
	od;
	assert(a[0] == 0 && s.w[0] < 7)
}
