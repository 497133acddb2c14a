/* expect: error: invalid end state; depth: -1; errors: 1; stored: 1; transitions: 1 */
/* A deadlock in the initial state is at depth -1. */
byte g;
active [2] proctype P() { g == 1 -> g = 2 }
