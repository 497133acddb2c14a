/* Lynch's protocol: data in both directions over lines that distort messages.
 *
 * Every message carries data and says whether the last message from the other side arrived well (ack)
 * or not (nak). After an error, or after a nak, a station sends its old data again; otherwise it sends
 * new data. A station takes the data of every message that arrives well. The rules are not enough: if
 * the message with the ack is distorted, the other side sends again what was already taken.
 *
 * Source:    W. C. Lynch, Reliable full-duplex transmission over half-duplex telephone lines, CACM 11,
 *            1968; its discussion in G. J. Holzmann, Design and validation of computer protocols, 1990,
 *            chapter 2; "Lynch" in Table 7 of Edelkamp, Lluch Lafuente, Leue, Directed explicit model
 *            checking with HSF-SPIN, 2001.
 * Parameter: N, the data are numbers modulo N, 2 to 32.
 * Error:     assertion: the data taken are not the successor of the data taken before; for N = 4 the
 *            shortest has 27 steps, where depth-first search finds one of 100.
 */
#ifndef N
#define N 4
#endif

mtype = { ack, nak, error };

chan sent[2]     = [1] of { mtype, byte };	/* from station i to its line */
chan received[2] = [1] of { mtype, byte };	/* from the other one's line to station i */

proctype Station(byte i)
{
	byte out, in, last = N - 1;
	bool begun;				/* this station has sent its first data */
	mtype kind;

	if
	:: i == 0 -> begun = true; sent[0]!ack(out)
	:: i == 1
	fi;
	do
	:: received[i]?kind, in ->
		if
		:: kind == error ->
			sent[i]!nak(out)
		:: kind == nak ->
			assert(in == (last + 1) % N);
			last = in;
			sent[i]!ack(out)
		:: kind == ack ->
			assert(in == (last + 1) % N);
			last = in;
			out = (begun -> (out + 1) % N : out);
			sent[i]!ack(out)
		fi;
		begun = true
	od
}

proctype Line(byte i)
{
	mtype kind;
	byte data;

	do
	:: sent[i]?kind, data ->
		if
		:: received[1 - i]!kind(data)
		:: received[1 - i]!error(0)
		fi
	od
}

init {
	atomic {
		run Line(0); run Line(1);
		run Station(0); run Station(1)
	}
}
