/* expect: reject: redeclaration of 'x' */
/* A local cannot have the name of a global declared before. */
byte x = 1;
active proctype P() { byte x; x = 1 }
