/* expect: error: none; errors: 0; stored: 1938; transitions: 4766 */
/* The alternating bit protocol over lossy channels. */
mtype = { msg, ack };
chan to_r = [2] of { mtype, byte, bit };
chan to_s = [2] of { mtype, bit };

active proctype Sender()
{
	bit seq, r;
	byte d;
	do
	:: to_r!msg,d,seq
	:: to_s?ack,r ->
		if
		:: r == seq -> seq = 1 - seq; d = (d + 1) % 3
		:: else
		fi
	:: to_r?msg,_,_
	od
}

active proctype Receiver()
{
	bit expected, s;
	byte d, next;
	do
	:: to_r?msg,d,s ->
		if
		:: s == expected -> assert(d == next); next = (next + 1) % 3; expected = 1 - expected
		:: else
		fi;
		to_s!ack,s
	:: to_s?ack,_
	od
}
