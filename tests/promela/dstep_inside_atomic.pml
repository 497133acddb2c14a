/* expect: error: none; errors: 0; stored: 13; transitions: 19 */
/* d_step within atomic. */
byte g;

active [2] proctype P()
{
	atomic {
		g++;
		d_step { g = g * 2; g++ };
		g--;
		d_step { g > 1 -> g = g + 3 }
	}
	assert(g < 16)
}
