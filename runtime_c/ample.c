/* ample.c: ample sets; see ample.h. */
#include "ample.h"

#include <string.h>

#include "exclusive.h"
#include "util.h"

/* What is known of a location beforehand. */
typedef struct Place {
    bool safe;      /* all its transitions are, as far as statements tell */
    bool may_run;   /* a process can be started from here or later */
    bool may_end;   /* the process can come to its end */
    bool has_tests; /* a transition has a condition on channels */
    bool has_ends;  /* a transition starts or ends a process */
    bool alike;     /* all transitions wait for the same, or none has to wait */
} Place;

/* A process more than these cannot be started; long before that, nobody is put off. */
enum { MANY_PROCESSES = MAX_PROCESSES - 55 };

static struct {
    Place **places; /* by proctype and location */
    bool is_on;
    bool numbers_matter;
} reducer;

/* ---- before the search: one location ---- */

/* Do labels at this location count for the property? */
static bool is_visible(const Location *at)
{
    if (options.find_acceptance && at->flags & L_ACCEPT) return true;
    return (options.find_nonprogress || model.uses_np) && at->flags & L_PROGRESS;
}

/* The properties of this run among model.watchers. */
static uint32_t watching(void)
{
    uint32_t bits = options.check_invariant ? 1u << 31 : 0;
    if (options.use_claim && options.claim_type != model.nonprogress_claim)
        bits |= 1u << (options.claim < 30 ? options.claim : 30);
    return bits;
}

static bool is_safe_transition(const Proctype *p, const Transition *t)
{
    if (!(t->flags & T_SAFE) || t->flags & T_CODE) return false;
    if (t->flags & (T_SEND | T_RECEIVE) && model.loses_messages) return false;
    if (model.watchers[t - model.transitions] & watching()) return false;
    return t->flags & T_END || !is_visible(&p->locations[t->to]);
}

static bool is_safe_place(const Proctype *p, const Location *at)
{
    if (at->count == 0 || is_visible(at)) return false;
    if (options.reduction == REDUCE_STATIC && at->flags & L_STICKY) return false;
    for (uint32_t i = at->first; i < at->first + at->count; i++)
        if (!is_safe_transition(p, &model.transitions[i])) return false;
    return true;
}

static Place place_alone(const Proctype *p, const Location *at)
{
    Place place = {.safe = is_safe_place(p, at)};
    for (uint32_t i = at->first; i < at->first + at->count; i++) {
        const Transition *t = &model.transitions[i];
        if (model_has_condition(t)) place.has_tests = true;
        if (t->flags & (T_END | T_RUN)) place.has_ends = true;
        if (t->flags & (T_RUN | T_DSTEP)) place.may_run = model.uses_run;
        if (t->flags & T_END) place.may_end = true;
    }
    place.alike = at->count == 1 || !(place.has_tests || place.has_ends);
    return place;
}

/* ---- before the search: one proctype ---- */

/* What may happen later is what may happen at some location that can be reached. */
static void spread_back(const Proctype *p, Place *places)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (int l = 1; l < p->n_locations; l++) {
            const Location *at = &p->locations[l];
            Place before = places[l];
            for (uint32_t i = at->first; i < at->first + at->count; i++) {
                const Transition *t = &model.transitions[i];
                if (t->flags & T_END) continue;
                places[l].may_run |= places[t->to].may_run;
                places[l].may_end |= places[t->to].may_end;
            }
            changed = changed || places[l].may_run != before.may_run || places[l].may_end != before.may_end;
        }
    }
}

/* May the steps of an atomic sequence stand for all? Searches that keep the states inside one tell only what its
 * first step leads to, which says nothing about circles it closes. */
static bool takes_atomic(void)
{
    switch (options.reduction) {
    case REDUCE_STACK:
    case REDUCE_STACK_SAFETY:
    case REDUCE_STATIC:
    case REDUCE_UNSOUND: return true;
    case REDUCE_DUPLICATE:
    case REDUCE_DUPLICATE_SAFETY: return options.algorithm == SEARCH_DFS;
    default: return false;
    }
}

/* May control stay with the process after this transition? Behind it everything must be safe, and where there is a
 * choice it must not depend on what others do meanwhile. */
static bool goes_on_safely(const Transition *t, const Place *places)
{
    if (!(t->flags & T_ATOMIC)) return true;
    const Place *next = &places[t->to];
    return takes_atomic() && next->safe && next->alike && !(next->has_ends && reducer.numbers_matter);
}

/* An atomic sequence is safe if all of it is. */
static void exclude_unsafe_sequences(const Proctype *p, Place *places)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (int l = 1; l < p->n_locations; l++) {
            const Location *at = &p->locations[l];
            for (uint32_t i = at->first; places[l].safe && i < at->first + at->count; i++)
                if (!goes_on_safely(&model.transitions[i], places)) {
                    places[l].safe = false;
                    changed = true;
                }
        }
    }
}

