/* expect: error: none; errors: 0; stored: 61; transitions: 80 */
/* A local initialiser is evaluated when the process starts, in order of declaration. */
byte g = 3;

proctype P(byte n)
{
	byte x = n + 1;
	byte y = x * 2;
	byte z = g;
	g = z + y;
	assert(g != 19)
}

init {
	g = 5;
	run P(1);
	g++;
	run P(2)
}
