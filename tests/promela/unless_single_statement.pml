/* expect: error: assertion violated (g>0); depth: 13; errors: 1; stored: 63; transitions: 105 */
/* unless between two single statements, as an option of a loop. */
byte g;

active proctype P()
{
	byte n;
	do
	:: n < 3 -> (g > 1) unless (g == 1); n++
	:: n == 3 -> break
	od;
	assert(g > 0)
}

active proctype Q()
{
	g++; g++; g = 0; g = 2
}
