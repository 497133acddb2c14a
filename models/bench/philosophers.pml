/* Dining philosophers; the last one is left-handed, so nobody starves in a deadlock. */
#ifndef N
#define N 10
#endif

bit fork[N];

active [N] proctype Philosopher()
{
	byte first, second;

	if
	:: _pid < N - 1 -> first = _pid; second = _pid + 1
	:: _pid == N - 1 -> first = 0; second = N - 1
	fi;
	do
	:: atomic { !fork[first] -> fork[first] = 1 };
	   atomic { !fork[second] -> fork[second] = 1 };
	   fork[first] = 0;
	   fork[second] = 0
	od
}
