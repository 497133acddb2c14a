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
void bit_array_prefetch(const BitArray *a, uint64_t hash);
bool bit_array_contains(const BitArray *a, uint64_t hash);
/* Sets the bits of a state; false if they were all set. */
bool bit_array_add(BitArray *a, uint64_t hash);

#endif
