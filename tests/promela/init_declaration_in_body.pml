/* expect: error: assertion violated (copy==2); depth: 8; errors: 37; stored: 116; transitions: 175 */
/* A declaration in the middle of a body is a step: it initialises where it stands. */
byte g = 1;

active [2] proctype P()
{
	g = g * 2;
	byte copy = g;
	g = g + copy;
	assert(copy == 2)
}
