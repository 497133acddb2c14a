/* run_steps.h: the steps of one process, found by running its guards and effects. A part of expand.h. */
#ifndef HSFPY_RUN_STEPS_H
#define HSFPY_RUN_STEPS_H

#include "expand.h"

/* Of an offer that was tried with all receivers already. */
#define NO_CHANNEL 0u

/* An item in the list being made; valid until the next one is. It takes the current fault with it. `channel` is that of
 * an offer. */
Item *list_item(Expansion *x, ItemKind kind, const Step *step, uint32_t channel);
void begin_list(Expansion *x);
/* A copy of the list that lives as long as the state is the same. */
ItemList set_list_aside(Expansion *x);

/* Lists the steps of a process, those of transitions `from` to `end` - 1. `splits`: of a rendezvous only the first
 * half. */
void list_steps(Expansion *x, int pid, const Location *at, uint16_t from, uint16_t end, bool splits);
/* Lists the rendezvous of an offer with process `pid`, as whole steps. */
void list_replies(Expansion *x, const Item *offer, int pid);
/* The fields of the channels and elements that were touched. */
Packed touched_fields(const Expansion *x);
/* The state that is found only by executing the step. */
PackedState execute_item(Expansion *x, const Item *item);

#endif
