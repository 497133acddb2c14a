/* packed_set.h: an exact set of numbers of states (packed.h), in four to sixteen bytes for each.
 *
 * It answers whether a number is there and little else: no index, no place that lasts. That is nearly all
 * a depth-first search asks of the states it has seen. If it also has to know which of them are on its stack, these
 * are marked as open.
 */
#ifndef HSFPY_PACKED_SET_H
#define HSFPY_PACKED_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "packed.h"
#include "util.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef struct PackedSet {
    unsigned char *block;   /* as allocated */
    unsigned char *buckets; /* the same, aligned */
    uint64_t n_buckets;     /* where hashes lead; a few more follow for what overflows the last ones */
    uint64_t count;
    uint64_t room;             /* how many members it may have before it grows */
    uint64_t conflicts;        /* buckets that were full when a number was looked up */
    uint32_t *newest;          /* the entry that was added last, as long as `moves` does not change */
    uint32_t moves;            /* how often entries were moved */
    bool opens;                /* new members are open until they are closed */
    uint64_t mask;             /* the bits of the first words of members */
    uint32_t lo_bits, hi_bits; /* how many bits members have in each word: 40 to 64, and 0 to 64 */
    uint64_t factor;           /* the last of those that scramble, moved to the upper end of a word */
    uint32_t align;            /* bits of a word that lo_bits leave, */
    uint32_t shift;            /* and log2 more */
    uint32_t log2;             /* of n_buckets, rounded down */
    uint32_t tail_size;        /* an entry has so many bytes besides its first four, */
    uint32_t entries;          /* and a bucket so many entries */
    uint32_t heads;            /* a bit for each of these */
} PackedSet;

/* Where a number belongs, and its entry when it is there; valid until something is added. */
typedef struct PackedPlace {
    const unsigned char *bucket;
    Packed entry;
} PackedPlace;

/* ---- hashing ---- */

enum {
    BUCKET_BYTES = 64,
    HEAD_BITS = 32, /* of an entry, that are looked at first */
    FOLD = 32,      /* at least half of lo_bits */
    LEAST_BITS = 40,
    ENTRY_OPEN = 1, /* an entry's lowest bit, */
    DISTANCE_BITS = 4,
    MARK_BITS = DISTANCE_BITS + 1, /* and next to it how far it is from home, plus 1, so that no entry is 0 */
    MAX_DISTANCE = (1 << DISTANCE_BITS) - 2,
    SMALL_SET = 1 << 16 /* so many members are small, however large each */
};

#define PACKED_FACTOR_1 UINT64_C(0x9FB21C651E98DF25)
#define PACKED_FACTOR_2 UINT64_C(0xD6E8FEB86659FD93)

/* A permutation of numbers of lo_bits bits: what is shifted by half of them can be taken back by doing it again. The
 * result is in the upper bits of the word. */
static ALWAYS_INLINE uint64_t scramble(const PackedSet *s, uint64_t x)
{
    x ^= x >> FOLD;
    x = x * PACKED_FACTOR_1 & s->mask;
    x ^= x >> FOLD;
    return x * s->factor;
}

/* The second word is kept as it is; what is made of the first one depends on it. */
static ALWAYS_INLINE uint64_t twist(const PackedSet *s, uint64_t hi) { return s->hi_bits ? mix64(hi) & s->mask : 0; }

static ALWAYS_INLINE Packed hash_state(const PackedSet *s, Packed state)
{
    return (Packed){scramble(s, state.lo ^ twist(s, state.hi)), state.hi};
}

/* Where a hash belongs. The hash, taken as a fraction, times the number of buckets is a bucket and another
 * fraction, in which hashes of one bucket are at least 2^shift apart. */
typedef struct HashPlace {
    uint64_t bucket;
    Packed entry;
} HashPlace;

/* Bits of an entry that are left of the first word of a hash. */
static inline uint32_t rest_bits(const PackedSet *s) { return s->lo_bits - s->log2; }

