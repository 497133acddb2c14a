/* expect: error: assertion violated ((a==1)&&(b==2)); depth: 9; errors: 13; stored: 104; transitions: 170 */
/* run gives the pid of the new process, as an expression. */
byte mine[5];

proctype P(byte n) { mine[_pid] = n }

init {
	pid a, b;
	byte c;
	a = run P(7);
	b = run P(8);
	c = run P(9);
	assert(a == 1 && b == 2);
	(_nr_pr == 1) -> assert(mine[a] == 7 || mine[b] == 8);
	assert(c == 3 || c == 1)
}
