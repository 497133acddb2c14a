/* expect: reject: do not index an array with itself (a[a[1]]) */
/* An array cannot be indexed by its own element. */
byte a[3];
active proctype P() { a[a[1]] = 2 }