static ALWAYS_INLINE HashPlace hash_place(const PackedSet *s, Packed hash)
{
    uint64_t bucket, rest = multiply_wide(hash.lo, s->n_buckets, &bucket) >> s->shift;
    HashPlace place = {bucket, {rest << MARK_BITS | 1 << 1, 0}}; /* there is room: see FIRST_BUCKETS */
    if (UNLIKELY(s->hi_bits)) {
        uint32_t shift = rest_bits(s) + MARK_BITS; /* 6 to 62 */
        place.entry.lo |= hash.hi << shift;
        place.entry.hi |= hash.hi >> (64 - shift);
    }
    return place;
}

/* ---- buckets ---- */

static inline Packed entry_farther(Packed entry, uint64_t distance)
{
    return (Packed){entry.lo + (distance << 1), entry.hi};
}

static inline const uint32_t *heads_of(const unsigned char *bucket) { return (const uint32_t *)(const void *)bucket; }

/* Which of the heads, as far as there are any, equal `head`, open or not? One bit each. */
static ALWAYS_INLINE uint32_t equal_heads(const PackedSet *s, const unsigned char *bucket, uint32_t head)
{
    uint32_t equal = 0;
#if defined(__SSE2__)
    const __m128i *from = (const __m128i *)(const void *)bucket;
    __m128i wanted = _mm_set1_epi32((int)head), v[] = {from[0], from[1], from[2], from[3]};
    if (s->opens)
        for (int i = 0; i < 4; i++) v[i] = _mm_andnot_si128(_mm_set1_epi32(ENTRY_OPEN), v[i]);
    __m128i a = _mm_packs_epi32(_mm_cmpeq_epi32(v[0], wanted), _mm_cmpeq_epi32(v[1], wanted));
    __m128i b = _mm_packs_epi32(_mm_cmpeq_epi32(v[2], wanted), _mm_cmpeq_epi32(v[3], wanted));
    equal = (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(a, b));
#else
    for (uint32_t i = 0; i < s->entries; i++)
        equal |= (uint32_t)((heads_of(bucket)[i] & ~(uint32_t)ENTRY_OPEN) == head) << i;
#endif
    return equal & s->heads;
}

static inline unsigned char *tail_at(const PackedSet *s, const unsigned char *bucket, uint32_t i)
{
    return (unsigned char *)bucket + 4 * s->entries + i * s->tail_size;
}

/* The tail of an entry, in the order of its bytes. */
static inline Packed entry_tail(Packed entry) { return (Packed){entry.lo >> 32 | entry.hi << 32, entry.hi >> 32}; }

static ALWAYS_INLINE uint32_t read_half(const unsigned char *from, uint32_t size)
{
    uint16_t two;
    uint32_t four;
    switch (size) {
    case 1: return *from;
    case 2: memcpy(&two, from, sizeof two); return two;
    case 4: memcpy(&four, from, sizeof four); return four;
    default: return 0;
    }
}

static ALWAYS_INLINE Packed read_tail(const PackedSet *s, const unsigned char *bucket, uint32_t i)
{
    const unsigned char *from = tail_at(s, bucket, i);
    if (LIKELY(s->tail_size <= 4)) return (Packed){read_half(from, s->tail_size), 0};
    Packed tail = {0, s->tail_size > 8 ? read_half(from + 8, 4) : 0};
    memcpy(&tail.lo, from, sizeof tail.lo);
    return tail;
}

static ALWAYS_INLINE bool has_tail(const PackedSet *s, const unsigned char *bucket, uint32_t i, Packed entry)
{
    if (s->tail_size <= 4) return read_half(tail_at(s, bucket, i), s->tail_size) == entry.lo >> 32;
    return packed_equal(read_tail(s, bucket, i), entry_tail(entry));
}

/* The bit of an entry among those of a bucket; 0 if it is not there. */
static ALWAYS_INLINE uint32_t bucket_find(const PackedSet *s, const unsigned char *bucket, Packed entry)
{
    uint32_t equal = equal_heads(s, bucket, (uint32_t)entry.lo);
    if (s->tail_size == 0) return equal;
    for (; equal; equal &= equal - 1)
        if (has_tail(s, bucket, lowest_bit(equal), entry)) return equal;
    return 0;
}

