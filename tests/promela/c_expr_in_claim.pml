/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: end state in claim reached; depth: 13; errors: 22; stored: 61; transitions: 74 */
/* Embedded C expressions inside a claim. */
byte g;

active [2] proctype P() { byte x; x = g; g = x + 2; g-- }

never {
	do
	:: c_expr { now.g == 3 } -> break
	:: c_expr { now.g != 3 }
	od
}
