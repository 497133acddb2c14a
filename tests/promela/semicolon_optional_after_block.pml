/* expect: error: assertion violated (g!=5); depth: 21; errors: 25; stored: 604; transitions: 1105 */
/* Since version 6.3 a separator may be left out after a block. */
byte g;

active [2] proctype P()
{
	byte i
	for (i : 0 .. 1) { g++ }
	if :: g > 1 -> g = 0 :: else fi
	do :: g < 2 -> g++ :: else -> break od
	atomic { g++; g-- }
	{ g = g + 2 }
	assert(g != 5)
}
