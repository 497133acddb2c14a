/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: assertion violated (g<6); depth: 14; errors: 13; stored: 78; transitions: 133 */
/* An assertion inside a claim. */
byte g;

active [2] proctype P() { byte x; x = g; g = x + 1; g = g * 2 }

never {
	do
	:: assert(g < 6)
	:: g > 2 -> assert(g != 3)
	od
}
