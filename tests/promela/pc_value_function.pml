/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: end state in claim reached; depth: 17; errors: 21; stored: 109; transitions: 134 */
/* pc_value(p) is the state number of process p. */
byte g;

active proctype P() { g++; g++; g++; g++ }
active proctype Q() { g = g * 2; g = g * 2 }

never {
	do
	:: pc_value(0) > 2 && pc_value(1) == 2 -> break
	:: pc_value(0) <= 2 || pc_value(1) != 2
	od;
	assert(g != 7);
	do
	:: pc_value(0) == pc_value(1) -> break
	:: else
	od
}
