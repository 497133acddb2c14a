/* expect: reject: wrong number of parameters */
/* More arguments than parameters. */
byte g;
proctype P(byte a) { g = a }
init { run P(1, 2) }
