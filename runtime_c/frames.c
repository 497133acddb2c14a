/* frames.c: what is known about locations and frames of processes; see frames.h. */
#include "frames.h"

#include <string.h>

#include "chain.h"
#include "search.h"
#include "state.h"
#include "util.h"

/* ---- what is known of locations ---- */

/* Which globals a transition and those taken with it name, as bits that different ones may share. */
static uint64_t names_of(const Transition *t)
{
    uint64_t names = 0;
    for (uint16_t more = chain_length(t);; more--, t = chain_next(t)) {
        const uint32_t *use = &model.global_uses[model.first_use[t->action]];
        for (; *use != END_OF_USES; use++) names |= UINT64_C(1) << (*use & ~BY_ELEMENT) % 64;
        if (more == 0) return names;
    }
}

/* Does what a transition does depend on nothing but what it names? Not on whether others are executable, say. */
static bool stands_alone(const Proctype *p, const Transition *t)
{
    return !p->deterministic && !t->escape && !(t->flags & (T_ELSE | T_DSTEP | T_CODE));
}

/* A transition begins a new part if it names other globals than those before it, and these others than it does. */
static void part_location(LocationParts *parts, const Proctype *p, const Location *at)
{
    uint64_t named = 0;
    *parts = (LocationParts){1, {at->count}};
    if (options.reverse_transitions) return;
    for (uint16_t i = 0; i < at->count; i++)
        if (!stands_alone(p, &model.transitions[at->first + i])) return;
    for (uint16_t i = 0; i < at->count; i++) {
        uint64_t names = names_of(&model.transitions[at->first + i]);
        if (names & ~named && named & ~names && parts->n < MOST_PARTS) {
            parts->end[parts->n - 1] = i;
            parts->end[parts->n++] = at->count;
            named = 0;
        }
        named |= names;
    }
}

void find_location_flags(Expansion *x)
{
    int n = model.n_proctypes + 1; /* with the nonprogress claim */
    x->first_location = xcalloc((size_t)n + 1, sizeof *x->first_location);
    for (int p = 0; p < n; p++) x->first_location[p + 1] = x->first_location[p] + model.proctypes[p].n_locations;
    x->n_locations = x->first_location[n] + 1u;
    x->location_flags = xcalloc(x->n_locations, 1);
    x->location_parts = xcalloc(x->n_locations, sizeof *x->location_parts);
    x->n_learnt = xcalloc(x->n_locations, sizeof *x->n_learnt);
    for (int p = 0; p < n; p++)
        for (uint32_t k = 0; k < model.proctypes[p].n_locations; k++) {
            const Location *at = &model.proctypes[p].locations[k];
            uint8_t *flags = &x->location_flags[location_number(x, p, k)];
            part_location(&x->location_parts[location_number(x, p, k)], &model.proctypes[p], at);
            for (uint32_t i = 0; i < at->count; i++) {
                const Transition *t = &model.transitions[at->first + i];
                if (t->flags & T_RECEIVE) *flags |= LOCATION_RECEIVES;
                if (t->escape) *flags |= LOCATION_ESCAPES;
            }
        }
}

static uint64_t slots_of_range(const TreeLayout *l, const GlobalRange *range)
{
    uint64_t slots = 0;
    uint32_t from = HEADER_SIZE + range->offset;
    for (uint32_t pair = from / 8; 8 * pair < from + range->size; pair++) slots |= UINT64_C(1) << l->slot_of[pair];
    return slots;
}

static uint64_t slots_named(const TreeLayout *l, const Transition *t)
{
    uint64_t slots = 0;
    const uint32_t *use = &model.global_uses[model.first_use[t->action]];
    for (; *use != END_OF_USES; use++)
        if (!(*use & BY_ELEMENT)) slots |= slots_of_range(l, &model.global_ranges[*use]);
    return slots;
}

Packed global_fields(const PackedLayout *l, const Location *at, uint16_t from, uint16_t end)
{
    uint64_t slots = 0;
    for (uint32_t i = from; i < end; i++) {
        const Transition *t = &model.transitions[at->first + i];
        slots |= slots_named(l->tree, t);
        for (uint16_t n = chain_length(t); n > 0; n--) slots |= slots_named(l->tree, t = chain_next(t));
    }
    return packing_mask(l, slots);
}

/* ---- frames ---- */

