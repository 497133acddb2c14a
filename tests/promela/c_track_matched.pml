/* expect: error: assertion violated ( total != 14 ); depth: 10; errors: 5; stored: 127; transitions: 199 */
/* c_track keeps a C variable in the state. */
c_decl { int total; };
c_track "&total" "sizeof(int)" "Matched"
byte g;

active [2] proctype P()
{
	g++;
	c_code { total += now.g; };
	g = g + 1;
	c_code { total = total * 2; };
	assert(c_expr { total != 14 })
}
