/* expect: pan: -m500 */
/* expect: error: none; errors: 0; stored: 9; transitions: 1010 */
/* An endless loop inside atomic: states inside are not stored, only the depth limit ends it. */
byte g;

active proctype P()
{
	atomic {
		do
		:: g = 1 - g
		:: g == 0 -> break
		od
	}
}

active proctype Q()
{
	byte x;
	x = g;
	assert(x == 0)
}
