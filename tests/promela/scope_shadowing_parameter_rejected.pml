/* expect: reject: redeclaration of 'x' */
/* A parameter cannot have the name of a global declared before. */
byte x;
proctype P(byte x) { x = 1 }
init { run P(2) }
