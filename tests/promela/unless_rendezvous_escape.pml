/* expect: error: assertion violated (g!=13); depth: 7; errors: 2; stored: 41; transitions: 52 */
/* A rendezvous as escape: the offer of the partner interrupts. */
chan interrupt = [0] of { byte };
byte g;

active proctype P()
{
	byte x;
	{
		g++; g++; g++; g++
	} unless { interrupt?x -> g = g + x };
	assert(g != 13)
}

active proctype Q()
{
	if
	:: interrupt!10
	:: g == 4 -> skip
	fi
}
