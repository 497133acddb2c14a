/* expect: reject: undeclared variable: t */
/* A name is not known after its block. */
byte g;
active proctype P() { { byte t; t = 1 } g = t }
