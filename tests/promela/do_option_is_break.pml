/* expect: error: none; errors: 0; stored: 117; transitions: 265 */
/* break as a guard: the loop can be left at any time. */
byte g;

active [2] proctype P()
{
	do
	:: g < 4 -> g++
	:: break
	:: break -> g = 9
	od;
	assert(g != 9)
}
