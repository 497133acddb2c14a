/* seen.c: see seen.h. */
#include "seen.h"

#include <string.h>

void seen_init(Seen *s, const StoreChoice *store)
{
    memset(s, 0, sizeof *s);
    s->kind = store->kind;
    s->hash_mask = UINT64_MAX;
    if (s->kind == STORE_HC) s->hash_mask >>= 64 - store->hash_bits;
    if (s->kind == STORE_BITSTATE)
        bit_array_init(&s->bits, store_array_bytes(store), store->bits_per_state);
    else
        packed_set_init(&s->numbers, s->kind == STORE_HC ? (uint32_t)store->hash_bits : 64, 0);
}

void seen_free(Seen *s)
{
    if (s->kind == STORE_BITSTATE)
        bit_array_free(&s->bits);
    else
        packed_set_free(&s->numbers);
}

uint64_t seen_count(const Seen *s) { return s->kind == STORE_BITSTATE ? s->bits.count : s->numbers.count; }

size_t seen_memory(const Seen *s) { return s->kind == STORE_BITSTATE ? s->bits.bytes : packed_set_memory(&s->numbers); }

/* Fields that get too narrow cost time, wide entries memory. If some were too narrow not long ago, there will be more.
 */
uint32_t seen_fitting_bits(const Seen *s, const Packing *p)
{
    enum { SELDOM = 4 };
    uint32_t needed = packing_needed_bits(p), fields = packing_varying_fields(p);
    bool was_calm = s->overflowed * SELDOM < s->numbers.count;
    if (s->kind != STORE_EXACT) return needed + fields <= 64 ? 64 : 128; /* nobody stores them */
    return packed_set_fitting(&s->numbers, needed + (was_calm ? fields / 2 + 1 : fields + 4));
}

bool seen_is_too_wide(Seen *s, const Packing *p)
{
    if (s->weighed == s->numbers.n_buckets) return false;
    s->weighed = s->numbers.n_buckets;
    return seen_fitting_bits(s, p) < p->lo_bits + p->hi_bits;
}
