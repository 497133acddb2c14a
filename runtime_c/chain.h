/* chain.h: statement merging: steps that are taken together with the one before them.
 *
 * Where a process can do only one thing, nothing can stop it, and nobody notices (ample.h), nobody needs to look at
 * the state before: it is not stored, and the step belongs to the one that led there. SPIN merges statements that
 * are local to their process; here whatever is safe counts, after any step.
 *
 * A rendezvous is followed by steps of its receiver only: the sender's could come into an atomic sequence.
 */
#ifndef HSFPY_CHAIN_H
#define HSFPY_CHAIN_H

#include "model.h"

/* By transition, how many steps follow it; NULL: statements are not merged. */
extern uint16_t *chain_lengths;

static inline uint16_t chain_length(const Transition *t)
{
    return chain_lengths ? chain_lengths[t - model.transitions] : 0;
}

/* Is the only transition of a location one that nobody notices? */
typedef bool (*QuietPlace)(const Proctype *p, const Location *at);
/* Finds the chains of all processes. */
void chains_prepare(QuietPlace is_quiet);

/* The step that follows transition `t` in its chain. */
static inline const Transition *chain_next(const Transition *t)
{
    return &model.transitions[model.proctypes[t->proctype].locations[t->to].first];
}

/* Takes the steps that follow `t`, which process `pid` has just taken. A fault says how many were taken before. */
void chain_take(State *s, int pid, const Transition *t);
/* What the steps lead through counts as reached; and does it already? */
void chain_mark(const Transition *t);
bool chain_is_marked(const Transition *t);

#endif
