/* packed_set.c: an exact set of numbers of states; see packed_set.h.
 *
 * A number is turned into another one by a permutation whose high bits choose a bucket of 64 bytes. The bucket
 * then stands for those bits and the entry needs to hold only the rest, which is why 32 bits do for numbers of up to
 * 46 bits or so: nothing is lost, since a permutation can be undone. With 16 entries to a bucket few buckets overflow
 * while the table is less than 3/4 full; what does not fit goes to one of the next buckets, and the entry says how far
 * it is from home. Entries are never moved or removed, a bucket is filled from the left and full when its last entry is
 * used, and a lookup ends at the first bucket that is not full: nearly always the one it begins with, so it reads one
 * line of cache.
 *
 * The order of entries is that of hashes, so a table grows in one sweep, where it is. Only when numbers or entries
 * change is a new one filled from the old one, which is given back on the way: the two never exist together.
 * Large tables grow by a half and by a third in turn, which keeps the mean size near six bytes for an entry of four. So
 * there are always 2^n or 3 * 2^n buckets, and where an entry goes is told by a few instructions.
 */
#include "packed_set.h"

#include <string.h>

#include "util.h"

enum {
    MOST_BITS = 128,
    FIRST_BUCKETS = 256, /* so the rest of the first word of a hash has at most 56 bits */
    RELEASE_BYTES = 4 << 20
};

/* Tables of so many bytes are extended where they are. Tests set it low. */
#ifndef EXTENDED_BYTES
#define EXTENDED_BYTES (4 << 20)
#endif
/* Tables of fewer buckets are doubled. Tests set it low. */
#ifndef DOUBLED_BUCKETS
#define DOUBLED_BUCKETS (1 << 18)
#endif

/* ---- hashing; the rest of it is in packed_set.h, since it has to be quick ---- */

/* Inverses of the factors modulo 2^64. */
#define PACKED_INVERSE_1 UINT64_C(0x02AB9C720D1024AD)
#define PACKED_INVERSE_2 UINT64_C(0xCFEE444D8B59A89B)

static uint64_t unscramble(const PackedSet *s, uint64_t x)
{
    x = (x >> s->align) * PACKED_INVERSE_2 & s->mask;
    x ^= x >> FOLD;
    x = x * PACKED_INVERSE_1 & s->mask;
    return x ^ x >> FOLD;
}

static Packed restore_state(const PackedSet *s, Packed hash)
{
    return (Packed){unscramble(s, hash.lo) ^ twist(s, hash.hi), hash.hi};
}

/* ---- entries ---- */

static inline bool is_power_of_two(uint64_t n) { return (n & (n - 1)) == 0; }

/* Bucket and rest of a hash side by side are, in a table of 2^n buckets, the hash; in one of 3 * 2^n three halves of
 * it, rounded down. Only one hash has these. */
static inline uint64_t two_thirds(uint64_t x) { return (2 * x + 1) / 3; }

/* The hash that has this place. */
static inline uint64_t whole_hash(const PackedSet *s, uint64_t bucket, uint64_t rest)
{
    if (LIKELY(is_power_of_two(s->n_buckets))) return bucket << (64 - s->log2) | rest << s->align;
    uint64_t threes = bucket / 3, below = two_thirds(bucket % 3 << rest_bits(s) | rest);
    return ((threes << (rest_bits(s) + 1)) + below) << s->align;
}

static Packed hash_at(const PackedSet *s, uint64_t bucket, Packed entry)
{
    uint32_t shift = rest_bits(s) + MARK_BITS;
    uint64_t rest = entry.lo >> MARK_BITS | entry.hi << (64 - MARK_BITS), hi = 0;
    if (s->hi_bits) {
        hi = entry.lo >> shift | entry.hi << (64 - shift);
        rest &= (UINT64_C(1) << rest_bits(s)) - 1;
    }
    return (Packed){whole_hash(s, bucket, rest), hi};
}

static inline uint32_t entry_distance(Packed entry)
{
    return ((uint32_t)(entry.lo >> 1) & ((1 << DISTANCE_BITS) - 1)) - 1;
}

/* Of an entry, 32 bits are its head, the rest its tail, of so many bytes. A bucket has first all heads, then all
 * tails: heads are compared all at once, and a tail only if its head is the same. */
static const uint8_t tail_sizes[] = {0, 1, 2, 4, 8, 12};

