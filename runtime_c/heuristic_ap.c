/* heuristic_ap.c: the number of active processes (HSF 5, H_ap).
 *
 * In a deadlock no process can move, so the number of those that can is a measure of how far it
 * is. One step may block several processes: the estimate is no lower bound, but cheap and, for
 * deadlocks, often the best guide.
 */
#include "heuristic.h"
#include "search.h"
#include "steps.h"

static bool ap_admissible(void) { return false; }

static const char *ap_prepare(void) { return NULL; }

/* A process is active if one of its transitions is executable; a rendezvous offer counts only if
 * somebody can take it. */
static bool is_active(const State *s, int pid)
{
    StepIterator it;
    Step step;
    static State successor;
    step_begin(&it, s, pid);
    it.only_tests = true;
    while (step_next(&it, s, &successor, &step) == STEP_FAULT) fault = (Fault){0};
    fault = (Fault){0};
    return it.any || it.accepted;
}

static int ap_estimate(const State *s)
{
    int active = 0;
    for (int pid = 0; pid < state_n_processes(s); pid++) active += is_active(s, pid);
    return active;
}

const Heuristic heuristic_ap
    = {"ap", "number of processes that can move", CLASS_END_STATE, ap_admissible, "no", "", ap_prepare, ap_estimate};
