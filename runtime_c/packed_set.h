/* packed_set.h: an exact set of numbers of states (packed.h), in four to sixteen bytes for each.
 *
 * It answers whether a number is there and nothing else: no index, no place that lasts. That is all
 * a depth-first search asks of the states it has seen.
 */
#ifndef HSFPY_PACKED_SET_H
#define HSFPY_PACKED_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packed.h"

typedef struct PackedSet {
    unsigned char *block;   /* as allocated */
    unsigned char *buckets; /* the same, aligned */
    uint64_t n_buckets;     /* where hashes lead; a few more follow for what overflows the last ones */
    uint64_t count;
    uint64_t room;             /* how many members it may have before it grows */
    uint64_t conflicts;        /* buckets that were full when a number was looked up */
    uint64_t mask;             /* the bits of the first words of members */
    uint32_t lo_bits, hi_bits; /* how many bits members have in each word: 32 to 64, and 0 to 64 */
    uint32_t fold;             /* half of lo_bits, rounded up */
    uint32_t log2;             /* of n_buckets, rounded down */
    uint32_t entry_words;      /* an entry has so many words of 32 bits, */
    uint32_t entries;          /* and a bucket so many entries */
} PackedSet;

/* Where a number belongs; valid until something is added. */
typedef struct PackedPlace {
    const unsigned char *bucket;
    Packed entry;
} PackedPlace;

void packed_set_init(PackedSet *s, uint32_t lo_bits, uint32_t hi_bits);
void packed_set_free(PackedSet *s);
/* The place of a number, which is being fetched when this returns. */
PackedPlace packed_set_locate(const PackedSet *s, Packed state);
bool packed_set_has_at(PackedSet *s, const PackedPlace *place);
/* Adds a number; false if it was there. */
bool packed_set_add(PackedSet *s, Packed state);
/* Will the table have to grow now? */
static inline bool packed_set_is_full(const PackedSet *s) { return s->count >= s->room; }
/* Calls `visit` for all members. */
void packed_set_each(const PackedSet *s, void (*visit)(void *context, Packed state), void *context);
/* Replaces every member by another one, of so many bits. */
void packed_set_convert(PackedSet *s, Packed (*convert)(void *context, Packed state), void *context, uint32_t lo_bits,
                        uint32_t hi_bits);
/* For members that need so many bits: how many they may have without getting larger. */
uint32_t packed_set_fitting(const PackedSet *s, uint32_t needed);
size_t packed_set_memory(const PackedSet *s);

#endif
