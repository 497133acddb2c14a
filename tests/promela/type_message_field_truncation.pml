/* expect: error: none; errors: 0; stored: 36; transitions: 53 */
/* A message field truncates what is sent to its own type. */
chan q = [2] of { bit, byte, short, int };
int got;

active proctype Sender()
{
	int v = 255;
	do
	:: v < 70000 -> q!v,v,v,v; v = v * 17
	:: v >= 70000 -> q!2,-1,-1,-1; break
	od
}

active proctype Receiver()
{
	int a, b, c, d;
	do
	:: q?a,b,c,d -> got = a + b + c + d
	:: d == -1 -> break
	od;
	assert(a == 0 && b == 255 && c == -1)
}
