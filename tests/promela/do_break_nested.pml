/* expect: error: assertion violated (g!=7); depth: 36; errors: 36; stored: 1817; transitions: 3473 */
/* break leaves the innermost loop. */
byte g;

active [2] proctype P()
{
	byte i, j;
	do
	:: i < 2 ->
		j = 0;
		do
		:: j < 2 -> j++; g = g + 1
		:: j == 2 -> break
		:: g == 3 -> break
		od;
		i++
	:: i == 2 -> break
	od;
	assert(g != 7)
}
