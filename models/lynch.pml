/* Lynch's protocol over lines that distort messages.
 *
 * Two stations send each other the messages 1, 2, 3, ... in turn. Every message also says whether the one
 * that came last from the other side was good: ack, or nak if it was distorted. A station that receives
 *     ack    accepts the message and answers with its next one and ack,
 *     nak    accepts the message and answers with its old one again and ack,
 *     err    (a distorted message) answers with its old message and nak.
 * N such pairs work side by side and independently.
 *
 * Source:    W. C. Lynch, Reliable full-duplex file transmission over half-duplex telephone lines, CACM 11,
 *            1968, as G. J. Holzmann tells it in Design and validation of computer protocols, 1991; "Lynch"
 *            in Table 7 of Edelkamp, Lluch Lafuente, Leue, Directed explicit model checking with HSF-SPIN,
 *            2001, with the same assertion.
 * Parameter: N pairs of stations, 1 to 50; MAX messages in each direction, 2 to 254.
 * Error:     the assertion i == last_i + 1 fails: a station accepts a message twice, since the answer to it
 *            was distorted and the nak brings it again. The shortest has 17 steps, for every N.
 */
#ifndef N
#define N 2
#endif
#ifndef MAX
#define MAX 4
#endif

mtype = { ack, nak, err };

chan sent[2 * N] = [1] of { mtype, byte };  /* what station k puts on its line */
chan come[2 * N] = [1] of { mtype, byte };  /* what comes out of the line to station k */

#define other (_pid ^ 1)                    /* the other station of the pair; the other end of a line */

active [2 * N] proctype Station()           /* processes 0 to 2N-1; the even ones begin */
{
	byte o = 1;       /* the message sent last */
	byte i, last_i;   /* the message that came, and the last one accepted */

	if
	:: _pid % 2 == 0 -> sent[_pid]!nak,o    /* nothing came yet */
	:: _pid % 2 == 1
	fi;
end:	do
	:: come[_pid]?ack,i ->
		assert(i == last_i + 1);
		last_i = i;
		if
		:: o < MAX -> o++
		:: o == MAX -> break
		fi;
		sent[_pid]!ack,o
	:: come[_pid]?nak,i ->
		assert(i == last_i + 1);
		last_i = i;
		sent[_pid]!ack,o
	:: come[_pid]?err,_ ->
		sent[_pid]!nak,o
	od
}

active [2 * N] proctype Line()              /* processes 2N to 4N-1; from station _pid - 2N */
{
	mtype kind;
	byte m;

end:	do
	:: sent[_pid - 2 * N]?kind,m;
	   if
	   :: come[other - 2 * N]!kind,m
	   :: come[other - 2 * N]!err,0
	   fi
	od
}
