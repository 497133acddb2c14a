/* expect: error: none; errors: 0; stored: 42; transitions: 61 */
/* The escape takes over as soon as it is executable, before every step of the main sequence. */
byte g;

active proctype P()
{
	{
		g = g + 1;
		g = g + 1;
		g = g + 1
	} unless { g >= 2 -> g = 10 };
	assert(g >= 10 || g == 3)
}

active proctype Q()
{
	g++;
	g++
}
