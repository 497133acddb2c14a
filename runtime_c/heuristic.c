/* heuristic.c: the list of heuristics, and what formula estimates share. */
#include "heuristic.h"

#include <stdio.h>
#include <string.h>

#include "search.h"

bool heuristic_uses_sum;

const Heuristic *const all_heuristics[]
    = {&heuristic_ap,    &heuristic_deadlock, &heuristic_assertion, &heuristic_invariant, &heuristic_claim,
       &heuristic_label, &heuristic_fsm,      &heuristic_hamming,   &heuristic_none,      NULL};

const Heuristic *heuristic_find(const char *name)
{
    if (strcmp(name, "formula") == 0) return heuristic_default();
    for (int i = 0; all_heuristics[i]; i++)
        if (strcmp(all_heuristics[i]->name, name) == 0) return all_heuristics[i];
    return NULL;
}

const Heuristic *heuristic_default(void)
{
    if (options.find_nonprogress) return &heuristic_claim;
    if (options.find_acceptance && options.use_claim) return &heuristic_label;
    if (options.check_invariant) return &heuristic_invariant;
    if (options.use_claim) return &heuristic_label;
    if (model.n_asserts > 0 && !options.ignore_asserts) return &heuristic_assertion;
    return options.ignore_end_states ? &heuristic_none : &heuristic_deadlock;
}

void heuristic_print_list(void)
{
    printf("%-10s %-11s %-11s %s\n", "name", "admissible", "consistent", "estimates");
    for (int i = 0; all_heuristics[i]; i++) {
        const Heuristic *h = all_heuristics[i];
        printf("%-10s %-11s %-11s %s%s%s\n", h->name, h->admissible() ? "yes" : "no", h->consistent, h->summary,
               *h->needs ? "; needs " : "", h->needs);
    }
    printf("%-10s %-11s %-11s %s\n", "formula", "-", "-",
           "the formula estimate that fits the property: invariant, claim, "
           "assertion or deadlock");
    puts("conjunctions are combined by --h-and=max (a lower bound) or --h-and=sum (better informed)");
}

bool is_failed_assertion(const char *text) { return strncmp(text, "assertion violated ", 19) == 0 && text[19] != '-'; }

int heuristic_estimate(const State *s)
{
    /* Formulas are evaluated where the model would not evaluate them: a fault there means nothing, and
     * how the search came to this state neither. */
    Fault saved_fault = fault;
    StepContext saved_context = step_context;
    step_context = (StepContext){0};
    int h = options.heuristic->estimate(s);
    fault = saved_fault;
    step_context = saved_context;
    return h;
}

uint32_t heuristic_uncounted(void)
{
    bool counts_all = options.heuristic && options.heuristic->classes & CLASS_CLAIM;
    return cost_is_steps() && !counts_all ? 1 : 0;
}

int h_location(const State *s, int pid, int proctype, int location)
{
    const int *distance = distances_to(proctype, location);
    int made = distance[model.proctypes[proctype].start];
    if (pid < 0 || pid >= state_n_processes(s)) return model.uses_run ? made : UNREACHABLE;
    uint16_t pc = state_process(s, pid)->pc;
    int type = state_process_type(s, pid), direct = type == proctype ? distance[pc] : UNREACHABLE;
    if (!model.uses_run) return direct;
    int again = distances_to(type, model.proctypes[type].end)[pc] + h_unit() + made;
    return h_min(direct, h_min(again, UNREACHABLE));
}

int h_head(const State *s, int id, int n, const bool *tested, const int *values)
{
    int slot = channel_find(s, id, n, tested, values);
    if (slot == 0 || !h_unit()) return 0;
    if (!model.queues_move_by_one) return 1;
    return slot > 0 ? slot : channel_length(s, id) + 1;
}
