/* heuristic_claim.c: towards where the never claim accepts (HSF 5): its own distance, in steps of the
 * claim, to the nearest place where a violation can show. */
#include "heuristic.h"
#include "search.h"

static const char *claim_prepare(void) { return options.use_claim ? NULL : "there is no never claim in this run"; }

static int claim_estimate(const State *s)
{
    uint16_t distance = active_claim()->claim[state_header(s)->claim].distance;
    return distance == UINT16_MAX ? UNREACHABLE : distance * h_unit();
}

static bool claim_admissible(void) { return true; }

const Heuristic heuristic_claim = {"claim",       "steps of the never claim until it can accept",
                                   CLASS_CLAIM,   claim_admissible,
                                   "yes",         "a never claim or ltl formula",
                                   claim_prepare, claim_estimate};
