/* expect: error: invalid end state; depth: 64; errors: 10; stored: 165; transitions: 222 */
/* A process moves only while its provided clause holds. */
byte turn, n[2];

active proctype A() provided (turn == 0)
{
	do
	:: n[0] < 3 -> n[0]++; turn = 1
	:: n[0] == 3 -> turn = 1; break
	od
}

active proctype B() provided (turn == 1 || n[0] == 2)
{
	do
	:: n[1] < 4 -> n[1]++
	:: n[1] > 1 -> turn = 0; n[1] = 0
	:: n[0] == 3 -> break
	od;
	assert(n[1] != 3)
}
