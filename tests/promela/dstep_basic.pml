/* expect: error: none; errors: 0; stored: 68; transitions: 105 */
/* A d_step is one transition without intermediate states. */
byte g, h;

active [2] proctype P()
{
	d_step {
		byte t;
		t = g;
		g = h + 1;
		h = t + 2;
		t = 0
	}
	g++;
	d_step { h = h * 2; g = g + h }
	assert(g != 14)
}