static uint32_t tail_size_for(uint32_t lo_bits, uint32_t hi_bits, uint32_t log2)
{
    uint32_t bits = lo_bits - log2 + hi_bits + MARK_BITS, i = 0;
    while (HEAD_BITS + 8u * tail_sizes[i] < bits) i++;
    return tail_sizes[i];
}

/* ---- buckets ---- */

static inline unsigned char *bucket_at(const PackedSet *s, uint64_t i) { return s->buckets + i * BUCKET_BYTES; }

static inline void write_tail(const PackedSet *s, const unsigned char *bucket, uint32_t i, Packed tail)
{
    unsigned char *to = tail_at(s, bucket, i);
    uint16_t two = (uint16_t)tail.lo;
    uint32_t four = (uint32_t)tail.lo, last = (uint32_t)tail.hi;
    switch (s->tail_size) {
    case 0: return;
    case 1: *to = (unsigned char)tail.lo; return;
    case 2: memcpy(to, &two, sizeof two); return;
    case 4: memcpy(to, &four, sizeof four); return;
    default: memcpy(to, &tail.lo, sizeof tail.lo);
    }
    if (s->tail_size > 8) memcpy(to + 8, &last, sizeof last);
}

static inline Packed entry_at(const PackedSet *s, const unsigned char *bucket, uint32_t i)
{
    Packed tail = read_tail(s, bucket, i);
    return (Packed){heads_of(bucket)[i] | tail.lo << 32, tail.lo >> 32 | tail.hi << 32};
}

/* Entries are used from the first on. */
static inline void bucket_append(PackedSet *s, unsigned char *bucket, Packed entry, unsigned mark)
{
    uint32_t i = lowest_bit(equal_heads(s, bucket, 0));
    s->newest = (uint32_t *)(void *)bucket + i;
    *s->newest = (uint32_t)entry.lo | mark;
    if (s->tail_size) write_tail(s, bucket, i, entry_tail(entry));
}

/* ---- growing ---- */

/* One bucket more than needed, so that the first can begin with a line of cache. */
static size_t set_bytes(const PackedSet *s) { return (s->n_buckets + MAX_DISTANCE + 1) * BUCKET_BYTES; }

static uint32_t log2_of(uint64_t n)
{
    uint32_t log2 = 0;
    while (n >> log2 > 1) log2++;
    return log2;
}

/* How large a table is to be that has become too small. Moving everything costs time, empty places memory: while there
 * is little of it, time counts more. */
static uint64_t grown(const PackedSet *s)
{
    uint64_t n = s->n_buckets;
    if (!is_power_of_two(n)) return n + n / 3;
    return n < DOUBLED_BUCKETS && memory_allows(n * BUCKET_BYTES) ? 2 * n : n + n / 2;
}

/* Says what table the set is to have. Small buckets overflow sooner. */
static void set_shape(PackedSet *s, uint64_t n_buckets, uint32_t lo_bits, uint32_t hi_bits)
{
    s->n_buckets = n_buckets;
    s->log2 = log2_of(n_buckets);
    s->lo_bits = hi_bits ? 64 : lo_bits > LEAST_BITS ? lo_bits : LEAST_BITS;
    s->hi_bits = hi_bits;
    s->align = 64 - s->lo_bits;
    s->mask = UINT64_MAX >> s->align;
    s->factor = PACKED_FACTOR_2 << s->align;
    s->shift = s->align + s->log2;
    s->tail_size = tail_size_for(s->lo_bits, hi_bits, s->log2);
    s->entries = BUCKET_BYTES / (4 + s->tail_size);
    s->heads = (UINT32_C(1) << s->entries) - 1;
    s->room = s->n_buckets * s->entries / 20
              * (s->entries == 16   ? 15
                 : s->entries >= 10 ? 14
                 : s->entries == 8  ? 13
                                    : 12);
}

static void set_place(PackedSet *s, void *block)
{
    s->block = block;
    s->buckets = s->block + (-(uintptr_t)block & (BUCKET_BYTES - 1));
}

/* Puts a hash that is not there into the table; false if there is no room near its place. */
static inline bool put_new(PackedSet *s, Packed hash, unsigned mark)
{
    HashPlace place = hash_place(s, hash);
    for (uint64_t d = 0; d <= MAX_DISTANCE; d++) {
        unsigned char *bucket = bucket_at(s, place.bucket + d);
        if (bucket_is_full(s, bucket)) continue;
        bucket_append(s, bucket, entry_farther(place.entry, d), mark);
        return true;
    }
    return false;
}

