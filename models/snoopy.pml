/* A snooping cache coherence protocol: N processors with a cache of one line each, on one bus.
 *
 * A line is invalid, shared or modified. A processor that misses asks for the bus; who has the bus
 * announces a read or a write, and every other cache snoops it: it downgrades or drops its line, and if
 * the line was modified it first writes it back to memory. A cache also writes back its modified line
 * when it needs the room. The fault: such a cache takes the memory first and the bus afterwards, while
 * who has the bus waits for its answer and then for the memory.
 *
 * Source:    write-invalidate snooping as in J. Archibald, J.-L. Baer, Cache coherence protocols:
 *            evaluation using a multiprocessor simulation model, ACM TOCS 4, 1986; "Snoopy" in Table 4 of
 *            Edelkamp, Lluch Lafuente, Leue, Directed explicit model checking with HSF-SPIN, 2001.
 * Parameter: N processors, 2 to 5; WRITERS of them, 1 to N, also write. With -DCORRECT the bus is always
 *            taken first, and there is no error.
 * Error:     deadlock: the owner of the memory waits for the bus, and the owner of the bus for a
 *            snoop or for the memory; for N = 3 the shortest has 72 steps, where depth-first search
 *            finds one of 2262.
 */
#ifndef N
#define N 3
#endif
#ifndef WRITERS
#define WRITERS N
#endif

mtype = { read, write };
mtype:line = { invalid, shared, modified };

mtype:line state[N] = invalid;
chan bus    = [1] of { byte };			/* empty: free */
chan memory = [1] of { byte };			/* empty: free */
chan snoop[N] = [1] of { mtype };
chan answers = [1] of { byte };

/* A snoop can come at any time while a cache does not have the bus itself. */
inline answer_snoop()
{
	if
	:: state[i] == modified ->
danger_write_back:
		memory!i;
		memory?_
	:: state[i] != modified
	fi;
	state[i] = (seen == read && state[i] != invalid -> shared : invalid);
	answers!i
}

proctype Cache(byte i)
{
	mtype request, seen;
	byte k;

	do
	:: snoop[i]?seen ->			/* somebody else misses */
		answer_snoop()

	:: state[i] == invalid || state[i] == shared && i < WRITERS ->
		if				/* a miss */
		:: state[i] == invalid -> request = read
		:: i < WRITERS -> request = write
		fi;
want_bus:	if
		:: snoop[i]?seen -> answer_snoop(); goto want_bus
		:: bus!i
		fi;
		k = 0;
		do
		:: k < N && k != i -> snoop[k]!request; k++
		:: k == i -> k++
		:: k == N -> break
		od;
		do
		:: k > 1 -> answers?_; k--
		:: k == 1 -> break
		od;
danger_fill:	memory!i;
		state[i] = (request == read -> shared : modified);
		memory?_;
		bus?_

	:: state[i] == modified ->		/* needs the room */
#ifdef CORRECT
want_bus_too:	if
		:: snoop[i]?seen -> answer_snoop(); goto want_bus_too
		:: bus!i
		fi;
		memory!i;
#else
		memory!i;
danger_evict:	bus!i;
#endif
		state[i] = invalid;
		memory?_;
		bus?_
	od
}

init {
	byte i;

	atomic {
		do
		:: i < N -> run Cache(i); i++
		:: else -> break
		od
	}
}
