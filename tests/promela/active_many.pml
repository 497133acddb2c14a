/* expect: error: none; errors: 0; stored: 163; transitions: 489 */
/* active [N] starts N instances with pids in order of appearance. */
byte who[5];

active [2] proctype A() { who[_pid] = 1 }
active proctype B() { byte x = _pid; who[x] = 2; assert(_pid == 2) }
active [2] proctype C() { who[_pid] = 3; assert(_pid > 2 && who[_pid - 3] != 2) }
