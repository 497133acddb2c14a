/* Distributed shared memory, invalidation protocol: many nodes may read a cache line, or one may write it.
 *
 * Every line has a home, which knows who has a copy. A node that wants to read or write the line asks its home. For
 * a reader the home takes the line back from a node that may write it; for a writer it invalidates all copies. It
 * waits for the answer of each node, then it grants. A writer may give up its copy at any time; an invalidation that
 * comes too late finds nothing, and the home takes the copy given up for its answer. Nodes and homes are connected by
 * lines of their own, which keep the order of messages.
 *
 * Source:    "inv" in Table 1 of R. Nalumasu, G. Gopalakrishnan, A partial order reduction algorithm without the
 *            proviso, UUCS-98-017, University of Utah, 1998, after the Avalanche multiprocessor (Carter, Kuo, Kuramkote,
 *            UUCS-96-011); written after the description of directory-based protocols there.
 * Parameter: LINES, 1 or 2, with a home each; two nodes; ROOM for messages on a line, at least 2.
 * Error:     with -DFAULTY: an assertion. A reader may want to write and keeps its copy while it asks, which its
 *            home does not expect.
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

mtype = { read, write, granted, invalidate, gone };
mtype:copy = { none, waiting, reader, writer };

chan to_a0 = [ROOM] of { mtype }; chan from_a0 = [ROOM] of { mtype, mtype:copy };	/* home a and node 0 */
chan to_a1 = [ROOM] of { mtype }; chan from_a1 = [ROOM] of { mtype, mtype:copy };
#if LINES > 1
chan to_b0 = [ROOM] of { mtype }; chan from_b0 = [ROOM] of { mtype, mtype:copy };
chan to_b1 = [ROOM] of { mtype }; chan from_b1 = [ROOM] of { mtype, mtype:copy };
#endif

inline invalidated(state, to)
{
	if
	:: state == reader || state == writer -> to!gone; state = none
	:: else						/* given up already */
	fi
}

#ifdef FAULTY
#define UPGRADE(state, to) :: state == reader -> to!write; state = waiting
#else
#define UPGRADE(state, to)
#endif

#define USE(state, to, from) \
	:: state == none -> to!read; state = waiting \
	:: state == none -> to!write; state = waiting \
	UPGRADE(state, to) \
	:: state == writer -> to!gone; state = none \
	:: from?granted, right -> assert(state == waiting); state = right; right = none \
	:: from?invalidate, right -> invalidated(state, to)

#if LINES > 1
#define NODE(n) active proctype Node##n() { \
	mtype:copy a = none, b = none, right = none; \
	xs to_a##n; xr from_a##n; xs to_b##n; xr from_b##n; \
end:	do USE(a, to_a##n, from_a##n) USE(b, to_b##n, from_b##n) od }
#else
#define NODE(n) active proctype Node##n() { \
	mtype:copy a = none, right = none; \
	xs to_a##n; xr from_a##n; \
end:	do USE(a, to_a##n, from_a##n) od }
#endif

/* Node `me` wants to read or write; what the other one has may be in the way. */
inline wanted(right, mine, others, to_me, from_other, to_other)
{
	assert(mine == none);
	if
	:: others == writer || (others == reader && right == writer) ->
		to_other!invalidate, none;
		from_other?gone;
		others = none
	:: else
	fi;
	to_me!granted, right;
	mine = right
}

#define HOME(line) active proctype Home_##line() { \
	mtype:copy has_0 = none, has_1 = none; \
	xr to_##line##0; xr to_##line##1; xs from_##line##0; xs from_##line##1; \
end:	do \
	:: to_##line##0?read -> wanted(reader, has_0, has_1, from_##line##0, to_##line##1, from_##line##1) \
	:: to_##line##1?read -> wanted(reader, has_1, has_0, from_##line##1, to_##line##0, from_##line##0) \
	:: to_##line##0?write -> wanted(writer, has_0, has_1, from_##line##0, to_##line##1, from_##line##1) \
	:: to_##line##1?write -> wanted(writer, has_1, has_0, from_##line##1, to_##line##0, from_##line##0) \
	:: to_##line##0?gone -> assert(has_0 != none); has_0 = none \
	:: to_##line##1?gone -> assert(has_1 != none); has_1 = none \
	od }

NODE(0)
NODE(1)
HOME(a)
#if LINES > 1
HOME(b)
#endif
