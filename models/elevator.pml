/* An elevator with N floors.
 *
 * Passengers press the button of a floor. The controller picks a requested floor, shuts the door, runs
 * the motor until the car is there, stops it and opens the door. Door and motor are devices of their
 * own that obey orders in their own time. The fault: having ordered the motor to stop, the controller
 * waits for its report only if the car moved up.
 *
 * Source:    after A. Biere's elevator simulator; "Elevator" in Tables 6 and 8 of Edelkamp, Lluch
 *            Lafuente, Leue, Directed explicit model checking with HSF-SPIN, 2001.
 * Parameter: N floors, 2 to 8. With -DCORRECT the controller always waits for the report, and there is
 *            no assertion to violate.
 * Error:     assertion: the door is opened while the motor runs; for N = 4 the shortest has 65 steps,
 *            where depth-first search finds one of 910. With -DLTL -DCORRECT a response property: the
 *            elevator gets to the top floor when it is requested. It is violated since the controller
 *            always picks the nearest request, and never comes up if a lower floor is always
 *            requested. With -DLTL -DCORRECT -DSWEEP it serves the floors in turn, and the property
 *            holds. With -DINVARIANT the first fault as an invariant instead of an assertion: the door
 *            is open only while the motor is stopped; ./pan --invariant=safe checks it.
 */
#ifndef N
#define N 4
#endif

mtype = { open, shut, up, down, halt };

chan door   = [1] of { mtype };
chan motor  = [1] of { mtype };
chan report = [1] of { mtype };		/* from the devices to the controller */

bool opened, stopped = true;
bool wanted[N];
byte requests;				/* how many floors are wanted */
byte car;				/* the floor at which the car is */

proctype Button(byte i)
{
end:	do
	:: atomic { !wanted[i] -> wanted[i] = true; requests++ }
	od
}

active proctype Door()
{
end:	do
#ifdef INVARIANT
	:: door?open -> opened = true; report!open
#else
	:: door?open -> assert(stopped); opened = true; report!open
#endif
	:: door?shut -> opened = false; report!shut
	od
}

active proctype Motor()
{
end:	do
	:: motor?up -> stopped = false; car++; report!up	/* one floor further */
	:: motor?down -> stopped = false; car--; report!down
	:: motor?halt -> stopped = true; report!halt
	od
}

#ifdef SWEEP
/* Sets goal to the next requested floor above the car, and from the top on again at the bottom. */
inline pick_goal()
{
	d_step {
		distance = 1;
		do
		:: wanted[(car + distance) % N] -> goal = (car + distance) % N; break
		:: else -> distance++
		od;
		distance = 0
	}
}
#else
/* Sets goal to the requested floor that is nearest to the car, the lower one of two. */
#define below (distance <= car && wanted[car - distance])
#define above (car + distance < N && wanted[car + distance])

inline pick_goal()
{
	d_step {
		distance = 0;
		do
		:: below -> goal = car - distance; break
		:: !below && above -> goal = car + distance; break
		:: else -> distance++
		od;
		distance = 0
	}
}
#endif

/* Waits for a report; an old one of the motor is thrown away. */
inline await(kind)
{
	do
	:: report?halt
	:: report?kind -> break
	od
}

active proctype Controller()
{
	byte goal, distance;

end:	do
	:: requests > 0 ->
		pick_goal();
		if
		:: goal > car ->
			do
			:: car < goal -> motor!up; await(up)
			:: car == goal -> break
			od;
			motor!halt;
			report?halt
		:: goal < car ->
			do
			:: car > goal -> motor!down; await(down)
			:: car == goal -> break
			od;
			motor!halt;
#ifdef CORRECT
			report?halt
#endif
		:: goal == car
		fi;
		door!open;
		await(open);
		atomic { wanted[goal] = false; requests-- }
		door!shut;
		await(shut)
	od
}

init {
	byte i;

	atomic {
		do
		:: i < N -> run Button(i); i++
		:: else -> break
		od
	}
}

#ifdef INVARIANT
ltl safe { [] (!opened || stopped) }
#endif

#ifdef LTL
ltl response { [] (wanted[N - 1] -> <> (car == N - 1 && opened)) }
#endif
