/* span_table.h: numbers for spans of words, one for each different content.
 *
 * Spans are appended to an array and never removed; the number of a span is its place there. An
 * open-addressing index finds them: the low bits of an entry are a number, as many as numbers need,
 * the high bits a tag from the hash, so that a probe seldom reads a span that does not match.
 */
#ifndef HSFPY_SPAN_TABLE_H
#define HSFPY_SPAN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util.h"

typedef struct SpanTable {
    uint64_t *words;  /* number 0 is not used */
    uint8_t *lengths; /* of the span that begins at a word */
    uint64_t n_words, capacity;
    uint32_t *index;
    uint64_t slots; /* of the index, a power of two */
    uint64_t count, room;
    uint32_t shift; /* takes the slot out of a hash */
    uint32_t mask;  /* the bits of an entry that are a number */
} SpanTable;

enum { N_SPAN_FACTORS = 64 };

/* A span's hash is the sum of its 32-bit words, each times a factor of its place, finished by
 * span_finish: so it can be kept up to date when single words change. */
extern uint64_t span_factors[N_SPAN_FACTORS];
/* Draws other factors; not to be called while there are tables. */
void span_factors_draw(uint64_t seed);

static inline uint64_t span_factor(uint32_t place) { return span_factors[place % N_SPAN_FACTORS]; }

static inline uint64_t span_finish(uint64_t sum)
{
    sum ^= sum >> 32;
    return sum * UINT64_C(0xD6E8FEB86659FD93);
}

uint64_t span_sum(const uint64_t *words, uint32_t n);

void span_table_init(SpanTable *t);
void span_table_free(SpanTable *t);
size_t span_table_memory(const SpanTable *t);
size_t span_table_index_memory(const SpanTable *t);
/* The number of the span with these n words and this hash. */
uint32_t span_table_number(SpanTable *t, const uint64_t *words, uint32_t n, uint64_t hash);
/* Appends a span that is known to be new. */
uint32_t span_table_add(SpanTable *t, const uint64_t *words, uint32_t n, uint64_t hash);

static inline const uint64_t *span_words(const SpanTable *t, uint32_t number) { return &t->words[number]; }

/* Going through the spans that may have a hash: begin with slot = hash >> shift, and take the next
 * slot while this does not say 0. What it says is a number if the tag matches, else NO_SPAN. */
#define NO_SPAN UINT32_MAX

static inline uint32_t span_candidate(const SpanTable *t, uint64_t slot, uint64_t hash)
{
    uint32_t entry = t->index[slot];
    if (entry == 0) return 0;
    return ((entry ^ (uint32_t)hash) & ~t->mask) == 0 ? entry & t->mask : NO_SPAN;
}

static inline uint64_t span_next_slot(const SpanTable *t, uint64_t slot) { return (slot + 1) & (t->slots - 1); }

#endif
