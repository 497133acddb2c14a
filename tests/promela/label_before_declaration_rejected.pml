/* expect: reject: label preceding declaration, */
/* A label needs a statement behind it. */
active proctype P() { l: byte x; x = 1 }
