/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: end state in claim reached; depth: 21; errors: 2; stored: 12; transitions: 12 */
/* enabled(p) is true while process p can move; only claims may use it. */
byte g;

active proctype P() { g == 1 -> g = 2; g == 3 -> g = 4 }
active proctype Q() { g = 1; g == 2 -> g = 3; g == 4 }

never {
	do
	:: !enabled(0) && !enabled(1) && g == 4 -> break
	:: enabled(0) && enabled(1) -> assert(g != 1)
	:: else
	od
}
