/* bit_array.h: states as bits of an array (Holzmann's supertrace), named by their hashes.
 *
 * All bits of a state lie in one block, which is a line of cache: a lookup reads memory once, however
 * many bits there are. Some blocks get more states than others, so a few more states are taken for
 * others than if bits were spread over the whole array; store.c knows how many.
 */
#ifndef HSFPY_BIT_ARRAY_H
#define HSFPY_BIT_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util.h"

enum { BIT_BLOCK_BYTES = 64, BIT_BLOCK_BITS = 8 * BIT_BLOCK_BYTES };

typedef struct BitArray {
    void *memory;     /* as allocated */
    uint64_t *blocks; /* the same, aligned */
    size_t bytes;
    uint64_t n_blocks;
    int bits_per_state;
    uint64_t count; /* of states that had a bit of their own */
} BitArray;

void bit_array_init(BitArray *a, uint64_t bytes, int bits_per_state);
void bit_array_free(BitArray *a);
/* A hash of a sum (packing.h), whose upper half chooses a block. Sums are hashes themselves, so that one product does,
 * and another one for the bits (bit_places): six seeds lost as many states on average as with two for the block. */
static ALWAYS_INLINE uint64_t bit_array_hash(uint64_t sum) { return (sum ^ sum >> 32) * UINT64_C(0x9FB21C651E98DF25); }

/* Where the bits of a state are. */
static inline uint64_t *bit_array_block(const BitArray *a, uint64_t hash)
{
    return a->blocks + ((hash >> 32) * a->n_blocks >> 32) * (BIT_BLOCK_BYTES / 8);
}

/* Words whose bits are places in the block, taken from the upper end; the first word does for up to seven. */
enum { PLACE_BITS = 9, PLACES_PER_WORD = 7, USUAL_BITS = 3 };
_Static_assert(1 << PLACE_BITS == BIT_BLOCK_BITS, "a place is a bit of a block");
static inline uint64_t bit_places(uint64_t hash, int i) { return (hash + (uint64_t)i) * UINT64_C(0xD6E8FEB86659FD93); }

/* Place number i of a word of them. */
static ALWAYS_INLINE unsigned bit_place(uint64_t places, int i)
{
    return (unsigned)(places << PLACE_BITS * i >> (64 - PLACE_BITS));
}

/* The lowest bit is that of a place, others are nothing. */
static ALWAYS_INLINE uint64_t bit_at(const uint64_t *block, unsigned place) { return block[place / 64] >> place % 64; }

/* Is a state there whose bits are in this block? */
static ALWAYS_INLINE bool bit_array_contains(const BitArray *a, const uint64_t *block, uint64_t hash)
{
    uint64_t places = bit_places(hash, 0), all = bit_at(block, bit_place(places, 0));
    if (LIKELY(a->bits_per_state == USUAL_BITS))
        return all & bit_at(block, bit_place(places, 1)) & bit_at(block, bit_place(places, 2)) & 1;
    for (int i = 1; i < a->bits_per_state; i++) {
        if (i % PLACES_PER_WORD == 0) places = bit_places(hash, i);
        all &= bit_at(block, bit_place(places, i % PLACES_PER_WORD));
    }
    return all & 1;
}

/* Sets the bit of a place; the lowest bit of what it returns is what was there. */
static ALWAYS_INLINE uint64_t set_bit(uint64_t *block, unsigned place)
{
    uint64_t before = bit_at(block, place);
    block[place / 64] |= UINT64_C(1) << place % 64;
    return before;
}

/* Sets the bits of a state whose block this is; false if they were all set. */
static inline bool bit_array_add_at(BitArray *a, uint64_t *block, uint64_t hash)
{
    uint64_t places = bit_places(hash, 0), all = set_bit(block, bit_place(places, 0));
    if (LIKELY(a->bits_per_state == USUAL_BITS)) {
        all &= set_bit(block, bit_place(places, 1));
        all &= set_bit(block, bit_place(places, 2));
    } else {
        for (int i = 1; i < a->bits_per_state; i++) {
            if (i % PLACES_PER_WORD == 0) places = bit_places(hash, i);
            all &= set_bit(block, bit_place(places, i % PLACES_PER_WORD));
        }
    }
    a->count += !(all & 1);
    return !(all & 1);
}

static inline bool bit_array_add(BitArray *a, uint64_t hash)
{
    return bit_array_add_at(a, bit_array_block(a, hash), hash);
}

#endif
