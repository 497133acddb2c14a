/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: end state in claim reached; depth: 13; errors: 5; stored: 65; transitions: 93 */
/* P@label without an index means the only instance of P. */
byte g;

active proctype Q() { g++; here: g++; g = 0 }
active proctype P() { g = g * 2; there: g = g + 1; g = g * 2 }

never {
	do
	:: P@there && Q@here -> break
	:: else
	od;
	do
	:: g == 5 -> break
	:: else
	od
}
