/* expect: error: assertion violated (g<8); depth: 34; errors: 75; stored: 928; transitions: 1591 */
/* break leaves a for loop; goto too. */
byte g;

active [2] proctype P()
{
	byte i;
	for (i : 1 .. 4) {
		g++;
		if
		:: g == 3 -> break
		:: g == 5 -> goto out
		:: else
		fi
	}
	g = g + 1;
out:	assert(g < 8)
}
