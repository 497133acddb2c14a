/* expect: pan: -A */
/* expect: error: none; errors: 0; stored: 34; transitions: 55 */
/* With pan -A failing assertions are passed over. */
byte g;
active [2] proctype P() { g++; assert(g < 2); g++; assert(false); g == 4 }
