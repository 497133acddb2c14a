/* expect: reject: redeclaration of 'x' */
/* A block cannot declare a name of the block around it again. */
byte g;
active proctype P() { byte x; x = 2; { byte x = 3; g = x } }
