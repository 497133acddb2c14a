/* expect: error: assertion violated (x!=5); depth: 20; errors: 29; stored: 2442; transitions: 2614 */
/* An array of channels: each element is a channel of its own. */
#define N 3
chan q[N] = [1] of { byte };

active [N] proctype Ring()
{
	byte x, rounds;
	if
	:: _pid == 0 -> q[1]!1
	:: else
	fi;
	do
	:: q[_pid]?x -> rounds++; q[(_pid + 1) % N]!x + 1
	:: rounds == 2 -> break
	od;
	assert(x != 5)
}
