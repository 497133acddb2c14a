/* steps.c: enumerating the steps of a state; see steps.h. */
#include "steps.h"

#include <string.h>

#include "chain.h"
#include "search.h"
#include "tell_search.h"
#include "tallies.h"
#include "util.h"

const Location *step_location(const State *s, int pid)
{
    if (pid == CLAIM_PID) return &active_claim()->locations[state_header(s)->claim];
    return process_location(s, pid);
}

/* Transition number i of a location in another order than usual: -J asks for the escapes of outer
 * unless statements first, -t_reverse for the options from last to first, else staying last (but
 * leaves claims alone), -DT_RAND for number `first` first, then those behind it. */
static const Transition *reordered_transition(const Location *at, uint16_t i, uint16_t first)
{
    const Transition *all = &model.transitions[at->first];
    uint16_t n_escapes = 0, n = at->count;
    if (first) i = (uint16_t)((i + first) % n);
    while (n_escapes < n && all[n_escapes].escape) n_escapes++;
    if (i < n_escapes) return options.unless_outermost ? &all[n_escapes - 1 - i] : &all[i];
    if (!options.reverse_transitions || model.proctypes[all->proctype].class_ == CLASS_NEVER) return &all[i];
    if (n > n_escapes && all[n - 1].flags & T_ELSE) n--;
    return i < n ? &all[n - 1 - (i - n_escapes)] : &all[i];
}

const Transition *step_transition(const Location *at, uint16_t i, const OrderMark *order)
{
    if (options.reorders_transitions) return reordered_transition(at, i, options.reorders ? order->first : 0);
    return &model.transitions[at->first + i];
}

static void begin_process(StepIterator *it)
{
    it->next = 0;
    it->escape = 0;
    it->moved = false;
    it->entered = false;
}

static void begin_at(StepIterator *it, int from, int to)
{
    it->pid = (int16_t)from;
    it->last_pid = (int16_t)to;
    it->stride = from > to ? -1 : 1;
    it->offering = it->offered = it->accepted = false;
    it->any = it->cuts_offers = it->only_tests = false;
    it->n_cut = 0;
    it->tested = -1;
    begin_process(it);
}

static void begin_reordered(StepIterator *it, const State *s, int only, int except)
{
    it->pid = (int16_t)order_begin(&it->order, s, only, except);
    it->stride = 0;
}

void step_begin(StepIterator *it, const State *s, int only)
{
    int youngest = state_n_processes(s) - 1;
    if (only >= 0)
        begin_at(it, only, only);
    else if (options.reverse_processes)
        begin_at(it, 0, youngest);
    else
        begin_at(it, youngest, 0);
    if (youngest < 0) it->pid = (int16_t)(it->last_pid + it->stride); /* nobody is there to ask */
    if (options.reorders) begin_reordered(it, s, only, -1);
}

void step_begin_others(StepIterator *it, const State *s, int except)
{
    begin_at(it, 0, 0);
    begin_reordered(it, s, -1, except);
}

void step_begin_claim(StepIterator *it) { begin_at(it, CLAIM_PID, CLAIM_PID); }

static inline bool has_turn(const StepIterator *it)
{
    if (it->stride == 0) return it->order.left > 0;
    return it->stride > 0 ? it->pid <= it->last_pid : it->pid >= it->last_pid;
}

static inline void next_process(StepIterator *it, const State *s)
{
    it->pid = (int16_t)(it->stride ? it->pid + it->stride : order_next(&it->order, s));
    begin_process(it);
}

void step_mark(const State *s, int pid, const Transition *t)
{
    uint8_t *reached = model.proctypes[t->proctype].reached;
    reached[t->own] = 1;
    reached[t->to] = 1;
    reached[pid == CLAIM_PID ? state_header(s)->claim : state_process(s, pid)->pc] = 1;
}

void step_move(State *s, int pid, const Transition *t)
{
    if (t->flags & T_ACTS) model_effect(s, pid, t);
    if (pid == CLAIM_PID) {
        state_header(s)->claim = t->to; /* 0 when it ends */
        return;
    }
    if (model.uses_last) state_header(s)->last = (uint8_t)pid;
    if (t->to) state_process(s, pid)->pc = t->to;
}

