/* expect: cc: -DNOREDUCE -DSAFETY; compare: error errors depth */
/* expect: error: none; errors: 0 */
/* [] p that holds. */
byte g;

active [2] proctype P() { g++; g = g + 2; g-- }

ltl small { always (g < 7) }
