/* expect: error: assertion violated (n<8); depth: 5; errors: 2; stored: 11; transitions: 14 */
/* A rendezvous receive may open a d_step. */
chan q = [0] of { byte };
byte n;

active proctype S()
{
	q!1; q!2; n++
}

active proctype R()
{
	byte x;
	do
	:: d_step { q?x -> n = n + x; n = n * 2 }
	:: n > 5 -> break
	od;
	assert(n < 8)
}
