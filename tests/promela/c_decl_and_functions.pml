/* expect: error: assertion violated (g!=15); depth: 6; errors: 5; stored: 33; transitions: 49 */
/* c_decl brings C types and functions. */
c_decl {
	static int twice(int n) { return 2 * n; }
	enum { STEP = 3 };
};
byte g;

active [2] proctype P()
{
	g = g + 1;
	c_code { now.g = twice(now.g) + STEP; };
	assert(g != 15)
}
