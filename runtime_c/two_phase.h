/* two_phase.h: partial order reduction without a cycle condition (Nalumasu, Gopalakrishnan, UUCS-98-017).
 *
 * A process is deterministic in a state if its steps are safe (ample.h) and exactly one can be taken. When a
 * search comes to a state, phase one takes steps of deterministic processes until there is none left, or until
 * they only go round in circles; in phase two the state at its end is expanded in full. Nobody is put off for
 * ever, because every way leads to fully expanded states. Phase one depends on nothing but the state it starts
 * from, so a second search for cycles finds the same states.
 *
 * The claim stands still in phase one: its steps are invisible, and what the claim accepts does not depend on
 * how often a state is repeated. A trail gets the claim's steps back by claim_run.h.
 *
 * With selective caching only the states at the end of phase one are stored. Else all are, and each remembers
 * by which process phase one left it, so that all searches leave it the same way.
 */
#ifndef HSFPY_TWO_PHASE_H
#define HSFPY_TWO_PHASE_H

#include "search.h"
#include "steps.h"

static inline bool is_two_phase(void) { return options.reduction == REDUCE_TWO_PHASE; }

/* Stores a state; returns its number (or hash) and whether it is new. */
typedef uint64_t (*PhaseStore)(const State *s, bool *is_new);

/* Forgets everything; `store` is used unless caching is selective. */
void phase_one_open(PhaseStore store);
/* Takes `s` to the end of phase one. The steps are added to a list that belongs to the search's stack. */
void phase_one_run(State *s);
/* How many steps are in the list; and back to so many. */
size_t phase_one_mark(void);
void phase_one_drop(size_t mark);
/* How many steps of a trail the part of the list from `mark` is. */
long phase_one_length(size_t mark);
/* Adds steps from..to of the list to a trail that is `depth` steps long, each behind a step of the claim that is
 * still to be chosen (claim_run.h) if there is a claim. */
void phase_one_write(Trail *t, long depth, size_t from, size_t to);

#endif
