/* half_cache.c: see half_cache.h. */
#include "half_cache.h"

#include <string.h>

enum { FIRST_CACHE = 1 << 12, STATES_PER_ENTRY = 8 };

static void set_cache_size(HalfCache *h, uint64_t n)
{
    h->n = n;
    for (h->shift = 64; n > 1; n /= 2) h->shift--;
    h->entries = big_resize(NULL, 0, h->n * sizeof *h->entries);
}

void half_cache_init(HalfCache *h) { set_cache_size(h, FIRST_CACHE); }

void half_cache_free(HalfCache *h) { big_free(h->entries, h->n * sizeof *h->entries); }

void half_cache_fit(HalfCache *h, uint64_t n_states)
{
    if (LIKELY(n_states / STATES_PER_ENTRY < 2 * h->n)) return;
    uint64_t n = 2 * h->n;
    half_cache_free(h);
    set_cache_size(h, n);
}

void half_cache_clear(HalfCache *h) { memset(h->entries, 0, h->n * sizeof *h->entries); }
