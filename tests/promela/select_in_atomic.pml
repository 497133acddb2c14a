/* expect: error: none; errors: 0; stored: 115; transitions: 181 */
/* select inside atomic: all choices, no interleaving. */
byte g, h;

active [2] proctype P()
{
	byte i;
	atomic {
		select (i : 1 .. 3);
		g = g + i;
		h = i
	}
	assert(h == i || g > 1)
}
