/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: none; errors: 0; stored: 13; transitions: 20 */
/* Several named claims and none chosen. */
byte g;

active [2] proctype P() { g++; g++ }

never a { do :: g == 5 -> break :: else od }
never b { do :: g == 3 -> break :: else od }
