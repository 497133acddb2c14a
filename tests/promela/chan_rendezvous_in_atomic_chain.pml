/* expect: error: none; errors: 0; stored: 112; transitions: 181 */
/* A chain of rendezvous inside atomic sequences passes control along. */
chan a = [0] of { byte };
chan b = [0] of { byte };
byte log;

active proctype P() { atomic { a!1; log = log * 4 + 1; log++ } }
active proctype Q() { byte x; atomic { a?x; log = log * 4 + 2; b!x; log = log * 4 } }
active proctype R() { byte x; atomic { b?x; log = log * 4 + 3; x = 0 } assert(log != 59) }
active proctype T() { log++ }
