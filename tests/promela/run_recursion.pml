/* expect: error: none; errors: 0; stored: 155; transitions: 385 */
/* A proctype that runs itself. */
byte sum;

proctype Fact(byte n; chan up)
{
	chan down = [1] of { int };
	int r;
	if
	:: n <= 1 -> up!1
	:: n > 1 -> run Fact(n - 1, down); down?r; up!n * r
	fi;
	sum++
}

init {
	chan c = [1] of { int };
	int r;
	run Fact(4, c);
	c?r;
	assert(r == 24);
	(_nr_pr == 1) -> assert(sum == 4)
}
