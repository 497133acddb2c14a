/* chain.c: statement merging; see chain.h. */
#include "chain.h"

#include "steps.h"
#include "util.h"

uint16_t *chain_lengths;

/* ---- before the search ---- */

/* What a process does at a location, if it is the only thing and cannot be stopped; else NULL. */
static const Transition *only_way(const Proctype *p, int location, QuietPlace is_quiet)
{
    enum { NEVER_MERGED = T_ATOMIC | T_DSTEP | T_ELSE | T_END | T_BLOCKED | T_CODE | T_RUN };
    const Location *at = &p->locations[location];
    if (at->count != 1 || !is_quiet(p, at)) return NULL;
    const Transition *t = &model.transitions[at->first];
    return t->flags & NEVER_MERGED || model_can_block(t) || model_has_condition(t) ? NULL : t;
}

/* A circle of such locations must be left somewhere: where it is closed. */
static void cut_circles(const Proctype *p, const Transition **way)
{
    int *walk = xcalloc(p->n_locations, sizeof *walk); /* number of the walk a location was met on */
    for (int first = 1; first < p->n_locations; first++)
        for (int l = first, next; way[l] && walk[l] != first; l = next) {
            if (walk[l]) break;
            walk[l] = first;
            next = way[l]->to;
            if (way[next] && walk[next] == first) way[next] = NULL;
        }
    xfree(walk);
}

static void find_chains(const Proctype *p, QuietPlace is_quiet)
{
    const Transition **way = xcalloc(p->n_locations, sizeof *way);
    for (int l = 1; l < p->n_locations; l++) way[l] = only_way(p, l, is_quiet);
    cut_circles(p, way);
    for (int l = 1; l < p->n_locations; l++)
        for (uint32_t i = 0; i < p->locations[l].count; i++) {
            uint32_t number = p->locations[l].first + i;
            const Transition *t = &model.transitions[number];
            if (t->flags & (T_ATOMIC | T_END)) continue;
            while ((t = way[t->to])) chain_lengths[number]++;
        }
    xfree(way);
}

static bool is_program(const Proctype *p)
{
    return p->class_ == CLASS_INIT || p->class_ == CLASS_ACTIVE || p->class_ == CLASS_PROCTYPE;
}

void chains_prepare(QuietPlace is_quiet)
{
    if (chain_lengths) return;
    chain_lengths = xcalloc((size_t)model.n_transitions, sizeof *chain_lengths);
    for (int i = 0; i < model.n_proctypes; i++)
        if (is_program(&model.proctypes[i])) find_chains(&model.proctypes[i], is_quiet);
}

/* ---- in a search ---- */

void chain_take(State *s, int pid, const Transition *t)
{
    uint16_t n = chain_length(t);
    for (uint16_t i = 1; i <= n && !fault.fatal; i++) {
        bool was_clean = !fault.text;
        t = chain_next(t);
        step_move(s, pid, t);
        if (was_clean && fault.text) fault.chained = i;
    }
}

void chain_mark(const Transition *t)
{
    for (uint16_t n = chain_length(t); n > 0; n--) {
        t = chain_next(t);
        model.proctypes[t->proctype].reached[t->own] = 1;
        model.proctypes[t->proctype].reached[t->to] = 1;
    }
}

bool chain_is_marked(const Transition *t)
{
    for (uint16_t n = chain_length(t); n > 0; n--) {
        t = chain_next(t);
        const uint8_t *reached = model.proctypes[t->proctype].reached;
        if (!(reached[t->own] & reached[t->to])) return false;
    }
    return true;
}