void step_apply(State *s, int pid, const Transition *t)
{
    step_mark(s, pid, t);
    step_move(s, pid, t);
}

/* The same with the steps that follow in a chain. */
static void apply_chained(State *s, int pid, const Transition *t)
{
    if (!options.marks_late) step_mark(s, pid, t);
    step_move(s, pid, t);
    if (LIKELY(chain_length(t) == 0)) return;
    if (!options.marks_late) chain_mark(t);
    chain_take(s, pid, t);
}

/* Tests a guard. As in SPIN, trying a statement reaches it (reach.h), but a d_step must be executable. */
static int try_guard(const State *s, int pid, const Transition *t)
{
    if (LIKELY(!options.marks_late)) return model_guard(s, pid, t);
    bool is_d_step = t->flags & T_DSTEP;
    if (!is_d_step) model.proctypes[t->proctype].reached[t->own] = 1;
    int result = model_guard(s, pid, t);
    if (is_d_step && result != BLOCKED) step_mark(s, pid, t);
    return result;
}

/* ---- who may move ---- */

bool process_enabled(const State *s, int pid)
{
    touched.others = true;
    if (pid < 0 || pid >= state_n_processes(s)) return false;
    StepContext saved = step_context;
    step_context.testing = true;
    const Location *at = process_location(s, pid);
    bool moved = false;
    for (uint16_t i = 0; i < at->count && !moved; i++) {
        const Transition *t = &model.transitions[at->first + i];
        if (t->flags & T_ELSE)
            moved = step_context.offer == 0;
        else if (step_context.offer == 0 || t->flags & T_RECEIVE)
            moved = try_guard(s, pid, t) != BLOCKED;
    }
    step_context = saved;
    return moved;
}

static bool outranked(const State *s, int pid)
{
    uint8_t mine = state_process(s, pid)->priority;
    for (int other = 0; other < state_n_processes(s); other++)
        if (other != pid && state_process(s, other)->priority > mine
            && (!model.has_provided || model_provided(s, other)) && process_enabled(s, other))
            return true;
    return false;
}

bool process_eligible(const State *s, int pid)
{
    if (model.has_provided && !model_provided(s, pid)) return false;
    return !model.uses_priority || !outranked(s, pid);
}

int priority_get(const State *s, int pid)
{
    touched.others = true;
    if (pid < 0 || pid >= state_n_processes(s)) return 0;
    return state_process(s, pid)->priority;
}

void priority_set(State *s, int pid, int priority)
{
    touched.others = true;
    if (pid < 0 || pid >= state_n_processes(s)) return;
    if (priority < 1 || priority > 255) {
        raise_fatal("priority is out of range");
        return;
    }
    state_process(s, pid)->priority = (uint8_t)priority;
}

/* ---- rendezvous ---- */

/* The state between the two halves of a rendezvous. One is enough: it is built anew whenever
 * an iterator resumes. */
static State middle;

static void open_offer(StepIterator *it, const State *s, const Transition *send)
{
    state_copy(&middle, s);
    model.proctypes[send->proctype].reached[send->own] = 1;
    step_move(&middle, it->pid, send); /* channel_send names the offered channel */
}

static const Transition *next_reply_of(StepIterator *it, int pid)
{
    const Location *at = process_location(&middle, pid);
    while (it->reply_next < at->count) {
        const Transition *t = step_transition(at, it->reply_next, &it->reply_order);
        if (it->reply_escape && it->reply_escape != t->escape) break;
        it->reply_next++;
        if (t->flags & T_RECEIVE && try_guard(&middle, pid, t)) {
            it->reply_escape = t->escape;
            return t;
        }
    }
    return NULL;
}

static void next_receiver(StepIterator *it)
{
    int stride = options.reverse_processes ? 1 : -1;
    it->reply_next = 0;
    it->reply_escape = 0;
    if (!options.reorders) {
        it->reply_pid = (int16_t)(it->reply_pid + stride);
        return;
    }
    int pid = order_next(&it->reply_order, &middle);
    it->reply_pid = (int16_t)(it->reply_order.left > 0 ? pid : -1);
}

