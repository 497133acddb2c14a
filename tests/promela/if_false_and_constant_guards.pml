/* expect: error: assertion violated (g!=5); depth: 6; errors: 5; stored: 111; transitions: 215 */
/* Constant guards: true always, false never. */
byte g;

active [2] proctype P()
{
	if
	:: false -> assert(false)
	:: true -> g++
	:: 0 -> g = 99
	:: 2 -> g = g + 2
	:: skip -> g = g + 3
	fi;
	assert(g != 5)
}
