/* state_set.h: the set of visited states.
 *
 * Exact and compressed: a vector is a binary tree of pairs of words, every pair interned, so
 * that states that differ little share most of their tree. Ids are dense from 0.
 */
#ifndef HSFPY_STATE_SET_H
#define HSFPY_STATE_SET_H

#include "model.h"

typedef struct StateSet StateSet;

StateSet *state_set_new(void);
void state_set_free(StateSet *set);

/* Interns a vector of `size` bytes (a multiple of 8, at least 16). Sets *is_new. */
uint32_t state_set_insert(StateSet *set, const unsigned char *v, uint32_t size, bool *is_new);

/* The same for a vector that differs little from the one `base` describes: only changed words
 * are looked up again. A TreeCursor remembers the inner nodes of one vector. */
typedef struct TreeCursor {
    uint32_t *nodes;  /* node id at each position of the tree for n_words words */
    uint32_t n_words; /* 0: describes no vector yet */
    uint32_t capacity;
} TreeCursor;

void tree_cursor_init(TreeCursor *c);
void tree_cursor_free(TreeCursor *c);

/* Undo log of node changes, so that a depth-first search can go back. */
typedef struct TreeUndo {
    uint32_t *items; /* pairs: position, old node; a full copy is marked as such */
    size_t n, capacity;
} TreeUndo;

/* Interns `v`, given that the cursor describes `old` (of old_size bytes; when the sizes
 * differ everything is looked up anew). Updates the cursor to describe
 * `v`; changed nodes are appended to `undo` when it is not NULL. */
uint32_t state_set_update(StateSet *set, TreeCursor *c, const unsigned char *old, uint32_t old_size,
                          const unsigned char *v, uint32_t size, TreeUndo *undo, bool *is_new);
/* Takes back all changes logged since the log held `mark` items. */
void tree_undo_to(TreeCursor *c, TreeUndo *undo, size_t mark);
/* Fills the cursor for `v` from scratch and interns it. */
uint32_t state_set_insert_at(StateSet *set, TreeCursor *c, const unsigned char *v, uint32_t size, bool *is_new);
/* Writes vector number `id` into `v` (room for `capacity` bytes); returns its size. Writes nothing
 * when there is not enough room. */
uint32_t state_set_get(const StateSet *set, uint32_t id, unsigned char *v, uint32_t capacity);
uint32_t state_set_count(const StateSet *set);

/* state_set_update in two halves, for a search that looks up many successors at once: prepare them
 * all (which starts fetching their places in the table), then commit one after the other. */
uint64_t state_set_prepare(StateSet *set, TreeCursor *c, const unsigned char *old, uint32_t old_size,
                           const unsigned char *v, uint32_t size, TreeUndo *undo);
uint32_t state_set_commit(StateSet *set, uint64_t root, bool *is_new);
/* state_set_get that also makes the cursor describe the vector; much cheaper than inserting it
 * again. For a search that returns to stored states. */
uint32_t state_set_get_at(const StateSet *set, uint32_t id, TreeCursor *c, unsigned char *v, uint32_t capacity);
/* Size in bytes of vector number `id`. */
uint32_t state_set_size(const StateSet *set, uint32_t id);
size_t state_set_memory(const StateSet *set);
/* The part of it that is hash tables. */
size_t state_set_index_memory(const StateSet *set);
uint64_t state_set_conflicts(const StateSet *set);

#endif
