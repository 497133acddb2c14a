/* The MCS queue lock: waiting processes form a list and spin on flags of their own. */
#ifndef N
#define N 4
#endif
#define NIL 255

byte tail = NIL, next[N] = NIL, inside;
bool locked[N];

active [N] proctype Process()
{
	byte before, after;

	do
	:: next[_pid] = NIL;
	   atomic { before = tail; tail = _pid };
	   if
	   :: before == NIL
	   :: before != NIL ->
		locked[_pid] = true;
		next[before] = _pid;
		!locked[_pid]
	   fi;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   after = next[_pid];
	   if
	   :: after != NIL
	   :: after == NIL ->
		if
		:: atomic { tail == _pid -> tail = NIL }; before = 0; after = 0; goto released
		:: tail != _pid
		fi;
		next[_pid] != NIL;
		after = next[_pid]
	   fi;
	   locked[after] = false;
released:
	   before = 0; after = 0
	od
}
