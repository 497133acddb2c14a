/* follow.h: taking a step that somebody names, instead of finding out which steps there are.
 *
 * A trail names statements, not transitions: the same statement can be taken from several
 * locations. So each step is looked up at the place where its process stands.
 */
#ifndef HSFPY_FOLLOW_H
#define HSFPY_FOLLOW_H

#include "model.h"

typedef enum FollowResult {
    FOLLOWED,
    FOLLOW_BLOCKED, /* the step is not executable */
    FOLLOW_UNKNOWN  /* the process cannot take such a step where it stands */
} FollowResult;

/* Where a process or the claim (CLAIM_PID) stands, if there is one. */
bool follow_has_process(const State *s, int pid);
const Proctype *follow_proctype(const State *s, int pid);
int follow_location(const State *s, int pid);

/* The transition at the place of process `pid` that stands for transition number `transition`: that
 * one, or one of the same statement; NULL if there is none. */
const Transition *follow_find(const State *s, int pid, uint32_t transition);

/* Takes it. A fault stays in `fault`. A rendezvous is two steps: after the first the offer stands in
 * step_context, where the receiver's guard finds it. Time passes whenever the step needs it: that
 * nothing else could move was the care of whoever chose the step. */
FollowResult follow_step(State *s, int pid, uint32_t transition);
/* The same for a step that others follow: a fault of its guard, told before, does not keep it from being taken. */
FollowResult follow_past(State *s, int pid, uint32_t transition);

#endif
