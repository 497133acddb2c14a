/* expect: error: invalid end state; depth: 8; errors: 1; stored: 28; transitions: 49 */
/* Every process sends first: with capacity 1 the ring still moves, with a second token it may stop. */
#define N 3
chan q[N] = [1] of { byte };

active [N] proctype Node()
{
	byte x;
	q[(_pid + 1) % N]!_pid;
	q[_pid]?x;
	q[(_pid + 1) % N]!x;
	q[(_pid + 1) % N]!x + 1;
	q[_pid]?x;
	assert(x != _pid)
}
