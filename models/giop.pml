/* GIOP, the general inter-ORB protocol of CORBA: users, their ORBs, the agents of the hosts, and servers
 * that migrate from one host to another.
 *
 * A user asks his ORB to invoke one of the server objects. The ORB opens a connection to the host where
 * it believes the object to be, sends a Request, and waits for the Reply. The agent of the host passes
 * Requests on to objects that live there; for an object that has moved it answers LocationForward, and
 * the ORB repeats the Request there. An agent with nothing to do may close a connection with
 * CloseConnection. The fault, described in the GIOP specification: a Request that is under way when the
 * connection is closed is lost, and an ORB that gets CloseConnection must repeat it. Here it does not.
 *
 * Source:    M. Kamel, S. Leue, Formalization and validation of the general inter-ORB protocol (GIOP)
 *            using Promela and SPIN, STTT 2, 2000; "GIOP" in Tables 4 and 8 of Edelkamp, Lluch Lafuente,
 *            Leue, Directed explicit model checking with HSF-SPIN, 2001.
 * Parameter: N users, 1 to 4; SERVERS server objects and as many hosts, 1 to 3; MOVES, how often every
 *            object may migrate, 0 to 3. With -DCORRECT the Request is repeated, and there is no error.
 *            -DN=2 -DSERVERS=2 has more than ten million states. Agents close only the connections of the
 *            first and the last user.
 * Error:     deadlock: a user waits for a reply to a lost request; for N = 1, SERVERS = 2 the
 *            shortest has 53 steps, where depth-first search finds one of 96. With -DLTL a response
 *            property: the first user gets a reply to his request.
 */
#ifndef N
#define N 1
#endif
#ifndef SERVERS
#define SERVERS 2
#endif
#ifndef MOVES
#define MOVES 1
#endif

mtype = { Open, Request, Reply, LocationForward, CloseConnection };

typedef Links {
	bool up[N]
}

chan invoke[N]   = [1] of { byte };			/* user to ORB: object */
chan result[N]   = [1] of { byte };			/* ORB to user: object */
chan in[SERVERS] = [2] of { mtype, byte, byte };	/* to an agent: kind, user, object */
chan out[N]      = [2] of { mtype, byte, byte };	/* to an ORB: kind, host, object or new host */
chan work[SERVERS]  = [1] of { byte, byte };		/* agent to object: user, host */
chan ready[SERVERS] = [1] of { byte, byte };		/* object to agent: user, object */

byte home[SERVERS];					/* the host of every object */
bool asking;						/* the first user waits for a reply */

proctype User(byte u)
{
	byte object;

	do
	:: object = 0;
	   do
	   :: object < SERVERS - 1 -> object++
	   :: break
	   od;
	   asking = (u == 0 -> true : asking);
	   invoke[u]!object;
danger_user:
	   result[u]?eval(object);
	   asking = (u == 0 -> false : asking)
	od
}

proctype Orb(byte u)
{
	byte object, host, from, info;
	bool open[SERVERS];				/* the connections it believes in */
	byte believed[SERVERS];				/* where it believes the objects to be */

	do
	:: host < SERVERS -> believed[host] = host; host++
	:: else -> host = 0; break
	od;
end:	do
	:: out[u]?CloseConnection(from, _) ->		/* while no request is pending */
		open[from] = false
	:: invoke[u]?object ->
again:		host = believed[object];
		if
		:: !open[host] -> in[host]!Open(u, 0); open[host] = true
		:: open[host]
		fi;
		in[host]!Request(u, object);
danger_orb:	if
		:: out[u]?Reply(_, _) ->
			result[u]!object
		:: out[u]?LocationForward(_, info) ->
			believed[object] = info;
			goto again
		:: out[u]?CloseConnection(from, _) ->
			open[from] = false;
			if
#ifdef CORRECT
			:: from == host -> goto again
			:: from != host -> goto danger_orb
#else
			:: goto danger_orb
#endif
			fi
		fi
	od
}

proctype Agent(byte h)
{
	byte u, object, pending;
	Links link;					/* the connections that are open at this end */

end:	do
	:: in[h]?Open(u, _) ->
		link.up[u] = true
	:: in[h]?Request(u, object) ->
		if
		:: !link.up[u]				/* the connection is closed: the request is lost */
		:: link.up[u] && home[object] == h ->
			work[object]!u, h;
			pending++
		:: link.up[u] && home[object] != h ->
			out[u]!LocationForward(h, home[object])
		fi
	:: ready[h]?u, object ->
		pending--;
		out[u]!Reply(h, object)
	:: pending == 0 && link.up[0] ->		/* may close idle connections */
		link.up[0] = false;
		out[0]!CloseConnection(h, 0)
#if N > 1
	:: pending == 0 && link.up[N - 1] ->
		link.up[N - 1] = false;
		out[N - 1]!CloseConnection(h, 0)
#endif
	od
}

proctype Server(byte s)
{
	byte u, h, moves;

	home[s] = s;
end:	do
	:: work[s]?u, h ->
		ready[h]!u, s
	:: moves < MOVES && SERVERS > 1 ->		/* migrates */
		home[s] = (home[s] + 1) % SERVERS;
		moves++
	od
}

init {
	byte i;

	atomic {
		do
		:: i < SERVERS -> run Server(i); run Agent(i); i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < N -> run Orb(i); run User(i); i++
		:: else -> break
		od
	}
}

#ifdef LTL
ltl response { [] (asking -> <> !asking) }
#endif
