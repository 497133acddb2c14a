/* expect: cc: -DNOREDUCE -DSAFETY; compare: error errors depth */
/* expect: error: assertion violated  !( !((g<5))); depth: 13; errors: 4 */
/* [] p as an inline formula: its violation is an assertion in the claim. */
byte g;

active [2] proctype P() { g++; g = g + 2; g-- }

ltl small { [] (g < 5) }
