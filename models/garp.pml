/* GARP, the generic attribute registration protocol, on one LAN: N applicants and a registrar.
 *
 * A member announces itself with Join, twice unless it hears other members do so. To leave it sends
 * Leave. The registrar answers a Leave, or its own LeaveAll, by waiting one leave time for a Join; if
 * none came, the group is deregistered. The LAN carries a frame to all others. The fault: who wants to
 * send does not listen until the LAN has taken his frame, while the LAN waits until everybody has room
 * for the frame that it carries.
 *
 * Source:    T. Nakatani, Verification of group address registration protocol using Promela and SPIN,
 *            SPIN workshop 1997; IEEE 802.1D, clause 12; "GARP" in Table 4 of Edelkamp, Lluch Lafuente,
 *            Leue, Directed explicit model checking with HSF-SPIN, 2001.
 * Parameter: N applicants, 2 to 4; ROOM for so many frames in front of everybody, 1 to 3.
 * Error:     deadlock: everybody wants to send; @@.
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

chan lan = [1] of { mtype, byte };		/* frame, who sent it */
chan inbox[N + 1] = [ROOM] of { mtype };	/* what everybody has heard */

proctype Applicant(byte i)
{
	bool member;
	byte joins;				/* Joins sent or heard since the last doubt */

	do
	:: !member ->
		if
		:: member = true
		:: inbox[i]?_
		fi
	:: member && joins < 2 ->
danger_join:	lan!join(i);
		joins++
	:: member && joins == 2 ->
danger_leave:	lan!leave(i);
		member = false;
		joins = 0
	:: inbox[i]?join ->
		joins = (member && joins < 2 -> joins + 1 : joins)
	:: inbox[i]?leave ->
		joins = 0
	:: inbox[i]?leave_all ->
		joins = 0
	od
}

proctype Registrar()
{
	mtype:registration group = deregistered;

	do
	:: inbox[REGISTRAR]?join ->
		group = registered
	:: inbox[REGISTRAR]?leave ->
		group = (group == registered -> leaving : group)
	:: group == registered ->
danger_leave_all:
		lan!leave_all(REGISTRAR);
		group = leaving
	:: group == leaving ->			/* the leave time is over */
		group = deregistered
	od
}

active proctype Lan()
{
	mtype frame;
	byte sender, k;

	do
	:: lan?frame, sender ->
		do
		:: k <= N && k != sender ->
danger_carry:		inbox[k]!frame;
			k++
		:: k <= N && k == sender -> k++
		:: k > N -> k = 0; break
		od
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
