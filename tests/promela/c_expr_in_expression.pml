/* expect: error: assertion violated (( now.g != 9 )||(x==3)); depth: 6; errors: 5; stored: 39; transitions: 57 */
/* c_expr as an operand. */
byte g;

active [2] proctype P()
{
	byte x;
	x = c_expr { now.g + 1 } + 2;
	g = g + x;
	assert(c_expr { now.g != 9 } || x == 3)
}
