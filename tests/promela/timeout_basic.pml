/* expect: error: assertion violated 0; depth: 13; errors: 1; stored: 17; transitions: 17 */
/* timeout is executable when no other statement in the system is. */
byte g;

active proctype P()
{
	do
	:: g < 3 -> g++
	:: timeout -> g = 0; break
	od
}

active proctype Q()
{
	g == 0 && timeout -> assert(false)
}

active proctype R()
{
	g == 3 -> g = 5;
	g == 0
}
