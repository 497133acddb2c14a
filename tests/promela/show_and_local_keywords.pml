/* expect: error: none; errors: 0; stored: 68; transitions: 107 */
/* show and local change nothing in a search without reduction. */
show byte s = 1;
local byte l = 2;

active [2] proctype P()
{
	show byte x;
	x = s + l; s = x; l = s - 1;
	assert(s != 6)
}
