/* half_cache.h: which half of a tree a step turns a half into.
 *
 * The same step of a process is met with the same half of the tree again and again, whatever the other
 * half is like. Entries are overwritten, never searched: what is not there is looked up in the store.
 */
#ifndef HSFPY_HALF_CACHE_H
#define HSFPY_HALF_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "util.h"

typedef struct HalfStep {
    uint32_t half, item; /* number of the half, id of the step (memo.h) */
    uint32_t to;
} HalfStep;

typedef struct HalfCache {
    HalfStep *entries;
    uint64_t n; /* a power of two */
    uint32_t shift;
} HalfCache;

void half_cache_init(HalfCache *h);
void half_cache_free(HalfCache *h);
/* Makes it larger, if the number of states is worth it. */
void half_cache_fit(HalfCache *h, uint64_t n_states);
void half_cache_clear(HalfCache *h);

static inline HalfStep *half_cache_at(const HalfCache *h, uint32_t half, uint32_t item)
{
    uint64_t key = half | (uint64_t)item << 32;
    return &h->entries[key * UINT64_C(0x9E3779B97F4A7C15) >> h->shift];
}

#endif
