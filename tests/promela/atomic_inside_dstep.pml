/* expect: error: assertion violated (g!=15); depth: 4; errors: 5; stored: 13; transitions: 19 */
/* atomic within d_step is part of the one step. */
byte g;

active [2] proctype P()
{
	d_step {
		g++;
		atomic { g = g + 2; g = g * 2 }
		g--
	}
	assert(g != 15)
}
