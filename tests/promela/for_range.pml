/* expect: error: assertion violated (g<9); depth: 31; errors: 35; stored: 490; transitions: 889 */
/* for (i : a .. b) counts up inclusively; the bounds are expressions evaluated each round. */
byte g, limit = 2;

active [2] proctype P()
{
	byte i;
	for (i : _pid .. limit) {
		g = g + i;
		if
		:: g == 2 -> limit = 3
		:: else
		fi
	}
	assert(g < 9)
}
