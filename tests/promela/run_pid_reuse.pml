/* expect: error: assertion violated (highest!=3); depth: 22; errors: 1; stored: 397; transitions: 890 */
/* Processes die in the reverse order of their creation; pids are used again. */
byte born, highest;

proctype Short() { born++; if :: _pid > highest -> highest = _pid :: else fi }

init {
	run Short();
	run Short();
	run Short();
	(_nr_pr <= 3);
	run Short();
	(_nr_pr == 1) -> assert(born == 4);
	assert(highest != 3)
}
