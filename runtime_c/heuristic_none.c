/* heuristic_none.c: no estimate at all: A* becomes breadth-first search. */
#include "heuristic.h"

static const char *none_prepare(void) { return NULL; }

static int none_estimate(const State *s)
{
    (void)s;
    return 0;
}

static bool none_admissible(void) { return true; }

const Heuristic heuristic_none
    = {"none", "nothing", CLASS_ANY_ERROR, none_admissible, "yes", "", none_prepare, none_estimate};
