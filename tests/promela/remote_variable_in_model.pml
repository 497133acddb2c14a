/* expect: error: assertion violated (y!=13); depth: 7; errors: 1; stored: 48; transitions: 64 */
/* A remote variable reference inside a proctype. */
byte g;

active proctype P()
{
	byte x;
	x = 1; x = 2; g = 1; x = 3
}

active proctype Q()
{
	byte y;
	y = P[0]:x;
	g == 1 -> y = y * 10 + P[0]:x;
	assert(y != 13)
}
