/* tree_layout.c: how a vector is cut into leaves, and which half each belongs to.
 *
 * Leaves are what steps change and depend on: the frame of a process, a channel, eight bytes of
 * globals. A half is stored once for each different content, so parts whose values depend on
 * each other belong together: the number of combinations then stays near the number of values. A
 * process depends on its own channels and less on those of others, so each process is joined
 * with the channels it made, and global channels are dealt out to the processes in order (models
 * mostly declare arrays of channels for arrays of processes). Vectors in creation order, all
 * channels before all processes, give hundreds of times more different halves.
 */
#include "tree_layout.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

/* A run of pairs that will be a leaf. */
typedef struct Part {
    uint32_t from, to;
    uint32_t group; /* 0: globals; else the process it belongs to. Groups are kept in order */
} Part;

typedef struct Parts {
    Part *items;
    uint32_t n;
} Parts;

enum { LARGEST_LEAF = 8 };

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

/* Cuts a run of pairs into leaves of at most `largest` pairs. */
static void add_parts(Parts *p, uint32_t from, uint32_t to, uint32_t group, uint32_t largest)
{
    uint32_t n = (to - from + largest - 1) / largest;
    for (uint32_t i = 0; i < n; i++)
        p->items[p->n++] = (Part){from + (to - from) * i / n, from + (to - from) * (i + 1) / n, group};
}

/* All frames, in the order of the vector, with the group of each. The header is no part. */
static void collect_parts(Parts *p, const Shape *shape, uint32_t most_globals)
{
    uint32_t n_global = 0, c = 0, i = 0, n_pairs = shape->size / 8;
    uint32_t first = shape->n_processes ? shape->process_at[0] : shape->size;
    while (n_global < shape->n_channels && shape->channel_at[n_global] < first) n_global++;
    if (n_global && shape->channel_at[0] < first) first = shape->channel_at[0];
    p->items = xmalloc((size_t)n_pairs * sizeof *p->items);
    uint32_t n_globals = first / 8 - 1;
    add_parts(p, 1, first / 8, 0, (n_globals + most_globals - 1) / most_globals + (n_globals == 0));
    while (i < shape->n_processes || c < shape->n_channels) {
        bool is_process
            = c >= shape->n_channels || (i < shape->n_processes && shape->process_at[i] < shape->channel_at[c]);
        uint32_t at = is_process ? shape->process_at[i] : shape->channel_at[c];
        uint32_t group = is_process ? 1 + i : c < n_global ? group_of_global(shape, c, n_global) : i;
        if (is_process)
            i++;
        else
            c++;
        uint32_t end = shape->size;
        if (i < shape->n_processes) end = shape->process_at[i];
        if (c < shape->n_channels && shape->channel_at[c] < end) end = shape->channel_at[c];
        add_parts(p, at / 8, end / 8, group, LARGEST_LEAF);
    }
}

/* Joins neighbours, the smallest first, until there are not too many. */
static void join_parts(Parts *p, uint32_t most)
{
    while (p->n > most) {
        uint32_t best = 0, best_size = UINT32_MAX;
        for (uint32_t i = 0; i + 1 < p->n; i++) {
            uint32_t size = p->items[i + 1].to - p->items[i].from;
            if (p->items[i].group != p->items[i + 1].group) size += LARGEST_LEAF;
            if (size < best_size) {
                best_size = size;
                best = i;
            }
        }
        p->items[best].to = p->items[best + 1].to;
        p->n--;
        memmove(&p->items[best + 1], &p->items[best + 2], (p->n - best - 1) * sizeof *p->items);
    }
}

