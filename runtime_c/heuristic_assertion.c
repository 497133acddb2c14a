/* heuristic_assertion.c: towards a failing assertion (HSF 5): the minimum over all assertions a at
 * locations u and all processes i of H for `i@u and not a`. */
#include "heuristic.h"
#include "search.h"

static const char *assertion_prepare(void) { return model.n_asserts ? NULL : "the model has no assertions"; }

/* Over all processes of the type; one that does not exist yet may be made first. */
static int one_assertion(const State *s, int k)
{
    const AssertSite *site = &model.asserts[k];
    const int *distance = distances_to(site->proctype, site->location);
    int best = UNREACHABLE;
    if (model.uses_run) best = h_min(UNREACHABLE, h_unit() + distance[model.proctypes[site->proctype].start]);
    for (int pid = 0; pid < state_n_processes(s); pid++) {
        if (state_process_type(s, pid) != site->proctype) continue;
        int way = distance[state_process(s, pid)->pc];
        if (way < best) best = h_min(best, h_and(way, model_assert_distance(s, pid, k)));
    }
    return best;
}

static int assertion_estimate(const State *s)
{
    int best = UNREACHABLE;
    for (int k = 0; k < model.n_asserts; k++) best = h_min(best, one_assertion(s, k));
    return best;
}

static bool assertion_admissible(void) { return !heuristic_uses_sum && model.steps_are_single; }

const Heuristic heuristic_assertion = {"assertion",
                                       "steps until a process stands at an assertion that is false",
                                       CLASS_ASSERTION,
                                       assertion_admissible,
                                       "no",
                                       "assertions in the model",
                                       assertion_prepare,
                                       assertion_estimate};
