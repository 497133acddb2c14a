/* N processes that choose once, each between two ways, and stay there.
 *
 * Written to show where two-phase search is of no use: no process is ever without a choice, so all 3^N states are
 * stored, by selective caching too. An ample set is the choice of one process, and nothing leads back: 2^(N+1) - 1
 * states are stored.
 *
 * Source:    "W5" in Table 1 of R. Nalumasu, G. Gopalakrishnan, A partial order reduction algorithm without the
 *            proviso, UUCS-98-017, University of Utah, 1998. The paper says only that it has no deterministic states;
 *            this model has its numbers of states.
 * Parameter: N processes.
 * Error:     none.
 */
#ifndef N
#define N 5
#endif

active [N] proctype Chooser()
{
	if
	:: true ->
end_left:	false
	:: true ->
end_right:	false
	fi
}
