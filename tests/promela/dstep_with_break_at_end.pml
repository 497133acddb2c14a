/* expect: error: assertion violated (h!=9); depth: 11; errors: 1; stored: 72; transitions: 90 */
/* break as the end of an option that is a d_step. */
byte g, h;

active proctype P()
{
	do
	:: d_step { g < 3 -> g++; h = g }
	:: d_step { g == 3 -> h = 9 }; break
	od
}

active proctype Q()
{
	do
	:: d_step { h > 0 -> h--; g = g }
	:: g == 3 -> break
	od;
	assert(h != 9)
}