static const Transition *next_reply(StepIterator *it)
{
    for (; it->reply_pid >= 0 && it->reply_pid < state_n_processes(&middle); next_receiver(it)) {
        if (it->reply_pid == it->pid) continue;
        if (it->reply_next == 0) {
            if (!process_eligible(&middle, it->reply_pid)) continue;
            if (options.reorders) order_enter(&it->reply_order, process_location(&middle, it->reply_pid));
        }
        const Transition *t = next_reply_of(it, it->reply_pid);
        if (t) return t;
    }
    return NULL;
}

/* Finds the next receiver for the offer of transition `send`. A fault of the sender's half is told
 * once, before any receiver is asked. */
static StepResult complete_offer(StepIterator *it, const State *s, const Transition *send, State *out, Step *step)
{
    StepResult result = STEP_NONE;
    open_offer(it, s, send);
    if (fault.text && !it->offer_told) {
        *step = (Step){send, NULL, it->pid, -1, 0};
        result = STEP_FAULT;
    } else {
        fault = (Fault){0};
        const Transition *reply = next_reply(it);
        if (reply) {
            *step = (Step){send, reply, it->pid, it->reply_pid, chain_length(reply)};
            if (!options.marks_late) step_mark(s, it->pid, send);
            if (!it->only_tests) {
                state_copy(out, &middle);
                apply_chained(out, it->reply_pid, reply);
            }
            it->accepted = true;
            if (COUNTS_SUCCESSORS) it->n_taken++;
            result = STEP_TAKEN;
        }
    }
    it->offer_told = true;
    step_context.offer = 0;
    return result;
}

static void begin_offer(StepIterator *it, const State *s, const Transition *send)
{
    it->offering = it->offered = true;
    it->accepted = it->offer_told = false;
    it->reply_pid = (int16_t)(options.reverse_processes ? 0 : state_n_processes(s) - 1);
    if (options.reorders) it->reply_pid = (int16_t)order_begin(&it->reply_order, s, -1, -1);
    it->reply_next = 0;
    it->reply_escape = 0;
    it->n_taken = 0;
    if (COUNTS_SUCCESSORS) it->n_found++;
    if (COUNTS_STEPS && options.algorithm == SEARCH_DFS) tally_transition(send);
    if (TELLS_SEARCH && options.tells_search) tell_offer(s, it->pid, send);
}

static void end_offer(StepIterator *it)
{
    if (COUNTS_SUCCESSORS) tally_successors(it->n_taken);
    if (TELLS_SEARCH && options.tells_search) tell_offer_end();
    it->offering = false;
    if (it->accepted)
        it->any = true;
    else
        it->escape = 0;
    it->next++;
}

/* ---- the iterator ---- */

static bool enter_process(StepIterator *it, const State *s)
{
    if (it->entered) return true;
    it->entered = true;
    if (it->pid != CLAIM_PID && !process_eligible(s, it->pid)) return false;
    if (options.reorders) order_enter(&it->order, step_location(s, it->pid));
    return true;
}

static int test_guard(StepIterator *it, const State *s, const Transition *t)
{
    if (it->tested >= 0) {
        int result = it->tested;
        it->tested = -1;
        return result;
    }
    if (t->flags & (T_ELSE | T_SKIP)) return !(t->flags & T_ELSE) || !it->moved;
    if (t->flags & T_BLOCKED) return BLOCKED;
    step_context.else_blocked = it->moved;
    return try_guard(s, it->pid, t);
}

static bool take_transition(StepIterator *it, const State *s, const Transition *t, State *out, Step *step)
{
    *step = (Step){t, NULL, it->pid, -1, chain_length(t)};
    if (it->moved && model.proctypes[t->proctype].deterministic && !(t->flags & T_ELSE))
        raise_error("non-determinism in D_proctype");
    if (!it->only_tests) {
        state_copy(out, s);
        apply_chained(out, it->pid, t);
    }
    it->escape = t->escape;
    it->moved = true;
    it->any = true;
    if (COUNTS_SUCCESSORS) it->n_found++;
    it->next++;
    return true;
}

