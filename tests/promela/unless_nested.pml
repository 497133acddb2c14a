/* expect: error: assertion violated (g!=9); depth: 8; errors: 2; stored: 51; transitions: 71 */
/* Of nested escapes the outer one has priority. */
byte g, h;

active proctype P()
{
	{
		{
			do
			:: g < 3 -> g++
			:: else -> break
			od
		} unless { h == 1 -> h = 5 }
	} unless { h == 1 && g > 1 -> g = 9 };
	assert(g != 9)
}

active proctype Q()
{
	h = 1
}
