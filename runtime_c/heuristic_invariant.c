/* heuristic_invariant.c: towards a violated invariant (HSF 5): H of its negation. */
#include "heuristic.h"
#include "search.h"

static const char *invariant_prepare(void)
{
    return options.check_invariant ? NULL : "no invariant is given: use hsfpy -a --invariant 'EXPR', or ltl { [] p }";
}

static int invariant_estimate(const State *s) { return model_invariant_distance(s, options.invariant); }

static bool invariant_admissible(void) { return !heuristic_uses_sum && model.steps_are_single; }

const Heuristic heuristic_invariant = {"invariant",
                                       "steps until the invariant is false",
                                       CLASS_INVARIANT,
                                       invariant_admissible,
                                       "no",
                                       "an invariant",
                                       invariant_prepare,
                                       invariant_estimate};
