/* expect: error: assertion violated (n!=6); depth: 18; errors: 19; stored: 253; transitions: 613 */
/* A local C variable begins with the value its c_state gives, in every process. */
c_state "int left" "Local P" "3"
c_state "int other" "Local Q" "7"
byte n;

active [2] proctype P()
{
	do
	:: c_expr { PP->left > 0 } -> c_code { PP->left--; now.n++; }
	:: else -> break
	od;
	assert(n != 6)
}

active proctype Q()
{
	c_expr { PQ->other == 7 }
}
