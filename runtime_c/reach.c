/* reach.c: what counts as reached when a search stops at an error; see reach.h. */
#include "reach.h"

#include "expand.h"
#include "follow.h"
#include "steps.h"

static bool is_step_of_trail(const Step *step, const TrailStep *first, const TrailStep *second)
{
    if (step->pid != first->pid || step->transition != &model.transitions[first->transition]) return false;
    return !step->reply || !second
           || (step->reply_pid == second->pid && step->reply == &model.transitions[second->transition]);
}

/* Lets an iterator try what it would until it comes to a step of the trail, or to the end. True if it found the step.
 */
static bool try_until(const State *s, int only, const TrailStep *first, const TrailStep *second)
{
    StepIterator it;
    Step step;
    bool found = false;
    if (only == CLAIM_PID)
        step_begin_claim(&it);
    else
        step_begin(&it, s, only == ALL_PROCESSES ? -1 : only);
    it.only_tests = true;
    while (!found && step_next(&it, s, NULL, &step) != STEP_NONE) {
        fault = (Fault){0};
        found = first && is_step_of_trail(&step, first, second);
    }
    fault = (Fault){0};
    step_context.offer = 0;
    return found;
}

static bool has_unmarked(const State *s, int pid)
{
    const Location *at = step_location(s, pid);
    for (uint32_t i = at->first; i < at->first + at->count; i++)
        if (!model.proctypes[model.transitions[i].proctype].reached[model.transitions[i].own]) return true;
    return false;
}

void reach_mark_tried(const State *s, int only)
{
    bool is_new = only != ALL_PROCESSES && has_unmarked(s, only);
    for (int pid = state_n_processes(s); only == ALL_PROCESSES && pid-- > 0 && !is_new;) is_new = has_unmarked(s, pid);
    if (is_new) try_until(s, only, NULL, NULL);
}

/* The program's turn: the process in an atomic sequence is asked first, then all, then all again after a timeout. */
static void try_program(const State *s, int owner, const TrailStep *first, const TrailStep *second)
{
    if (owner >= 0 && try_until(s, owner, first, second)) return;
    if (try_until(s, ALL_PROCESSES, first, second) || !model.uses_timeout) return;
    step_context.timeout = true;
    try_until(s, ALL_PROCESSES, first, second);
    step_context.timeout = false;
}

static void try_step(const State *s, int owner, const Trail *t, size_t i)
{
    const TrailStep *step = &t->steps[i], *next = i + 1 < t->n ? step + 1 : NULL;
    if (step->pid != CLAIM_PID) {
        try_program(s, owner, step, next);
        return;
    }
    if (i > 0 && step[-1].pid == CLAIM_PID) try_program(s, owner, NULL, NULL); /* it could not move */
    try_until(s, CLAIM_PID, step, NULL);
}

static void mark_own(const TrailStep *step)
{
    const Transition *t = &model.transitions[step->transition];
    model.proctypes[t->proctype].reached[t->own] = 1;
}

void reach_mark_path(ErrorKind kind, const Trail *t)
{
    State s;
    int owner = -1;
    StepContext saved_context = step_context;
    Fault saved_fault = fault;
    step_context = (StepContext){0};
    state_init(&s);
    model_start(&s);
    if (options.use_claim) state_header(&s)->claim = active_claim()->start;
    for (size_t i = 0; i < t->n; i++) {
        const TrailStep *step = &t->steps[i];
        if (!step_context.offer) try_step(&s, owner, t, i);
        mark_own(step);
        if (follow_past(&s, step->pid, step->transition) != FOLLOWED) break;
        owner = model.transitions[step->transition].flags & T_ATOMIC && step->pid != CLAIM_PID ? step->pid : -1;
    }
    fault = (Fault){0};
    if (kind == ERROR_END_STATE) try_program(&s, owner, NULL, NULL);
    state_free(&s);
    step_context = saved_context;
    fault = saved_fault;
}
