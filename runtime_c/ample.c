/* ample.c: ample sets; see ample.h. */
#include "ample.h"

#include <string.h>

#include "util.h"

/* What is known of a location beforehand. */
typedef struct Place {
    bool safe;     /* all its transitions are, as far as statements tell */
    bool may_run;  /* a process can be started from here or later */
    bool may_end;  /* the process can come to its end */
    bool is_asked; /* something about its transitions must be asked in each state */
} Place;

static struct {
    Place **places; /* by proctype and location */
    bool is_on;
} ample;

/* ---- before the search ---- */

/* Do labels at this location count for the property? */
static bool is_visible(const Location *at)
{
    if (options.find_acceptance && at->flags & L_ACCEPT) return true;
    return (options.find_nonprogress || model.uses_np) && at->flags & L_PROGRESS;
}

/* A transition back to where a depth-first walk through the proctype is: every local cycle has one. */
enum { WALK_NEW, WALK_OPEN, WALK_DONE };

static void mark_sticky(const Proctype *p, uint16_t at, uint8_t *walk, bool *sticky)
{
    const Location *here = &p->locations[at];
    walk[at] = WALK_OPEN;
    for (uint32_t i = here->first; i < here->first + here->count; i++) {
        const Transition *t = &model.transitions[i];
        if (t->flags & T_END) continue;
        if (walk[t->to] == WALK_OPEN) sticky[at] = true;
        if (walk[t->to] == WALK_NEW) mark_sticky(p, t->to, walk, sticky);
    }
    walk[at] = WALK_DONE;
}

static bool is_safe_place(const Proctype *p, const Location *at)
{
    if (at->count == 0 || is_visible(at)) return false;
    for (uint32_t i = at->first; i < at->first + at->count; i++) {
        const Transition *t = &model.transitions[i];
        /* What an atomic sequence does behind its first statement is not looked at. */
        if (!(t->flags & T_SAFE) || t->flags & (T_ATOMIC | T_CODE)) return false;
        if (t->flags & T_SEND && model.loses_messages) return false;
        if (!(t->flags & T_END) && is_visible(&p->locations[t->to])) return false;
    }
    return true;
}

static Place place_alone(const Proctype *p, const Location *at)
{
    Place place = {.safe = is_safe_place(p, at)};
    for (uint32_t i = at->first; i < at->first + at->count; i++) {
        uint16_t flags = model.transitions[i].flags;
        if (flags & (T_SEND | T_RECEIVE | T_END | T_RUN)) place.is_asked = true;
        if (flags & (T_RUN | T_DSTEP)) place.may_run = model.uses_run;
        if (flags & T_END) place.may_end = true;
    }
    return place;
}

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

static void exclude_sticky(const Proctype *p, Place *places)
{
    uint8_t *walk = xcalloc(p->n_locations, sizeof *walk);
    bool *sticky = xcalloc(p->n_locations, sizeof *sticky);
    for (uint16_t l = 1; l < p->n_locations; l++)
        if (walk[l] == WALK_NEW) mark_sticky(p, l, walk, sticky);
    for (int l = 1; l < p->n_locations; l++) places[l].safe = places[l].safe && !sticky[l];
    xfree(walk);
    xfree(sticky);
}

static Place *places_of(const Proctype *p)
{
    Place *places = xcalloc(p->n_locations, sizeof *places);
    for (int l = 1; l < p->n_locations; l++) places[l] = place_alone(p, &p->locations[l]);
    spread_back(p, places);
    if (options.reduction == REDUCE_STATIC) exclude_sticky(p, places);
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

void ample_prepare(void)
{
    if (options.reduction == REDUCE_OFF || ample.places) return;
    ample.is_on = !options.use_claim || claim_only_looks();
    ample.places = xcalloc((size_t)model.n_proctypes, sizeof *ample.places);
    for (int i = 0; i < model.n_proctypes; i++) ample.places[i] = places_of(&model.proctypes[i]);
}

/* ---- in a state ---- */

static const Place *place_of(const State *s, int pid)
{
    return &ample.places[state_process_type(s, pid)][state_process(s, pid)->pc];
}

static bool others_may(const State *s, int pid, bool end)
{
    for (int other = 0; other < state_n_processes(s); other++) {
        const Place *place = place_of(s, other);
        if (other != pid && (place->may_run || (end && place->may_end))) return true;
    }
    return false;
}

/* Others can neither prevent the transition nor make it possible. */
static bool is_settled(const State *s, int pid, const Transition *t)
{
    if (t->flags & T_END) return pid == state_n_processes(s) - 1 && !others_may(s, pid, false);
    if (t->flags & T_RUN) return !others_may(s, pid, true);
    if (!(t->flags & (T_SEND | T_RECEIVE))) return true;
    int id = model_channel(s, pid, t);
    if (id == 0 || channel_is_rendezvous(s, id)) return false;
    return t->flags & T_SEND ? !channel_full(s, id) : channel_length(s, id) > 0;
}

static bool can_stand_for_all(const State *s, int pid)
{
    const Place *place = place_of(s, pid);
    const Location *at = process_location(s, pid);
    if (!place->safe) return false;
    for (uint32_t i = at->first; place->is_asked && i < at->first + at->count; i++)
        if (!is_settled(s, pid, &model.transitions[i])) return false;
    return true;
}

bool ample_can_stand(const State *s, int pid) { return ample.is_on && can_stand_for_all(s, pid); }

int ample_process(const State *s, int after)
{
    int pid = (after < 0 ? state_n_processes(s) : after) - 1;
    if (!ample.is_on) return -1;
    while (pid >= 0 && !can_stand_for_all(s, pid)) pid--;
    return pid;
}

bool ample_suffices(unsigned fresh, unsigned stale)
{
    switch (options.reduction) {
    case REDUCE_STACK:
    case REDUCE_DUPLICATE: return stale == 0;
    case REDUCE_STACK_SAFETY:
    case REDUCE_DUPLICATE_SAFETY: return fresh > 0;
    default: return true;
    }
}

bool ample_asks_stack(void) { return options.reduction == REDUCE_STACK || options.reduction == REDUCE_STACK_SAFETY; }

bool ample_tries_once(void) { return looks_for_cycles(); }
