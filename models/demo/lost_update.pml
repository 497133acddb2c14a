/* Two clerks add to one account. Each reads the balance, thinks, and writes it back:
 * an update can get lost. How few can remain of 2 * N, and how short is the run that shows it?
 */
#ifndef N
#define N 5
#endif

byte balance;

proctype Clerk()
{
	byte seen, done;

	do
	:: done < N ->
		seen = balance;
		balance = seen + 1;
		done++
	:: done == N -> break
	od
}

init {
	atomic { run Clerk(); run Clerk() }
	_nr_pr == 1;
	assert(balance > 2)
}
