/* expect: error: assertion violated (g!=6); depth: 7; errors: 6; stored: 76; transitions: 125 */
/* Braces group statements into one; a group may be the body of an option. */
byte g;

active [2] proctype P()
{
	{ g++; { g++; } };
	if
	:: { g == 2; g++ }
	:: { g != 2 -> { g = g + 2 } }
	fi;
	assert(g != 6)
}
