/* File transfer in layers: a user, two sessions, and a link for each direction that loses messages.
 *
 * The user's session asks the other side's for a connection, sends a file of BLOCKS blocks one by one, each under an
 * alternating number and again as often as no answer comes, and closes. The other session opens the file, takes the
 * blocks and checks their order. Both ask their file server to open, read or write, and close; the user may call
 * the transfer off as long as it runs.
 *
 * Source:    the structure is that of PFTP in G. J. Holzmann, Design and Validation of Computer Protocols, 1991, chapter 7
 *            and appendix F ("pftp" in Table 1 of R. Nalumasu, G. Gopalakrishnan, A partial order reduction algorithm
 *            without the proviso, UUCS-98-017, University of Utah, 1998); the model is another, smaller one.
 * Parameter: BLOCKS of the file; ROOM for messages on a link; with -DRELIABLE the links lose nothing.
 * Error:     with -DFAULTY: an assertion. The receiving session takes a repeated block for a new one.
 */
#ifndef BLOCKS
#define BLOCKS 3
#endif
#ifndef ROOM
#define ROOM 1
#endif

mtype = { connect, connected, block, taken, close, closed, abort, transfer, done, failed, open, ready, next };

chan use      = [1] of { mtype };		/* the user to its session, and back */
chan told     = [1] of { mtype };
chan source   = [1] of { mtype };		/* sessions to their file servers, and back */
chan read     = [1] of { mtype };
chan target   = [1] of { mtype };
chan written  = [1] of { mtype };
chan leaves   = [ROOM] of { mtype, bit };	/* into the links and out of them */
chan arrives  = [ROOM] of { mtype, bit };
chan answers  = [ROOM] of { mtype, bit };
chan answered = [ROOM] of { mtype, bit };

active proctype User()
{
	xs use; xr told;
end:	do
	:: use!transfer;
	   if
	   :: told?done
	   :: told?failed
	   :: use!abort;
	      if
	      :: told?done
	      :: told?failed
	      fi
	   fi
	od
}

/* Reads the file for the sender, or writes it for the receiver. */
active proctype Source()
{
	xr source; xs read;
end:	do
	:: source?open -> read!ready
	:: source?next -> read!ready
	:: source?close
	od
}

active proctype Target()
{
	xr target; xs written;
end:	do
	:: target?open -> written!ready
	:: target?next -> written!ready
	:: target?close
	od
}

/* Sends until the answer is there; false if the user called off. */
inline ask(what, answer)
{
	leaves!what, number;
	do
	:: answered?answer, got ->
		if
		:: got == number -> break
		:: else						/* an old one */
		fi
	:: answered?_, got					/* an old one */
	:: timeout -> leaves!what, number
	:: use?abort -> aborted = true
	od;
	number = 1 - number
}

active proctype Sender()
{
	bit number, got;
	bool aborted;
	byte sent;
	xs source; xr read; xs leaves; xr answered; xr use; xs told;

end:	do
	:: use?transfer ->
		source!open;
		read?ready;
		ask(connect, connected);
		do
		:: sent < BLOCKS && !aborted ->
			source!next;
			read?ready;
			ask(block, taken);
			sent++
		:: else -> break
		od;
		ask(close, closed);
		source!close;
		if
		:: sent == BLOCKS -> told!done
		:: else -> told!failed
		fi;
		sent = 0;
		aborted = false
	:: use?abort						/* too late */
	:: answered?_, got					/* an answer to a repeated message */
	od
}

active proctype Receiver()
{
	bit number, expected;
	byte taken_blocks;
	xr arrives; xs answers; xs target; xr written;

end:	do
	:: arrives?connect, number ->
		if
		:: number == expected ->
			expected = 1 - expected;
			target!open;
			written?ready
		:: else
		fi;
		answers!connected, number
	:: arrives?block, number ->
		if
#ifdef FAULTY
		:: true ->
#else
		:: number == expected ->
			expected = 1 - expected;
#endif
			target!next;
			written?ready;
			taken_blocks++;
			assert(taken_blocks <= BLOCKS)
#ifndef FAULTY
		:: else
#endif
		fi;
		answers!taken, number
	:: arrives?close, number ->
		if
		:: number == expected ->
			expected = 1 - expected;
			taken_blocks = 0;
			target!close
		:: else
		fi;
		answers!closed, number
	od
}

#ifdef RELIABLE
#define LOSES
#else
#define LOSES :: skip
#endif

active proctype Link()
{
	mtype what;
	bit number;
	xr leaves; xs arrives;

end:	do
	:: leaves?what, number ->
		if
		:: arrives!what, number
		LOSES
		fi;
		what = 0;
		number = 0
	od
}

active proctype LinkBack()
{
	mtype what;
	bit number;
	xr answers; xs answered;

end:	do
	:: answers?what, number ->
		if
		:: answered!what, number
		LOSES
		fi;
		what = 0;
		number = 0
	od
}
