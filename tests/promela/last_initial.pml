/* expect: error: invalid end state; depth: 10; errors: 162; stored: 2153; transitions: 4534 */
/* Before any step _last is 0. */
byte g;
active [3] proctype P() { g = g * 3 + _last; _last != _pid -> g++ ; assert(g != 6) }
