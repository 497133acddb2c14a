/* expect: error: assertion violated (g!=3); depth: 6; errors: 1; stored: 10; transitions: 12 */
/* A provided clause that turns false inside an atomic sequence. */
byte g;
bit ok = 1;

active proctype A() provided (ok)
{
	atomic { g++; ok = 0; g++; g++ }
}

active proctype B()
{
	g > 0 -> ok = 1;
	assert(g != 3)
}
