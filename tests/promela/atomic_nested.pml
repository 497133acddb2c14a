/* expect: error: none; errors: 0; stored: 13; transitions: 19 */
/* An atomic within an atomic adds nothing. */
byte g;

active [2] proctype P()
{
	atomic {
		g++;
		atomic { g++; g++ }
		g = g - 2;
		if
		:: g > 1 -> atomic { g--; g = g - 0 }
		:: else -> g = g + 3
		fi
	}
	assert(g == 4 || g == 1)
}
