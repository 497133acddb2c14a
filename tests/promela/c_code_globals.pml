/* expect: error: none; errors: 0; stored: 75; transitions: 113 */
/* c_code reads and writes globals through now. */
byte g, h[2];

active [2] proctype P()
{
	g++;
	c_code { now.g = now.g * 2; now.h[1] += now.g; };
	g--;
	assert(h[1] != 7)
}
