/* expect: flags: -O */
/* expect: error: assertion violated (g!=4); depth: 10; errors: 5; stored: 43; transitions: 73 */
/* With -O all locals of a proctype share one scope. */
byte g;
active [2] proctype P()
{
	{ byte t; t = 1; g = g + t }
	g = g + t;
	assert(g != 4)
}
