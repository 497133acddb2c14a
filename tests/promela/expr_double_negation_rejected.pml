/* expect: reject: syntax error */
/* !! is the sorted send, not a double negation. */
byte g;
active proctype P() { g = !!g }
