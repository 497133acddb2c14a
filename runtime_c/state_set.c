/* state_set.c: the set of visited states.
 *
 * States are trees (tree_store.h); what is kept of each is its root, in the order they came, 8 bytes each, with an
 * index of 5 to 8 bytes each. A set that only has to know whether a state was seen is made by seen.c.
 *
 * With hash compaction roots are hashes, and all else is the same. With bitstate they are hashes that
 * lead to bits of an array. Only a plain set knows nothing of trees.
 */
#include "state_set.h"

#include <string.h>

#include "bit_array.h"
#include "plain_set.h"
#include "search.h"
#include "seen.h"
#include "state.h"
#include "util.h"

enum { FIRST_SLOTS = 1 << 10, SMALL_SLOTS = 1 << 20, PREFETCH_DISTANCE = 16 };
#define LAST_SLOTS (UINT64_C(1) << 32)

/* An append-only array of pairs with an open-addressing index of 32-bit entries, whose low bits are
 * the pair's number plus one, as many as numbers need, and whose high bits are a tag from the hash.
 * A lookup of a new pair costs one cache miss, of a known pair two. */
typedef struct PairTable {
    uint64_t *pairs;
    uint32_t *index;
    uint64_t count;
    uint64_t room;     /* how many pairs fit before something has to grow */
    uint64_t capacity; /* of `pairs` */
    uint64_t conflicts;
    uint64_t slots; /* of `index` */
    uint32_t mask;  /* the bits of an entry that are a number */
} PairTable;

struct StateSet {
    StoreKind kind;
    TreeStore trees;
    bool is_numbered;
    PairTable numbered; /* the roots, if they are numbered, */
    bool is_seen;
    Seen seen;        /* the states, if they are not numbered; */
    BitArray bits;    /* bitstate */
    PlainSet vectors; /* plain */
};

/* ---- pair tables ---- */

static inline uint64_t pair_hash(uint64_t pair)
{
    uint64_t h = pair * UINT64_C(0x9FB21C651E98DF25);
    h ^= h >> 32;
    return h * UINT64_C(0xD6E8FEB86659FD93);
}

/* The slot where the search for a hash begins: its high half scaled to the number of slots. */
static inline uint64_t pair_slot(const PairTable *t, uint64_t h) { return (h >> 32) * t->slots >> 32; }

static inline uint64_t next_slot(const PairTable *t, uint64_t slot) { return slot + 1 == t->slots ? 0 : slot + 1; }

/* How many pairs an index of that many slots takes. A small index may be emptier: it costs little,
 * and shorter probes mean fewer mispredicted branches. */
static uint64_t index_room(uint64_t slots) { return slots < SMALL_SLOTS ? slots / 2 : slots / 4 * 3; }

static void pairs_reserve(PairTable *t, uint64_t capacity)
{
    t->pairs = big_resize(t->pairs, t->capacity * sizeof *t->pairs, capacity * sizeof *t->pairs);
    t->capacity = capacity;
}

static size_t index_bytes(const PairTable *t) { return t->slots * sizeof *t->index; }

/* Gives the table an empty index. */
static void index_new(PairTable *t, uint64_t slots)
{
    t->slots = slots;
    for (t->mask = 1; t->mask < slots - 1;) t->mask = 2 * t->mask + 1;
    t->index = big_resize(NULL, 0, index_bytes(t));
}

static void pair_table_init(PairTable *t)
{
    memset(t, 0, sizeof *t);
    index_new(t, FIRST_SLOTS);
    pairs_reserve(t, index_room(FIRST_SLOTS));
    t->room = t->capacity;
}

static void pair_table_free(PairTable *t)
{
    big_free(t->pairs, t->capacity * sizeof *t->pairs);
    big_free(t->index, index_bytes(t));
}

static size_t pair_table_memory(const PairTable *t) { return t->count * sizeof *t->pairs + index_bytes(t); }

