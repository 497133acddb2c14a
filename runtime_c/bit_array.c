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

/* Sets the bit of a place; the lowest bit of what it returns is what was there. */
static ALWAYS_INLINE uint64_t set_bit(uint64_t *block, unsigned place)
{
    uint64_t before = bit_at(block, place);
    block[place / 64] |= UINT64_C(1) << place % 64;
    return before;
}

bool bit_array_add(BitArray *a, uint64_t hash)
{
    uint64_t *block = bit_array_block(a, hash), places = bit_places(hash, 0),
             all = set_bit(block, bit_place(places, 0));
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
