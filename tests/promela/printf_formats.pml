/* expect: error: none; errors: 0; stored: 73; transitions: 129 */
/* Printing changes no state but is a step of its own. */
mtype = { red, green };
byte g;
mtype m = green;

active [2] proctype P()
{
	printf("start %d %c %x %o %u %e\n", g, 'a', 255, 8, 7, m);
	g++;
	printm(m);
	printm(red);
	printf("no newline %% \t end");
	m = red;
	assert(g != 2 || m == red)
}
