/* expect: error: none; errors: 0; stored: 4419; transitions: 10659 */
/* A local channel handed to a child outlives nothing: the parent waits for the answer. */
byte total;

proctype Worker(chan back; byte n)
{
	back!n * n
}

proctype Boss(byte base)
{
	chan back = [1] of { byte };
	byte x, y;
	run Worker(back, base);
	run Worker(back, base + 1);
	back?x;
	back?y;
	total = total + x + y
}

init {
	run Boss(1);
	run Boss(2);
	(_nr_pr == 1) -> assert(total == 18)
}
