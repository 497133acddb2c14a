/* expect: error: assertion violated (g!=3); depth: 21; errors: 47; stored: 796; transitions: 1603 */
/* c_expr as a guard and as a condition in a selection. */
byte g;

active [2] proctype P()
{
	byte n;
	do
	:: c_expr { now.g < 4 } -> g++
	:: c_expr { now.g >= 2 && PP->n < 2 } -> g--; n++
	:: c_expr { now.g == 4 } -> break
	od;
	assert(g != 3)
}
