/* ample.h: partial order reduction by ample sets (STTT 4.1): the steps of one process stand for all.
 *
 * A process can stand for all if its steps are safe: no other process notices or prevents them, and
 * none of them is visible to the property. That is known of statements (T_SAFE) up to what depends on the
 * state: a message or room in a channel, and who else may start or end processes. A cycle condition
 * then makes sure that nobody is put off for ever.
 */
#ifndef HSFPY_AMPLE_H
#define HSFPY_AMPLE_H

#include "search.h"
#include "steps.h"

/* Are all steps from here safe, and invisible to the property of this run, as far as statements tell? */
bool ample_is_quiet(const Proctype *p, const Location *at);
/* Looks at the model once, for the property of this run. */
void ample_prepare(void);
/* Can process `pid` stand for all, as far as this state tells? It may have no step at all, and a cycle condition
 * may stand against it. Of a process inside an atomic sequence the whole sequence is meant. */
bool ample_can_stand(const State *s, int pid);
/* The same, as far as the location of a process tells. */
typedef enum AmpleAnswer {
    STANDS_NOT,
    STANDS,
    STANDS_BY_CHANNELS, /* that depends on what is in channels its statements name, */
    STANDS_BY_OTHERS    /* or also on where other processes are */
} AmpleAnswer;
AmpleAnswer ample_answer(int proctype, uint16_t location);
/* The next process after `after` in SPIN's order (-1: the first one) that can stand for all; -1 if there
 * is none. */
int ample_process(const State *s, int after);
/* What the steps of a process led to. Fresh: not on the stack, or never seen before, as the condition asks. */
typedef struct AmpleTally {
    uint32_t fresh, stale;
} AmpleTally;

/* May a state be left with the steps of one process, when that is what they led to? */
bool ample_suffices(AmpleTally tally);
/* Does the cycle condition ask about the stack (else about all states seen)? */
bool ample_asks_stack(void);
/* Only the first process that could stand for all is tried: a second search must find the same one. */
bool ample_tries_once(void);

#endif
