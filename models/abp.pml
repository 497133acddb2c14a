/* The alternating bit protocol over channels that lose messages, with a fault in the receiver.
 *
 * The sender repeats a message until its bit is acknowledged. The receiver should take a message only
 * if it has the bit it waits for. Here it also takes a message with the other bit when its channel is
 * full, to get on: a repeated message is taken twice.
 *
 * Source:    K. A. Bartlett, R. A. Scantlebury, P. T. Wilkinson, A note on reliable full-duplex
 *            transmission over half-duplex links, CACM 12, 1969; "Alternating Bit" in Table 8 of Edelkamp,
 *            Lluch Lafuente, Leue, Directed explicit model checking with HSF-SPIN, 2001.
 * Parameter: N, the capacity of both channels, 1 to 8; VALUES, the messages are numbers modulo VALUES,
 *            2 to 16. With -DCORRECT the receiver is right, and there is no assertion to violate.
 * Error:     assertion: a message is not the successor of the one before; for N = 2 the shortest has
 *            15 steps, where depth-first search finds one of 36. With -DLTL a response property
 *            instead: what is sent is received some day. It is violated since the channel may lose
 *            everything.
 */
#ifndef N
#define N 2
#endif
#ifndef VALUES
#define VALUES 4
#endif

chan forward  = [N] of { byte, bit };
chan backward = [N] of { bit };
bool waiting;			/* a message was sent and not yet received */

active proctype Sender()
{
	byte value;
	bit b, a;

	do
	:: forward!value(b)
	:: backward?a ->
		if
		:: a == b ->
			value = (value + 1) % VALUES;
			b = 1 - b;
			waiting = true
		:: a != b
		fi
	od
}

active proctype Receiver()
{
	byte value, last = VALUES - 1;
	bit b, expected;

	do
	:: forward?value(b) ->
		if
		:: b == expected ->
take:			assert(value == (last + 1) % VALUES);
			last = value;
			waiting = false;
			expected = 1 - b;
			backward!b
		:: b != expected ->
#ifndef CORRECT
			if
			:: full(forward) -> goto take
			:: nfull(forward)
			fi;
#endif
			backward!b
		fi
	od
}

active proctype Loss()
{
	do
	:: forward?_, _
	:: backward?_
	od
}

#ifdef LTL
ltl response { [] (waiting -> <> !waiting) }
#endif
