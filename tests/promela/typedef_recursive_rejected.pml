/* expect: reject: syntax error */
/* A struct cannot contain itself. */
typedef Node { byte v; Node next };
Node n;
active proctype P() { n.v = 1 }
