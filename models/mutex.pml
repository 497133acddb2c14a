/* Hyman's erroneous mutual exclusion.
 *
 * A process raises its flag, and as long as it is not its turn waits until the one whose turn it is has
 * lowered his flag, and then takes the turn. Between these two steps somebody else can go in.
 *
 * Source:    H. Hyman, Comments on a problem in concurrent programming control, CACM 9, 1966 (for two
 *            processes; here for any number); "Mutex" in Table 7 of Edelkamp, Lluch Lafuente, Leue,
 *            Directed explicit model checking with HSF-SPIN, 2001.
 * Parameter: N processes, 2 to 6.
 * Error:     assertion: two processes in the critical section; for N = 3 the shortest has 10 steps,
 *            where depth-first search finds one of 106.
 */
#ifndef N
#define N 3
#endif

bool flag[N];
byte turn, inside;

active [N] proctype P()
{
	do
	:: flag[_pid] = true;
	   do
	   :: turn != _pid ->
		!flag[turn];
		turn = _pid
	   :: turn == _pid -> break
	   od;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   flag[_pid] = false
	od
}
