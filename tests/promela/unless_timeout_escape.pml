/* expect: error: assertion violated (g!=52); depth: 8; errors: 1; stored: 28; transitions: 39 */
/* timeout as an escape: taken when nothing else can move. */
byte g;
chan q = [1] of { byte };

active proctype P()
{
	byte x;
	{
		q?x;
		g = g + x;
		q?x;
		g = g + x
	} unless { timeout -> g = g + 50 };
	assert(g != 52)
}

active proctype Q()
{
	q!1;
	g++;
	if
	:: q!3
	:: skip
	fi
}
