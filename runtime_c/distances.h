/* distances.h: local state distances D(u, v) within a proctype. */
#ifndef HSFPY_DISTANCES_H
#define HSFPY_DISTANCES_H

#include "model.h"

/* Larger than any distance; "cannot be reached". Sums of a few stay below INT_MAX. */
enum { UNREACHABLE = 1 << 20 };

/* Cost of the cheapest way from every location of a proctype to location `to`, indexed by
 * location number; UNREACHABLE where there is none. Computed once and kept. */
const int *distances_to(int proctype, int to);
/* To the nearest of several locations. The caller frees the result with xfree. */
int *distances_to_any(int proctype, const bool *wanted);

/* What taking a transition costs: 1 unless --cost says otherwise. */
int transition_cost(const Transition *t);
/* Chooses the cost model; false if there is none of that name. Before any distance is asked. */
bool cost_model_select(const char *name);
const char *cost_model_name(void);
bool cost_is_steps(void);

#endif
