/* Two-phase commit of two transactions over one set of participants that hold locks. */
#ifndef N
#define N 4
#endif

mtype = { ask, yes, no, commit, abort, ack };

chan to_participant[N] = [2] of { mtype, byte };
chan to_coordinator[2] = [N] of { mtype };

active [2] proctype Coordinator()
{
	byte k, votes, acks;
	bit refused;

	do
	:: k < N -> to_participant[k]!ask,_pid; k++
	:: k == N -> k = 0; break
	od;
	do
	:: votes < N ->
		if
		:: to_coordinator[_pid]?yes
		:: to_coordinator[_pid]?no -> refused = 1
		fi;
		votes++
	:: votes == N -> break
	od;
	do
	:: k < N && !refused -> to_participant[k]!commit,_pid; k++
	:: k < N && refused -> to_participant[k]!abort,_pid; k++
	:: k == N -> k = 0; break
	od;
	do
	:: acks < N -> to_coordinator[_pid]?ack; acks++
	:: acks == N -> break
	od
}

active [N] proctype Participant()
{
	byte who, holder;

end:	do
	:: to_participant[_pid - 2]?ask,who ->
		if
		:: holder == 0 -> holder = who + 1; to_coordinator[who]!yes
		:: to_coordinator[who]!no
		fi
	:: to_participant[_pid - 2]?commit,who -> assert(holder == who + 1); holder = 0; to_coordinator[who]!ack
	:: to_participant[_pid - 2]?abort,who ->
		if
		:: holder == who + 1 -> holder = 0
		:: holder != who + 1
		fi;
		to_coordinator[who]!ack
	od
}
