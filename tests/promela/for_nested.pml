/* expect: error: none; errors: 0; stored: 1191; transitions: 2313 */
/* Loops in loops with declarations in their bodies. */
byte g;

active [2] proctype P()
{
	byte i, j;
	for (i : 0 .. 1) {
		byte t = i;
		for (j : 0 .. 1) {
			byte u = t + j;
			g = g + u;
			t = u
		}
	}
	assert(g <= 8)
}
