/* expect: error: invalid end state; depth: 2; errors: 1; stored: 17; transitions: 19 */
/* pc_value() inside a proctype. */
byte g;
active proctype P() { g = 1; g = 2; g = 3 }
active proctype Q() { pc_value(0) == 3 -> g = 9; assert(pc_value(0) >= 3) }
