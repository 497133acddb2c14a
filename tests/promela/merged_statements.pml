/* expect: flags: -o3 */
/* expect: error: assertion violated (g!=14); depth: 10; errors: 5; stored: 43; transitions: 73 */
/* The second -o3 switches statement merging on again: fewer states. */
byte g;

active [2] proctype P()
{
	byte x, y;
	x = 1; y = x + 1; x = y * 2;
	g = g + x;
	x = 0; y = 0; x = 3;
	g = g + x;
	assert(g != 14)
}
