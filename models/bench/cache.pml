/* A directory keeps caches coherent: invalid, shared or modified copies of one line of memory. */
#ifndef N
#define N 3
#endif

mtype = { read, write, evict, data, exclusive, invalidate, done };
mtype:copy = { invalid, shared, modified };

chan to_home = [N] of { mtype, byte };
chan to_cache[N] = [2] of { mtype };
mtype:copy copy[N] = invalid;

active [N] proctype Cache()
{
	do
	:: copy[_pid] == invalid ->
		if
		:: to_home!read,_pid; goto wait_data
		:: to_home!write,_pid; goto wait_data
		fi
	:: copy[_pid] == shared -> to_home!write,_pid; goto wait_data
	:: copy[_pid] != invalid -> copy[_pid] = invalid; to_home!evict,_pid
	:: to_cache[_pid]?invalidate -> copy[_pid] = invalid; to_home!done,_pid
	od;
wait_data:
	do
	:: to_cache[_pid]?data -> copy[_pid] = shared; break
	:: to_cache[_pid]?exclusive -> copy[_pid] = modified; break
	:: to_cache[_pid]?invalidate -> copy[_pid] = invalid; to_home!done,_pid
	od;
	goto resume;
resume:
	skip;
	do
	:: copy[_pid] == invalid ->
		if
		:: to_home!read,_pid; goto wait_data
		:: to_home!write,_pid; goto wait_data
		fi
	:: copy[_pid] == shared -> to_home!write,_pid; goto wait_data
	:: to_cache[_pid]?invalidate -> copy[_pid] = invalid; to_home!done,_pid
	od
}

active proctype Home()
{
	bit sharer[N];
	byte who, other, k, open;

	do
	:: to_home?read(who) ->
		k = 0;
		do
		:: k < N && k != who && sharer[k] -> to_cache[k]!invalidate; sharer[k] = 0; open++; k++
		:: k < N && (k == who || !sharer[k]) -> k++
		:: k == N -> break
		od;
		do
		:: open > 0 -> to_home??done(other); open--
		:: open == 0 -> break
		od;
		sharer[who] = 1;
		to_cache[who]!data
	:: to_home?write(who) ->
		k = 0;
		do
		:: k < N && k != who && sharer[k] -> to_cache[k]!invalidate; sharer[k] = 0; open++; k++
		:: k < N && (k == who || !sharer[k]) -> k++
		:: k == N -> break
		od;
		do
		:: open > 0 -> to_home??done(other); open--
		:: open == 0 -> break
		od;
		sharer[who] = 1;
		to_cache[who]!exclusive
	:: to_home?evict(who) -> sharer[who] = 0
	:: to_home?done(other)
	od
}
