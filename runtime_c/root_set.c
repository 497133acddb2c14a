/* root_set.c: an exact set of pairs; see root_set.h.
 *
 * A pair of numbers of k bits is turned into another one by a permutation (a Feistel network), whose
 * high bits choose a bucket of 64 bytes. The bucket then stands for those bits and the entry needs
 * to hold only the rest, which is why 32 bits do for pairs of up to 50 bits: nothing is lost, since
 * a permutation can be undone. With 16 entries to a bucket few buckets overflow while the table is
 * less than 4/5 full; what does not fit goes to one of the next buckets, and the entry says how far
 * it is from home. Entries are never moved or removed, a bucket is filled from the left and full
 * when its last entry is used, and a lookup ends at the first bucket that is not full: nearly always
 * the one it begins with, so it reads one line of cache.
 *
 * The order of entries is that of hashes, so a table grows in one sweep, where it is. Only when numbers
 * get more bits is a new one filled from the old one, which is given back on the way: the two never
 * exist together. Large tables grow in steps of 3/2, which keeps the mean size near six bytes per pair.
 */
#include "root_set.h"

#include <string.h>

#include "util.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
    BUCKET_BYTES = 64,
    NARROW = 16, /* entries of 32 bits in a bucket */
    WIDE = 8,    /* entries of 64 bits */
    DISTANCE_BITS = 3,
    MAX_DISTANCE = 7,
    FIRST_BUCKETS = 64,
    FIRST_BITS = 16,
    LAST_BITS = 31,
    RELEASE_BYTES = 4 << 20,
    EXTENDED_BYTES = 8 << 20 /* such tables are aligned wherever they are moved */
};

/* ---- hashing ---- */

static inline uint32_t half_round(uint32_t x, uint64_t factor, uint32_t mask)
{
    return (uint32_t)(x * factor >> 32) & mask;
}

#define ROUND_1 UINT64_C(0x9FB21C651E98DF25)
#define ROUND_2 UINT64_C(0xD6E8FEB86659FD93)
#define ROUND_3 UINT64_C(0xC2B2AE3D27D4EB4F)

/* The permutation of pairs of `bits` bits each, as one number of twice as many bits. */
static inline uint64_t pair_permute(uint64_t pair, uint32_t bits)
{
    uint32_t mask = UINT32_MAX >> (32 - bits), left = (uint32_t)pair, right = (uint32_t)(pair >> 32);
    left ^= half_round(right, ROUND_1, mask);
    right ^= half_round(left, ROUND_2, mask);
    left ^= half_round(right, ROUND_3, mask);
    return (uint64_t)left << bits | right;
}

static inline uint64_t pair_restore(uint64_t hash, uint32_t bits)
{
    uint32_t mask = UINT32_MAX >> (32 - bits), left = (uint32_t)(hash >> bits), right = (uint32_t)hash & mask;
    left ^= half_round(right, ROUND_3, mask);
    right ^= half_round(left, ROUND_2, mask);
    left ^= half_round(right, ROUND_1, mask);
    return left | (uint64_t)right << 32;
}

/* Where a hash belongs and what remains of it. Its upper 32 bits times the number of buckets is a
 * bucket and a fraction; hashes of one bucket are at least 2^log2 apart in the fraction. */
typedef struct RootPlace {
    uint64_t bucket;
    uint64_t rest;
} RootPlace;

static inline RootPlace root_place(const RootSet *s, uint64_t hash)
{
    uint32_t low_bits = 2 * s->bits - 32;
    uint64_t scaled = (hash >> low_bits) * s->n_buckets;
    uint64_t low = hash & ((UINT64_C(1) << low_bits) - 1);
    return (RootPlace){scaled >> 32, (uint64_t)((uint32_t)scaled >> s->log2) << low_bits | low};
}

static uint64_t hash_at(const RootSet *s, uint64_t bucket, uint64_t rest)
{
    uint32_t low_bits = 2 * s->bits - 32;
    uint64_t low = rest & ((UINT64_C(1) << low_bits) - 1), fraction = rest >> low_bits << s->log2;
    uint64_t high = ((bucket << 32) + fraction + s->n_buckets - 1) / s->n_buckets;
    return high << low_bits | low;
}

