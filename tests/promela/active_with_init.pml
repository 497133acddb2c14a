/* expect: error: assertion violated (_pid==3); depth: 5; errors: 8; stored: 140; transitions: 189 */
/* init beside active processes: order of appearance decides the pid. */
byte order;

active proctype A() { order = order * 3 + _pid }
init { order = order * 3 + _pid; run C() }
active proctype B() { order = order * 3 + _pid }
proctype C() { order = order * 2; assert(_pid == 3) }
