/* bitstate.h: visited states as bits of an array (supertrace). Lossy: two states may share bits. */
#ifndef HSFPY_BITSTATE_H
#define HSFPY_BITSTATE_H

#include "state.h"

typedef struct BitState BitState;

/* An array of 2^log2_bits bits; each state sets `n_bits` of them. */
BitState *bitstate_new(int log2_bits, int n_bits, uint64_t seed);
void bitstate_free(BitState *set);
/* Forgets all states. */
void bitstate_clear(BitState *set);
/* Other hash functions, drawn at random from the family; forgets all states. */
void bitstate_rehash(BitState *set, uint64_t seed);
/* Marks a state; true if at least one of its bits was not set before. */
bool bitstate_insert(BitState *set, const State *s);
uint64_t bitstate_bits(const BitState *set);

#endif
