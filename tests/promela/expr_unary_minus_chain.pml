/* expect: error: assertion violated (g!=7); depth: 8; errors: 7; stored: 31; transitions: 51 */
/* Unary operators in a row. */
int g = 3;

active [2] proctype P()
{
	g = - - g + !(!g);
	g = ~ ~g - -1;
	g = -(g - 2 * g);
	assert(g != 7)
}
