/* tree_store.c: vectors as trees; see tree_store.h. */
#include "tree_store.h"

#include <string.h>

#include "state.h"
#include "util.h"

/* Leaves of several words of globals: in trees they take less memory. */
enum { GLOBAL_LEAVES = 24 };

void tree_layout_add(TreeStore *t, uint32_t shape)
{
    if (shape >= t->n_layouts) {
        uint32_t n = shape + shape / 2 + 16;
        t->layouts = xrealloc(t->layouts, n * sizeof *t->layouts);
        memset(t->layouts + t->n_layouts, 0, (n - t->n_layouts) * sizeof *t->layouts);
        t->n_layouts = n;
    }
    t->layouts[shape] = tree_layout_new(shape_by_id(shape), MAX_LEAVES, GLOBAL_LEAVES);
}

void tree_store_init(TreeStore *t)
{
    memset(t, 0, sizeof *t);
    span_table_init(&t->leaves);
    span_table_init(&t->halves);
}

/* A root is a pair of numbers, so a hash is one too. */
void tree_store_hash(TreeStore *t, int bits)
{
    int right = bits / 2, left = bits - right;
    t->hash_mask = (uint64_t)(UINT32_MAX >> (32 - right)) << 32 | UINT32_MAX >> (32 - left);
}

void tree_store_free(TreeStore *t)
{
    for (uint32_t i = 0; i < t->n_layouts; i++) tree_layout_free(t->layouts[i]);
    xfree(t->layouts);
    span_table_free(&t->leaves);
    span_table_free(&t->halves);
}

size_t tree_store_memory(const TreeStore *t) { return span_table_memory(&t->leaves) + span_table_memory(&t->halves); }

size_t tree_store_index_memory(const TreeStore *t)
{
    return span_table_index_memory(&t->leaves) + span_table_index_memory(&t->halves);
}

/* ---- the undo log ---- */

/* A change of slots is logged as the old ones, then the old sums and root, then how many there were.
 * A change of layout is logged as the whole cursor, then this. */
#define WHOLE_CURSOR UINT64_MAX

enum { CURSOR_WORDS = (sizeof(TreeCursor) + 7) / 8, LOGGED_BEHIND = 4 };

void tree_cursor_init(TreeCursor *c) { memset(c, 0, sizeof *c); }

void tree_undo_free(TreeUndo *undo)
{
    xfree(undo->items);
    memset(undo, 0, sizeof *undo);
}

static void undo_reserve(TreeUndo *undo, size_t more)
{
    if (undo->n + more <= undo->capacity) return;
    undo->capacity = 2 * undo->capacity + more;
    undo->items = xrealloc(undo->items, undo->capacity * sizeof *undo->items);
}

static void log_cursor(TreeUndo *undo, const TreeCursor *c)
{
    undo_reserve(undo, CURSOR_WORDS + 1);
    memcpy(undo->items + undo->n, c, sizeof *c);
    undo->n += CURSOR_WORDS;
    undo->items[undo->n++] = WHOLE_CURSOR;
}

static void log_slots(TreeUndo *undo, const TreeCursor *c, uint64_t slots)
{
    uint64_t n = 0;
    undo_reserve(undo, MAX_SLOTS + LOGGED_BEHIND);
    for (; slots; slots &= slots - 1, n++) {
        uint32_t slot = lowest_bit(slots);
        undo->items[undo->n++] = slot | (uint64_t)tree_slot(c, slot) << 32;
    }
    undo->items[undo->n++] = c->sum[0];
    undo->items[undo->n++] = c->sum[1];
    undo->items[undo->n++] = c->root;
    undo->items[undo->n++] = n;
}

static void undo_slots(TreeCursor *c, TreeUndo *undo, uint64_t n)
{
    const uint64_t *end = undo->items + undo->n - LOGGED_BEHIND;
    for (uint64_t i = 1; i <= n; i++) {
        uint32_t slot = (uint32_t)end[-(ptrdiff_t)i];
        c->cells[slot / 2] = with_slot(c->cells[slot / 2], slot, (uint32_t)(end[-(ptrdiff_t)i] >> 32));
    }
    memcpy(c->sum, end, sizeof c->sum);
    c->root = end[2];
    undo->n -= n + LOGGED_BEHIND;
}

