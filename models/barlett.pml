/* Bartlett's protocol: the alternating bit, over lines that distort messages.
 *
 * The sender puts a bit on every message and sends the message again until that bit comes back; the
 * receiver takes a message if its bit differs from that of the one before, and returns the bit. A
 * distorted message is answered with the last bit sent. In this variant the sender, when it finds the
 * answer distorted, changes the bit but not the message ("the old message, on a fresh start").
 *
 * Source:    K. A. Bartlett, R. A. Scantlebury, P. T. Wilkinson, A note on reliable full-duplex
 *            transmission over half-duplex links, CACM 12, 1969; "Barlett" (the paper's spelling) in Table
 *            7 of Edelkamp, Lluch Lafuente, Leue, Directed explicit model checking with HSF-SPIN, 2001.
 * Parameter: N, the messages are numbers modulo N, 2 to 64. With -DCORRECT the bit stays after a
 *            distorted answer, and there is no error.
 * Error:     assertion: the message taken, mr, is not the successor of the last, lmr; for N = 8 the
 *            shortest has 20 steps, where depth-first search finds one of 140.
 */
#ifndef N
#define N 8
#endif

mtype = { message, answer, error };

chan to_line = [1] of { mtype, byte, bit };
chan from_line = [1] of { mtype, byte, bit };
chan to_back = [1] of { mtype, bit };
chan from_back = [1] of { mtype, bit };

active proctype Sender()
{
	byte mt;
	bit s, r;

	do
	:: to_line!message(mt, s);
	   if
	   :: from_back?answer(r) ->
		if
		:: r == s -> mt = (mt + 1) % N; s = 1 - s
		:: r != s
		fi
	   :: from_back?error(_) ->
#ifndef CORRECT
		s = 1 - s
#else
		skip
#endif
	   fi
	od
}

active proctype Receiver()
{
	byte mr, lmr = N - 1;
	bit s, last = 1;

	do
	:: from_line?message(mr, s) ->
		if
		:: s != last ->
			last = s;
			assert(mr == (lmr + 1) % N);
			lmr = mr
		:: s == last
		fi;
		to_back!answer(last)
	:: from_line?error(_, _) ->
		to_back!answer(last)
	od
}

active proctype Line()
{
	byte data;
	bit b;

	do
	:: to_line?message(data, b) ->
		if
		:: from_line!message(data, b)
		:: from_line!error(0, 0)
		fi
	od
}

active proctype Back()
{
	bit b;

	do
	:: to_back?answer(b) ->
		if
		:: from_back!answer(b)
		:: from_back!error(0)
		fi
	od
}
