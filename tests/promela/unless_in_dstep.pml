/* expect: error: assertion violated  !(e); depth: 7; errors: 6; stored: 41; transitions: 59 */
/* An escape around a d_step is checked before and after it only. */
byte g, e;

active proctype P()
{
	{
		d_step { g = 1; g = 2; g = 3 }
		g = 4;
		g = 5
	} unless { g == 2 || g == 4 -> e = 1 };
	assert(!e)
}

active proctype Q()
{
	g = 2;
	g = 0
}
