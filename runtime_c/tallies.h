/* tallies.h: what SPIN's directives -DPEG, -DNSUCC and -DVAR_RANGES add to a report.
 *
 * They are constants, so a verifier compiled without them pays nothing. */
#ifndef HSFPY_TALLIES_H
#define HSFPY_TALLIES_H

#include "moves.h"

/* -DPEG: how often each statement was executed. */
#ifdef PEG
enum { COUNTS_STEPS = 1 };
#else
enum { COUNTS_STEPS = 0 };
#endif

/* -DNSUCC: how many successors the states of a depth-first search have. */
#ifdef NSUCC
enum { COUNTS_SUCCESSORS = 1 };
#else
enum { COUNTS_SUCCESSORS = 0 };
#endif

/* A transition was executed. */
void tally_transition(const Transition *t);
/* Both halves of a step; the sender's half of a rendezvous is left out if `offer_counted`. */
void tally_step(const Step *step, bool offer_counted);
/* The steps of a move; the claim's counts once, whatever number of program steps it goes with. */
void tally_move(MoveIterator *it, const Move *move, bool offer_counted);
/* All successors of a state were visited: there are n. */
void tally_successors(unsigned n);
/* -DVAR_RANGES: a variable, as the model names it, was set. Generated code calls it. */
void tally_value(const char *name, int value);

/* Prints what was counted. */
void tallies_print(void);

#endif
