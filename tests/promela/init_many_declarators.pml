/* expect: error: assertion violated (f> -(20)); depth: 14; errors: 30; stored: 425; transitions: 659 */
/* One declaration may introduce scalars and arrays, with and without values. */
byte a = 1, b, c[2] = 4, d = 2;
int e[2], f = -1;

active [2] proctype P()
{
	c[_pid] = c[_pid] + a + d;
	e[_pid] = f - c[_pid];
	a++; d = d + b; b = c[1 - _pid];
	f = e[0] + e[1];
	assert(f > -20)
}
