/* Basic call: N users who telephone each other over a switch.
 *
 * Every user is idle, or calls another one, or is called. The switch keeps a mailbox of one signal per
 * user. A caller whose partner's mailbox is taken, or whose partner is not idle, hears the busy tone. To
 * look whether the partner is idle and to ring him are two steps: two idle users who call each other
 * both find the other one idle, ring, and then wait for an answer; neither looks at his bell.
 *
 * Source:    A. Miller, M. Calder, Analysing a basic call protocol using Promela/XSpin, SPIN workshop
 *            1998; "Basic Call" in Table 4 of Edelkamp, Lluch Lafuente, Leue, Directed explicit model
 *            checking with HSF-SPIN, 2001.
 * Parameter: N users, 2 to 5; CALLERS of them, 2 to N, also call others; the rest only answer.
 * Error:     deadlock: users wait for each other's answer; for N = 3 the shortest has 30 steps, where
 *            depth-first search finds one of 350.
 */
#ifndef N
#define N 3
#endif
#ifndef CALLERS
#define CALLERS N
#endif

#define NOBODY 255

mtype = { ring, answer, hangup };
mtype:event = { on_hook, off_hook, talking };

chan mailbox[N] = [1] of { mtype, byte };
mtype:event hook[N] = on_hook;

inline select_partner()
{
	partner = 0;
	do
	:: partner < N - 1 -> partner++
	:: partner != i -> break
	od
}

proctype User(byte i)
{
	byte partner = NOBODY;

idle:	if
	:: i < CALLERS ->
	   hook[i] = off_hook;
	   goto dialling
	:: mailbox[i]?ring(partner) ->
	   goto alerted
	fi;

dialling:
	if
	:: select_partner()
	:: hook[i] = on_hook; goto idle		/* changes his mind */
	fi;
	if
	:: hook[partner] == on_hook && empty(mailbox[partner]) && empty(mailbox[i]) -> skip
	:: hook[partner] != on_hook || nempty(mailbox[partner]) || nempty(mailbox[i]) -> goto busy
	fi;
	mailbox[partner]!ring(i);
danger_ringing:
	if
	:: mailbox[i]?answer(eval(partner)) -> goto connected
	:: mailbox[i]?hangup(eval(partner)) -> goto busy
	fi;

busy:	partner = NOBODY;
	hook[i] = on_hook;
	goto idle;

alerted:
	if
	:: hook[i] = off_hook;
	   mailbox[partner]!answer(i)
	:: mailbox[partner]!hangup(i);		/* not at home */
	   partner = NOBODY;
	   goto idle
	fi;

connected:
	hook[i] = talking;
	if
	:: nempty(mailbox[i]) -> skip
	:: empty(mailbox[i]) -> mailbox[partner]!hangup(i)
	fi;
	do
	:: mailbox[i]?hangup(eval(partner)) -> break
	:: mailbox[i]?ring(_)
	od;
	partner = NOBODY;
	hook[i] = on_hook;
	goto idle
}

init {
	byte i;

	atomic {
		do
		:: i < N -> run User(i); i++
		:: else -> break
		od
	}
}
