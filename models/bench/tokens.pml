/* Workers that meet by rendezvous and hand tokens around: mostly synchronous steps. */
#ifndef N
#define N 6
#endif

chan give = [0] of { byte };
byte total = N;

active [N] proctype Worker()
{
	byte have = 1, got;

	do
	:: have > 0 -> give!have; have = 0
	:: give?got -> have = have + got; got = 0
	:: have > 1 -> have--; total--
	:: have == 0 && total < N -> have = 1; total++
	od
}