/* Enters every pair anew; they are all different, so the first free slot will do. */
static void pair_table_rebuild(PairTable *t)
{
    for (uint64_t i = 0; i < t->count; i++) {
        uint64_t h = pair_hash(t->pairs[i]), slot = pair_slot(t, h);
        if (i + PREFETCH_DISTANCE < t->count)
            PREFETCH(&t->index[pair_slot(t, pair_hash(t->pairs[i + PREFETCH_DISTANCE]))]);
        while (t->index[slot]) slot = next_slot(t, slot);
        t->index[slot] = ((uint32_t)h & ~t->mask) | (uint32_t)(i + 1);
    }
}

/* Enlarges the index by half: doubling would leave up to 11 bytes per pair. Returns how many pairs
 * it takes. Near the memory limit the old one is filled up to 7/8 first. */
static uint64_t pair_table_grow_index(PairTable *t)
{
    uint64_t slots = t->slots + t->slots / 2, crammed = t->slots / 8 * 7;
    if (t->slots == LAST_SLOTS) die("too many states for this version (2^32)");
    if (slots > LAST_SLOTS) slots = LAST_SLOTS;
    if (!memory_allows((slots - t->slots) * sizeof *t->index) && t->count < crammed) return crammed;
    big_free(t->index, index_bytes(t)); /* first, so that the two never exist together */
    index_new(t, slots);
    pair_table_rebuild(t);
    return index_room(slots);
}

/* Makes room for at least one more pair. */
static void pair_table_grow(PairTable *t)
{
    uint64_t room = index_room(t->slots);
    if (t->count >= room) room = pair_table_grow_index(t);
    if (t->count >= t->capacity) pairs_reserve(t, t->capacity + t->capacity / (t->capacity < (1u << 22) ? 1 : 8));
    t->room = room < t->capacity ? room : t->capacity;
}

/* Appends a pair that is known to be new. */
static uint64_t pair_table_add(PairTable *t, uint64_t pair, uint64_t h, uint64_t slot)
{
    if (UNLIKELY(t->count >= t->room)) {
        pair_table_grow(t);
        for (slot = pair_slot(t, h); t->index[slot];) slot = next_slot(t, slot);
    }
    t->pairs[t->count++] = pair;
    t->index[slot] = ((uint32_t)h & ~t->mask) | (uint32_t)t->count;
    return t->count - 1;
}

/* The number of `pair`; it is new if that equals the count before the call. */
static inline uint64_t pair_table_intern(PairTable *t, uint64_t pair)
{
    uint64_t h = pair_hash(pair), slot = pair_slot(t, h);
    uint32_t mask = t->mask, tag = (uint32_t)h & ~mask;
    for (;;) {
        uint32_t entry = t->index[slot];
        if (entry == 0) return pair_table_add(t, pair, h, slot);
        if ((entry & ~mask) == tag && LIKELY(t->pairs[(entry & mask) - 1] == pair)) return (entry & mask) - 1;
        t->conflicts++;
        slot = next_slot(t, slot);
    }
}

/* ---- the set ---- */

static StateSet *set_of_kind(const StoreChoice *store)
{
    StateSet *set = xcalloc(1, sizeof *set);
    set->kind = store->kind;
    if (store->seed) span_factors_draw(store->seed);
    tree_store_init(&set->trees);
    if (store->kind == STORE_HC) tree_store_hash(&set->trees, store->hash_bits);
    if (store->kind == STORE_BITSTATE) {
        tree_store_hash(&set->trees, MOST_HASH_BITS);
        bit_array_init(&set->bits, store_array_bytes(store), store->bits_per_state);
    }
    return set;
}

StateSet *state_set_new(void)
{
    StateSet *set = set_of_kind(&options.store);
    if (set->kind == STORE_PLAIN) plain_set_init(&set->vectors);
    set->is_numbered = set->kind == STORE_EXACT || set->kind == STORE_HC;
    if (set->is_numbered) pair_table_init(&set->numbered);
    return set;
}

StateSet *state_set_new_unnumbered(void)
{
    StateSet *set = xcalloc(1, sizeof *set);
    set->kind = options.store.kind;
    if (set->kind == STORE_PLAIN) die("internal error: plain states are always numbered");
    if (options.store.seed) span_factors_draw(options.store.seed);
    set->is_seen = true;
    seen_init(&set->seen, &options.store);
    return set;
}

