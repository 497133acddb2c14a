/* state_set.c: the set of visited states, exact and compressed.
 *
 * A vector is read as pairs of 32-bit words. Each pair is interned in the table of leaves; its
 * number stands for it in a pair of the next level, which is interned in the table of inner nodes,
 * and so on up a balanced binary tree. The topmost pairs have a table of their own: their numbers
 * are the state ids, dense from 0. Successive states differ in two or three words, so an update
 * looks up about as many leaves and the nodes above them; and since subtrees recur all the time,
 * the tables below the roots stay small and cached. What grows is the root table: 8 bytes for the
 * pair and 5 to 8 for its index entry, whatever the size of the vector.
 *
 * A table is an append-only array of pairs with an open-addressing index of 32-bit entries. The
 * low bits of an entry are the pair's number plus one, as many as the numbers need; the
 * high bits are a tag from the hash, so that a probe seldom reads a pair that does not match.
 * A lookup of a new pair costs one cache miss, of a known pair two.
 *
 * A node id is its number in its table times two, plus one for inner nodes: an id alone determines
 * the words below it. So no two vectors share a root, not even vectors of different length.
 */
#include "state_set.h"

#include <assert.h>
#include <string.h>

#include "state.h"
#include "tree_layout.h"
#include "util.h"

enum { FIRST_SLOTS = 1 << 10, SMALL_SLOTS = 1 << 20, PREFETCH_DISTANCE = 16 };
#define LAST_SLOTS (UINT64_C(1) << 32)

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
    PairTable leaves, inner, roots;
    TreeLayout **layouts; /* by shape, made on demand */
    uint32_t n_layouts;
    uint32_t max_leaves;
    uint64_t *dirty;    /* one bit per inner node, all clear between calls */
    TreeCursor scratch; /* holds the tree of a vector that has no cursor */
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

/* ---- tree layouts ---- */

static void cursor_reserve(TreeCursor *c, uint32_t n_nodes)
{
    if (c->capacity >= n_nodes) return;
    c->capacity = n_nodes + n_nodes / 2;
    c->nodes = xrealloc(c->nodes, c->capacity * sizeof *c->nodes);
}

/* Makes the layout for a shape, and room for vectors of its size. */
static void layout_add(StateSet *set, uint32_t shape)
{
    if (shape >= set->n_layouts) {
        uint32_t n = shape + shape / 2 + 16;
        set->layouts = xrealloc(set->layouts, n * sizeof *set->layouts);
        memset(set->layouts + set->n_layouts, 0, (n - set->n_layouts) * sizeof *set->layouts);
        set->n_layouts = n;
    }
    TreeLayout *l = set->layouts[shape] = tree_layout_new(shape_by_id(shape));
    if (l->n_leaves > set->max_leaves) {
        set->max_leaves = l->n_leaves;
        xfree(set->dirty);
        set->dirty = xcalloc(l->n_leaves / 64 + 1, sizeof *set->dirty);
    }
    cursor_reserve(&set->scratch, 2 * l->n_leaves);
}

static inline uint32_t shape_of(const unsigned char *v)
{
    Header header;
    memcpy(&header, v, sizeof header);
    return header.shape;
}

static inline const TreeLayout *layout_for(StateSet *set, const unsigned char *v)
{
    uint32_t shape = shape_of(v);
    if (UNLIKELY(shape >= set->n_layouts || !set->layouts[shape])) layout_add(set, shape);
    return set->layouts[shape];
}

/* ---- cursors and the undo log ---- */

void tree_cursor_init(TreeCursor *c) { memset(c, 0, sizeof *c); }

void tree_cursor_free(TreeCursor *c)
{
    xfree(c->nodes);
    tree_cursor_init(c);
}

/* Nodes a cursor holds: all of the tree but the root. */
static uint32_t cursor_n_nodes(uint32_t n_words) { return n_words ? n_words - 2 : 0; }

/* A full copy is logged as its nodes, then this mark with the number of words. */
#define FULL_COPY UINT32_MAX

