/* expect: error: none; errors: 0; stored: 21; transitions: 33 */
/* c_code outside a proctype is C at file level, after the state is declared. */
byte g;
c_code {
	static void bump(void) { now.g = now.g + 2; }
};

active [2] proctype P()
{
	g++;
	c_code { bump(); };
	assert(g != 5)
}
