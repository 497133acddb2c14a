/* expect: error: assertion violated (x!=14); depth: 12; errors: 15; stored: 97; transitions: 162 */
/* x = f(a): an inline with a return. */
byte g;

inline twice(n)
{
	g = g + 1;
	return n * 2
}

active [2] proctype P()
{
	byte x;
	x = twice(3);
	assert(x == 6);
	x = twice(x + g);
	assert(x != 14)
}
