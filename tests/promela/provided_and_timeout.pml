/* expect: error: assertion violated (g!=7); depth: 6; errors: 1; stored: 13; transitions: 16 */
/* When no provided clause holds, timeout becomes true only for those allowed to move. */
bit open = 1;
byte g;

active proctype A() provided (open)
{
	g++; open = 0; g++
}

active proctype B()
{
	timeout -> open = 1;
	g = g + 5;
	assert(g != 7)
}
