/* expect: error: none; errors: 0; stored: 1282; transitions: 2383 */
/* Arrays of bits hold one bit in each element. */
bit b[8];
bool c[3];

active [2] proctype P()
{
	byte i;
	do
	:: i < 4 -> b[i * 2 + _pid] = i; c[i % 3] = i + _pid; i++
	:: i == 4 -> break
	od;
	assert(b[0] == 0 && b[1] == 0);
	assert(!(c[0] && c[1] && !c[2]))
}