/* Calls `visit` with the hashes of what is in bucket number i, and their marks. */
typedef void (*HashVisit)(void *context, const PackedSet *from, Packed hash, unsigned mark);

static inline void visit_bucket(const PackedSet *from, const unsigned char *bucket, uint64_t i, HashVisit visit,
                                void *context)
{
    for (uint32_t k = 0; k < from->entries && is_used(bucket, k); k++) {
        Packed entry = entry_at(from, bucket, k);
        visit(context, from, hash_at(from, i - entry_distance(entry), entry), entry.lo & ENTRY_OPEN);
    }
}

/* So much room is left on average that a full neighbourhood would be an astonishing accident. */
static inline void move_hash(void *to, const PackedSet *from, Packed hash, unsigned mark)
{
    (void)from;
    if (!put_new(to, hash, mark)) die("the table of states is too unevenly filled");
}

/* Other numbers have other places, all over the new table: they are put there some at a time, so that lines of it are
 * fetched together. */
enum { CONVERTED_TOGETHER = 32 };

typedef struct Conversion {
    PackedSet *to;
    Packed (*convert)(void *context, Packed state);
    void *context;
    Packed waiting[CONVERTED_TOGETHER]; /* hashes */
    unsigned marks[CONVERTED_TOGETHER];
    uint32_t n;
} Conversion;

static void put_waiting(Conversion *c)
{
    for (uint32_t i = 0; i < c->n; i++) move_hash(c->to, NULL, c->waiting[i], c->marks[i]);
    c->n = 0;
}

static void convert_hash(void *conversion, const PackedSet *from, Packed hash, unsigned mark)
{
    Conversion *c = conversion;
    hash = hash_state(c->to, c->convert(c->context, restore_state(from, hash)));
    PREFETCH(bucket_at(c->to, hash_place(c->to, hash).bucket));
    c->waiting[c->n] = hash;
    c->marks[c->n++] = mark;
    if (c->n == CONVERTED_TOGETHER) put_waiting(c);
}

/* ---- moving everything ---- */

typedef enum Growth {
    GROWS_ANYHOW,
    DOUBLES,       /* one bucket of 2^n becomes two */
    GROWS_BY_HALF, /* two of 2^n become three */
    GROWS_BY_THIRD /* three of 3 * 2^n become four */
} Growth;

/* Where to move the hashes of bucket after bucket: from a table to one of another size or kind. */
typedef struct Relocation {
    PackedSet *to;
    const PackedSet *from;
    Conversion *conversion; /* NULL: members stay the same */
    Growth growth;
} Relocation;

static Growth growth_between(const PackedSet *to, const PackedSet *from)
{
    if (!is_power_of_two(from->n_buckets))
        return to->n_buckets == from->n_buckets + from->n_buckets / 3 ? GROWS_BY_THIRD : GROWS_ANYHOW;
    if (to->n_buckets == 2 * from->n_buckets) return DOUBLES;
    return to->n_buckets == from->n_buckets + from->n_buckets / 2 ? GROWS_BY_HALF : GROWS_ANYHOW;
}

static Relocation relocation_between(PackedSet *to, const PackedSet *from, Conversion *conversion)
{
    return (Relocation){to, from, conversion, conversion ? GROWS_ANYHOW : growth_between(to, from)};
}

/* An entry at home, as it is in a table with twice as many buckets: the first bit of the rest of its hash, bit `top`,
 * goes to the number of the bucket. */
static ALWAYS_INLINE Packed split_entry(Packed entry, uint32_t top, bool is_wide)
{
    uint64_t below = entry.lo & ((UINT64_C(1) << top) - 1);
    if (!is_wide) return (Packed){below, 0};
    uint64_t above = entry.lo >> top >> 1 << top;
    return (Packed){below | above | entry.hi << 63, entry.hi >> 1};
}

/* Writes an entry as number i of a bucket. */
static ALWAYS_INLINE void put_entry(const PackedSet *s, unsigned char *bucket, uint32_t i, Packed entry)
{
    uint32_t head = (uint32_t)entry.lo;
    memcpy(bucket + 4 * i, &head, sizeof head);
    if (s->tail_size) write_tail(s, bucket, i, entry_tail(entry));
}

static inline uint32_t bucket_used(const PackedSet *s, const unsigned char *bucket)
{
    uint32_t free = equal_heads(s, bucket, 0);
    return free ? lowest_bit(free) : s->entries;
}

