/* tree_layout.c: which parts of a vector go together in the tree.
 *
 * A subtree is stored once for each different content, so parts whose values depend on each
 * other belong together: the number of combinations then stays near the number of values. A
 * process depends on its own channels and less on those of others, so each process is joined
 * with the channels it made, and global channels are dealt out to the processes in order (models
 * mostly declare arrays of channels for arrays of processes). Vectors in creation order, all
 * channels before all processes, give hundreds of times more inner nodes.
 */
#include "tree_layout.h"

#include <stdlib.h>

#include "util.h"

/* A run of leaves that belong to one frame, or to the globals. */
typedef struct Part {
    uint32_t from, to;
    uint32_t group; /* parts of a group stay together; groups are joined in order */
} Part;

typedef struct Builder {
    TreeLayout *layout;
    Part *parts;
    uint32_t n_parts;
    uint32_t n_inner;
} Builder;

static int compare_parts(const void *a, const void *b)
{
    const Part *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* Starter processes hold no channels of their own for long; they get none dealt. */
static bool takes_channels(const Shape *shape, int pid)
{
    return model.proctypes[shape->process_type[pid]].class_ != CLASS_INIT;
}

/* The group of a global channel: that of the process whose turn it is. */
static uint32_t group_of_global(const Shape *shape, uint32_t channel, uint32_t n_global)
{
    uint32_t n_takers = 0, turn, seen = 0;
    for (int pid = 0; pid < shape->n_processes; pid++) n_takers += takes_channels(shape, pid);
    if (n_takers == 0) return 1;
    turn = channel * n_takers / n_global;
    for (int pid = 0; pid < shape->n_processes; pid++)
        if (takes_channels(shape, pid) && seen++ == turn) return 1 + (uint32_t)pid;
    return 1;
}

/* Offsets of all frames, in vector order, with the group of each. */
static void collect_parts(Builder *b, const Shape *shape)
{
    uint32_t first_process = shape->n_processes ? shape->process_at[0] : shape->size;
    uint32_t n_global = 0, c = 0, p = 0;
    while (n_global < shape->n_channels && shape->channel_at[n_global] < first_process) n_global++;
    b->parts = xmalloc((size_t)(1 + shape->n_processes + shape->n_channels) * sizeof *b->parts);
    b->parts[b->n_parts++] = (Part){0, 0, 0};
    while (p < shape->n_processes || c < shape->n_channels) {
        bool is_process
            = c >= shape->n_channels || (p < shape->n_processes && shape->process_at[p] < shape->channel_at[c]);
        uint32_t at = is_process ? shape->process_at[p] : shape->channel_at[c];
        uint32_t group = is_process ? 1 + p : c < n_global ? group_of_global(shape, c, n_global) : p;
        b->parts[b->n_parts++] = (Part){at / 8, 0, group};
        if (is_process)
            p++;
        else
            c++;
    }
    for (uint32_t i = 0; i + 1 < b->n_parts; i++) b->parts[i].to = b->parts[i + 1].from;
    b->parts[b->n_parts - 1].to = shape->size / 8;
}

static uint32_t join(Builder *b, uint32_t left, uint32_t right)
{
    TreeLayout *l = b->layout;
    uint32_t node = b->n_inner++;
    l->child[2 * node] = left;
    l->child[2 * node + 1] = right;
    l->parent[left] = l->parent[right] = node;
    return l->n_leaves + node;
}

static uint32_t join_leaves(Builder *b, uint32_t from, uint32_t to)
{
    uint32_t cut = from + (to - from + 1) / 2;
    if (to - from == 1) return from;
    uint32_t left = join_leaves(b, from, cut);
    return join(b, left, join_leaves(b, cut, to));
}

/* How much a part weighs against others. Globals depend on the processes that write them, so they
 * must not stand alone against all processes: they count half. */
static uint32_t part_weight(const Part *part)
{
    uint32_t leaves = part->to - part->from;
    return part->group == 0 ? leaves : 2 * leaves;
}

static uint32_t weight(const Part *parts, uint32_t from, uint32_t to)
{
    uint32_t sum = 0;
    for (uint32_t i = from; i < to; i++) sum += part_weight(&parts[i]);
    return sum;
}

/* Where to divide the parts from .. to-1: between groups if there are several, near the middle. */
static uint32_t divide_parts(const Part *parts, uint32_t from, uint32_t to)
{
    uint32_t half = weight(parts, from, to) / 2, left = 0, best = from + 1, best_distance = UINT32_MAX;
    bool one_group = parts[from].group == parts[to - 1].group;
    for (uint32_t i = from + 1; i < to; i++) {
        left += part_weight(&parts[i - 1]);
        uint32_t distance = left > half ? left - half : half - left;
        bool boundary = one_group || parts[i].group != parts[i - 1].group;
        if (boundary && distance < best_distance) {
            best = i;
            best_distance = distance;
        }
    }
    return best;
}

static uint32_t join_parts(Builder *b, uint32_t from, uint32_t to)
{
    if (to - from == 1) return join_leaves(b, b->parts[from].from, b->parts[from].to);
    uint32_t cut = divide_parts(b->parts, from, to);
    uint32_t left = join_parts(b, from, cut);
    return join(b, left, join_parts(b, cut, to));
}

/* Parts that begin in the middle of a pair share it with the part before and may be empty. */
static void drop_empty_parts(Builder *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n_parts; i++)
        if (b->parts[i].from < b->parts[i].to) b->parts[n++] = b->parts[i];
    b->n_parts = n;
}

TreeLayout *tree_layout_new(const Shape *shape)
{
    TreeLayout *l = xcalloc(1, sizeof *l);
    Builder b = {.layout = l};
    l->n_leaves = shape->size / 8;
    l->parent = xcalloc(2 * (size_t)l->n_leaves, sizeof *l->parent);
    l->child = xcalloc(2 * (size_t)l->n_leaves, sizeof *l->child);
    collect_parts(&b, shape);
    drop_empty_parts(&b);
    qsort(b.parts, b.n_parts, sizeof *b.parts, compare_parts);
    join_parts(&b, 0, b.n_parts);
    l->parent[2 * l->n_leaves - 2] = l->n_leaves - 2; /* the root is its own parent: ends a way up */
    xfree(b.parts);
    return l;
}

void tree_layout_free(TreeLayout *layout)
{
    if (!layout) return;
    xfree(layout->parent);
    xfree(layout->child);
    xfree(layout);
}
