proctype P(byte a = 1) { skip }

init { run P(1) }
