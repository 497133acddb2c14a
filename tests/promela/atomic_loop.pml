/* expect: error: assertion violated (n<9); depth: 37; errors: 7; stored: 75; transitions: 123 */
/* A loop inside atomic runs to its end without interleaving. */
byte g, n;

active [2] proctype P()
{
	atomic {
		do
		:: g < 5 -> g++; n++
		:: g >= 5 -> break
		:: g == 3 -> g = 7; break
		od
	}
	g = 1;
	assert(n < 9)
}
