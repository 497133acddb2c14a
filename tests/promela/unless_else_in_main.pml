/* expect: error: assertion violated (g==5); depth: 8; errors: 5; stored: 1055; transitions: 1593 */
/* else inside the main sequence looks at the options, not at the escape. */
byte g;

active proctype P()
{
	do
	:: g == 5 -> break
	:: else -> g++
	od unless { g == 4 -> g = 6 };
	assert(g == 5)
}

active proctype Q()
{
	if
	:: g = 2
	:: g = 5
	fi
}
