/* expect: error: invalid end state; depth: 4; errors: 1; stored: 4; transitions: 4 */
/* An escape around an atomic sequence is checked at every step inside it. */
byte g, e;

active proctype P()
{
	{
		atomic { g = 1; g = 2; g = 3 }
		g = 4
	} unless { g == 2 -> e = 1 };
	assert(e || g == 4)
}

active proctype Q()
{
	g == 1 -> g = 7;
	e = e + 2
}
