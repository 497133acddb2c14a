/* expect: error: none; errors: 0; stored: 31; transitions: 51 */
/* Parameters of an active proctype start at zero. */
byte g;

active [2] proctype P(byte a; short b)
{
	a = a + _pid + 1; b = b - a; g = g - b;
	assert(a != g + 1)
}
