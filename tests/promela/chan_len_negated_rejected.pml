/* expect: reject: syntax error */
/* SPIN wants nfull() and nempty() instead of a negation. */
chan q = [1] of { byte };
active proctype P() { if :: !full(q) -> q!1 :: else fi }
