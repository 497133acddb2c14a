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
