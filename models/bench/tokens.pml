/* Workers that meet by rendezvous and hand tokens around: mostly synchronous steps. */
#ifndef N
#define N 5
#endif

chan give = [0] of { byte, byte };
bit even;

active [N] proctype Worker()
{
	byte have = 1, who, n;

	do
	:: have > 0 -> give!_pid,1; have--
	:: give?who,n -> have = have + n; even = even + who; who = 0; n = 0
	od
}
