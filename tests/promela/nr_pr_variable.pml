/* expect: error: invalid end state; depth: 7; errors: 3; stored: 45; transitions: 65 */
/* _nr_pr counts the processes alive. */
byte seen;

proctype C() { seen = _nr_pr }

init {
	assert(_nr_pr == 1);
	run C();
	run C();
	assert(_nr_pr >= 1 && _nr_pr <= 3);
	(_nr_pr == 2) -> assert(seen > 0);
	(_nr_pr == 1) -> assert(seen != 2)
}
