/* tree_store.h: vectors as trees whose parts are stored once for each different content.
 *
 * A vector is cut into leaves (tree_layout.h). Each different content of a leaf has a number; the
 * numbers of the leaves make two halves, which are stored and numbered in the same way; and two
 * numbers of halves make the root. Successive states differ in two or three leaves and one
 * or two halves, and parts of states recur all the time, so there are few leaves and halves and they
 * stay cached. What grows with the number of states is the number of roots, whatever the size of the
 * vector.
 *
 * The first half begins with the header, which says the shape, so no two vectors share a root,
 * not even vectors of different length.
 */
#ifndef HSFPY_TREE_STORE_H
#define HSFPY_TREE_STORE_H

#include <string.h>

#include "span_table.h"
#include "tree_layout.h"
#include "vector_diff.h"

/* The tree of one vector. */
typedef struct TreeCursor {
    const TreeLayout *layout;      /* NULL: describes no vector yet */
    uint64_t root;                 /* numbers of the two halves */
    uint64_t sum[2];               /* span_sum of each half */
    uint64_t cells[MAX_SLOTS / 2]; /* the slots, two in a cell */
} TreeCursor;

/* Undo log of changes to a cursor, so that a depth-first search can go back. */
typedef struct TreeUndo {
    uint64_t *items;
    size_t n, capacity;
} TreeUndo;

typedef struct TreeStore {
    SpanTable leaves, halves;
    TreeLayout **layouts; /* by shape, made on demand */
    uint32_t n_layouts;
    uint64_t hash_mask; /* if not 0, halves are not stored, and the root is these bits of a hash */
} TreeStore;

void tree_cursor_init(TreeCursor *c);
void tree_undo_free(TreeUndo *undo);
/* Takes back all changes logged since the log held `mark` items. */
void tree_undo_to(TreeCursor *c, TreeUndo *undo, size_t mark);

void tree_store_init(TreeStore *t);
/* Hashes of so many bits are to take the place of roots. */
void tree_store_hash(TreeStore *t, int bits);
void tree_store_free(TreeStore *t);
size_t tree_store_memory(const TreeStore *t);
size_t tree_store_index_memory(const TreeStore *t);
/* Makes the layout for a shape. */
void tree_layout_add(TreeStore *t, uint32_t shape);

/* Makes the cursor describe `v`; returns its root. */
uint64_t tree_fill(TreeStore *t, TreeCursor *c, const unsigned char *v);
/* The same, given that the cursor describes `old`: only what changed is looked up. Changes of the
 * cursor are appended to `undo` when it is not NULL. */
uint64_t tree_update(TreeStore *t, TreeCursor *c, const unsigned char *old, const unsigned char *v, TreeUndo *undo);
/* Looks up halves of the cursor, one bit each; returns its root. */
uint64_t tree_root(TreeStore *t, TreeCursor *c, unsigned halves);
/* Makes the cursor describe the vector with this root, which is no hash. */
void tree_find(const TreeStore *t, uint64_t root, TreeCursor *c);
/* Writes the vector that the cursor describes. */
void tree_write(const TreeStore *t, const TreeCursor *c, unsigned char *v);
/* Makes `s` the state that the cursor describes. */
void tree_write_state(const TreeStore *t, const TreeCursor *c, State *s);

/* The hash of a tree whose halves have these sums, never 0. Vectors that differ in one half only have
 * different hashes if the sums differ, because mix64 is a permutation. */
static inline uint64_t tree_hash(const TreeStore *t, uint64_t left, uint64_t right)
{
    uint64_t hash = mix64(left + mix64(right)) & t->hash_mask;
    return hash + (hash == 0);
}

static inline uint32_t shape_of(const unsigned char *v)
{
    Header header;
    memcpy(&header, v, sizeof header);
    return header.shape;
}

static inline const TreeLayout *tree_layout_for(TreeStore *t, const unsigned char *v)
{
    uint32_t shape = shape_of(v);
    if (UNLIKELY(shape >= t->n_layouts || !t->layouts[shape])) tree_layout_add(t, shape);
    return t->layouts[shape];
}

/* ---- slots ---- */

/* Slots are written as halves of cells, because that is how they are read. */
static inline uint64_t with_slot(uint64_t cell, uint32_t slot, uint32_t content)
{
    return slot & 1 ? (uint32_t)cell | (uint64_t)content << 32 : (cell & ~(uint64_t)UINT32_MAX) | content;
}

static inline uint32_t tree_slot(const TreeCursor *c, uint32_t slot)
{
    return (uint32_t)(c->cells[slot / 2] >> 32 * (slot & 1));
}

/* What the change of a slot adds to the sum of its half. */
static inline uint64_t slot_delta(const TreeLayout *l, uint32_t slot, uint32_t old, uint32_t content)
{
    uint32_t place = slot - l->first[half_of_slot(l, slot)];
    return ((uint64_t)content - old) * span_factor(place);
}

/* Puts something into a slot and keeps the sums right. */
static inline void tree_put(TreeCursor *c, uint32_t slot, uint32_t content)
{
    c->sum[half_of_slot(c->layout, slot)] += slot_delta(c->layout, slot, tree_slot(c, slot), content);
    c->cells[slot / 2] = with_slot(c->cells[slot / 2], slot, content);
}

/* What stands in `slot` for the vector `v`: a word of the header, or the number of a leaf. */
static inline uint32_t slot_content(TreeStore *t, const TreeLayout *l, const unsigned char *v, uint32_t slot)
{
    if (slot < HEADER_SLOTS) return (uint32_t)(words_at(v, 0) >> 32 * slot);
    const TreeLeaf *leaf = &l->leaf[slot];
    const uint64_t *words = (const uint64_t *)(const void *)(v + 8 * (size_t)leaf->from);
    return span_table_number(&t->leaves, words, leaf->n_pairs, span_finish(span_sum(words, leaf->n_pairs)));
}

/* Writes what a slot stands for into a vector. */
static inline void slot_write(const TreeStore *t, const TreeLayout *l, uint32_t slot, uint32_t content,
                              unsigned char *v)
{
    if (slot < HEADER_SLOTS) {
        uint64_t header = with_slot(words_at(v, 0), slot, content);
        memcpy(v, &header, sizeof header);
        return;
    }
    const TreeLeaf *leaf = &l->leaf[slot];
    const uint64_t *words = span_words(&t->leaves, content);
    unsigned char *to = v + 8 * (size_t)leaf->from;
    for (uint32_t i = 0; i < leaf->n_pairs; i++) memcpy(to + 8 * (size_t)i, &words[i], 8);
}

#endif
