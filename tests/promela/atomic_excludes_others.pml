/* expect: error: none; errors: 0; stored: 4578; transitions: 10274 */
/* Between the steps of an atomic sequence nobody else moves. */
byte g;

active [3] proctype P()
{
	byte old;
	atomic { old = g; g = g + 1; assert(g == old + 1) }
	old = g;
	atomic { g = g - 1; g = g * 2 }
	assert(g != 5)
}