static int compare_parts(const void *a, const void *b)
{
    const Part *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* Globals depend on the processes that write them: they count half. */
static uint32_t part_weight(const Part *part)
{
    uint32_t n_pairs = part->to - part->from;
    return part->group == 0 ? n_pairs : 2 * n_pairs;
}

/* How many parts go to the first half: near the middle, between groups. Globals must not stand alone
 * against all processes, if there are several. */
static uint32_t divide_parts(const Parts *p)
{
    uint32_t half = 0, left = 0, best = p->n / 2, best_distance = UINT32_MAX;
    uint32_t last_group = p->n ? p->items[p->n - 1].group : 0;
    for (uint32_t i = 0; i < p->n; i++) half += part_weight(&p->items[i]);
    half /= 2;
    for (uint32_t i = 1; i < p->n; i++) {
        left += part_weight(&p->items[i - 1]);
        uint32_t distance = left > half ? left - half : half - left, group = p->items[i].group;
        bool boundary = group != p->items[i - 1].group && (group > 1 || last_group == 1);
        if (boundary && distance < best_distance) {
            best = i;
            best_distance = distance;
        }
    }
    return best;
}

static uint32_t round_to_group(uint32_t n) { return (n + SLOT_GROUP - 1) / SLOT_GROUP * SLOT_GROUP; }

static void place_parts(TreeLayout *l, const Parts *p, uint32_t cut)
{
    uint32_t slot = HEADER_SLOTS;
    l->slot_of[0] = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        if (i == cut) slot = l->first[1] = round_to_group(slot);
        const Part *part = &p->items[i];
        l->leaf[slot] = (TreeLeaf){part->from, part->to - part->from};
        l->leaves |= UINT64_C(1) << slot;
        for (uint32_t pair = part->from; pair < part->to; pair++) l->slot_of[pair] = (uint8_t)slot;
        slot++;
    }
    if (cut >= p->n) slot = l->first[1] = round_to_group(slot);
    l->n_slots = round_to_group(slot + (slot == l->first[1]));
    l->n_words[0] = l->first[1] / 2;
    l->n_words[1] = (l->n_slots - l->first[1]) / 2;
    l->of_half[0] = (UINT64_C(1) << l->first[1]) - 1;
    l->of_half[1] = ~l->of_half[0];
}

static uint64_t slots_of_bytes(const TreeLayout *l, uint32_t at, uint32_t size)
{
    uint64_t slots = 0;
    for (uint32_t pair = at / 8; pair < l->n_pairs && 8 * pair < at + size; pair++)
        slots |= UINT64_C(1) << l->slot_of[pair];
    return slots;
}

static void find_frames(TreeLayout *l, const Shape *shape)
{
    l->process_slots = xcalloc(shape->n_processes + 1u, sizeof *l->process_slots);
    l->channel_slots = xcalloc(shape->n_channels + 1u, sizeof *l->channel_slots);
    for (uint32_t i = 0; i < shape->n_processes; i++)
        l->process_slots[i]
            = slots_of_bytes(l, shape->process_at[i], model.proctypes[shape->process_type[i]].frame_size);
    for (uint32_t i = 0; i < shape->n_channels; i++)
        l->channel_slots[i]
            = slots_of_bytes(l, shape->channel_at[i], model.chan_kinds[shape->channel_kind[i]].frame_size);
}

TreeLayout *tree_layout_new(const Shape *shape, uint32_t most_leaves, uint32_t most_globals)
{
    TreeLayout *l = xcalloc(1, sizeof *l);
    Parts parts = {0};
    l->shape = shape->id;
    l->n_pairs = shape->size / 8;
    l->slot_of = xcalloc(l->n_pairs, 1);
    collect_parts(&parts, shape, most_globals);
    join_parts(&parts, most_leaves);
    qsort(parts.items, parts.n, sizeof *parts.items, compare_parts);
    place_parts(l, &parts, divide_parts(&parts));
    find_frames(l, shape);
    xfree(parts.items);
    return l;
}

void tree_layout_free(TreeLayout *layout)
{
    if (!layout) return;
    xfree(layout->slot_of);
    xfree(layout->process_slots);
    xfree(layout->channel_slots);
    xfree(layout);
}
