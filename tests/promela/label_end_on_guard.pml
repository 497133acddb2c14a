/* expect: error: none; errors: 0; stored: 6; transitions: 6 */
/* An end label inside an option counts for the state after its guard. */
byte g;

active proctype P()
{
	do
	:: g == 0 -> g = 1; end: g == 5
	:: g == 1 -> g = 2
	od
}

active proctype Q()
{
	g == 1 -> g = 0
}
