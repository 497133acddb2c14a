/* Distributed shared memory, migratory protocol: a cache line is at one node at a time, and moves.
 *
 * Every line has a home, which knows where the line is. A node that wants the line asks its home. If the line is at
 * home, it is granted; else the home revokes it from the node that has it, waits until it comes back, and passes it
 * on. A node may also give a line back because it needs the room; then the revocation that is under way finds nothing
 * and is dropped. Nodes and homes are connected by lines of their own, which keep the order of messages.
 *
 * Source:    "mig" in Table 1 of R. Nalumasu, G. Gopalakrishnan, A partial order reduction algorithm without the
 *            proviso, UUCS-98-017, University of Utah, 1998, after the Avalanche multiprocessor (Carter, Kuo, Kuramkote,
 *            UUCS-96-011); written after the description of directory-based protocols there.
 * Parameter: LINES, 1 or 2, with a home each; two nodes; ROOM for messages on a line, at least 2.
 * Error:     with -DFAULTY: an assertion. A node does not expect that a revocation comes too late.
 *
 * Each process is a proctype of its own, and xr and xs name the one process at each end of a line, so that analysis sees
 * who uses which line.
 */
#ifndef LINES
#define LINES 2
#endif
#ifndef ROOM
#define ROOM 2
#endif

mtype = { request, grant, revoke, data };
mtype:copy = { invalid, waiting, here };

chan to_a0 = [ROOM] of { mtype }; chan from_a0 = [ROOM] of { mtype };	/* home a and node 0, as the node sees it */
chan to_a1 = [ROOM] of { mtype }; chan from_a1 = [ROOM] of { mtype };
#if LINES > 1
chan to_b0 = [ROOM] of { mtype }; chan from_b0 = [ROOM] of { mtype };
chan to_b1 = [ROOM] of { mtype }; chan from_b1 = [ROOM] of { mtype };
#endif

inline revoked(state, to)
{
#ifdef FAULTY
	assert(state == here);
#endif
	if
	:: state == here -> to!data; state = invalid
	:: else						/* it is on its way already */
	fi
}

#define USE(state, to, from) \
	:: state == invalid -> to!request; state = waiting \
	:: state == here -> to!data; state = invalid \
	:: from?grant -> assert(state == waiting); state = here \
	:: from?revoke -> revoked(state, to)

#if LINES > 1
#define NODE(n) active proctype Node##n() { \
	mtype:copy a = invalid, b = invalid; \
	xs to_a##n; xr from_a##n; xs to_b##n; xr from_b##n; \
end:	do USE(a, to_a##n, from_a##n) USE(b, to_b##n, from_b##n) od }
#else
#define NODE(n) active proctype Node##n() { \
	mtype:copy a = invalid; \
	xs to_a##n; xr from_a##n; \
end:	do USE(a, to_a##n, from_a##n) od }
#endif

#define NOBODY 2

/* Node `me` asks. */
inline asked(me, other, to_me, from_other, to_other)
{
	assert(owner != me);
	if
	:: owner == other -> to_other!revoke; from_other?data
	:: else
	fi;
	to_me!grant;
	owner = me
}

#define HOME(line) active proctype Home_##line() { \
	byte owner = NOBODY; \
	xr to_##line##0; xr to_##line##1; xs from_##line##0; xs from_##line##1; \
end:	do \
	:: to_##line##0?request -> asked(0, 1, from_##line##0, to_##line##1, from_##line##1) \
	:: to_##line##1?request -> asked(1, 0, from_##line##1, to_##line##0, from_##line##0) \
	:: to_##line##0?data -> assert(owner == 0); owner = NOBODY \
	:: to_##line##1?data -> assert(owner == 1); owner = NOBODY \
	od }

NODE(0)
NODE(1)
HOME(a)
#if LINES > 1
HOME(b)
#endif
