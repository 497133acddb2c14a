/* follow.c: taking a named step; see follow.h. */
#include "follow.h"

#include "search.h"
#include "state.h"
#include "steps.h"

const Proctype *follow_proctype(const State *s, int pid)
{
    int type = pid == CLAIM_PID ? options.claim_type : state_process_type(s, pid);
    return &model.proctypes[type];
}

int follow_location(const State *s, int pid)
{
    return pid == CLAIM_PID ? state_header(s)->claim : state_process(s, pid)->pc;
}

bool follow_has_process(const State *s, int pid)
{
    return pid == CLAIM_PID ? options.use_claim : pid >= 0 && pid < state_n_processes(s);
}

static const Location *follow_place(const State *s, int pid)
{
    return &follow_proctype(s, pid)->locations[follow_location(s, pid)];
}

const Transition *follow_find(const State *s, int pid, uint32_t transition)
{
    const Location *at = follow_place(s, pid);
    const Transition *found = NULL;
    for (uint32_t i = at->first; i < at->first + at->count; i++) {
        if (i == transition) return &model.transitions[i];
        if (!found && model.transitions[i].id == model.transitions[transition].id) found = &model.transitions[i];
    }
    return found;
}

/* Can the process do something before `otherwise` here? An offer needs a partner, so it does not
 * count; whoever chose the step has looked for one. What stands behind does not count either: the
 * else of a selection that is itself a guard speaks of its own selection only. */
static bool follow_has_alternative(const State *s, int pid, const Transition *otherwise)
{
    const Location *at = follow_place(s, pid);
    bool found = false;
    for (uint32_t i = at->first; &model.transitions[i] != otherwise && i < at->first + at->count && !found; i++) {
        const Transition *t = &model.transitions[i];
        if (!(t->flags & (T_ELSE | T_BLOCKED))) found = t->flags & T_SKIP || model_guard(s, pid, t) == ENABLED;
    }
    return found;
}

static bool follow_guard(const State *s, int pid, const Transition *t)
{
    if (t->flags & T_BLOCKED) return false;
    if (t->flags & T_SKIP) return true;
    if (t->flags & T_ELSE) return !follow_has_alternative(s, pid, t);
    step_context.else_blocked = false;
    return model_guard(s, pid, t) != BLOCKED;
}

static bool follow_allowed(const State *s, int pid, const Transition *t)
{
    if (pid == CLAIM_PID) step_context.progress = state_makes_progress(s);
    bool allowed = follow_guard(s, pid, t);
    step_context.progress = false;
    if (!allowed && model.uses_timeout && !fault.text) {
        step_context.timeout = true;
        allowed = follow_guard(s, pid, t);
        step_context.timeout = false;
    }
    return allowed && (pid == CLAIM_PID || step_context.offer || process_eligible(s, pid));
}

static FollowResult follow_transition(State *s, int pid, uint32_t transition, bool past_faults)
{
    const Transition *t = follow_has_process(s, pid) ? follow_find(s, pid, transition) : NULL;
    int offer = step_context.offer;
    fault = (Fault){0};
    if (!t) return FOLLOW_UNKNOWN;
    if (!follow_allowed(s, pid, t)) return FOLLOW_BLOCKED;
    if (fault.text && !past_faults) return FOLLOWED;
    step_move(s, pid, t); /* a replay reaches nothing that the search did not */
    if (offer) step_context.offer = 0;
    return FOLLOWED;
}

FollowResult follow_step(State *s, int pid, uint32_t transition)
{
    return follow_transition(s, pid, transition, false);
}

FollowResult follow_past(State *s, int pid, uint32_t transition) { return follow_transition(s, pid, transition, true); }
