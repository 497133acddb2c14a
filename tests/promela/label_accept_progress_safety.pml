/* expect: error: none; errors: 0; stored: 88; transitions: 164 */
/* accept and progress labels do not change a search for safety errors. */
byte g;

active [2] proctype P()
{
accept_a:
	do
	:: g < 3 -> progress: g++
	:: g >= 3 -> accept: g = 0
	:: g == 2 -> progress_b: break
	od
}
