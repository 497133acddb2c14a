/* expect: reject: more than one run operator in expression */
/* Only one run in an expression, and nothing beside it. */
proctype P() { skip }
active proctype Q() { (run P() + run P()) }