static inline uint64_t entry_for(uint64_t rest, uint64_t distance) { return (rest << DISTANCE_BITS | distance) + 1; }

/* Bits an entry must have for numbers of `bits` bits in a table of 2^log2 buckets or more. */
static uint32_t entry_bits(uint32_t bits, uint32_t log2) { return 2 * bits - log2 + DISTANCE_BITS; }

/* ---- buckets ---- */

static inline unsigned char *bucket_at(const RootSet *s, uint64_t i) { return s->buckets + i * BUCKET_BYTES; }

static inline uint32_t *narrow_entries(const unsigned char *bucket) { return (uint32_t *)(void *)bucket; }

static inline uint64_t *wide_entries(const unsigned char *bucket) { return (uint64_t *)(void *)bucket; }

static inline bool narrow_has(const uint32_t *entries, uint32_t entry)
{
#if defined(__SSE2__)
    const __m128i *v = (const __m128i *)(const void *)entries;
    __m128i wanted = _mm_set1_epi32((int)entry);
    __m128i a = _mm_or_si128(_mm_cmpeq_epi32(v[0], wanted), _mm_cmpeq_epi32(v[1], wanted));
    __m128i b = _mm_or_si128(_mm_cmpeq_epi32(v[2], wanted), _mm_cmpeq_epi32(v[3], wanted));
    return _mm_movemask_epi8(_mm_or_si128(a, b)) != 0;
#else
    bool found = false;
    for (int i = 0; i < NARROW; i++) found |= entries[i] == entry;
    return found;
#endif
}

static inline bool wide_has(const uint64_t *entries, uint64_t entry)
{
    bool found = false;
    for (int i = 0; i < WIDE; i++) found |= entries[i] == entry;
    return found;
}

static inline bool bucket_has(const RootSet *s, const unsigned char *bucket, uint64_t entry)
{
    return s->wide ? wide_has(wide_entries(bucket), entry) : narrow_has(narrow_entries(bucket), (uint32_t)entry);
}

static inline bool bucket_is_full(const RootSet *s, const unsigned char *bucket)
{
    return s->wide ? wide_entries(bucket)[WIDE - 1] != 0 : narrow_entries(bucket)[NARROW - 1] != 0;
}

static inline int narrow_used(const uint32_t *entries)
{
#if defined(__SSE2__) && defined(__GNUC__)
    const __m128i *v = (const __m128i *)(const void *)entries;
    __m128i zero = _mm_setzero_si128();
    __m128i a = _mm_packs_epi32(_mm_cmpeq_epi32(v[0], zero), _mm_cmpeq_epi32(v[1], zero));
    __m128i b = _mm_packs_epi32(_mm_cmpeq_epi32(v[2], zero), _mm_cmpeq_epi32(v[3], zero));
    return __builtin_ctz((unsigned)_mm_movemask_epi8(_mm_packs_epi16(a, b)) | 1u << NARROW);
#else
    int n = 0;
    for (int i = 0; i < NARROW; i++) n += entries[i] != 0;
    return n;
#endif
}

/* How many entries of a bucket are used: they are the first ones. Counted without branches, which
 * would be mispredicted. */
static inline int bucket_used(const RootSet *s, const unsigned char *bucket)
{
    int n = 0;
    if (LIKELY(!s->wide)) return narrow_used(narrow_entries(bucket));
    for (int i = 0; i < WIDE; i++) n += wide_entries(bucket)[i] != 0;
    return n;
}

static inline void bucket_append(const RootSet *s, unsigned char *bucket, uint64_t entry)
{
    int i = bucket_used(s, bucket);
    if (s->wide)
        wide_entries(bucket)[i] = entry;
    else
        narrow_entries(bucket)[i] = (uint32_t)entry;
}

static uint64_t bucket_entry(const RootSet *s, const unsigned char *bucket, int i)
{
    return s->wide ? wide_entries(bucket)[i] : narrow_entries(bucket)[i];
}

/* ---- growing ---- */

/* One bucket more than needed, so that the first can begin with a line of cache. */
static size_t set_bytes(const RootSet *s) { return (s->n_buckets + MAX_DISTANCE + 1) * BUCKET_BYTES; }

