/* expect: error: assertion violated (g==14); depth: 21; errors: 1; stored: 54; transitions: 84 */
/* Variables start at zero, locals anew for every instance. */
byte g;
short h[3];

proctype P()
{
	byte x;
	int y[2];
	assert(x == 0 && y[0] == 0 && y[1] == 0);
	x = 7; y[1] = x; g = g + y[1]
}

init {
	run P(); run P();
	(_nr_pr == 1);
	run P();
	assert(h[0] + h[1] + h[2] == 0);
	(_nr_pr == 1) -> assert(g == 14)
}
