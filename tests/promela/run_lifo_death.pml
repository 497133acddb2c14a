/* expect: error: assertion violated (_nr_pr==3); depth: 5; errors: 1; stored: 22; transitions: 24 */
/* A finished process whose younger sibling still lives cannot go. */
bit go;
byte n;

proctype Old() { n++ }
proctype Young() { go -> n = n + 2 }

init {
	run Old();
	run Young();
	n > 0 -> assert(_nr_pr == 3);
	go = 1;
	(_nr_pr == 1) -> assert(n == 3)
}
