/* expect: error: assertion violated (g==7); depth: 7; errors: 1; stored: 24; transitions: 25 */
/* else and timeout in one system: else is not waiting, timeout is. */
byte g, h;
active proctype P() { do :: g > 1 -> break :: else -> g++ od; timeout -> h = 1 }
active proctype Q() { h == 1 -> g = 7; timeout -> assert(g == 7) }
active proctype R() { do :: g == 7 -> break :: timeout -> skip; break od; assert(g == 7) }