static void drop_nodes(FrameNodes *f)
{
    for (uint32_t i = 0; i < f->n; i++) xfree(f->nodes[i].others);
    xfree(f->nodes);
}

void drop_frames(Expansion *x)
{
    for (uint32_t i = 0; i < x->n_frames; i++) {
        if (!x->frames[i]) continue;
        for (uint32_t pid = 0; pid < x->packing.layouts[i]->shape->n_processes; pid++) drop_nodes(&x->frames[i][pid]);
        xfree(x->frames[i]);
        x->frames[i] = NULL;
    }
}

void add_frames(Expansion *x, uint32_t number)
{
    if (number >= x->n_frames) {
        uint32_t n = x->packing.n_layouts + x->packing.n_layouts / 2 + 4;
        x->frames = xrealloc(x->frames, n * sizeof *x->frames);
        memset(x->frames + x->n_frames, 0, (n - x->n_frames) * sizeof *x->frames);
        x->n_frames = n;
    }
    x->frames_here = x->frames[number];
    if (x->frames_here) return;
    uint32_t n = x->layout->shape->n_processes;
    x->frames[number] = x->frames_here = xcalloc(n + 1u, sizeof **x->frames);
    for (uint32_t pid = 0; pid < n; pid++) {
        const PackedSlot *first = &x->layout->slots[x->layout->frame_slots[pid]];
        x->frames_here[pid] = (FrameNodes){NULL, 0, first->field.shift, first->mask};
    }
}

static void frames_reserve(FrameNodes *f, uint32_t n)
{
    f->nodes = xrealloc(f->nodes, n * sizeof *f->nodes);
    memset(f->nodes + f->n, 0, (n - f->n) * sizeof *f->nodes);
    f->n = n;
}

/* Begins what is remembered about a part of the location of a process. */
static void begin_part(Expansion *x, int pid, const LocationParts *parts, uint32_t part, MemoNode *node)
{
    const Location *at = process_location(expansion_vector(x), pid);
    Packed first = x->frames_here[pid].mask;
    Packed others = global_fields(x->layout, at, part_begin(parts, part), parts->end[part]);
    others = packed_or(others, x->layout->process_masks[pid]);
    if (x->keeps_owner && model.has_atomic) others = packed_or(others, x->layout->slots[0].mask);
    others = (Packed){others.lo & ~first.lo, others.hi & ~first.hi};
    if (!packed_is_zero(others)) memo_set_fields(&x->memo, node, others);
}

/* Begins what is known about a process with this content of its frame's first field. */
static void begin_frame(Expansion *x, int pid, FrameNode *node)
{
    const State *s = expansion_vector(x);
    int proctype = state_process_type(s, pid);
    uint32_t location = location_number(x, proctype, state_process(s, pid)->pc);
    const LocationParts *parts = &x->location_parts[location];
    node->location = location + 1;
    if (options.reduction != REDUCE_OFF) node->stands = ample_answer(proctype, state_process(s, pid)->pc);
    begin_part(x, pid, parts, 0, &node->memo);
    if (parts->n == 1) return;
    node->others = xcalloc(parts->n - 1u, sizeof *node->others);
    for (uint32_t part = 1; part < parts->n; part++) begin_part(x, pid, parts, part, &node->others[part - 1]);
}

FrameNode *first_frame_node(Expansion *x, int pid, uint32_t content)
{
    FrameNodes *f = &x->frames_here[pid];
    if (content >= f->n) frames_reserve(f, content + content / 2 + 8);
    begin_frame(x, pid, &f->nodes[content]);
    return &f->nodes[content];
}

/* How often the memo knew what processes can do at a location. */
static uint64_t times_known(const Expansion *x, uint32_t location)
{
    uint64_t known = 0;
    for (const FrameNodes *f = x->frames_here, *end = f + x->n_known; f < end; f++)
        for (uint32_t i = 0; i < f->n; i++)
            if (f->nodes[i].location == location + 1) known += f->nodes[i].known;
    return known;
}

bool is_worth_remembering(Expansion *x, uint32_t location)
{
    enum { TRIAL = 1 << 16 };
    if (LIKELY(++x->n_learnt[location] % TRIAL)) return true;
    if (times_known(x, location) < TRIAL) x->location_flags[location] |= LOCATION_FORGETS;
    return !(x->location_flags[location] & LOCATION_FORGETS);
}
