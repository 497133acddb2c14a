/* expect: error: none; errors: 0; stored: 16; transitions: 19 */
/* timeout as an operand. */
bit t;
byte g;

active proctype P()
{
	do
	:: g < 2 -> g++
	:: timeout && g == 2 -> t = 1; g = 7
	:: timeout && g == 7 -> break
	od
}

active proctype Q()
{
	t -> t = 0
}
