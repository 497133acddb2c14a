/* expect: error: none; errors: 0; stored: 43; transitions: 65 */
/* A goto out of an atomic ends the exclusive control. */
byte g;

active [2] proctype P()
{
	byte k;
again:
	atomic {
		g++;
		if
		:: k < 1 -> k++; goto again
		:: k == 1 && g < 3 -> goto out
		:: else -> g = 0
		fi;
		g = g + 2
	}
	assert(g != 4);
out:	g = g + 1
}
