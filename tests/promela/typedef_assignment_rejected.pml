/* expect: reject: incomplete structure ref 'q' */
/* A struct is not assigned as a whole. */
typedef Pair { byte a; byte b[2] };
Pair p, q;
active proctype P() { q = p; assert(q.a == 0) }
