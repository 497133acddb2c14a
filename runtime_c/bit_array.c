/* bit_array.c: states as bits of an array; see bit_array.h. */
#include "bit_array.h"

#include "util.h"

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

static ALWAYS_INLINE bool block_add(uint64_t *block, uint64_t hash, int n)
{
    uint64_t places = 0, all = 1;
    for (int i = 0; i < n; i++) {
        if (i % PLACES_PER_WORD == 0) places = bit_places(hash, i);
        uint64_t *word = &block[places >> (64 - PLACE_BITS + 6)], bit = places >> (64 - PLACE_BITS) & 63;
        all &= *word >> bit;
        *word |= UINT64_C(1) << bit;
        places <<= PLACE_BITS;
    }
    return !(all & 1);
}

bool bit_array_add(BitArray *a, uint64_t hash)
{
    uint64_t *block = bit_array_block(a, hash);
    bool is_new = LIKELY(a->bits_per_state == 3) ? block_add(block, hash, 3) : block_add(block, hash, a->bits_per_state);
    a->count += is_new;
    return is_new;
}
