/* expect: error: invalid end state; depth: 19; errors: 1; stored: 80; transitions: 213 */
/* Dining philosophers who take the left fork first. */
#define N 4
bit fork[N];

active [N] proctype Phil()
{
	do
	:: atomic { !fork[_pid] -> fork[_pid] = 1 };
	   atomic { !fork[(_pid + 1) % N] -> fork[(_pid + 1) % N] = 1 };
	   fork[_pid] = 0;
	   fork[(_pid + 1) % N] = 0
	od
}
