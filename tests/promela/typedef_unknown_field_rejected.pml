/* expect: reject: no field 'c' defined in structure 'p' */
/* A field that the struct does not have. */
typedef Pair { byte a; byte b };
Pair p;
active proctype P() { p.c = 1 }
