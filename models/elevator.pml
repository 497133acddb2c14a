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
 * Error:     assertion: the door is opened while the motor runs; @@. With -DLTL a response property
 *            instead: the elevator gets to the top floor when it is requested. It is violated since the
 *            controller always picks the nearest request, and never comes up if a lower floor is always
 *            requested.
 */
#ifndef N
#define N 4
#endif

mtype = { open, shut, up, down, halt, done };

chan door   = [0] of { mtype };
chan motor  = [1] of { mtype };
chan report = [0] of { mtype };		/* from the devices to the controller */

bool opened, stopped = true;
bool wanted[N];
byte car;				/* the floor at which the car is */

proctype Button(byte i)
{
end:	do
	:: !wanted[i] -> wanted[i] = true
	od
}

active proctype Door()
{
end:	do
	:: door?open -> assert(stopped); opened = true; report!done
	:: door?shut -> opened = false; report!done
	od
}

active proctype Motor()
{
end:	do
	:: motor?up ->
		stopped = false;
		do
		:: car < N - 1 && empty(motor) -> car++; report!done
		:: motor?halt -> break
		od;
		stopped = true;
		report!halt
	:: motor?down ->
		stopped = false;
		do
		:: car > 0 && empty(motor) -> car--; report!done
		:: motor?halt -> break
		od;
		stopped = true;
		report!halt
	od
}

/* Sets goal to the requested floor that is nearest to the car, the lower one of two. */
inline pick_goal()
{
	d_step {
		distance = 0;
		do
		:: distance < N && car >= distance && wanted[car - distance] ->
			goal = car - distance;
			break
		:: distance < N && !(car >= distance && wanted[car - distance])
		   && car + distance < N && wanted[car + distance] ->
			goal = car + distance;
			break
		:: else ->
			distance++
		od;
		distance = 0
	}
}

active proctype Controller()
{
	byte goal, distance;
	bool halted;

	do
	:: wanted[0] || wanted[1]
#if N > 2
	   || wanted[2]
#endif
#if N > 3
	   || wanted[3]
#endif
#if N > 4
	   || wanted[4] || wanted[5 % N] || wanted[6 % N] || wanted[7 % N]
#endif
	   ->
		pick_goal();
		if
		:: goal > car ->
			motor!up;
			do
			:: car < goal -> report?done
			:: car == goal -> break
			od;
			motor!halt;
			report?halt
		:: goal < car ->
			motor!down;
			do
			:: car > goal -> report?done
			:: car == goal -> break
			od;
			motor!halt;
#ifdef CORRECT
			report?halt
#endif
		:: goal == car
		fi;
		door!open;
		do
		:: report?halt
		:: report?done -> break
		od;
		wanted[goal] = false;
		door!shut;
		do
		:: report?halt
		:: report?done -> break
		od
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

#ifdef LTL
ltl response { [] (wanted[N - 1] -> <> (car == N - 1 && opened)) }
#endif