/* Moves bucket number i of a table to one with twice as many. `from` and `like` are the two tables as far as they are
 * constants. */
static ALWAYS_INLINE void split_bucket(const Relocation *m, const PackedSet *from, const PackedSet *like,
                                       const unsigned char *bucket, uint64_t i)
{
    uint32_t top = rest_bits(m->from) - 1 + MARK_BITS;
    unsigned char *halves[] = {bucket_at(m->to, 2 * i), bucket_at(m->to, 2 * i + 1)};
    uint32_t used[] = {bucket_used(like, halves[0]), bucket_used(like, halves[1])};
    uint32_t others = 0; /* what is not at home or finds no room: that may go to the same two buckets, so it waits */
    for (uint32_t k = 0; k < from->entries && is_used(bucket, k); k++) {
        Packed entry = entry_at(from, bucket, k);
        uint32_t half = entry.lo >> top & 1;
        if (UNLIKELY(entry_distance(entry) || used[half] == like->entries))
            others |= UINT32_C(1) << k;
        else
            put_entry(like, halves[half], used[half]++, split_entry(entry, top, m->from->hi_bits != 0));
    }
    for (; others; others &= others - 1) {
        Packed entry = entry_at(from, bucket, lowest_bit(others));
        move_hash(m->to, m->from, hash_at(m->from, i - entry_distance(entry), entry), entry.lo & ENTRY_OPEN);
    }
}

/* Where a rest of bucket number i goes in a table that is larger by a half or by a third (hash_place). */
static ALWAYS_INLINE HashPlace spread_rest(Growth growth, uint32_t bits, uint64_t i, uint64_t rest)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1, x;
    if (growth == GROWS_BY_HALF) {
        x = 3 * (i % 2 << bits | rest);
        return (HashPlace){3 * (i / 2) + (x >> (bits + 1)), {x >> 1 & mask, 0}};
    }
    x = two_thirds(i % 3 << bits | rest);
    return (HashPlace){4 * (i / 3) + (x >> (bits - 1)), {x & mask >> 1, 0}};
}

/* Moves bucket number i of a table of one-word members to one that is larger by a half or by a third; `like` is both
 * tables as far as they are constants. */
static ALWAYS_INLINE void spread_bucket(const Relocation *m, const PackedSet *like, Growth growth,
                                        const unsigned char *bucket, uint64_t i)
{
    uint32_t bits = rest_bits(m->from);
    for (uint32_t k = 0; k < like->entries && is_used(bucket, k); k++) {
        Packed entry = entry_at(like, bucket, k);
        uint64_t distance = entry_distance(entry), mark = entry.lo & ENTRY_OPEN;
        HashPlace place = spread_rest(growth, bits, i - distance, entry.lo >> MARK_BITS);
        unsigned char *home = bucket_at(m->to, place.bucket);
        uint32_t used = bucket_used(like, home);
        if (LIKELY(used < like->entries)) {
            put_entry(like, home, used, (Packed){place.entry.lo << MARK_BITS | 1 << 1 | mark, 0});
            continue;
        }
        move_hash(m->to, m->from, hash_at(m->from, i - distance, entry), (unsigned)mark);
    }
}

static ALWAYS_INLINE void move_bucket_of(const Relocation *m, const unsigned char *bucket, uint64_t i,
                                         uint32_t tail_size)
{
    const uint32_t entries = BUCKET_BYTES / (4 + tail_size);
    const PackedSet like = {.tail_size = tail_size, .entries = entries, .heads = (UINT32_C(1) << entries) - 1};
    switch (m->growth) {
    case DOUBLES: split_bucket(m, &like, &like, bucket, i); return;
    case GROWS_BY_HALF: spread_bucket(m, &like, GROWS_BY_HALF, bucket, i); return;
    default: spread_bucket(m, &like, GROWS_BY_THIRD, bucket, i);
    }
}

/* Is there a quick way to move this bucket? Behind the last one is what overflowed. */
static inline bool moves_quickly(const Relocation *m, uint64_t i)
{
    if (m->growth == GROWS_ANYHOW || i >= m->from->n_buckets) return false;
    return m->growth == DOUBLES || (m->from->tail_size == m->to->tail_size && !m->from->hi_bits);
}

