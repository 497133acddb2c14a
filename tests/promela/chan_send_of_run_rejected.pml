/* expect: reject: run operator used in invalid context */
/* run may not hide in a message. */
chan q = [1] of { byte };
proctype C() { skip }
active proctype P() { q!run C() }
