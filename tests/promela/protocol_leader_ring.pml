/* expect: error: none; errors: 0; stored: 106; transitions: 198 */
/* Leader election on a ring. */
#define N 3
mtype = { cand, lead };
chan q[N] = [2] of { mtype, byte };
byte leader;

active [N] proctype Node()
{
	byte me = (_pid * 2) % N + 1, x;
	q[(_pid + 1) % N]!cand,me;
end:	do
	:: q[_pid]?cand,x ->
		if
		:: x > me -> q[(_pid + 1) % N]!cand,x
		:: x < me
		:: x == me -> leader++; assert(leader == 1); q[(_pid + 1) % N]!lead,me
		fi
	:: q[_pid]?lead,x ->
		if
		:: x != me -> q[(_pid + 1) % N]!lead,x
		:: else
		fi;
		break
	od
}
