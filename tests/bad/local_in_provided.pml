proctype P(byte a) provided (a == 0) { skip }

init { run P(1) }