static int bucket_size(const RootSet *s) { return s->wide ? WIDE : NARROW; }

/* How large a table is to be that has become too small. Moving everything costs time, empty places memory: while there
 * is little of it, time counts more. */
static uint64_t grown(uint64_t n_buckets)
{
    enum { SMALL_TABLE = 1 << 18 };
    return n_buckets < SMALL_TABLE ? 2 * n_buckets : n_buckets + n_buckets / 2;
}

/* Says what table the set is to have. */
static void set_shape(RootSet *s, uint64_t n_buckets, uint32_t bits, bool wide)
{
    s->n_buckets = n_buckets;
    s->bits = bits;
    s->wide = wide;
    for (s->log2 = 0; n_buckets >> s->log2 > 1;) s->log2++;
    s->room = s->n_buckets * (uint64_t)bucket_size(s) / 5 * 4;
}

static void set_place(RootSet *s, void *block)
{
    s->block = block;
    s->buckets = s->block + (-(uintptr_t)block & (BUCKET_BYTES - 1));
}

/* Puts a hash that is not there into the table; false if there is no room near its place. */
static inline bool put_new(RootSet *s, uint64_t hash)
{
    RootPlace place = root_place(s, hash);
    for (uint64_t d = 0; d <= MAX_DISTANCE; d++) {
        unsigned char *bucket = bucket_at(s, place.bucket + d);
        if (bucket_is_full(s, bucket)) continue;
        bucket_append(s, bucket, entry_for(place.rest, d));
        return true;
    }
    return false;
}

/* Puts what was in bucket number i of one table into another. */
static void move_bucket(RootSet *to, const RootSet *from, const unsigned char *bucket, uint64_t i)
{
    for (int k = 0; k < bucket_size(from); k++) {
        uint64_t entry = bucket_entry(from, bucket, k), distance = (entry - 1) & MAX_DISTANCE;
        if (entry == 0) break;
        uint64_t hash = hash_at(from, i - distance, (entry - 1) >> DISTANCE_BITS);
        if (to->bits != from->bits) hash = pair_permute(pair_restore(hash, from->bits), to->bits);
        /* So much room is left on average that this would be an astonishing accident. */
        if (!put_new(to, hash)) die("the table of states is too unevenly filled");
    }
}

/* Moves everything into a table of another size or kind. */
static void set_rebuild(RootSet *s, uint64_t n_buckets, uint32_t bits, bool wide)
{
    RootSet old = *s;
    size_t released = 0;
    set_shape(s, n_buckets, bits, wide);
    set_place(s, big_successor(set_bytes(&old), set_bytes(s)));
    for (uint64_t i = 0; i < old.n_buckets + MAX_DISTANCE; i++) {
        move_bucket(s, &old, bucket_at(&old, i), i);
        if ((i + 1) * BUCKET_BYTES - released >= RELEASE_BYTES) {
            big_discard(old.block, released, released + RELEASE_BYTES);
            released += RELEASE_BYTES;
        }
    }
    big_free(old.block, set_bytes(&old));
}

/* Makes a large table half as large again where it is. Everything moves towards the end, so the last
 * bucket is moved first; only entries of the first few that overflowed could get in the way of some
 * not yet moved, so these are put aside. */
static void set_extend(RootSet *s)
{
    enum { ASIDE = 32 };
    RootSet old = *s;
    unsigned char aside[ASIDE * BUCKET_BYTES], bucket[BUCKET_BYTES];
    set_shape(s, grown(old.n_buckets), old.bits, old.wide);
    set_place(s, big_resize(old.block, set_bytes(&old), set_bytes(s)));
    memcpy(aside, s->buckets, sizeof aside);
    memset(s->buckets, 0, sizeof aside);
    for (uint64_t i = old.n_buckets + MAX_DISTANCE; i-- > ASIDE;) {
        memcpy(bucket, bucket_at(s, i), BUCKET_BYTES);
        memset(bucket_at(s, i), 0, BUCKET_BYTES);
        move_bucket(s, &old, bucket, i);
    }
    for (uint64_t i = 0; i < ASIDE; i++) move_bucket(s, &old, aside + i * BUCKET_BYTES, i);
}

