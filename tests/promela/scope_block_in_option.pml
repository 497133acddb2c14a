/* expect: error: assertion violated (g!=4); depth: 21; errors: 70; stored: 760; transitions: 1374 */
/* Blocks with declarations as options of a selection. */
byte g;

active [2] proctype P()
{
	byte n;
	do
	:: n < 2 -> { byte t = n; g = g + t + 1; n++ }
	:: n == 1 -> { byte t; t = g; n = 2; g = t }
	:: n >= 2 -> break
	od;
	assert(g != 4)
}
