/* heuristic_hamming.c: in how many words a state differs from a given one (STTT 3.2). One step may
 * change many, so it is no lower bound. */
#include "heuristic.h"
#include "search.h"

static const char *hamming_prepare(void)
{
    return options.target.v ? NULL : "no target state is given: use --target=FILE.trail";
}

static int hamming_estimate(const State *s)
{
    const Word *a = (const Word *)(void *)s->v, *b = (const Word *)(void *)options.target.v;
    uint32_t n = s->size / 4, m = options.target.size / 4, differing = 0;
    for (uint32_t i = 1; i < n && i < m; i++) differing += a[i] != b[i];
    return (int)(differing + (n < m ? m - n : n - m));
}

static bool hamming_admissible(void) { return false; }

const Heuristic heuristic_hamming = {"hamming",
                                     "words of the vector that differ from the target state",
                                     CLASS_TARGET,
                                     hamming_admissible,
                                     "no",
                                     "a target state (--target=FILE.trail)",
                                     hamming_prepare,
                                     hamming_estimate};
