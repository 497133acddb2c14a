/* expect: pan: -c2 */
/* expect: error: assertion violated (g!=2); depth: 3; errors: 2; stored: 53; transitions: 109 */
/* pan -c2 stops at the second error. */
byte g;
active [3] proctype P() { g++; assert(g != 2); g++ }
