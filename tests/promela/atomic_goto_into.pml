/* expect: error: none; errors: 0; stored: 91; transitions: 139 */
/* A goto into the middle of an atomic gives exclusive control from there on. */
byte g;

active [2] proctype P()
{
	if
	:: goto middle
	:: skip
	fi;
	atomic {
		g = g + 1;
middle:		g = g + 2;
		g = g * 2;
		assert(g % 2 == 0)
	}
	g--
}
