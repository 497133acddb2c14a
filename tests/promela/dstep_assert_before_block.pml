/* expect: pan: -c1 */
/* expect: error: assertion violated (g==1); depth: 1; errors: 1; stored: 2; transitions: 2 */
/* Of two errors inside a d_step the first counts. */
byte g;
active proctype P() { g = 3; d_step { assert(g == 1); g = 2; g == 0; g = 1 } }
