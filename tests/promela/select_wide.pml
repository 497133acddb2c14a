/* expect: error: assertion violated (g!=40); depth: 83; errors: 41; stored: 212; transitions: 215 */
/* A select wide enough for SPIN to count up instead of listing the values. */
byte g;

active proctype P()
{
	byte i;
	select (i : 0 .. 40);
	g = i;
	assert(g != 40)
}

active proctype Q()
{
	g == 17 -> g = 0
}
