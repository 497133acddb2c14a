/* heuristic_label.c: towards the labels that let the never claim accept (HSF 5): over all ways out of
 * the claim's location, the formula estimate of the condition on it and the distance behind it. For a
 * response property this is H of `p and not q`. */
#include "heuristic.h"
#include "search.h"

static const char *label_prepare(void) { return options.use_claim ? NULL : "there is no never claim in this run"; }

static int label_estimate(const State *s)
{
    const Proctype *claim = active_claim();
    uint16_t here = state_header(s)->claim;
    const Location *at = &claim->locations[here];
    int best = UNREACHABLE;
    if (claim->claim[here].distance == 0) return 0;
    for (uint32_t i = at->first; i < at->first + at->count; i++) {
        const Transition *t = &model.transitions[i];
        uint16_t behind = claim->claim[t->to].distance;
        if (t->to == here || behind == UINT16_MAX) continue;
        best = h_min(best, h_and((behind + 1) * h_unit(), model_claim_distance(s, t)));
    }
    return best;
}

static bool label_admissible(void) { return !heuristic_uses_sum && model.steps_are_single; }

const Heuristic heuristic_label = {"label",       "steps until the never claim can take a step towards accepting",
                                   CLASS_CLAIM,   label_admissible,
                                   "no",          "a never claim or ltl formula",
                                   label_prepare, label_estimate};
