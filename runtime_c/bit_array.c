/* bit_array.c: states as bits of an array; see bit_array.h. */
#include "bit_array.h"

#include "util.h"

enum { PLACE_BITS = 9, PLACES_PER_WORD = 7, BLOCK_WORDS = BIT_BLOCK_BYTES / 8 };
_Static_assert(1 << PLACE_BITS == BIT_BLOCK_BITS, "a place is a bit of a block");

void bit_array_init(BitArray *a, uint64_t bytes, int bits_per_state)
{
    a->count = 0;
    a->bits_per_state = bits_per_state;
    a->n_blocks = bytes / BIT_BLOCK_BYTES;
    a->bytes = (size_t)bytes + BIT_BLOCK_BYTES; /* room to align */
    a->memory = big_resize(NULL, 0, a->bytes);
    a->blocks = (uint64_t *)(void *)((unsigned char *)a->memory + (-(uintptr_t)a->memory & (BIT_BLOCK_BYTES - 1)));
}

void bit_array_free(BitArray *a) { big_free(a->memory, a->bytes); }

static inline uint64_t *block_of(const BitArray *a, uint64_t hash)
{
    return a->blocks + ((hash >> 32) * a->n_blocks >> 32) * BLOCK_WORDS;
}

/* Words whose bits are places in the block; the first does for up to seven. */
static inline uint64_t bit_places(uint64_t hash, int i) { return (hash + (uint64_t)i) * UINT64_C(0xD6E8FEB86659FD93); }

/* The place of bit number i, in the upper bits of what is left of a word of places. */
static inline unsigned bit_place(uint64_t hash, uint64_t *places, int i)
{
    if (i % PLACES_PER_WORD == 0) *places = bit_places(hash, i);
    unsigned place = (unsigned)(*places >> (64 - PLACE_BITS));
    *places <<= PLACE_BITS;
    return place;
}

void bit_array_prefetch(const BitArray *a, uint64_t hash) { PREFETCH(block_of(a, hash)); }

bool bit_array_contains(const BitArray *a, uint64_t hash)
{
    const uint64_t *block = block_of(a, hash);
    uint64_t places = 0, all = 1;
    for (int i = 0; i < a->bits_per_state; i++) {
        unsigned place = bit_place(hash, &places, i);
        all &= block[place / 64] >> place % 64;
    }
    return all & 1;
}

bool bit_array_add(BitArray *a, uint64_t hash)
{
    uint64_t *block = block_of(a, hash);
    uint64_t places = 0, all = 1;
    for (int i = 0; i < a->bits_per_state; i++) {
        unsigned place = bit_place(hash, &places, i);
        all &= block[place / 64] >> place % 64;
        block[place / 64] |= UINT64_C(1) << place % 64;
    }
    a->count += !(all & 1);
    return !(all & 1);
}
