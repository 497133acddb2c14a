/* expect: reject: missing array index for 'p' */
/* An array of structs needs an index before its field. */
typedef Pair { byte a; byte b };
Pair p[2];
active proctype P() { p.a = 1 }
