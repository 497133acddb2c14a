/* step_names.h: which steps there are, without what they change: many items (memo.h) share one.
 *
 * Names are numbers from 0. They last as long as the verifier runs.
 */
#ifndef HSFPY_STEP_NAMES_H
#define HSFPY_STEP_NAMES_H

#include "model.h"

typedef struct StepName {
    uint32_t transition; /* index */
    uint32_t reply;      /* index of the receiver's transition, or NO_REPLY; of an offer, its channel */
    int16_t pid, reply_pid;
    uint16_t fault;   /* that is raised: a number plus one; 0: none */
    uint16_t chained; /* how many steps follow in its chain (chain.h) */
    bool is_reached;  /* what it reaches was marked as reached */
    uint8_t trust;    /* how often it was followed lately when that was guessed, up to MOST_TRUST */
    bool is_step;     /* else an offer, or a fault */
    /* What follows from that. */
    int16_t owner;   /* process that keeps exclusive control afterwards, or -1 */
    uint16_t length; /* in SPIN's steps */
} StepName;

#define NO_REPLY UINT32_MAX

enum { MOST_TRUST = 3 };

extern StepName *step_names;

/* The name of what is like this one; whether it is reached does not count. */
uint32_t step_name(const StepName *like);
/* A number for a fault, and the fault of a number, which is not 0. */
uint16_t fault_number(const Fault *f);
Fault numbered_fault(uint16_t number);

#endif
