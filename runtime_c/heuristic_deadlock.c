/* heuristic_deadlock.c: the approximated deadlock formula (HSF 5).
 *
 * A process is blocked when it stands at a dangerous location and none of its transitions there
 * is executable. Dangerous are locations where a process may have to wait: receives, sends and
 * conditions; or those labelled danger..., if there are such labels.
 *
 * With sums, the terms of all processes are added. As a lower bound, two things are known: each
 * process has to go to a dangerous location by its own steps, so those distances may be added;
 * and what has to happen to variables and channels may be common to processes, so there only
 * the largest term counts.
 */
#include <string.h>

#include "heuristic.h"
#include "search.h"
#include "steps.h"
#include "util.h"

typedef struct Danger {
    int n;
    uint16_t *location;   /* the dangerous locations of a proctype */
    const int **distance; /* distance tables to them */
    int *nearest;         /* distance to the nearest one, by location */
} Danger;

static Danger *dangers; /* by proctype */
static bool may_miss;   /* labels leave out a location where a process may block */

static bool has_danger_label(const Proctype *type)
{
    for (int l = 1; l < type->n_locations; l++)
        if (type->locations[l].danger) return true;
    return false;
}

/* Can a process be kept waiting here? All its transitions must be of a kind that can block. */
static bool can_block(const Location *at)
{
    for (uint32_t i = 0; i < at->count; i++) {
        const Transition *t = &model.transitions[at->first + i];
        if (!(t->flags & T_BLOCKED) && (t->flags & (T_SKIP | T_ELSE) || !model_can_block(t))) return false;
    }
    return at->count > 0;
}

static void find_dangers(int proctype, bool by_label)
{
    const Proctype *type = &model.proctypes[proctype];
    Danger *d = &dangers[proctype];
    bool *wanted = xcalloc((size_t)type->n_locations + 1, sizeof *wanted);
    d->location = xcalloc((size_t)type->n_locations + 1, sizeof *d->location);
    d->distance = xcalloc((size_t)type->n_locations + 1, sizeof *d->distance);
    for (int l = 1; l < type->n_locations; l++) {
        const Location *at = &type->locations[l];
        bool is_end = l == type->end || at->flags & L_END;
        if (by_label && !is_end && !at->danger && can_block(at)) may_miss = true;
        if (!(is_end || (by_label ? at->danger : can_block(at)))) continue;
        wanted[l] = true;
        d->location[d->n] = (uint16_t)l;
        d->distance[d->n++] = distances_to(proctype, l);
    }
    d->nearest = distances_to_any(proctype, wanted);
    xfree(wanted);
}

static const char *deadlock_prepare(void)
{
    bool by_label = false;
    dangers = xcalloc((size_t)model.n_proctypes, sizeof *dangers);
    for (int p = 0; p < model.n_proctypes; p++) by_label |= has_danger_label(&model.proctypes[p]);
    for (int p = 0; p < model.n_proctypes; p++) find_dangers(p, by_label);
    return NULL;
}

/* Steps until no transition of the location is executable. */
static int until_blocked(const State *s, int pid, const Location *at)
{
    int h = 0;
    for (uint32_t i = at->first; i < at->first + at->count; i++)
        if (!(model.transitions[i].flags & T_BLOCKED))
            h = h_and(h, model_blocking_distance(s, pid, &model.transitions[i]));
    return h;
}

static int blocked_estimate(const State *s, int pid)
{
    const Proctype *type = &model.proctypes[state_process_type(s, pid)];
    const Danger *d = &dangers[state_process_type(s, pid)];
    uint16_t pc = state_process(s, pid)->pc;
    int best = UNREACHABLE;
    for (int i = 0; i < d->n; i++) {
        if (d->distance[i][pc] >= best) continue;
        best = h_min(best, h_and(d->distance[i][pc], until_blocked(s, pid, &type->locations[d->location[i]])));
    }
    return best;
}

/* A process without dangerous locations in reach never blocks; it does not rule out a deadlock
 * only because the estimate is an approximation, so it counts nothing. */
static int or_nothing(int h) { return h < UNREACHABLE ? h : 0; }

static int deadlock_estimate(const State *s)
{
    int sum = 0, largest = 0, moves = 0;
    for (int pid = 0; pid < state_n_processes(s); pid++) {
        int h = or_nothing(blocked_estimate(s, pid));
        sum += h;
        largest = h_max(largest, h);
        moves += or_nothing(dangers[state_process_type(s, pid)].nearest[state_process(s, pid)->pc]);
    }
    return heuristic_uses_sum ? sum : h_max(largest, moves);
}

/* A provided clause or a priority can block a process anywhere. */
static bool deadlock_admissible(void)
{
    bool blocks_anywhere = model.has_provided || model.uses_priority;
    return !heuristic_uses_sum && model.steps_are_single && !may_miss && !blocks_anywhere;
}

const Heuristic heuristic_deadlock = {"deadlock",
                                      "steps until every process is blocked at a dangerous location",
                                      CLASS_END_STATE,
                                      deadlock_admissible,
                                      "no",
                                      "",
                                      deadlock_prepare,
                                      deadlock_estimate};
