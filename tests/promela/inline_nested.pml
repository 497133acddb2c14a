/* expect: error: assertion violated (g!=30); depth: 23; errors: 2; stored: 2299; transitions: 3552 */
/* Inlines that call inlines, with the same parameter names. */
byte g;

inline inner(x, y) { x = x + y; y = x }
inline middle(x, y) { inner(x, y); inner(y, x) }
inline outer(a) { byte t = 1; middle(a, t); g = g + t }

active [2] proctype P()
{
	byte v = 2;
	outer(v);
	outer(g);
	assert(g != 30)
}
