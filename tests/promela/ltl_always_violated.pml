/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: assertion violated  !( !((g<5))); depth: 13; errors: 4; stored: 21; transitions: 40 */
/* [] p as an inline formula: its violation is an assertion in the claim. */
byte g;

active [2] proctype P() { g++; g = g + 2; g-- }

ltl small { [] (g < 5) }
