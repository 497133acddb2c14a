/* Lamport's bakery: mutual exclusion by numbered tickets; who draws too large a number tries again. */
#ifndef N
#define N 4
#endif
#ifndef MAX
#define MAX 6
#endif

bit choosing[N];
byte number[N], inside;

active [N] proctype Customer()
{
	byte j, top;

	do
	:: choosing[_pid] = 1;
	   top = 0; j = 0;
	   do
	   :: j < N ->
		if
		:: number[j] > top -> top = number[j]
		:: number[j] <= top
		fi;
		j++
	   :: j == N -> break
	   od;
	   if
	   :: top < MAX
	   :: top == MAX -> choosing[_pid] = 0; j = 0; top = 0; goto again
	   fi;
	   number[_pid] = top + 1;
	   choosing[_pid] = 0;
	   j = 0; top = 0;
	   do
	   :: j < N ->
		!choosing[j];
		(number[j] == 0 || number[j] > number[_pid] || (number[j] == number[_pid] && j >= _pid));
		j++
	   :: j == N -> break
	   od;
	   j = 0;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   number[_pid] = 0;
again:	   skip
	od
}
