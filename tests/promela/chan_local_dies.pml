/* expect: error: none; errors: 0; stored: 68; transitions: 104 */
/* A local channel exists while its process lives; the next instance gets a new one. */
byte done;

proctype Child(byte n)
{
	chan mine = [2] of { byte };
	byte x;
	mine!n;
	mine!n + 1;
	mine?x;
	done = done + x;
	assert(len(mine) == 1)
}

init {
	run Child(1);
	run Child(2);
	(_nr_pr == 1);
	run Child(4);
	(_nr_pr == 1) -> assert(done == 7)
}
