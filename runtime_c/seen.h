/* seen.h: which states a search has seen, named by their numbers (packing.h) and sums.
 *
 * Exactly, as numbers; or with losses (store.h): as hashes of some bits, or as bits of an array. What
 * loses states goes by sums, because these stay the same when fields get wider.
 */
#ifndef HSFPY_SEEN_H
#define HSFPY_SEEN_H

#include "bit_array.h"
#include "packed_set.h"
#include "packing.h"
#include "store.h"
#include "util.h"

typedef struct Seen Seen;

/* A state. */
typedef struct PackedState {
    Packed number;
    uint64_t sum; /* packing_sum of it */
} PackedState;

static ALWAYS_INLINE PackedState packed_state_copy(const PackedState *s)
{
    return (PackedState){packed_copy(&s->number), s->sum};
}

struct Seen {
    StoreKind kind;
    PackedSet numbers; /* or hashes */
    BitArray bits;
    uint64_t hash_mask;
    uint64_t weighed;     /* the size of the table when it was last asked whether it could shrink */
    bool stays_wide;      /* shrinking was tried, in vain */
    uint64_t overflowed;  /* how many states there were when a field was last too narrow, */
    uint32_t n_overflows; /* and how often that was while their number did not double */
};

void seen_init(Seen *s, const StoreChoice *store);
void seen_free(Seen *s);
uint64_t seen_count(const Seen *s);
size_t seen_memory(const Seen *s);

static inline uint64_t seen_hash(const Seen *s, uint64_t sum) { return mix64(sum) & s->hash_mask; }

/* Finds where a state is to be looked for that goes by its sum, and starts fetching it. Of bits the hash is all. */
static ALWAYS_INLINE void seen_locate_sum(const Seen *s, bool is_bits, uint64_t sum, PackedPlace *place)
{
    if (is_bits) {
        uint64_t hash = bit_array_hash(sum);
        place->entry.lo = hash;
        place->bucket = (const unsigned char *)bit_array_block(&s->bits, hash);
        PREFETCH(place->bucket);
    } else {
        packed_set_locate(&s->numbers, (Packed){seen_hash(s, sum), 0}, place);
    }
}

/* The same for any. */
static ALWAYS_INLINE void seen_locate(const Seen *s, Packed number, uint64_t sum, PackedPlace *place)
{
    if (LIKELY(s->kind == STORE_EXACT))
        packed_set_locate(&s->numbers, number, place);
    else
        seen_locate_sum(s, s->kind == STORE_BITSTATE, sum, place);
}

/* Places of states that are not to be looked for. */
static inline bool is_placed(const PackedPlace *place) { return place->bucket != NULL; }

static inline bool seen_has(Seen *s, const PackedPlace *place)
{
    if (UNLIKELY(s->kind == STORE_BITSTATE))
        return bit_array_contains(&s->bits, (const uint64_t *)(const void *)place->bucket, place->entry.lo);
    return packed_set_has_at(&s->numbers, place);
}

/* Adds a state that is not there and has this place. False if other places would not be valid afterwards. */
static inline bool seen_add_at(Seen *s, const PackedPlace *place)
{
    if (LIKELY(s->kind != STORE_BITSTATE)) return packed_set_add_at(&s->numbers, place);
    return bit_array_add_at(&s->bits, (uint64_t *)(void *)place->bucket, place->entry.lo);
}

/* Adds a state; false if it was there. */
static inline bool seen_add(Seen *s, Packed number, uint64_t sum)
{
    if (LIKELY(s->kind == STORE_EXACT)) return packed_set_add(&s->numbers, number);
    if (s->kind == STORE_BITSTATE) return bit_array_add(&s->bits, bit_array_hash(sum));
    return packed_set_add(&s->numbers, (Packed){seen_hash(s, sum), 0});
}

static inline bool seen_contains(Seen *s, const PackedState *state)
{
    PackedPlace place;
    seen_locate(s, state->number, state->sum, &place);
    return seen_has(s, &place);
}

/* The head of the state's entry, NULL if it is not there or there are no entries. */
static inline uint32_t *seen_entry(Seen *s, const PackedPlace *place)
{
    return s->kind == STORE_BITSTATE ? NULL : packed_set_find_at(&s->numbers, &s->numbers, place);
}

/* Makes a state that is open closed. */
static inline void seen_close(Seen *s, Packed number, uint64_t sum)
{
    packed_set_close(&s->numbers, s->kind == STORE_EXACT ? number : (Packed){seen_hash(s, sum), 0});
}

/* A field was too narrow. */
void seen_note_overflow(Seen *s);
/* How many bits numbers of states should have now. */
uint32_t seen_fitting_bits(const Seen *s, const Packing *p);
bool seen_is_too_wide(Seen *s, const Packing *p);

/* Will an exact set have to grow now? */
static inline bool seen_is_full(const Seen *s) { return s->kind == STORE_EXACT && packed_set_is_full(&s->numbers); }

/* If so, would the numbers of states take less room if their fields were laid out anew? */
static inline bool seen_could_shrink(Seen *s, const Packing *p)
{
    return UNLIKELY(seen_is_full(s)) && seen_is_too_wide(s, p);
}

#endif
