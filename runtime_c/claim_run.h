/* claim_run.h: a run of the claim beside a run of the program that is already known.
 *
 * Two-phase search lets the claim stand still in phase one, and merged statements (chain.h) are one step for it. A
 * trail has a step of the claim before every step of
 * the program, so another run of the claim must be found, one that reads the repeated states too. It exists if what
 * the claim accepts does not depend on how often a state is repeated.
 */
#ifndef HSFPY_CLAIM_RUN_H
#define HSFPY_CLAIM_RUN_H

#include "search.h"

/* Adds a step of the claim that is still to be chosen. */
void claim_run_leave_open(Trail *t, long depth);
/* Chooses the claim's steps of a trail that ends in an error of this kind, if some are open. A cycle may become
 * several rounds of it. Gives up with a message if no run of the claim fits. */
void claim_run_choose(Trail *t, ErrorKind kind);

#endif
