/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: end state in claim reached; depth: 13; errors: 6; stored: 57; transitions: 148 */
/* A claim may follow several ways at once. */
byte g;

active [2] proctype P() { g++; g = g + 2; g++ }

never {
s0:	if
	:: g > 0 -> goto s1
	:: true -> goto s0
	:: g > 2 -> goto s2
	fi;
s1:	if
	:: g == 4 -> goto s2
	:: true -> goto s1
	fi;
s2:	if
	:: g == 7
	:: g != 7 -> goto s2
	fi
}
