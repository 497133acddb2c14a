/* expect: error: assertion violated (g==14); depth: 12; errors: 1; stored: 27; transitions: 34 */
/* The last statement of a process inside atomic: death is a step of its own. */
byte g;

proctype P(byte n)
{
	atomic { g = g + n; g = g * 2 }
}

init {
	atomic { run P(1); run P(2); g++ }
	(_nr_pr < 3) -> assert(g > 3);
	(_nr_pr == 1) -> assert(g == 14)
}
