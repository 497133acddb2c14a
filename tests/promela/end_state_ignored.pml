/* expect: pan: -E */
/* expect: error: assertion violated (g!=4); depth: 6; errors: 17; stored: 47; transitions: 83 */
/* With pan -E invalid end states are passed over. */
byte g;
active [2] proctype P() { g++; g == 3 -> g = 4; assert(g != 4) }
active proctype Q() { g++ }