static inline bool bucket_has(const PackedSet *s, const unsigned char *bucket, Packed entry)
{
    return bucket_find(s, bucket, entry) != 0;
}

/* No entry has a head that is 0. */
static inline bool is_used(const unsigned char *bucket, uint32_t i) { return heads_of(bucket)[i] != 0; }

static inline bool bucket_is_full(const PackedSet *s, const unsigned char *bucket)
{
    return is_used(bucket, s->entries - 1);
}

/* ---- the set ---- */

void packed_set_init(PackedSet *s, uint32_t lo_bits, uint32_t hi_bits);
void packed_set_free(PackedSet *s);
/* Finds the place of a number, and starts fetching it. */
static ALWAYS_INLINE void packed_set_locate(const PackedSet *s, Packed state, PackedPlace *place)
{
    HashPlace found = hash_place(s, hash_state(s, state));
    place->bucket = s->buckets + found.bucket * BUCKET_BYTES;
    place->entry.lo = found.entry.lo;
    place->entry.hi = found.entry.hi;
    PREFETCH(place->bucket);
}

uint32_t *packed_set_find_beyond(PackedSet *s, const PackedPlace *place);

/* The head of the number's entry, NULL if it is not there. */
static ALWAYS_INLINE uint32_t *packed_set_find_at(PackedSet *s, const PackedSet *like, const PackedPlace *place)
{
    uint32_t bits = bucket_find(like, place->bucket, place->entry);
    if (bits) return (uint32_t *)heads_of(place->bucket) + lowest_bit(bits);
    if (LIKELY(!bucket_is_full(like, place->bucket))) return NULL;
    return packed_set_find_beyond(s, place);
}

/* Is the number there? *head is that of its entry, or of any. What a processor would have to guess is computed: there
 * are no branches but for entries of which only heads are the same, and for buckets that are full. */
static ALWAYS_INLINE bool packed_set_look_at(PackedSet *s, const PackedSet *like, const PackedPlace *place,
                                             const uint32_t **head)
{
    uint32_t equal = equal_heads(like, place->bucket, (uint32_t)place->entry.lo);
    uint32_t i = lowest_bit(equal | UINT32_C(1) << (like->entries - 1));
    bool is_there = equal != 0, has_others = (equal & (equal - 1)) != 0;
    if (like->tail_size) is_there &= has_tail(like, place->bucket, i, place->entry);
    *head = heads_of(place->bucket) + i;
    if (LIKELY(is_there | !(has_others | bucket_is_full(like, place->bucket)))) return is_there;
    const uint32_t *found = packed_set_find_at(s, like, place);
    if (found) *head = found;
    return found != NULL;
}

static inline bool packed_set_has_at(PackedSet *s, const PackedPlace *place)
{
    return packed_set_find_at(s, s, place) != NULL;
}

/* Makes a member that is open closed. */
void packed_set_close(PackedSet *s, Packed state);

/* Adds a number that is not there and has this place. False if that takes more than it may: other places stay valid. */
bool packed_set_add_at(PackedSet *s, const PackedPlace *place);
/* Adds a number; false if it was there. */
bool packed_set_add(PackedSet *s, Packed state);
/* Will the table have to grow now? */
static inline bool packed_set_is_full(const PackedSet *s) { return s->count >= s->room; }
/* Calls `visit` for all members. */
void packed_set_each(const PackedSet *s, void (*visit)(void *context, Packed state), void *context);
/* Replaces every member by another one, of so many bits. */
void packed_set_convert(PackedSet *s, Packed (*convert)(void *context, Packed state), void *context, uint32_t lo_bits,
                        uint32_t hi_bits);
/* For members of so many bits: how many they may have without getting larger. */
uint32_t packed_set_fitting(const PackedSet *s, uint32_t needed);
/* Would members of so many bits take less memory than they do? */
bool packed_set_could_shrink(const PackedSet *s, uint32_t bits);
size_t packed_set_memory(const PackedSet *s);

#endif
