/* GARP, the generic attribute registration protocol, on one LAN: N applicants and a registrar.
 *
 * A member announces itself with Join, unless it hears another member do so. To leave it sends Leave.
 * The registrar answers a Leave, or its own LeaveAll, by waiting one leave time for a Join; if none came,
 * the group is deregistered. The fault: who sends does not listen until all others have room for his
 * frame.
 *
 * Source:    T. Nakatani, Verification of group address registration protocol using Promela and SPIN,
 *            SPIN workshop 1997; IEEE 802.1D, clause 12; "GARP" in Table 4 of Edelkamp, Lluch Lafuente,
 *            Leue, Directed explicit model checking with HSF-SPIN, 2001; with -DASSERTION in Table 7.
 * Parameter: N applicants, 1 to 3; ROOM for so many frames in front of everybody, 1 to 3.
 * Error:     deadlock: everybody wants to send; for N = 2 the shortest has 43 steps, where depth-
 *            first search finds one of 1396. With -DASSERTION also an assertion: the leave time may be
 *            over before a member that heard the Leave has joined again, and a group with a member is
 *            deregistered.
 */
#ifndef N
#define N 2
#endif
#ifndef ROOM
#define ROOM 1
#endif

#define REGISTRAR N

mtype = { join, leave, leave_all };
mtype:registration = { registered, leaving, deregistered };

chan inbox[N + 1] = [ROOM] of { mtype };	/* what everybody has heard */
#ifdef ASSERTION
byte members;				/* how many applicants are members */
#endif

/* The LAN takes a frame to one station after the other. */
inline broadcast(frame, me)
{
	k = 0;
	do
	:: k <= N && k != me -> inbox[k]!frame; k++
	:: k == me -> k++
	:: k > N -> break
	od;
	k = 0
}

proctype Applicant(byte i)
{
	byte k;
	bool member, announced;

	do
	:: inbox[i]?join ->
		announced = member
	:: inbox[i]?leave ->
		announced = false
	:: inbox[i]?leave_all ->
		announced = false
	:: !member ->
		member = true;
#ifdef ASSERTION
		members++
#endif
	:: member && !announced ->
		broadcast(join, i);
		announced = true
	:: member && announced ->
		broadcast(leave, i);
		member = false;
#ifdef ASSERTION
		members--;
#endif
		announced = false
	od
}

proctype Registrar()
{
	byte k;
	mtype:registration group = deregistered;

	do
	:: inbox[REGISTRAR]?join ->
		group = registered
	:: inbox[REGISTRAR]?leave ->
		group = (group == registered -> leaving : group)
	:: group == registered ->
		broadcast(leave_all, REGISTRAR);
		group = leaving
	:: group == leaving ->			/* the leave time is over */
		group = deregistered;
#ifdef ASSERTION
		if
		:: members > 0 -> assert(false)
		:: else
		fi
#endif
	od
}

init {
	byte i;

	atomic {
		run Registrar();
		do
		:: i < N -> run Applicant(i); i++
		:: else -> break
		od
	}
}
