/* expect: error: none; errors: 0; stored: 157; transitions: 289 */
/* D_proctype is a proctype that promises to be deterministic. */
byte g;

active [2] D_proctype P()
{
	byte i;
	do
	:: i < 3 -> i++; g = g + i
	:: else -> break
	od;
	assert(g != 11)
}
