/* expect: error: assertion violated (g<4); depth: 16; errors: 5; stored: 175; transitions: 326 */
/* Jumps in and out of loops and selections. */
byte g;

active [2] proctype P()
{
	byte n;
top:	n++;
	do
	:: n < 3 -> goto top
	:: g == 1 -> goto inside
	:: n == 3 -> break
	od;
	if
	:: g = g + 1; goto done
	:: inside: g = g + 2
	fi;
done:	assert(g < 4)
}
