/* Optical telegraph: stations in a ring, each in sight of two others.
 *
 * To pass a message on, a station first raises its own arm, then signals "start" to the next station
 * and waits for "attention" from it; then it signals its data, and both lower their arms after "stop".
 * A station answers only while its own arm is down. When all stations raise their arms at once, nobody
 * answers.
 *
 * Source:    the signalling rules are those of the Chappe telegraph in G. J. Holzmann, Design and
 *            validation of computer protocols, Prentice Hall, 1990, chapter 1; "Telegraph" in Table 4 of
 *            Edelkamp, Lluch Lafuente, Leue, Directed explicit model checking with HSF-SPIN, 2001.
 * Parameter: N stations, 2 to 120.
 * Error:     deadlock: all stations wait for "attention"; for N = 5 the shortest has 28 steps, where
 *            depth-first search finds one of 64.
 */
#ifndef N
#define N 5
#endif

mtype = { start, attention, data, stop };

chan forward[N]  = [1] of { mtype };	/* signals from station i to i + 1 */
chan backward[N] = [0] of { mtype };	/* and from station i + 1 to i */

#define previous ((i + N - 1) % N)

proctype Station(byte i)
{
	do
	:: forward[previous]?start ->		/* listen */
		backward[previous]!attention;
		forward[previous]?data;
		forward[previous]?stop
	:: empty(forward[previous]) ->		/* raise the arm and send */
		forward[i]!start;
danger_arm_raised:
		backward[i]?attention;
		forward[i]!data;
		forward[i]!stop
	od
}

init {
	byte i;

	atomic {
		do
		:: i < N -> run Station(i); i++
		:: else -> break
		od
	}
}