/* Moves what is in bucket number i of a table. */
static inline void move_bucket(const Relocation *m, const unsigned char *bucket, uint64_t i)
{
    if (!moves_quickly(m, i)) {
        if (m->conversion)
            visit_bucket(m->from, bucket, i, convert_hash, m->conversion);
        else
            visit_bucket(m->from, bucket, i, move_hash, m->to);
        return;
    }
    if (m->from->tail_size != m->to->tail_size) {
        split_bucket(m, m->from, m->to, bucket, i);
        return;
    }
    switch (m->from->tail_size) {
    case 0: move_bucket_of(m, bucket, i, 0); return;
    case 1: move_bucket_of(m, bucket, i, 1); return;
    case 2: move_bucket_of(m, bucket, i, 2); return;
    case 4: move_bucket_of(m, bucket, i, 4); return;
    case 8: move_bucket_of(m, bucket, i, 8); return;
    default: move_bucket_of(m, bucket, i, 12);
    }
}

/* Moves everything into a new table of another size or kind. */
static void set_rebuild(PackedSet *s, uint64_t n_buckets, uint32_t lo_bits, uint32_t hi_bits, Conversion *conversion)
{
    PackedSet old = *s;
    size_t released = 0;
    s->moves++;
    set_shape(s, n_buckets, lo_bits, hi_bits);
    set_place(s, big_successor(set_bytes(&old), set_bytes(s)));
    Relocation move = relocation_between(s, &old, conversion);
    for (uint64_t i = 0; i < old.n_buckets + MAX_DISTANCE; i++) {
        move_bucket(&move, bucket_at(&old, i), i);
        if ((i + 1) * BUCKET_BYTES - released >= RELEASE_BYTES) {
            big_discard(old.block, released, released + RELEASE_BYTES);
            released += RELEASE_BYTES;
        }
    }
    if (conversion) put_waiting(conversion);
    big_free(old.block, set_bytes(&old));
}

/* Makes a large table larger where it is. Everything moves towards the end, so the last
 * bucket is moved first; only entries of the first few that overflowed could get in the way of some
 * not yet moved, so these are put aside. */
static void set_extend(PackedSet *s)
{
    enum { ASIDE = 64 };
    PackedSet old = *s;
    unsigned char aside[ASIDE * BUCKET_BYTES], bucket[BUCKET_BYTES];
    s->moves++;
    set_shape(s, grown(&old), old.lo_bits, old.hi_bits);
    set_place(s, big_resize(old.block, set_bytes(&old), set_bytes(s)));
    memcpy(aside, s->buckets, sizeof aside);
    memset(s->buckets, 0, sizeof aside);
    Relocation move = relocation_between(s, &old, NULL);
    for (uint64_t i = old.n_buckets + MAX_DISTANCE; i-- > ASIDE;) {
        memcpy(bucket, bucket_at(s, i), BUCKET_BYTES);
        memset(bucket_at(s, i), 0, BUCKET_BYTES);
        move_bucket(&move, bucket, i);
    }
    for (uint64_t i = 0; i < ASIDE; i++) move_bucket(&move, aside + i * BUCKET_BYTES, i);
}

/* How many buckets hold so many members, and some more. */
static uint64_t buckets_for(const PackedSet *s, uint32_t lo_bits, uint32_t hi_bits, uint64_t count)
{
    PackedSet like = *s;
    set_shape(&like, FIRST_BUCKETS, lo_bits, hi_bits);
    while (like.room < count + count / 4 + 1) set_shape(&like, grown(&like), lo_bits, hi_bits);
    return like.n_buckets;
}

static void set_grow(PackedSet *s)
{
    uint64_t n = grown(s);
    if (n >> 31) die("too many states for this version (2^35)");
    bool stays = tail_size_for(s->lo_bits, s->hi_bits, log2_of(n)) == s->tail_size;
    if (stays && set_bytes(s) >= EXTENDED_BYTES) {
        set_extend(s);
        return;
    }
    if (!stays) n = buckets_for(s, s->lo_bits, s->hi_bits, s->room + 1);
    set_rebuild(s, n, s->lo_bits, s->hi_bits, NULL);
}

/* There is little memory left: the table is filled as far as it will go before it has to grow. */
static bool set_cram(PackedSet *s)
{
    uint64_t all = s->n_buckets * s->entries;
    if (memory_allows(set_bytes(s) / 2) || s->room == all) return false;
    s->room = all;
    return true;
}

/* ---- the set ---- */

void packed_set_init(PackedSet *s, uint32_t lo_bits, uint32_t hi_bits)
{
    memset(s, 0, sizeof *s);
    set_shape(s, FIRST_BUCKETS, lo_bits, hi_bits);
    set_place(s, big_resize(NULL, 0, set_bytes(s)));
}

