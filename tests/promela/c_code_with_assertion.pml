/* expect: error: assertion violated (g!=9); depth: 8; errors: 5; stored: 55; transitions: 83 */
/* c_code [ condition ] { ... } checks its condition first. */
byte g = 2;

active [2] proctype P()
{
	c_code [now.g > 0] { now.g = now.g - 1; };
	g = g + _pid;
	c_code [now.g < 9] { now.g = now.g * 3; };
	assert(g != 9)
}
