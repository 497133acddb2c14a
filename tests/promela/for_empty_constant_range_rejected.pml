/* expect: reject: start value for i exceeds end-value */
/* A constant range must not be empty. */
int g;
active proctype P() { int i; for (i : 3 .. 2) { g = 100 } }
