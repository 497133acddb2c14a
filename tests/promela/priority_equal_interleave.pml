/* expect: error: none; errors: 0; stored: 38; transitions: 50 */
/* Equal priorities interleave. */
byte g;

active [2] proctype P() priority 3 { g++; g = g * 2; g++ }
active proctype Q() priority 1 { assert(g > 4); g = 0 }
