/* expect: error: assertion violated (g!=6); depth: 8; errors: 5; stored: 86; transitions: 131 */
/* c_state can add a C variable to a proctype. */
c_state "short extra" "Local P"
byte g;

active [2] proctype P()
{
	c_code { PP->extra = now.g + 1; };
	g = g + 2;
	c_code { now.g = now.g + PP->extra; };
	assert(g != 6)
}
