/* expect: error: assertion violated (g!=12); depth: 14; errors: 7; stored: 122; transitions: 203 */
/* inline replaces its parameters as text. */
byte g, a[2];

inline add(x, y)
{
	x = x + y;
	g = g + y
}

active [2] proctype P()
{
	byte l;
	add(l, 1);
	add(a[_pid], l + 1);
	add(g, a[1 - _pid]);
	assert(g != 12)
}
