/* Stable marriage by N suitors who act concurrently.
 *
 * Every suitor goes down his list. He becomes engaged to a woman who is free, or who likes him better
 * than the suitor she has; that one is told so and goes on with his list. An engaged suitor is idle
 * until he is told that he lost her or until all women are engaged; then they begin again, with other
 * lists. To see whether a woman is free and to become engaged to her are two steps, which should be
 * one: two suitors can both find her free, and the first to become engaged never hears that he was
 * replaced.
 *
 * Source:    D. McVitie, L. Wilson, The stable marriage problem, CACM 14, 1971; "Marriers" in Table 4 of
 *            Edelkamp, Lluch Lafuente, Leue, Directed explicit model checking with HSF-SPIN, 2001.
 * Parameter: N suitors, 2 to 5; ROUNDS sets of lists, 1 to N. With -DATOMIC the two steps are one, and
 *            there is no error.
 * Error:     deadlock: a suitor idle without a woman, and a woman alone; for N = 3 the shortest has
 *            33 steps, where depth-first search finds one of 158.
 */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif

#define NOBODY 255

#define choice(i, k) ((k + i / 2) % N)			/* the k-th woman on the list of suitor i */
#define rank(w, i)   ((i + w + round) % N)		/* the lower, the better woman w likes suitor i */

byte partner[N] = NOBODY;				/* the suitor of every woman */
byte round;
chan told[N] = [1] of { byte };				/* the woman that suitor i lost */

proctype Suitor(byte i)
{
	byte woman, k, rival, mine;

propose:
	woman = choice(i, k);
	k++;
#ifdef ATOMIC
	atomic {
#endif
	rival = partner[woman];
	if
	:: rival == NOBODY ->
		partner[woman] = i
	:: rival != NOBODY && rank(woman, i) < rank(woman, rival) ->
		partner[woman] = i;
		told[rival]!woman
	:: rival != NOBODY && rank(woman, i) >= rank(woman, rival) ->
		goto propose
	fi;
#ifdef ATOMIC
	}
#endif
danger_engaged:
	if
	:: told[i]?woman -> goto propose
	:: round != mine ->
		k = 0;
		mine = round;
		if
		:: round < ROUNDS -> goto propose
		:: round == ROUNDS
		fi
	fi
}

init {
	byte w;

	atomic {
		do
		:: w < N -> run Suitor(w); w++
		:: else -> break
		od;
		w = 0
	}
	do
	:: partner[w] != NOBODY ->
		w++;
		if
		:: w < N
		:: w == N ->
			atomic {
				w = 0;
				do
				:: w < N -> partner[w] = NOBODY; w++
				:: else -> break
				od;
				w = 0;
				round++
			}
			if
			:: round < ROUNDS
			:: round == ROUNDS -> break
			fi
		fi
	od
}