static void undo_reserve(TreeUndo *undo, size_t more)
{
    if (undo->n + more <= undo->capacity) return;
    undo->capacity = 2 * undo->capacity + more;
    undo->items = xrealloc(undo->items, undo->capacity * sizeof *undo->items);
}

static void undo_log_all(TreeUndo *undo, const TreeCursor *c)
{
    uint32_t n = cursor_n_nodes(c->n_words);
    undo_reserve(undo, n + 2);
    if (n) memcpy(undo->items + undo->n, c->nodes, n * sizeof *c->nodes);
    undo->n += n;
    undo->items[undo->n++] = FULL_COPY;
    undo->items[undo->n++] = c->n_words;
}

static void undo_full_copy(TreeCursor *c, TreeUndo *undo)
{
    uint32_t n_words = undo->items[undo->n + 1], n = cursor_n_nodes(n_words);
    undo->n -= n;
    c->n_words = n_words;
    if (n) memcpy(c->nodes, undo->items + undo->n, n * sizeof *c->nodes);
}

void tree_undo_to(TreeCursor *c, TreeUndo *undo, size_t mark)
{
    while (undo->n > mark) {
        undo->n -= 2;
        if (UNLIKELY(undo->items[undo->n] == FULL_COPY))
            undo_full_copy(c, undo);
        else
            c->nodes[undo->items[undo->n]] = undo->items[undo->n + 1];
    }
}

/* ---- the set ---- */

StateSet *state_set_new(void)
{
    StateSet *set = xcalloc(1, sizeof *set);
    pair_table_init(&set->leaves);
    pair_table_init(&set->inner);
    pair_table_init(&set->roots);
    return set;
}

void state_set_free(StateSet *set)
{
    for (uint32_t i = 0; i < set->n_layouts; i++) tree_layout_free(set->layouts[i]);
    xfree(set->layouts);
    xfree(set->dirty);
    tree_cursor_free(&set->scratch);
    pair_table_free(&set->leaves);
    pair_table_free(&set->inner);
    pair_table_free(&set->roots);
    xfree(set);
}

static inline uint64_t words_at(const unsigned char *v, uint32_t leaf)
{
    uint64_t pair;
    memcpy(&pair, v + 8 * (size_t)leaf, sizeof pair);
    return pair;
}

static uint32_t node_id(uint64_t number, uint32_t is_inner)
{
    if (UNLIKELY(number >> 31)) die("too many different parts of states for this version (2^31)");
    return (uint32_t)number << 1 | is_inner;
}

static inline uint32_t leaf_id(StateSet *set, const unsigned char *v, uint32_t leaf)
{
    return node_id(pair_table_intern(&set->leaves, words_at(v, leaf)), 0);
}

/* The pair below inner node `node`, the root included. */
static inline uint64_t children(const TreeLayout *l, const uint32_t *nodes, uint32_t node)
{
    return nodes[l->child[2 * node]] | (uint64_t)nodes[l->child[2 * node + 1]] << 32;
}

static uint64_t root_of(const TreeLayout *l, const uint32_t *nodes) { return children(l, nodes, l->n_leaves - 2); }

/* Looks up all of `v`; returns its root. */
static uint64_t tree_fill(StateSet *set, TreeCursor *c, const unsigned char *v, uint32_t size)
{
    const TreeLayout *l = layout_for(set, v);
    cursor_reserve(c, 2 * l->n_leaves);
    c->n_words = size / 4;
    for (uint32_t i = 0; i < l->n_leaves; i++) c->nodes[i] = leaf_id(set, v, i);
    for (uint32_t i = 0; i + 2 < l->n_leaves; i++)
        c->nodes[l->n_leaves + i] = node_id(pair_table_intern(&set->inner, children(l, c->nodes, i)), 1);
    return root_of(l, c->nodes);
}

