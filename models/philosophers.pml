/* Dining philosophers that can deadlock.
 *
 * N philosophers sit around a table with N forks, fork i between philosophers i-1 and i. Everybody
 * takes the fork on his right, then the one on his left, eats, and puts them down in the same order.
 * A fork is a channel with room for one message: to take it is to put one's name on it.
 *
 * Source:    E. W. Dijkstra, Hierarchical ordering of sequential processes, Acta Informatica 1, 1971;
 *            "Philosophers" in Tables 4 and 5 of Edelkamp, Lluch Lafuente, Leue, Directed explicit model
 *            checking with HSF-SPIN, 2001.
 * Parameter: N philosophers, 2 to 250.
 * Error:     deadlock, when everybody holds his right fork. The shortest has 4 N + 2 steps: 3 N + 2
 *            of init and one of each philosopher; for N = 8 it has 34, where depth-first search finds
 *            one of 1362.
 */
#ifndef N
#define N 8
#endif

#define left  fork[i]
#define right fork[(i + 1) % N]

chan fork[N] = [1] of { byte };

proctype Philosopher(byte i)
{
	do
	:: right!i;
danger_one_fork:
	   left!i;
	   right?_;
	   left?_
	od
}

init {
	byte i;

	atomic {
		do
		:: run Philosopher(i);
		   i++;
		   if
		   :: i < N
		   :: else -> break
		   fi
		od
	}
}
