/* expect: error: assertion violated 0; depth: 6; errors: 9; stored: 28; transitions: 45 */
/* assert(false) behind a guard that can become true. */
byte g;
active [2] proctype P() { g++; if :: g == 1 -> skip :: g == 2 -> assert(false) fi }
