/* A pipeline of processes that sorts a stream of numbers; processes are created as needed. */
#ifndef N
#define N 7
#endif

proctype Stage(chan in; byte left)
{
	chan out = [N] of { byte };
	byte mine, x, k;

	in?mine;
	if
	:: left > 1 -> run Stage(out, left - 1)
	:: else
	fi;
	do
	:: k < left - 1 ->
		in?x;
		k++;
		if
		:: x >= mine -> out!x
		:: x < mine -> out!mine; mine = x
		fi
	:: k == left - 1 -> break
	od;
	x = 0; k = 0
}

init {
	chan first = [N] of { byte };
	byte i;

	run Stage(first, N);
	do
	:: i < N -> first!(i * 3) % N; i++
	:: i == N -> break
	od
}
