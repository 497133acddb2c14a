/* expect: error: none; errors: 0; stored: 88; transitions: 132 */
/* Labels and jumps within main and escape sequence. */
byte g;

active proctype P()
{
	byte tries;
start:	{
		g++;
		if
		:: g < 4 -> goto start
		:: else
		fi;
		g = g + 2
	} unless {
		g == 3 ->
			tries++;
			if
			:: tries < 2 -> g = 1; goto start
			:: else -> goto out
			fi
	};
	g = 0;
out:	assert(g != 5)
}

active proctype Q()
{
	g = g + 1
}
