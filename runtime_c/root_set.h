/* root_set.h: an exact set of pairs of numbers below 2^31, in about five bytes for each.
 *
 * It answers whether a pair is there and nothing else: no number, no place that lasts. That is all
 * a depth-first search asks of the states it has seen.
 */
#ifndef HSFPY_ROOT_SET_H
#define HSFPY_ROOT_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct RootSet {
    unsigned char *block;   /* as allocated */
    unsigned char *buckets; /* the same, aligned */
    uint64_t n_buckets;     /* where hashes lead; a few more follow for what overflows the last ones */
    uint64_t count;
    uint64_t room;      /* how many pairs it may hold before it grows */
    uint64_t conflicts; /* buckets that were full when a pair was looked up */
    uint32_t bits;      /* how many bits a number may have now */
    uint32_t log2;      /* of n_buckets, rounded down */
    bool wide;          /* entries of 64 bits */
} RootSet;

void root_set_init(RootSet *s);
/* A set of pairs of numbers of up to `bits` bits, 16 to 32, that never get more. */
void root_set_init_bits(RootSet *s, uint32_t bits);
void root_set_free(RootSet *s);
/* Makes the set ready for pairs of numbers below `limit`. To be called before such pairs are. */
void root_set_allow(RootSet *s, uint32_t limit);
/* Starts fetching what a lookup of this pair will read. */
void root_set_prefetch(const RootSet *s, uint64_t pair);
bool root_set_contains(RootSet *s, uint64_t pair);
/* Adds a pair; false if it was there. */
bool root_set_add(RootSet *s, uint64_t pair);
size_t root_set_memory(const RootSet *s);

#endif