void state_set_free(StateSet *set)
{
    if (set->is_seen) {
        seen_free(&set->seen);
        xfree(set);
        return;
    }
    tree_store_free(&set->trees);
    if (set->is_numbered)
        pair_table_free(&set->numbered);
    else if (set->kind == STORE_BITSTATE)
        bit_array_free(&set->bits);
    else if (set->kind == STORE_PLAIN)
        plain_set_free(&set->vectors);
    xfree(set);
}

uint64_t state_set_prepare(StateSet *set, TreeCursor *c, const State *old, const State *new, TreeUndo *undo)
{
    uint64_t root = tree_update(&set->trees, c, old->v, new->v, undo);
    PREFETCH(&set->numbered.index[pair_slot(&set->numbered, pair_hash(root))]);
    return root;
}

uint32_t state_set_commit(StateSet *set, uint64_t root, bool *is_new)
{
    uint64_t count = set->numbered.count, id = pair_table_intern(&set->numbered, root);
    *is_new = id == count;
    return (uint32_t)id;
}

static uint32_t update_plain(PlainSet *vectors, const State *new, bool *is_new)
{
    uint32_t count = vectors->count, id = plain_set_number(vectors, new);
    *is_new = id == count;
    return id;
}

uint32_t state_set_update(StateSet *set, TreeCursor *c, const State *old, const State *new, TreeUndo *undo,
                          bool *is_new)
{
    if (UNLIKELY(set->kind == STORE_PLAIN)) return update_plain(&set->vectors, new, is_new);
    return state_set_commit(set, state_set_prepare(set, c, old, new, undo), is_new);
}

void state_set_get(const StateSet *set, uint32_t id, State *s)
{
    TreeCursor c;
    if (set->kind == STORE_PLAIN) {
        plain_set_get(&set->vectors, id, s);
        return;
    }
    tree_find(&set->trees, set->numbered.pairs[id], &c);
    tree_write_state(&set->trees, &c, s);
}

uint32_t state_set_count(const StateSet *set)
{
    return set->kind == STORE_PLAIN ? set->vectors.count : (uint32_t)set->numbered.count;
}

/* ---- of any kind ---- */

bool state_set_has_hashes(const StateSet *set) { return set->kind == STORE_BITSTATE; }

uint64_t state_set_visit(StateSet *set, TreeCursor *c, const State *old, const State *new, TreeUndo *undo, bool *is_new)
{
    if (LIKELY(!state_set_has_hashes(set))) return state_set_update(set, c, old, new, undo, is_new);
    uint64_t hash = tree_update(&set->trees, c, old->v, new->v, undo);
    *is_new = bit_array_add(&set->bits, hash);
    return hash;
}

bool state_set_has_hash(StateSet *set, uint64_t hash)
{
    return bit_array_contains(&set->bits, bit_array_block(&set->bits, hash), hash);
}

void state_set_add_hash(StateSet *set, uint64_t hash) { bit_array_add(&set->bits, hash); }

/* ---- without numbers ---- */

Seen *state_set_seen(StateSet *set) { return &set->seen; }

/* ---- figures ---- */

uint64_t state_set_members(const StateSet *set)
{
    if (set->is_seen) return seen_count(&set->seen);
    if (set->is_numbered || set->kind == STORE_PLAIN) return state_set_count(set);
    return set->bits.count;
}

static size_t roots_memory(const StateSet *set)
{
    if (set->is_numbered) return pair_table_memory(&set->numbered);
    if (set->kind == STORE_BITSTATE) return set->bits.bytes;
    return plain_set_memory(&set->vectors);
}

size_t state_set_memory(const StateSet *set)
{
    if (set->is_seen) return seen_memory(&set->seen);
    return tree_store_memory(&set->trees) + roots_memory(set);
}

size_t state_set_index_memory(const StateSet *set)
{
    if (set->is_seen) return 0;
    size_t index = tree_store_index_memory(&set->trees);
    if (set->is_numbered) index += index_bytes(&set->numbered);
    if (set->kind == STORE_PLAIN) index += plain_set_index_memory(&set->vectors);
    return index;
}

uint64_t state_set_conflicts(const StateSet *set)
{
    if (set->is_numbered) return set->numbered.conflicts;
    return set->is_seen ? set->seen.numbers.conflicts : set->kind == STORE_PLAIN ? set->vectors.conflicts : 0;
}
