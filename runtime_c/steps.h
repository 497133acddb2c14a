/* steps.h: the steps a state allows, one after the other, in SPIN's order.
 *
 * Processes are asked from the youngest to the oldest, the transitions of a location in their
 * order, escapes first. A rendezvous is one step: a send and a matching receive of another
 * process. The iterator holds no state vector, so a depth-first search can keep one per level
 * and resume it when it comes back to the same state.
 */
#ifndef HSFPY_STEPS_H
#define HSFPY_STEPS_H

#include "model.h"
#include "order.h"
#include "search.h"
#include "state.h"

typedef struct Step {
    const Transition *transition;
    const Transition *reply; /* the receiver's part of a rendezvous, or NULL */
    int16_t pid;             /* CLAIM_PID for a move of the claim */
    int16_t reply_pid;
    uint16_t n_chained; /* steps that follow it in its chain and are part of it */
} Step;

/* The transition that a chain follows. */
static inline const Transition *step_last(const Step *step) { return step->reply ? step->reply : step->transition; }
/* Steps in SPIN's count: a rendezvous is two; in a chain the claim moves too. */
static inline int step_length(const Step *step)
{
    return (step->reply ? 2 : 1) + step->n_chained * (options.use_claim ? 2 : 1);
}
/* The process that keeps exclusive control after the step, or -1. */
static inline int step_owner(const Step *step)
{
    if (!(step_last(step)->flags & T_ATOMIC)) return -1;
    return step->reply ? step->reply_pid : step->pid;
}

typedef struct StepIterator {
    int16_t pid;       /* process being asked */
    int16_t last_pid;  /* process to ask last */
    int8_t stride;     /* from one process to the next; 0: as `order` says */
    uint16_t next;     /* which transition of its location comes next */
    uint16_t escape;   /* escape whose transitions were executable: others are not tried */
    int16_t reply_pid; /* rendezvous under way: receiver being asked; -1: none */
    uint16_t reply_next;
    uint16_t reply_escape;
    bool offering;         /* a rendezvous offer is under way */
    bool offer_told;       /* a fault of its first half was reported */
    bool offered;          /* some rendezvous was offered */
    bool accepted;         /* somebody took the last offer */
    bool moved;            /* an earlier transition of this process was executed (for else) */
    bool entered;          /* the process's provided clause and priority were tested */
    bool any;              /* some step was found */
    bool cuts_offers;      /* the depth limit lies between the halves of a rendezvous */
    uint16_t n_cut;        /* offers not followed for that reason */
    int8_t tested;         /* guard result carried over a reported fault; -1: none */
    uint16_t n_found;      /* -DNSUCC: steps and offers so far, */
    uint16_t n_taken;      /* and takers of the last offer */
    OrderMark order;       /* in other orders than the usual one: of processes, */
    OrderMark reply_order; /* and of receivers */
    bool only_tests;       /* steps are found but not executed: *out stays as it is */
} StepIterator;

typedef enum StepResult {
    STEP_NONE,  /* no further step */
    STEP_TAKEN, /* *out is the successor; fault.text may be set by the effect */
    STEP_FAULT  /* testing the guard of *step raised a fault; go on with step_next */
} StepResult;

/* Starts with all processes, or with process `only` if it is not -1. */
void step_begin(StepIterator *it, const State *s, int only);
/* Starts with all processes but `except`; only if options.reorders is set. */
void step_begin_others(StepIterator *it, const State *s, int except);
/* Moves of the never claim only. */
void step_begin_claim(StepIterator *it);
StepResult step_next(StepIterator *it, const State *s, State *out, Step *step);

/* Can this process make a step by itself now (SPIN's enabled())? */
bool process_enabled(const State *s, int pid);
/* May this process move as far as its provided clause and priorities go? */
bool process_eligible(const State *s, int pid);

/* Is a process inside an atomic sequence, and can it go on? Nobody sees such a state. */
bool state_is_inside_atomic(const State *s);

static inline const Location *process_location(const State *s, int pid)
{
    return &model.proctypes[state_process_type(s, pid)].locations[state_process(s, pid)->pc];
}

/* Moves process `pid` along `t`, effect included. */
void step_apply(State *s, int pid, const Transition *t);
/* The two halves of that: what `t` leads through counts as reached, and the move itself. */
void step_mark(const State *s, int pid, const Transition *t);
void step_move(State *s, int pid, const Transition *t);
/* Where a process or the claim stands, and transition number i from there in the order asked for. */
const Location *step_location(const State *s, int pid);
const Transition *step_transition(const Location *at, uint16_t i, const OrderMark *order);

/* Priority operators of the language. */
int priority_get(const State *s, int pid);
void priority_set(State *s, int pid, int priority);
/* A send ('s') or receive ('r') on channel `id` happened: the trace automaton must follow. */
void trace_event(State *s, char kind, int id);
/* Where the trace automaton stands: kept at the start of the globals when there is one. */
uint16_t *trace_location(const State *s);

#endif
