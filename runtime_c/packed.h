/* packed.h: a state as a number of up to 128 bits (packing.h). */
#ifndef HSFPY_PACKED_H
#define HSFPY_PACKED_H

#include <stdbool.h>
#include <stdint.h>

#include "util.h"

typedef struct Packed {
    uint64_t lo, hi;
} Packed;

/* Copied word by word. */
static ALWAYS_INLINE Packed packed_copy(const Packed *a) { return (Packed){single_word(a->lo), single_word(a->hi)}; }

static inline Packed packed_xor(Packed a, Packed b) { return (Packed){a.lo ^ b.lo, a.hi ^ b.hi}; }
static inline Packed packed_and(Packed a, Packed b) { return (Packed){a.lo & b.lo, a.hi & b.hi}; }
static inline Packed packed_or(Packed a, Packed b) { return (Packed){a.lo | b.lo, a.hi | b.hi}; }
static inline bool packed_is_zero(Packed a) { return (a.lo | a.hi) == 0; }
static inline bool packed_meet(Packed a, Packed b) { return ((a.lo & b.lo) | (a.hi & b.hi)) != 0; }
static inline bool packed_equal(Packed a, Packed b) { return packed_is_zero(packed_xor(a, b)); }

#endif
