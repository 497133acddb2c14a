/* Leader election in a one-way ring, with nodes that carry the same identifier.
 *
 * Every active node sends its number to its left, learns the numbers of the two nodes on its right,
 * and stays active only if its neighbour's number is the largest of the three; it then goes on with
 * that number. A node that sees its own number come back is the leader. This is right if all
 * identifiers are different. Here two neighbours share each, so that several nodes think they have won.
 *
 * Source:    D. Dolev, M. Klawe, M. Rodeh, An O(n log n) unidirectional distributed algorithm for
 *            extrema finding in a circle, J. Algorithms 3, 1982; with equal identifiers: leader(n) in
 *            Edelkamp, Leue, Lluch Lafuente, Partial-order reduction and trail improvement in directed
 *            model checking, STTT 6, 2004.
 * Parameter: N nodes, 4 to 12. With -DEQUAL all identifiers are equal, as in the paper; with -DDISTINCT
 *            they are all different, and there is no error.
 * Error:     assertion: a second leader; for N = 5 the shortest has 29 steps, where depth-first
 *            search finds one of 58.
 */
#ifndef N
#define N 5
#endif

#if defined(DISTINCT)
#define IDENTIFIER(i) (i + 1)
#elif defined(EQUAL)
#define IDENTIFIER(i) 1
#else
#define IDENTIFIER(i) (i / 2 + 1)
#endif

mtype = { first, second, winner };

chan ring[N] = [2] of { mtype, byte };	/* ring[i] leads from node i + 1 to node i */
byte leaders;

#define in  ring[me]
#define out ring[(me + N - 1) % N]

proctype Node(byte me; byte number)
{
	byte nr, neighbour;
	bool active_node = true, elected;

	out!first(number);
end:	do
	:: in?first(nr) ->
		if
		:: active_node && nr != number ->
			neighbour = nr;
			out!second(nr)
		:: active_node && nr == number ->
			leaders++;
			assert(leaders == 1);
			elected = true;
			out!winner(nr)
		:: !active_node ->
			out!first(nr)
		fi
	:: in?second(nr) ->
		if
		:: active_node && neighbour > nr && neighbour > number ->
			number = neighbour;
			out!first(number)
		:: active_node && !(neighbour > nr && neighbour > number) ->
			active_node = false
		:: !active_node ->
			out!second(nr)
		fi
	:: in?winner(nr) ->
		if
		:: elected
		:: !elected -> out!winner(nr)
		fi;
		break
	od
}

init {
	byte i;

	atomic {
		do
		:: i < N -> run Node(i, IDENTIFIER(i)); i++
		:: else -> break
		od
	}
}
