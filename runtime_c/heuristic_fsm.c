/* heuristic_fsm.c: local distances to a given state (STTT 3.2): the sum over all processes of
 * D from where a process stands to where it stands in the target. Every step moves one process,
 * so the sum is a lower bound for reaching that very state. */
#include "heuristic.h"
#include "search.h"

static const char *fsm_prepare(void)
{
    return options.target.v ? NULL : "no target state is given: use --target=FILE.trail";
}

static int fsm_estimate(const State *s)
{
    int sum = 0;
    for (int pid = 0; pid < state_n_processes(&options.target); pid++) {
        int type = state_process_type(&options.target, pid);
        int h = h_location(s, pid, type, state_process(&options.target, pid)->pc);
        if (h < UNREACHABLE) sum += h;
    }
    return sum;
}

static bool fsm_admissible(void) { return true; }

const Heuristic heuristic_fsm = {"fsm",        "local distances of all processes to the target state",
                                 CLASS_TARGET, fsm_admissible,
                                 "yes",        "a target state (--target=FILE.trail)",
                                 fsm_prepare,  fsm_estimate};
