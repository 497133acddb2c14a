/* Leader election on a ring with channels; every process starts at any time. */
#ifndef N
#define N 6
#endif

mtype = { candidate, leader };
chan q[N] = [N] of { mtype, byte };
byte leaders;

active [N] proctype Node()
{
	byte me = (_pid * 7) % N + 1, x;

	q[(_pid + 1) % N]!candidate,me;
end:	do
	:: q[_pid]?candidate,x ->
		if
		:: x > me -> q[(_pid + 1) % N]!candidate,x
		:: x < me
		:: x == me -> leaders++; assert(leaders == 1); q[(_pid + 1) % N]!leader,me
		fi
	:: q[_pid]?leader,x ->
		if
		:: x != me -> q[(_pid + 1) % N]!leader,x
		:: else
		fi;
		break
	od
}
