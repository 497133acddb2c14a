/* tree_layout.h: how a vector is cut into leaves and these are dealt out to two halves. */
#ifndef HSFPY_TREE_LAYOUT_H
#define HSFPY_TREE_LAYOUT_H

#include "state.h"

/* Slots hold what the halves consist of. The first two of the first half are the words of the header,
 * the others numbers of leaves. Each half fills a multiple of SLOT_GROUP slots; what is left
 * over holds 0. */
enum { MAX_SLOTS = 64, HEADER_SLOTS = 2, SLOT_GROUP = 4, MAX_LEAVES = 56 };

/* A run of pairs of words of the vector. */
typedef struct TreeLeaf {
    uint32_t from;
    uint32_t n_pairs; /* 0: this slot holds no leaf */
} TreeLeaf;

typedef struct TreeLayout {
    uint32_t shape;
    uint32_t n_pairs;
    uint32_t n_slots;
    uint32_t first[2];   /* slot of each half */
    uint32_t n_words[2]; /* its length in words of eight bytes, two slots each */
    uint64_t leaves;     /* which slots hold leaves, one bit each */
    uint64_t of_half[2]; /* which slots belong to it */
    TreeLeaf leaf[MAX_SLOTS];
    uint8_t *slot_of;        /* by pair of the vector */
    uint64_t *process_slots; /* by pid: where its frame lies */
    uint64_t *channel_slots; /* by channel id less 1 */
} TreeLayout;

static inline int half_of_slot(const TreeLayout *l, uint32_t slot) { return slot >= l->first[1]; }

/* With at most so many leaves, 1 to MAX_LEAVES, and at most so many of globals. */
TreeLayout *tree_layout_new(const Shape *shape, uint32_t most_leaves, uint32_t most_globals);
void tree_layout_free(TreeLayout *layout);

#endif
