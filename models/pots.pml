/* A plain old telephone system: N phones, each with a user and a handler in the switch.
 *
 * Users lift and replace the receiver, dial, and talk when they hear the other side. Handlers set calls
 * up with each other: call, answer or refuse, and clear at the end. It is a first design with the races
 * of one: the handler that answers believes in the call at once, and does not check whether the caller
 * has given up in the meantime.
 *
 * Source:    M. Kamel, S. Leue, VIP: a visual editor and compiler for v-Promela, TACAS 2000 (the first
 *            design of a telephone switch there); "POTS" in Table 6 of Edelkamp, Lluch Lafuente, Leue,
 *            Directed explicit model checking with HSF-SPIN, 2001.
 * Parameter: N phones, 2 or 3; CALLERS of them, 1 to N, also call others. With -DPATIENT users do not give
 *            up while they wait.
 * Error:     assertion: two users and one handler are in conversation, the other handler is not; for
 *            N = 2 the shortest has 41 steps, where depth-first search finds one of 986 (with -E;
 *            without, first a deadlock of 70, another fault of this design). With -DINVARIANT, for N = 2,
 *            an invariant instead, meant to be violated: users and handlers are never all in conversation;
 *            ./pan --invariant=silent shows that a call can be made at all.
 */
#ifndef N
#define N 2
#endif
#ifndef CALLERS
#define CALLERS N
#endif

#define NOBODY 255

mtype = { lift, dial, replace,				/* from a user to his handler */
	dial_tone, busy_tone, bell, voice, silence,	/* from a handler to its user */
	call, answer, refuse, clear };			/* from handler to handler */

chan to_handler[N] = [0] of { mtype, byte };
chan to_user[N]    = [1] of { mtype };
chan net[N]        = [1] of { mtype, byte };

byte user_talks[N] = NOBODY, handler_talks[N] = NOBODY;	/* with whom */

inline check_conversation(a, b)
{
#ifdef INVARIANT
	skip
#else
	assert(!(user_talks[a] != NOBODY && user_talks[b] != NOBODY
		&& handler_talks[a] == b && handler_talks[b] != a))
#endif
}

proctype User(byte i)
{
	byte other;

on_hook:
	if
	:: i < CALLERS -> to_handler[i]!lift(0)
	:: to_user[i]?bell -> to_handler[i]!lift(0)
	fi;
off_hook:
	do
	:: to_user[i]?dial_tone ->
		other = (i + 1) % N;
		if
		:: N > 2 -> other = (i + 2) % N
		:: true
		fi;
		to_handler[i]!dial(other);
		other = 0
	:: to_user[i]?voice ->
		user_talks[i] = i;
		goto talking
	:: to_user[i]?bell
	:: to_user[i]?busy_tone -> goto hang_up
	:: to_user[i]?silence -> goto hang_up
#ifndef PATIENT
	:: empty(to_user[i]) -> goto hang_up		/* gives up */
#endif
	od;
talking:
	if
	:: to_user[i]?silence
	:: empty(to_user[i])
	fi;
hang_up:
	user_talks[i] = NOBODY;
	to_handler[i]!replace(0);
	goto on_hook
}

proctype Handler(byte i)
{
	byte other, from;

idle:	handler_talks[i] = NOBODY;
	other = 0;
	if
	:: to_handler[i]?lift(_) -> to_user[i]!dial_tone; goto dialling
	:: to_handler[i]?replace(_) -> goto idle
	:: to_handler[i]?dial(_) -> goto idle
	:: net[i]?call(other) -> to_user[i]!bell; goto ringing
	:: net[i]?answer(from) -> net[from]!clear(i); from = 0; goto idle
	:: net[i]?refuse(_) -> goto idle
	:: net[i]?clear(_) -> goto idle
	fi;

dialling:
	if
	:: to_handler[i]?dial(other) -> net[other]!call(i); goto calling
	:: to_handler[i]?replace(_) -> goto idle
	:: net[i]?call(from) -> net[from]!refuse(i); from = 0; goto dialling
	:: net[i]?clear(_) -> goto dialling
	fi;

calling:
	if
	:: net[i]?answer(eval(other)) -> to_user[i]!voice; goto conversation
	:: net[i]?refuse(eval(other)) -> to_user[i]!busy_tone; goto idle
	:: net[i]?call(from) -> net[from]!refuse(i); from = 0; goto calling
	:: net[i]?clear(_) -> goto calling
	:: to_handler[i]?replace(_) -> net[other]!clear(i); goto idle
	fi;

ringing:
	if
	:: to_handler[i]?lift(_) -> net[other]!answer(i); to_user[i]!voice; goto conversation
	:: to_handler[i]?replace(_) -> goto ringing
	:: net[i]?clear(eval(other)) -> goto idle
	:: net[i]?call(from) -> net[from]!refuse(i); from = 0; goto ringing
	fi;

conversation:
	handler_talks[i] = other;
	check_conversation(i, other);
in_conversation:
	if
	:: to_handler[i]?replace(_) -> net[other]!clear(i); goto idle
	:: net[i]?clear(eval(other)) -> to_user[i]!silence; goto idle
	:: net[i]?call(from) -> net[from]!refuse(i); from = 0; goto conversation
	fi
}

init {
	byte i;

	atomic {
		do
		:: i < N -> run User(i); run Handler(i); i++
		:: else -> break
		od
	}
}

#ifdef INVARIANT
ltl silent { [] !(User[1]@talking && Handler[2]@in_conversation && User[3]@talking && Handler[4]@in_conversation) }
#endif
