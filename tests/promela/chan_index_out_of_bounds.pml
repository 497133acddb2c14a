/* expect: pan: -c1 */
/* expect: error: assertion violated - invalid array index; depth: 0; errors: 1; stored: 1; transitions: 1 */
/* An index outside an array of channels. */
chan q[2] = [1] of { byte };
active [3] proctype P() { q[_pid]!1 }
