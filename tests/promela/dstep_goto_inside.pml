/* expect: error: assertion violated (g!=6); depth: 4; errors: 5; stored: 13; transitions: 19 */
/* Jumps within a d_step. */
byte g;

active [2] proctype P()
{
	byte i;
	d_step {
		i = 0;
again:		g = g + i;
		i++;
		if
		:: i < 3 -> goto again
		:: else
		fi;
		i = 0
	}
	assert(g != 6)
}