void packed_set_free(PackedSet *s) { big_free(s->block, set_bytes(s)); }

uint32_t *packed_set_find_beyond(PackedSet *s, const PackedPlace *place)
{
    const unsigned char *bucket = place->bucket;
    for (uint64_t d = 1; d <= MAX_DISTANCE; d++) {
        s->conflicts++;
        bucket += BUCKET_BYTES;
        uint32_t bits = bucket_find(s, bucket, entry_farther(place->entry, d));
        if (bits) return (uint32_t *)heads_of(bucket) + lowest_bit(bits);
        if (LIKELY(!bucket_is_full(s, bucket))) return NULL;
    }
    return NULL;
}

void packed_set_close(PackedSet *s, Packed state)
{
    PackedPlace place;
    packed_set_locate(s, state, &place);
    uint32_t *head = packed_set_find_at(s, s, &place);
    if (!head) die("internal error: a state leaves the stack that was never stored");
    *head &= ~(uint32_t)ENTRY_OPEN;
}

bool packed_set_add_at(PackedSet *s, const PackedPlace *place)
{
    unsigned char *bucket = (unsigned char *)place->bucket;
    if (UNLIKELY(s->count >= s->room || bucket_is_full(s, bucket))) return false;
    bucket_append(s, bucket, place->entry, s->opens);
    s->count++;
    return true;
}

/* Makes room first. */
static void add_and_grow(PackedSet *s, Packed state)
{
    if (s->count >= s->room && !set_cram(s)) set_grow(s);
    while (!put_new(s, hash_state(s, state), s->opens)) set_grow(s);
    s->count++;
}

bool packed_set_add(PackedSet *s, Packed state)
{
    HashPlace place = hash_place(s, hash_state(s, state));
    for (uint64_t d = 0; d <= MAX_DISTANCE; d++) {
        unsigned char *bucket = bucket_at(s, place.bucket + d);
        Packed entry = entry_farther(place.entry, d);
        if (bucket_has(s, bucket, entry)) return false;
        if (UNLIKELY(bucket_is_full(s, bucket))) {
            s->conflicts++;
            continue;
        }
        if (UNLIKELY(s->count >= s->room)) break;
        bucket_append(s, bucket, entry, s->opens);
        s->count++;
        return true;
    }
    add_and_grow(s, state);
    return true;
}

/* ---- other numbers ---- */

typedef struct StateVisit {
    void (*visit)(void *context, Packed state);
    void *context;
} StateVisit;

static void visit_state(void *visit, const PackedSet *s, Packed hash, unsigned mark)
{
    (void)mark;
    const StateVisit *v = visit;
    v->visit(v->context, restore_state(s, hash));
}

void packed_set_each(const PackedSet *s, void (*visit)(void *context, Packed state), void *context)
{
    StateVisit v = {visit, context};
    for (uint64_t i = 0; i < s->n_buckets + MAX_DISTANCE; i++) visit_bucket(s, bucket_at(s, i), i, visit_state, &v);
}

void packed_set_convert(PackedSet *s, Packed (*convert)(void *context, Packed state), void *context, uint32_t lo_bits,
                        uint32_t hi_bits)
{
    Conversion conversion = {.to = s, .convert = convert, .context = context};
    set_rebuild(s, buckets_for(s, lo_bits, hi_bits, s->count), lo_bits, hi_bits, &conversion);
}

uint32_t packed_set_fitting(const PackedSet *s, uint32_t needed)
{
    if (s->count < SMALL_SET) return needed <= 64 ? 64 : MOST_BITS;
    for (uint32_t i = 0; i < sizeof tail_sizes; i++) {
        uint32_t most = 32 + 8u * tail_sizes[i] - MARK_BITS + s->log2;
        if (most > 64 && needed <= 64) return 64;
        if (needed <= most) return most < MOST_BITS ? most : MOST_BITS;
    }
    return MOST_BITS;
}

bool packed_set_could_shrink(const PackedSet *s, uint32_t bits)
{
    uint32_t lo_bits = bits < 64 ? (bits > LEAST_BITS ? bits : LEAST_BITS) : 64;
    return s->count >= SMALL_SET && tail_size_for(lo_bits, bits > 64 ? bits - 64 : 0, s->log2) < s->tail_size;
}

size_t packed_set_memory(const PackedSet *s) { return set_bytes(s); }