static Place *places_of(const Proctype *p)
{
    Place *places = xcalloc(p->n_locations, sizeof *places);
    for (int l = 1; l < p->n_locations; l++) places[l] = place_alone(p, &p->locations[l]);
    spread_back(p, places);
    exclude_unsafe_sequences(p, places);
    return places;
}

/* A claim that changes the program's variables is a process everybody depends on. */
static bool claim_only_looks(void)
{
    const Proctype *claim = active_claim();
    for (int l = 0; l < claim->n_locations; l++)
        for (uint32_t i = 0; i < claim->locations[l].count; i++)
            if (model.transitions[claim->locations[l].first + i].flags & T_ACTS) return false;
    return true;
}

bool ample_is_quiet(const Proctype *p, const Location *at)
{
    return is_safe_place(p, at) && (!options.use_claim || claim_only_looks());
}

void ample_prepare(void)
{
    if (options.reduction == REDUCE_OFF || reducer.places) return;
    reducer.is_on = !options.use_claim || claim_only_looks();
    exclusive.is_on = reducer.is_on;
    /* With -q the channels of a process that cannot end yet count. */
    reducer.numbers_matter = model.numbers_matter || options.strict_ends;
    reducer.places = xcalloc((size_t)model.n_proctypes, sizeof *reducer.places);
    for (int i = 0; i < model.n_proctypes; i++) reducer.places[i] = places_of(&model.proctypes[i]);
}

/* ---- in a state ---- */

static const Place *place_of(const State *s, int pid)
{
    return &reducer.places[state_process_type(s, pid)][state_process(s, pid)->pc];
}

static bool others_may(const State *s, int pid, bool end)
{
    for (int other = 0; other < state_n_processes(s); other++) {
        const Place *place = place_of(s, other);
        if (other != pid && (place->may_run || (end && place->may_end))) return true;
    }
    return false;
}

/* Could a process that lives on, or will be started, use an end of a channel that this one has declared? */
static bool leaves_ends(const State *s, int pid)
{
    if (!model.proctypes[state_process_type(s, pid)].declares_ends) return false;
    if (others_may(s, pid, false)) return true;
    for (int id = 1; id <= s->shape->n_channels; id++)
        for (unsigned end = END_RECEIVE; end <= END_SEND; end++)
            for (int other = 0; other < state_n_processes(s) && model_claims_end(s, pid, id, end); other++)
                if (other != pid && model_uses_end(s, other, id, end)) return true;
    return false;
}

/* If pids are no more than names, a process at its end and one that has ended are the same, and so are processes
 * started in another order. */
static bool has_settled_ends(const State *s, int pid, const Transition *t)
{
    if (t->flags & T_END && (pid != state_n_processes(s) - 1 || leaves_ends(s, pid))) return false;
    if (!reducer.numbers_matter) return state_n_processes(s) < MANY_PROCESSES;
    if (t->flags & T_END) return !others_may(s, pid, false);
    return !(t->flags & T_RUN) || !others_may(s, pid, true);
}

static AmpleAnswer answer_of(const Place *place)
{
    if (!reducer.is_on || !place->safe) return STANDS_NOT;
    if (place->has_ends) return STANDS_BY_OTHERS;
    return place->has_tests ? STANDS_BY_CHANNELS : STANDS;
}

AmpleAnswer ample_answer(int proctype, uint16_t location) { return answer_of(&reducer.places[proctype][location]); }

bool ample_can_stand(const State *s, int pid)
{
    const Place *place = place_of(s, pid);
    AmpleAnswer answer = answer_of(place);
    if (answer == STANDS_NOT || answer == STANDS) return answer == STANDS;
    const Location *at = process_location(s, pid);
    for (uint32_t i = at->first; i < at->first + at->count; i++) {
        const Transition *t = &model.transitions[i];
        if (place->has_ends && !has_settled_ends(s, pid, t)) return false;
        if (place->has_tests && !model_settled(s, pid, t)) return false;
    }
    return true;
}

int ample_process(const State *s, int after)
{
    int pid = (after < 0 ? state_n_processes(s) : after) - 1;
    while (pid >= 0 && !ample_can_stand(s, pid)) pid--;
    return pid;
}

bool ample_suffices(AmpleTally tally)
{
    switch (options.reduction) {
    case REDUCE_STACK:
    case REDUCE_DUPLICATE: return tally.stale == 0;
    case REDUCE_STACK_SAFETY:
    case REDUCE_DUPLICATE_SAFETY: return tally.fresh > 0;
    default: return true;
    }
}

bool ample_asks_stack(void) { return options.reduction == REDUCE_STACK || options.reduction == REDUCE_STACK_SAFETY; }

bool ample_tries_once(void) { return looks_for_cycles(); }