void tree_undo_to(TreeCursor *c, TreeUndo *undo, size_t mark)
{
    while (undo->n > mark) {
        uint64_t n = undo->items[undo->n - 1];
        if (LIKELY(n != WHOLE_CURSOR)) {
            undo_slots(c, undo, n);
        } else {
            undo->n -= CURSOR_WORDS + 1;
            memcpy(c, undo->items + undo->n, sizeof *c);
        }
    }
}

/* ---- looking up ---- */

static uint32_t half_number(TreeStore *t, const TreeCursor *c, int half)
{
    const uint64_t *words = &c->cells[c->layout->first[half] / 2];
    return span_table_number(&t->halves, words, c->layout->n_words[half], span_finish(c->sum[half]));
}

uint64_t tree_root(TreeStore *t, TreeCursor *c, unsigned halves)
{
    if (t->hash_mask) return c->root = tree_hash(t, c->sum[0], c->sum[1]);
    uint32_t left = halves & 1 ? half_number(t, c, 0) : (uint32_t)c->root;
    uint32_t right = halves & 2 ? half_number(t, c, 1) : (uint32_t)(c->root >> 32);
    return c->root = left | (uint64_t)right << 32;
}

static unsigned halves_of(const TreeLayout *l, uint64_t slots)
{
    return (slots & l->of_half[0] ? 1u : 0) | (slots & l->of_half[1] ? 2u : 0);
}

uint64_t tree_fill(TreeStore *t, TreeCursor *c, const unsigned char *v)
{
    tree_cursor_init(c);
    c->layout = tree_layout_for(t, v);
    for (uint32_t slot = 0; slot < HEADER_SLOTS; slot++) tree_put(c, slot, slot_content(t, c->layout, v, slot));
    for (uint64_t slots = c->layout->leaves; slots; slots &= slots - 1)
        tree_put(c, lowest_bit(slots), slot_content(t, c->layout, v, lowest_bit(slots)));
    return tree_root(t, c, 3);
}

/* The slots in which two vectors of one layout differ. */
static inline uint64_t changed_slots(const TreeLayout *l, const unsigned char *old, const unsigned char *v)
{
    uint64_t slots = 0;
    for (uint32_t from = 0; from < l->n_pairs; from += 64)
        for (uint64_t changed = changed_pairs(old, v, from, l->n_pairs); changed; changed &= changed - 1)
            slots |= UINT64_C(1) << l->slot_of[from + lowest_bit(changed)];
    return slots & 1 ? slots | 2 : slots; /* both words of the header */
}

uint64_t tree_update(TreeStore *t, TreeCursor *c, const unsigned char *old, const unsigned char *v, TreeUndo *undo)
{
    if (UNLIKELY(!c->layout || c->layout->shape != shape_of(v))) {
        if (undo) log_cursor(undo, c);
        return tree_fill(t, c, v);
    }
    uint64_t changed = changed_slots(c->layout, old, v);
    if (undo) log_slots(undo, c, changed);
    for (uint64_t slots = changed; slots; slots &= slots - 1)
        tree_put(c, lowest_bit(slots), slot_content(t, c->layout, v, lowest_bit(slots)));
    return tree_root(t, c, halves_of(c->layout, changed));
}

/* ---- reading ---- */

/* The shape of the vector with this root. */
static uint32_t tree_shape(const TreeStore *t, uint64_t root)
{
    return shape_of((const unsigned char *)span_words(&t->halves, (uint32_t)root));
}

void tree_find(const TreeStore *t, uint64_t root, TreeCursor *c)
{
    const TreeLayout *l = t->layouts[tree_shape(t, root)];
    c->layout = l;
    c->root = root;
    for (int half = 0; half < 2; half++) {
        uint64_t *cells = &c->cells[l->first[half] / 2];
        memcpy(cells, span_words(&t->halves, (uint32_t)(root >> 32 * half)), l->n_words[half] * sizeof *cells);
        c->sum[half] = span_sum(cells, l->n_words[half]);
    }
}

void tree_write(const TreeStore *t, const TreeCursor *c, unsigned char *v)
{
    memcpy(v, c->cells, HEADER_SIZE);
    for (uint64_t slots = c->layout->leaves; slots; slots &= slots - 1) {
        uint32_t slot = lowest_bit(slots);
        slot_write(t, c->layout, slot, tree_slot(c, slot), v);
    }
}

void tree_write_state(const TreeStore *t, const TreeCursor *c, State *s)
{
    s->shape = shape_by_id(c->layout->shape);
    state_reserve(s, s->shape->size);
    s->size = s->shape->size;
    tree_write(t, c, s->v);
}
