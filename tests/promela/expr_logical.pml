/* expect: error: none; errors: 0; stored: 139; transitions: 235 */
/* && and || give 0 or 1 and stop early. */
byte g, z;

active [2] proctype P()
{
	byte x;
	x = (g || 4) + (g && 4) + !g + ! !g;
	g = g + x;
	x = (z != 0 && 10 / z > 1) || (z == 0);
	assert(x <= 1);
	z = (g > 2);
	assert(g != 6)
}
