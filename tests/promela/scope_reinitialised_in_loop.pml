/* expect: error: none; errors: 0; stored: 183; transitions: 339 */
/* A declaration in a loop body is initialised again in every round. */
byte g;

active [2] proctype P()
{
	byte i;
	do
	:: i < 2 ->
		byte t = 3;
		t = t + i;
		g = g + t;
		i++
	:: i == 2 -> break
	od;
	assert(g <= 14)
}
