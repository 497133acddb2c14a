/* expect: error: none; errors: 0; stored: 16; transitions: 16 */
/* run with a priority. */
byte log;

proctype P(byte n)
{
	log = log * 2 + n;
	log = log + n
}

init {
	atomic {
		run P(1) priority 3;
		run P(2) priority 7;
		run P(3)
	}
	_nr_pr == 1 -> assert(log > 0)
}
