/* expect: error: non-determinism in D_proctype; depth: 0; errors: 3; stored: 12; transitions: 15 */
/* A D_proctype that is not deterministic after all. */
byte g;
active D_proctype P() { if :: g = 1 :: g = 2 fi; assert(g != 2) }
active proctype Q() { g == 1 -> g = 3 }
