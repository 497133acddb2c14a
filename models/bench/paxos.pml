/* Single-decree Paxos: proposers with fixed ballots, acceptors that promise and accept. */
#ifndef PROPOSERS
#define PROPOSERS 2
#endif
#ifndef ACCEPTORS
#define ACCEPTORS 3
#endif
#define MAJORITY (ACCEPTORS / 2 + 1)

mtype = { prepare, accept, promise, accepted };

chan to_acceptor[ACCEPTORS] = [PROPOSERS] of { mtype, byte, byte };
chan to_proposer[PROPOSERS] = [ACCEPTORS] of { mtype, byte, byte };
byte chosen;

active [PROPOSERS] proctype Proposer()
{
	byte k, count, best, value, b, v;

	value = _pid + 1;
	atomic {
		do
		:: k < ACCEPTORS -> to_acceptor[k]!prepare,_pid + 1,0; k++
		:: k == ACCEPTORS -> k = 0; break
		od
	};
endp:	do
	:: count < MAJORITY ->
endq:		to_proposer[_pid]?promise,b,v;
		count++;
		if
		:: b > best -> best = b; value = v
		:: b <= best
		fi;
		b = 0; v = 0
	:: count == MAJORITY -> count = 0; best = 0; break
	od;
	atomic {
		do
		:: k < ACCEPTORS -> to_acceptor[k]!accept,_pid + 1,value; k++
		:: k == ACCEPTORS -> k = 0; break
		od
	};
end:	do
	:: to_proposer[_pid]?accepted,_,_ ->
		count++;
		if
		:: count == MAJORITY -> assert(chosen == 0 || chosen == value); chosen = value
		:: count != MAJORITY
		fi
	:: to_proposer[_pid]?promise,_,_
	od
}

active [ACCEPTORS] proctype Acceptor()
{
	byte promised, ballot, value, b, v;

end:	do
	:: to_acceptor[_pid - PROPOSERS]?prepare,b,v ->
		if
		:: b > promised -> promised = b; to_proposer[b - 1]!promise,ballot,value
		:: b <= promised
		fi;
		b = 0; v = 0
	:: to_acceptor[_pid - PROPOSERS]?accept,b,v ->
		if
		:: b >= promised -> promised = b; ballot = b; value = v; to_proposer[b - 1]!accepted,b,0
		:: b < promised
		fi;
		b = 0; v = 0
	od
}
