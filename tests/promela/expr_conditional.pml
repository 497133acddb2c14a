/* expect: error: none; errors: 0; stored: 71; transitions: 112 */
/* (c -> a : b) chooses one operand. */
short g = 5;

active [2] proctype P()
{
	short x;
	x = (g > 5 -> g - 1 : g + 2);
	g = (x == 7 -> (g == 7 -> 1 : 6) : x * 2);
	x = ((g % 2) -> 0 - g : g);
	assert((x < 0 -> g != 1 : true))
}
