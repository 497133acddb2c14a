/* expect: error: assertion violated (hits[0]<2); depth: 13; errors: 4; stored: 420; transitions: 829 */
/* Rendezvous through an array of channels chosen at run time. */
chan q[3] = [0] of { byte };
byte hits[3];

active [2] proctype S()
{
	byte i;
	select (i : 0 .. 2);
	q[i]!_pid;
	hits[i]++
}

active proctype R()
{
	byte x, n;
	do
	:: n < 2 -> if :: q[0]?x :: q[1]?x :: q[2]?eval(n) fi; n++
	:: n == 2 -> break
	od;
	assert(hits[0] < 2)
}
