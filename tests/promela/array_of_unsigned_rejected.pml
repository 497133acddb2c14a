/* expect: reject: unsigned without width-field */
/* There are no arrays of unsigned:n. */
unsigned u[3] : 4 = 14;
active proctype P() { u[1] = 2 }
