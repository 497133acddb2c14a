/* expect: error: none; errors: 0; stored: 30; transitions: 57 */
/* Loops that change nothing still have their states. */
byte g;

active proctype P()
{
	do
	:: true -> skip
	:: g > 1 -> break
	od
}

active proctype Q()
{
	do
	:: g < 2 -> skip; g++; skip
	:: g >= 2 -> skip; skip; break
	od
}
