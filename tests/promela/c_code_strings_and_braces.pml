/* expect: error: assertion violated (g!=7); depth: 6; errors: 5; stored: 21; transitions: 33 */
/* Nested braces, quotes and comments inside embedded C. */
c_decl {
	/* a comment with 'quotes' */
	static const char *word = "a;b";
	static int third(void) { if (word[1] == ';') { return 3; } return 0; }
};
byte g;

active [2] proctype P()
{
	c_code { /* two
	lines */ now.g += third(); if (now.g > 3) { now.g -= 1; } };
	g++;
	assert(g != 7)
}
