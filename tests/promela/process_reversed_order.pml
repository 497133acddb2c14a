/* expect: pan: -c1; cc: -DNOREDUCE -DSAFETY -DNOCLAIM -DREVERSE */
/* expect: error: assertion violated (g!=4); depth: 4; errors: 1; stored: 36; transitions: 50 */
/* -DREVERSE tries the processes in the other order. */
byte g;
active [3] proctype P() { g = g * 2 + _pid; assert(g != 4); g++ }
