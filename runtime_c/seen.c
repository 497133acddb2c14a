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

/* With how many bits numbers of states would have room to grow. Fields that get too narrow cost time: if some were not
 * long ago, there will be more. A second word costs time too, and there is a gap before it. */
static uint32_t ample_bits(const Seen *s, const Packing *p)
{
    enum { SELDOM = 4, OFTEN = 3, GAP = 4, LEAST_EXTRA = 2 };
    uint32_t needed = packing_needed_bits(p), fields = packing_varying_fields(p);
    uint32_t bits = needed + (s->overflowed * SELDOM < s->numbers.count ? fields / 4 + 1 : fields + 4);
    if (bits <= 64) return bits;
    return needed + LEAST_EXTRA <= 64 && s->n_overflows < OFTEN ? 64 : bits + GAP;
}

void seen_note_overflow(Seen *s)
{
    uint64_t count = seen_count(s);
    if (count > 2 * s->overflowed || count < SMALL_SET) s->n_overflows = 0; /* few are converted in no time */
    s->n_overflows++;
    s->overflowed = count;
}

uint32_t seen_fitting_bits(const Seen *s, const Packing *p)
{
    uint32_t bits = ample_bits(s, p);
    return s->kind == STORE_EXACT ? packed_set_fitting(&s->numbers, bits) : bits <= 64 ? 64 : 128; /* not stored */
}

bool seen_is_too_wide(Seen *s, const Packing *p)
{
    if (s->weighed == s->numbers.n_buckets || s->stays_wide) return false;
    s->weighed = s->numbers.n_buckets;
    return packed_set_could_shrink(&s->numbers, ample_bits(s, p));
}
