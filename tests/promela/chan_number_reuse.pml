/* expect: error: none; errors: 0; stored: 55; transitions: 72 */
/* Channel numbers are reused after the processes that made them died. */
chan keep;
byte rounds;

proctype Maker()
{
	chan c = [1] of { byte };
	keep = c;
	c!7;
	rounds++
}

init {
	chan first;
	run Maker(); (_nr_pr == 1) -> first = keep;
	run Maker(); (_nr_pr == 1) -> assert(first == keep);
	atomic { run Maker(); run Maker() };
	(_nr_pr == 1) -> assert(rounds == 4 && (keep == first || keep != first))
}