/* Replaces the node at `position`, logging the old one. */
static inline void cursor_set(TreeCursor *c, TreeUndo *undo, uint32_t position, uint32_t node)
{
    if (undo) {
        undo->items[undo->n] = position;
        undo->items[undo->n + 1] = c->nodes[position];
        undo->n += 2;
    }
    c->nodes[position] = node;
}

/* In which of the leaves from .. from+63 (at most up to `to`) do the vectors differ? One bit each.
 * Most agree, so four are compared at a time. */
static inline uint64_t changed_leaves(const unsigned char *old, const unsigned char *v, uint32_t from, uint32_t to)
{
    uint64_t changed = 0;
    uint32_t n = to - from < 64 ? to - from : 64, i = 0;
    old += 8 * (size_t)from;
    v += 8 * (size_t)from;
    for (; i + 4 <= n; i += 4) {
        uint64_t d0 = words_at(old, i) ^ words_at(v, i), d1 = words_at(old, i + 1) ^ words_at(v, i + 1);
        uint64_t d2 = words_at(old, i + 2) ^ words_at(v, i + 2);
        uint64_t d3 = words_at(old, i + 3) ^ words_at(v, i + 3);
        if (d0 | d1 | d2 | d3) changed |= (uint64_t)((d0 != 0) | (d1 != 0) << 1 | (d2 != 0) << 2 | (d3 != 0) << 3) << i;
    }
    for (; i < n; i++) changed |= (uint64_t)(words_at(old, i) != words_at(v, i)) << i;
    return changed;
}

/* Marks the inner nodes above a leaf; those above a marked node are marked already. */
static inline void mark_above(StateSet *set, const TreeLayout *l, uint32_t leaf)
{
    uint32_t up = l->parent[leaf];
    while (!(set->dirty[up / 64] >> up % 64 & 1)) {
        set->dirty[up / 64] |= UINT64_C(1) << up % 64;
        up = l->parent[l->n_leaves + up];
    }
}

/* Looks up changed leaves again and marks the nodes above them. */
static inline void leaves_refresh(StateSet *set, const TreeLayout *l, TreeCursor *c, const unsigned char *old,
                                  const unsigned char *v, TreeUndo *undo)
{
    for (uint32_t from = 0; from < l->n_leaves; from += 64)
        for (uint64_t changed = changed_leaves(old, v, from, l->n_leaves); changed; changed &= changed - 1) {
            uint32_t leaf = from + lowest_bit(changed);
            cursor_set(c, undo, leaf, leaf_id(set, v, leaf));
            mark_above(set, l, leaf);
        }
}

/* Looks up the marked inner nodes again, children first, except the root. */
static inline void inner_refresh(StateSet *set, const TreeLayout *l, TreeCursor *c, TreeUndo *undo)
{
    uint32_t root = l->n_leaves - 2;
    for (uint32_t block = 0; block <= root / 64; block++) {
        uint64_t dirty = set->dirty[block];
        set->dirty[block] = 0;
        if (block == root / 64) dirty &= ~(UINT64_C(1) << root % 64);
        for (; dirty; dirty &= dirty - 1) {
            uint32_t node = 64 * block + lowest_bit(dirty);
            cursor_set(c, undo, l->n_leaves + node,
                       node_id(pair_table_intern(&set->inner, children(l, c->nodes, node)), 1));
        }
    }
}

uint64_t state_set_prepare(StateSet *set, TreeCursor *c, const unsigned char *old, uint32_t old_size,
                           const unsigned char *v, uint32_t size, TreeUndo *undo)
{
    uint64_t root;
    if (UNLIKELY(old_size != size || c->n_words * 4 != size || shape_of(old) != shape_of(v))) {
        if (undo) undo_log_all(undo, c);
        root = tree_fill(set, c, v, size);
    } else {
        const TreeLayout *l = layout_for(set, v);
        if (undo) undo_reserve(undo, 4 * (size_t)l->n_leaves);
        leaves_refresh(set, l, c, old, v, undo);
        inner_refresh(set, l, c, undo);
        root = root_of(l, c->nodes);
    }
    PREFETCH(&set->roots.index[pair_slot(&set->roots, pair_hash(root))]);
    return root;
}