StepResult step_next(StepIterator *it, const State *s, State *out, Step *step)
{
    for (; has_turn(it); next_process(it, s)) {
        if (!enter_process(it, s)) continue;
        const Location *at = step_location(s, it->pid);
        while (it->next < at->count) {
            const Transition *t = step_transition(at, it->next, &it->order);
            if (it->offering) {
                StepResult found = complete_offer(it, s, t, out, step);
                if (found != STEP_NONE) return found;
                end_offer(it);
                if (fault.text) {
                    *step = (Step){t, NULL, it->pid, -1, 0};
                    return STEP_FAULT;
                }
                continue;
            }
            if (it->escape && it->escape != t->escape) break;
            int result = test_guard(it, s, t);
            if (fault.text) {
                *step = (Step){t, NULL, it->pid, -1, 0};
                it->tested = (int8_t)result;
                return STEP_FAULT;
            }
            if (result == OFFER && it->cuts_offers) {
                if (TELLS_SEARCH && options.tells_search) {
                    tell_offer(s, it->pid, t);
                    tell_offer_end();
                }
                it->n_cut++;
                it->next++;
            } else if (result == OFFER) {
                it->escape = t->escape;
                begin_offer(it, s, t);
            } else if (result == BLOCKED) {
                it->next++;
            } else if (take_transition(it, s, t, out, step)) {
                return STEP_TAKEN;
            }
        }
    }
    return STEP_NONE;
}

bool state_is_inside_atomic(const State *s)
{
    StepIterator it;
    Step step;
    StepResult result;
    int owner = state_header(s)->owner - 1;
    if (owner < 0) return false;
    step_begin(&it, s, owner);
    it.only_tests = true;
    while ((result = step_next(&it, s, NULL, &step)) == STEP_FAULT) fault = (Fault){0};
    fault = (Fault){0};
    return result == STEP_TAKEN;
}

/* ---- trace assertions ---- */

uint16_t *trace_location(const State *s) { return (uint16_t *)(void *)state_globals(s); }

static const Transition *trace_match(const State *s, const Location *at, uint16_t *next)
{
    while (*next < at->count) {
        const Transition *t = &model.transitions[at->first + (*next)++];
        if (t->flags & T_SKIP || model_guard(s, TRACE_PID, t)) return t;
    }
    return NULL;
}

void trace_event(State *s, char kind, int id)
{
    const Proctype *trace = &model.proctypes[model.trace];
    bool negated = trace->class_ == CLASS_NOTRACE;
    uint16_t *at = trace_location(s);
    if (*at == trace->end) {
        if (!negated) raise_error("event_trace error (no matching event)");
        return;
    }
    step_context.event_kind = kind;
    step_context.event_channel = id;
    uint16_t next = 0;
    const Transition *t = trace_match(s, &trace->locations[*at], &next);
    if (!t) {
        if (!negated) raise_error("event_trace error (no matching event)");
        *at = negated ? trace->end : *at;
    } else {
        if (trace_match(s, &trace->locations[*at], &next)) raise_fatal("non-determinism in event-trace");
        *at = t->to;
        trace->reached[t->own] = trace->reached[t->to] = 1;
        if (negated && *at == trace->end) raise_error("event_trace error (all events matched)");
    }
    step_context.event_kind = 0;
}

static bool channels_are_empty(const State *s)
{
    for (int id = 1; id <= s->shape->n_channels; id++)
        if (channel_length(s, id) > 0) return false;
    return true;
}

bool state_makes_progress(const State *s)
{
    if (!looks_for_cycles() || !model.has_progress) return false;
    for (int pid = 0; pid < state_n_processes(s); pid++)
        if (process_location(s, pid)->flags & L_PROGRESS) return true;
    return false;
}

bool state_is_valid_end(const State *s)
{
    if (state_n_processes(s) == 0) return !options.strict_ends || channels_are_empty(s);
    for (int pid = 0; pid < state_n_processes(s); pid++)
        if (!(process_location(s, pid)->flags & L_END)) return false;
    if (model.trace >= 0 && !(model.proctypes[model.trace].locations[*trace_location(s)].flags & L_END)) return false;
    return !options.strict_ends || channels_are_empty(s);
}

long fault_depth(const char *text, long depth, int length)
{
    return depth + length - 1 + (strncmp(text, "event_trace", 11) == 0);
}
