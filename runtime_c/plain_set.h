/* plain_set.h: states as they are, vector after vector, with a hash index.
 *
 * What a store costs that compresses nothing; and a check of the one that does, with which it shares
 * no code.
 */
#ifndef HSFPY_PLAIN_SET_H
#define HSFPY_PLAIN_SET_H

#include "state.h"

typedef struct PlainSet {
    unsigned char *bytes; /* the vectors, each at a multiple of eight */
    size_t n_bytes, bytes_capacity;
    uint64_t *places; /* by number: where a vector begins, in units of eight bytes; above, bits of its hash */
    uint32_t count, places_capacity;
    uint32_t *index; /* numbers plus one; 0: none */
    uint64_t slots;  /* a power of two */
    uint64_t conflicts;
} PlainSet;

void plain_set_init(PlainSet *p);
void plain_set_free(PlainSet *p);
/* The number of a state; it is new if that equals the count before the call. */
uint32_t plain_set_number(PlainSet *p, const State *s);
/* Makes `s` state number `id`. */
void plain_set_get(const PlainSet *p, uint32_t id, State *s);
size_t plain_set_memory(const PlainSet *p);
/* The part of it that is not vectors. */
size_t plain_set_index_memory(const PlainSet *p);

#endif