/* The smallest table of narrow entries that takes numbers of so many bits. */
static uint64_t narrow_minimum(uint32_t bits)
{
    uint32_t log2 = 0;
    while (entry_bits(bits, log2) > 31) log2++;
    return UINT64_C(1) << log2;
}

/* Chooses the cheaper kind of entry for that many buckets of narrow ones. */
static void set_resize(RootSet *s, uint64_t n_buckets, uint32_t bits)
{
    uint64_t least = narrow_minimum(bits);
    if (n_buckets >= least || 2 * n_buckets >= least)
        set_rebuild(s, n_buckets > least ? n_buckets : least, bits, false);
    else
        set_rebuild(s, 2 * n_buckets, bits, true);
}

/* How many buckets of narrow entries the table is worth. */
static uint64_t narrow_buckets(const RootSet *s) { return s->wide ? s->n_buckets / 2 : s->n_buckets; }

static void set_grow(RootSet *s)
{
    uint64_t n = narrow_buckets(s);
    if (n >> 31) die("too many states for this version (2^35)");
    bool stays = !s->wide || grown(n) < narrow_minimum(s->bits) / 2;
    if (stays && set_bytes(s) >= EXTENDED_BYTES)
        set_extend(s);
    else
        set_resize(s, grown(n), s->bits);
}

/* There is little memory left: the table is filled as far as it will go before it has to grow. */
static bool set_cram(RootSet *s)
{
    uint64_t all = s->n_buckets * (uint64_t)bucket_size(s);
    if (memory_allows(set_bytes(s) / 2) || s->room == all) return false;
    s->room = all;
    return true;
}

void root_set_allow(RootSet *s, uint32_t limit)
{
    uint32_t bits = s->bits;
    uint64_t n = narrow_buckets(s);
    while (limit >> bits) bits += bits + 2 > LAST_BITS ? 1 : 2;
    if (bits != s->bits) set_resize(s, s->count < s->room / 4 * 3 ? n : grown(n), bits);
}

/* ---- the set ---- */

void root_set_init(RootSet *s)
{
    memset(s, 0, sizeof *s);
    set_shape(s, FIRST_BUCKETS, FIRST_BITS, false);
    set_place(s, big_resize(NULL, 0, set_bytes(s)));
}

void root_set_init_bits(RootSet *s, uint32_t bits)
{
    root_set_init(s);
    if (bits > s->bits) set_resize(s, FIRST_BUCKETS, bits);
}

void root_set_free(RootSet *s) { big_free(s->block, set_bytes(s)); }

void root_set_prefetch(const RootSet *s, uint64_t pair)
{
    PREFETCH(bucket_at(s, root_place(s, pair_permute(pair, s->bits)).bucket));
}

bool root_set_contains(RootSet *s, uint64_t pair)
{
    RootPlace place = root_place(s, pair_permute(pair, s->bits));
    for (uint64_t d = 0; d <= MAX_DISTANCE; d++) {
        const unsigned char *bucket = bucket_at(s, place.bucket + d);
        if (bucket_has(s, bucket, entry_for(place.rest, d))) return true;
        if (LIKELY(!bucket_is_full(s, bucket))) return false;
        s->conflicts++;
    }
    return false;
}

/* Makes room first. */
static void add_and_grow(RootSet *s, uint64_t pair)
{
    if (s->count >= s->room && !set_cram(s)) set_grow(s);
    while (!put_new(s, pair_permute(pair, s->bits))) set_grow(s);
    s->count++;
}

bool root_set_add(RootSet *s, uint64_t pair)
{
    RootPlace place = root_place(s, pair_permute(pair, s->bits));
    for (uint64_t d = 0; d <= MAX_DISTANCE; d++) {
        unsigned char *bucket = bucket_at(s, place.bucket + d);
        uint64_t entry = entry_for(place.rest, d);
        if (bucket_has(s, bucket, entry)) return false;
        if (UNLIKELY(bucket_is_full(s, bucket))) {
            s->conflicts++;
            continue;
        }
        if (UNLIKELY(s->count >= s->room)) break;
        bucket_append(s, bucket, entry);
        s->count++;
        return true;
    }
    add_and_grow(s, pair);
    return true;
}

size_t root_set_memory(const RootSet *s) { return set_bytes(s); }
