/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: none; errors: 0; stored: 21; transitions: 34 */
/* [] p that holds. */
byte g;

active [2] proctype P() { g++; g = g + 2; g-- }

ltl small { always (g < 7) }
