/* expect: error: assertion violated ((g!=10)&&(g<100)); depth: 40; errors: 50; stored: 537; transitions: 953 */
/* A range that is empty at run time; the counter afterwards. */
int g;
short low = 3;

active [2] proctype P()
{
	int i;
	for (i : low .. 2) { g = g + 100 }
	g = g + i;
	for (i : low - 4 .. 1) { g = g + i * 2 }
	g = g + i;
	low--;
	assert(g != 10 && g < 100)
}
