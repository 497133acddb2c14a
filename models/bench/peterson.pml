/* Peterson's mutual exclusion for N processes (the filter lock). */
#ifndef N
#define N 4
#endif

byte level[N], last[N], inside;

active [N] proctype Process()
{
	byte k, j;

	do
	:: k = 1;
	   do
	   :: k < N ->
		level[_pid] = k;
		last[k] = _pid;
		j = 0;
		do
		:: j < N && (j == _pid || level[j] < k || last[k] != _pid) -> j++
		:: j == N -> break
		od;
		k++
	   :: k == N -> break
	   od;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   level[_pid] = 0;
	   k = 0; j = 0
	od
}
