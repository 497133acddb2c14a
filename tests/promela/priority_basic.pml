/* expect: error: none; errors: 0; stored: 15; transitions: 15 */
/* Only processes of the highest priority among the executable ones move. */
byte g;

active proctype Low() priority 1
{
	do
	:: g < 4 -> g++
	:: g >= 4 -> break
	od
}

active proctype High() priority 5
{
	g == 2 -> g = 3;
	assert(g == 3);
	g == 4 -> g = 9
}