uint32_t state_set_commit(StateSet *set, uint64_t root, bool *is_new)
{
    uint64_t count = set->roots.count, id = pair_table_intern(&set->roots, root);
    *is_new = id == count;
    return (uint32_t)id;
}

uint32_t state_set_update(StateSet *set, TreeCursor *c, const unsigned char *old, uint32_t old_size,
                          const unsigned char *v, uint32_t size, TreeUndo *undo, bool *is_new)
{
    return state_set_commit(set, state_set_prepare(set, c, old, old_size, v, size, undo), is_new);
}

uint32_t state_set_insert_at(StateSet *set, TreeCursor *c, const unsigned char *v, uint32_t size, bool *is_new)
{
    return state_set_commit(set, tree_fill(set, c, v, size), is_new);
}

uint32_t state_set_insert(StateSet *set, const unsigned char *v, uint32_t size, bool *is_new)
{
    return state_set_insert_at(set, &set->scratch, v, size, is_new);
}

/* The shape of state `id`: in the first word of its vector. */
static uint32_t stored_shape(const StateSet *set, uint32_t id)
{
    uint32_t node = (uint32_t)set->roots.pairs[id];
    Header header;
    while (node & 1) node = (uint32_t)set->inner.pairs[node >> 1];
    memcpy(&header, &set->leaves.pairs[node >> 1], sizeof header);
    return header.shape;
}

/* Goes down from the root of state `id`, noting every node; the layout must exist. */
static void tree_walk(const StateSet *set, const TreeLayout *l, uint32_t id, uint32_t *nodes)
{
    uint64_t pair = set->roots.pairs[id];
    for (uint32_t i = l->n_leaves - 1; i-- > 0;) {
        if (i + 2 < l->n_leaves) pair = set->inner.pairs[nodes[l->n_leaves + i] >> 1];
        nodes[l->child[2 * i]] = (uint32_t)pair;
        nodes[l->child[2 * i + 1]] = (uint32_t)(pair >> 32);
    }
}

static void write_words(const StateSet *set, const TreeLayout *l, const uint32_t *nodes, unsigned char *v)
{
    for (uint32_t i = 0; i < l->n_leaves; i++) memcpy(v + 8 * (size_t)i, &set->leaves.pairs[nodes[i] >> 1], 8);
}

uint32_t state_set_get(const StateSet *set, uint32_t id, unsigned char *v, uint32_t capacity)
{
    uint32_t shape = stored_shape(set, id), size = shape_by_id(shape)->size;
    const TreeLayout *l = set->layouts[shape];
    if (size > capacity) return size;
    tree_walk(set, l, id, set->scratch.nodes);
    write_words(set, l, set->scratch.nodes, v);
    return size;
}

uint32_t state_set_get_at(const StateSet *set, uint32_t id, TreeCursor *c, unsigned char *v, uint32_t capacity)
{
    uint32_t shape = stored_shape(set, id), size = shape_by_id(shape)->size;
    const TreeLayout *l = set->layouts[shape];
    if (size > capacity) return size;
    cursor_reserve(c, 2 * l->n_leaves);
    c->n_words = size / 4;
    tree_walk(set, l, id, c->nodes);
    write_words(set, l, c->nodes, v);
    return size;
}

uint32_t state_set_size(const StateSet *set, uint32_t id) { return shape_by_id(stored_shape(set, id))->size; }

uint32_t state_set_count(const StateSet *set) { return (uint32_t)set->roots.count; }

size_t state_set_memory(const StateSet *set)
{
    return pair_table_memory(&set->leaves) + pair_table_memory(&set->inner) + pair_table_memory(&set->roots);
}

size_t state_set_index_memory(const StateSet *set)
{
    return index_bytes(&set->leaves) + index_bytes(&set->inner) + index_bytes(&set->roots);
}

uint64_t state_set_conflicts(const StateSet *set) { return set->roots.conflicts; }
