/* expect: error: assertion violated ((u==5)&&(g!=11)); depth: 22; errors: 19; stored: 560; transitions: 943 */
/* A declaration in an inline belongs to the call: each call has its own. */
byte g;

inline work(n)
{
	byte t;
	assert(t == 0);
	t = g;
	t = t + n;
	g = t
}

active [2] proctype P()
{
	byte u = 5;
	work(1);
	work(u);
	assert(u == 5 && g != 11)
}
