/* expect: error: none; errors: 0; stored: 30; transitions: 43 */
/* Inside a d_step the first executable option is always taken. */
byte g;

active [2] proctype P()
{
	d_step {
		g = g + 1;
		if
		:: g > 3 -> g = 0
		:: g > 0 -> g = g + 2
		:: true -> g = 9
		fi
	}
	assert(g != 9);
	g++
}
