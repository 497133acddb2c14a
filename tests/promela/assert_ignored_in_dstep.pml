/* expect: pan: -A */
/* expect: error: block in d_step seq; depth: 1; errors: 1; stored: 2; transitions: 2 */
/* With pan -A, an assertion that fails inside a d_step does not hide that the d_step blocks behind it. */
byte g;
active proctype P() { g = 3; d_step { assert(g == 1); g = 2; g == 0; g = 1 } }
