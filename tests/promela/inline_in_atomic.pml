/* expect: error: assertion violated (g!=5); depth: 16; errors: 29; stored: 283; transitions: 432 */
/* An inline inside atomic and d_step. */
byte g, h;

inline swap(a, b) { byte t; t = a; a = b; b = t }

active [2] proctype P()
{
	g = g + 1 + _pid;
	atomic { swap(g, h) }
	h++;
	d_step { swap(h, g) }
	assert(g != 5)
}
