/* expect: error: none; errors: 0; stored: 1106; transitions: 2110 */
/* else is executable iff no other option is. */
byte g;

active [2] proctype P()
{
	byte n;
	do
	:: g == _pid -> g = 2
	:: g == 2 && n < 3 -> g = 0; n++
	:: else -> if :: n >= 3 -> break :: else -> g = _pid; n++ fi
	od;
	assert(n == 3)
}
