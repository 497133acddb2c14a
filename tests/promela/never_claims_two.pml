/* expect: cc: -DNOREDUCE -DSAFETY; pan: -N b */
/* expect: error: end state in claim reached; depth: 9; errors: 6; stored: 13; transitions: 17 */
/* Several named claims: one is chosen by name. */
byte g;

active [2] proctype P() { g++; g++ }

never a { do :: g == 2 -> break :: else od }
never b { do :: g == 3 -> break :: else od }
