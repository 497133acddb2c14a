/* expect: error: none; errors: 0; stored: 19; transitions: 33 */
/* Processes that do nothing but end. */
byte g;
active [2] proctype P() { skip }
active proctype Q() { g = _nr_pr; assert(g > 0) }
