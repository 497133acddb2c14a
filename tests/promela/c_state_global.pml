/* expect: error: none; errors: 0; stored: 111; transitions: 185 */
/* c_state adds a C variable to the state vector. */
c_state "int counter" "Global" "5"
byte g;

active [2] proctype P()
{
	g++;
	c_code { now.counter += now.g; };
	if
	:: c_expr { now.counter > 7 } -> g = 0
	:: c_expr { now.counter <= 7 } -> skip
	fi;
	assert(g == 0 || g < 3)
}
