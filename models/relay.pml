/* A relay circuit that should let only one of N consumers have the supply.
 *
 * For every consumer there is a switch s1, a main relay k14 and a lock-out relay k12; dienst is the
 * common line that says that somebody is served:
 *     k14 = s1 and not k12          k12 = dienst and (not s1 or k12)          dienst = some k14
 * Every relay follows its equation with a delay of its own, so two switches closed at almost the same
 * time find each other's lock-out relay still released.
 *
 * Source:    P. van Eijk, Verifying relay circuits using state machines, SPIN workshop 1997; "Relay" in
 *            Table 7 of Edelkamp, Lluch Lafuente, Leue, Directed explicit model checking with HSF-SPIN,
 *            2001, from which the equations are.
 * Parameter: N consumers, 2 to 8.
 * Error:     assertion: in a stable state two consumers have the supply; for N = 3 the shortest has
 *            24 steps, where depth-first search finds one of 316.
 */
#ifndef N
#define N 3
#endif

bool s1[N], k14[N], k12[N], dienst;
byte served;				/* how many k14 are on */
byte moving;				/* how many relays do not satisfy their equation */

#define k14_eq(i) (s1[i] && !k12[i])
#define k12_eq(i) (dienst && (!s1[i] || k12[i]))
#define dienst_eq (served > 0)

inline count_moving()
{
	byte j;

	moving = (dienst != dienst_eq);
	for (j : 0 .. N - 1) {
		moving = moving + (k14[j] != k14_eq(j)) + (k12[j] != k12_eq(j))
	}
	j = 0
}

proctype Switch(byte i)
{
end:	do
	:: d_step { s1[i] = !s1[i]; count_moving() }
	od
}

proctype Main(byte i)
{
end:	do
	:: d_step {
		k14[i] != k14_eq(i) ->
			k14[i] = !k14[i];
			served = (k14[i] -> served + 1 : served - 1);
			count_moving()
	   }
	od
}

proctype Lockout(byte i)
{
end:	do
	:: d_step { k12[i] != k12_eq(i) -> k12[i] = !k12[i]; count_moving() }
	od
}

active proctype Line()
{
end:	do
	:: d_step { dienst != dienst_eq -> dienst = !dienst; count_moving() }
	od
}

init {
	byte i;

	atomic {
		do
		:: i < N -> run Switch(i); run Main(i); run Lockout(i); i++
		:: else -> break
		od
	}
end:	do
	:: moving == 0 -> assert(served <= 1)
	od
}
