/* expect: reject: missing array index for 'a' */
/* Arrays are not assigned as a whole. */
byte a[2], b[2];
active proctype P() { a = b; assert(a[1] == 0) }
