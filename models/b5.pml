/* N processes that have nothing to do with each other and always come back to where they began.
 *
 * Each process chooses one of two ways and goes back. A search that may not leave a state by the steps of one
 * process when they lead back to its stack (the proviso of ample sets) has to interleave all processes, because
 * every way leads back to the initial state: it stores all 3^N states. Two-phase search needs no proviso. It stores
 * the initial state and the 2N states behind it; with selective caching the initial state alone.
 *
 * Source:    R. Nalumasu, G. Gopalakrishnan, A partial order reduction algorithm without the proviso, UUCS-98-017,
 *            University of Utah, 1998: Figure 4(a) and "B5" in Table 1.
 * Parameter: N processes.
 * Error:     none.
 */
#ifndef N
#define N 5
#endif

active [N] proctype Chooser()
{
	do
	:: true -> skip
	:: true -> skip
	od
}
