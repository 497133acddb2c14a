/* expect: reject: wrong nr of params on call of 'f' */
/* Too few arguments in a call of an inline. */
byte g;
inline f(a, b) { a = b }
active proctype P() { f(g) }
