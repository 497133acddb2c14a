/* expect: error: invalid end state; depth: 4; errors: 28; stored: 131; transitions: 222 */
/* enabled() inside a proctype looks at another process. */
byte g;
active proctype P()
{
	do
	:: enabled(1) && g < 4 -> g++
	:: g == 4 -> break
	od
}
active proctype Q() { g == 2 -> g = 3; g == 4 -> assert(g == 4) }
active proctype R() { g == 0 -> g = 2; g == 2 -> g = 1 }
