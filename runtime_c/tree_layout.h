/* tree_layout.h: how the pairs of words of a vector are joined into a tree. */
#ifndef HSFPY_TREE_LAYOUT_H
#define HSFPY_TREE_LAYOUT_H

#include "state.h"

/* The tree over n leaf pairs. Positions: leaves 0 .. n-1 as in the vector, then inner nodes in an
 * order that puts children before parents; the root is inner node n-2 and has no position. */
typedef struct TreeLayout {
    uint32_t n_leaves;
    uint32_t *parent; /* by position: number of the inner node above */
    uint32_t *child;  /* by inner node: positions of its two children */
} TreeLayout;

TreeLayout *tree_layout_new(const Shape *shape);
void tree_layout_free(TreeLayout *layout);

#endif
