/* acceptance.h: which states an acceptance cycle must contain, with and without weak fairness.
 *
 * Weak fairness: a process that could move all along a cycle must move in it. It is decided on copies
 * of the state graph, numbered in the vector's header (Choueka's flag construction): copy 0 waits for
 * an accepting state, copy i for process i-1 to move or to be blocked, and the copy behind the last
 * process closes the round. A cycle through a closing state is accepting and fair. As in SPIN, a process
 * whose only steps are rendezvous counts as blocked.
 */
#ifndef HSFPY_ACCEPTANCE_H
#define HSFPY_ACCEPTANCE_H

#include "moves.h"

enum { FAIR_CLOSED = 255, MAX_FAIR_PROCESSES = 253 };

/* Is there an accept label outside the claim that counts? Called once before a search. */
void acceptance_prepare(void);
bool acceptance_is_claims_only(void);
/* Does the claim or a process stand at an accept label? States inside atomic sequences do not count. */
bool state_has_accept_label(const State *s);
/* Must a cycle contain this state, or one like it, to be reported? */
bool state_is_accepting(const State *s);
/* Sets the copy a successor belongs to; `from` is the copy of the state before. */
void fairness_follow(State *successor, unsigned from, const Move *move);
/* Can process `pid` move by itself, other than by rendezvous? */
bool fairness_expects(const State *s, int pid);

#endif
