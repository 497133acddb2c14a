/* expect: error: none; errors: 0; stored: 109; transitions: 229 */
/* A hidden variable is not part of the state: two states that differ only in it are one. */
hidden byte h;
byte g;

active [2] proctype P()
{
	do
	:: g < 3 -> h = g; g++
	:: g < 3 -> h = 9; g++
	:: g >= 3 -> break
	od
}
