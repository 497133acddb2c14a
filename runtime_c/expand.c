/* expand.c: all steps of a state at once; see expand.h. */
#include "expand.h"

#include <string.h>

#include "chain.h"
#include "run_steps.h"
#include "search.h"
#include "state.h"
#include "util.h"

/* ---- what is known of locations ---- */

enum LocationUseFlags { LOCATION_RECEIVES = 1, LOCATION_ESCAPES = 2, LOCATION_FORGETS = 4 };

static inline uint32_t location_number(const Expansion *x, int proctype, uint32_t pc)
{
    return x->first_location[proctype] + pc;
}

static void find_location_flags(Expansion *x)
{
    int n = model.n_proctypes + 1; /* with the nonprogress claim */
    x->first_location = xcalloc((size_t)n + 1, sizeof *x->first_location);
    for (int p = 0; p < n; p++) x->first_location[p + 1] = x->first_location[p] + model.proctypes[p].n_locations;
    x->n_locations = x->first_location[n] + 1u;
    x->location_flags = xcalloc(x->n_locations, 1);
    x->memo_use = xcalloc(x->n_locations, sizeof *x->memo_use);
    x->stands = xcalloc(x->n_locations, 1);
    for (int p = 0; p < n; p++)
        for (uint32_t k = 0; k < model.proctypes[p].n_locations; k++) {
            const Location *at = &model.proctypes[p].locations[k];
            uint8_t *flags = &x->location_flags[location_number(x, p, k)];
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
    const uint16_t *use = &model.global_uses[model.first_use[t->action]];
    for (; *use != END_OF_USES; use++) slots |= slots_of_range(l, &model.global_ranges[*use]);
    return slots;
}

/* The fields of the globals that statements at a location name, and those taken with them. */
static Packed global_fields(const PackedLayout *l, const Location *at)
{
    uint64_t slots = 0;
    for (uint32_t i = 0; i < at->count; i++) {
        const Transition *t = &model.transitions[at->first + i];
        slots |= slots_named(l->tree, t);
        for (uint16_t n = chain_length(t); n > 0; n--) slots |= slots_named(l->tree, t = chain_next(t));
    }
    return packing_mask(l, slots);
}

/* Where circumstances hardly ever recur, remembering is a waste. */
static bool is_worth_remembering(Expansion *x, uint32_t location)
{
    enum { TRIAL = 1 << 15 };
    MemoUse *use = &x->memo_use[location];
    if (LIKELY(use->asked < TRIAL)) return true;
    if (use->known < TRIAL / 2) x->location_flags[location] |= LOCATION_FORGETS;
    use->asked = use->known = 0;
    return !(x->location_flags[location] & LOCATION_FORGETS);
}

/* ---- frames ---- */

static void drop_frames(Expansion *x)
{
    for (uint32_t i = 0; i < x->n_frames; i++) {
        if (!x->frames[i]) continue;
        for (uint32_t pid = 0; pid < x->packing.layouts[i]->shape->n_processes; pid++) {
            xfree(x->frames[i][pid].nodes);
            xfree(x->frames[i][pid].locations);
        }
        xfree(x->frames[i]);
        x->frames[i] = NULL;
    }
}

/* Makes room for what is known about the frames of a layout. */
static void add_frames(Expansion *x, uint32_t number)
{
    if (number >= x->n_frames) {
        uint32_t n = x->packing.n_layouts + x->packing.n_layouts / 2 + 4;
        x->frames = xrealloc(x->frames, n * sizeof *x->frames);
        memset(x->frames + x->n_frames, 0, (n - x->n_frames) * sizeof *x->frames);
        x->n_frames = n;
    }
    if (!x->frames[number])
        x->frames[number] = xcalloc(x->packing.layouts[number]->shape->n_processes + 1u, sizeof **x->frames);
}

/* The first slot of a process's frame: its location is there. */
static inline PackedSlot *frame_slot(const Expansion *x, int pid)
{
    return &x->layout->slots[x->layout->frame_slots[pid]];
}

static void frames_reserve(FrameNodes *f, uint32_t n)
{
    f->nodes = xrealloc(f->nodes, n * sizeof *f->nodes);
    f->locations = xrealloc(f->locations, n * sizeof *f->locations);
    memset(f->nodes + f->n, 0, (n - f->n) * sizeof *f->nodes);
    memset(f->locations + f->n, 0, (n - f->n) * sizeof *f->locations);
    f->n = n;
}

/* Begins what is known about a process with this content of its frame's first field. */
static void begin_frame(Expansion *x, int pid, uint32_t content, FrameNodes *f)
{
    const State *s = expansion_vector(x);
    uint32_t location = location_number(x, state_process_type(s, pid), state_process(s, pid)->pc);
    Packed first = frame_slot(x, pid)->mask, frame = x->layout->process_masks[pid];
    Packed others = packed_or(global_fields(x->layout, process_location(s, pid)), frame);
    if (x->keeps_owner && model.has_atomic) others = packed_or(others, x->layout->slots[0].mask);
    others = (Packed){others.lo & ~first.lo, others.hi & ~first.hi};
    f->locations[content] = location + 1;
    if (options.reduction != REDUCE_OFF)
        x->stands[location] = (uint8_t)ample_answer(state_process_type(s, pid), state_process(s, pid)->pc);
    if (!packed_is_zero(others)) memo_set_fields(&x->memo, &f->nodes[content], others);
}

/* What is known about a process with the frame it has; *location says where it stands. */
static inline MemoNode *frame_node(Expansion *x, int pid, uint32_t *location)
{
    FrameNodes *f = &x->frames[x->layout->number][pid];
    uint32_t content = field_get(frame_slot(x, pid)->field, x->at.number);
    if (UNLIKELY(content >= f->n)) frames_reserve(f, content + content / 2 + 8);
    if (UNLIKELY(f->locations[content] == 0)) begin_frame(x, pid, content, f);
    *location = f->locations[content] - 1;
    return &f->nodes[content];
}

/* ---- the expansion ---- */

void expansion_init(Expansion *x, Seen *seen)
{
    memset(x, 0, sizeof *x);
    x->seen = seen;
    x->remembers = seen && !model.uses_priority && !model.has_provided && !model.uses_last;
    x->known = xcalloc(MAX_PROCESSES + 1, sizeof *x->known);
    packing_init(&x->packing);
    if (seen) x->now = &x->vector;
    memo_init(&x->memo);
    find_location_flags(x);
}

void expansion_free(Expansion *x)
{
    drop_frames(x);
    xfree(x->frames);
    memo_free(&x->memo);
    packing_free(&x->packing);
    items_free(&x->scratch);
    for (int pid = 0; pid <= MAX_PROCESSES; pid++) xfree(x->known[pid].own);
    xfree(x->known);
    xfree(x->items);
    xfree(x->list);
    xfree(x->first_location);
    xfree(x->location_flags);
    xfree(x->memo_use);
    xfree(x->stands);
    state_free(&x->vector);
    state_free(&x->work);
    state_free(&x->middle);
    memset(x, 0, sizeof *x);
}

PackedState expansion_pack(Expansion *x, const State *s)
{
    PackedState state = {packing_pack(&x->packing, s), 0};
    if (LIKELY(!x->packing.overflows)) state.sum = packing_sum(&x->packing, state.number);
    return state;
}

bool expansion_is_full(const Expansion *x) { return memo_is_full(&x->memo, stats.stored); }

void expansion_forget(Expansion *x)
{
    memo_clear(&x->memo);
    drop_frames(x);
    for (int pid = 0; pid < x->n_known; pid++) x->known[pid].is_known = false;
    x->has_asked = false;
}

State *expansion_vector(Expansion *x)
{
    if (!x->seen) return x->now;
    Packed differ = packed_xor(x->at.number, x->vector_number);
    const PackedLayout *l = packing_layout(&x->packing, x->at.number);
    if (UNLIKELY(!x->has_vector || l->shape != x->vector.shape)) {
        packing_unpack(&x->packing, x->at.number, &x->vector);
    } else if (!packed_is_zero(differ)) {
        for (uint64_t left = l->used; left; left &= left - 1) {
            uint32_t slot = lowest_bit(left);
            if (packed_meet(l->slots[slot].mask, differ)) packing_write_slot(l, slot, x->at.number, x->vector.v);
        }
    }
    x->vector_number = x->at.number;
    x->has_vector = true;
    return &x->vector;
}

/* ---- other numbers ---- */

static void learn_state(void *packing, PackedState *state) { packing_learn(packing, state->number); }

static void learn_member(void *packing, Packed state) { packing_learn(packing, state); }

static Packed convert_member(void *packing, Packed state) { return packing_convert(packing, state); }

static void convert_state(void *packing, PackedState *state)
{
    state->number = packing_convert(packing, state->number);
}

void expansion_repack(Expansion *x, void (*each_state)(PackedVisit visit, void *context))
{
    Packing *p = &x->packing;
    bool is_exact = x->seen->kind == STORE_EXACT, overflows = p->overflows;
    uint32_t tail_size = x->seen->numbers.tail_size;
    if (overflows) seen_note_overflow(x->seen);
    while (packing_widen(p, seen_fitting_bits(x->seen, p))) {
        each_state(learn_state, p);
        if (is_exact) packed_set_each(&x->seen->numbers, learn_member, p);
    }
    if (is_exact) packed_set_convert(&x->seen->numbers, convert_member, p, p->lo_bits, p->hi_bits);
    if (!overflows) x->seen->stays_wide = x->seen->numbers.tail_size >= tail_size;
    each_state(convert_state, p);
    packing_settle(p);
    expansion_forget(x);
    x->has_vector = false;
}

/* ---- steps of a process ---- */

/* Puts the list into the memo, if it depends on no more than it should, or else aside. */
static void end_list(Expansion *x, MemoEnd *end, KnownSteps *found)
{
    ItemList list = {x->list, x->n_listed};
    found->is_known = true;
    found->lasts = end && !touched.others && memo_keep(&x->memo, end, touched_fields(x), x->at.number, &list);
    found->fields = found->lasts ? end->known : (Packed){0, 0};
    found->list = found->lasts ? list : set_list_aside(x);
}

/* Asks a process by running its guards and effects. */
static void run_process(Expansion *x, int pid, uint32_t location, MemoEnd *end, KnownSteps *found)
{
    bool splits = x->remembers && !(x->location_flags[location] & LOCATION_ESCAPES);
    const State *s = expansion_vector(x);
    memset(&touched, 0, sizeof touched);
    list_steps(x, pid, step_location(s, pid), splits);
    end_list(x, end, found);
}

/* The same where remembering is a waste: the list is good until something changes that it depends on. */
static void run_and_forget(Expansion *x, int pid, uint32_t location, const MemoNode *first, KnownSteps *found)
{
    run_process(x, pid, location, NULL, found);
    if (touched.others) return;
    if (found->list.n > found->own_capacity) {
        found->own_capacity = 2 * found->list.n;
        found->own = xrealloc(found->own, found->own_capacity * sizeof *found->own);
    }
    if (found->list.n) memcpy(found->own, found->list.first, found->list.n * sizeof *found->own);
    found->list.first = found->own;
    found->fields = packed_or(frame_slot(x, pid)->mask, touched_fields(x));
    if (first->kind == NODE_FIELDS) found->fields = packed_or(found->fields, x->memo.fields[first->u.number]);
    found->lasts = true;
}

/* The memo does not know what a process can do. */
static void learn_steps(Expansion *x, int pid, uint32_t location, MemoNode *first, KnownSteps *found)
{
    MemoEnd end = memo_end(&x->memo, first, frame_slot(x, pid)->mask, x->at.number);
    run_process(x, pid, location, is_worth_remembering(x, location) ? &end : NULL, found);
}

/* What a process can do, from the memo if that knows. */
static void find_steps(Expansion *x, int pid, KnownSteps *found)
{
    uint32_t location;
    MemoNode *first = frame_node(x, pid, &location);
    if (UNLIKELY(x->location_flags[location] & LOCATION_FORGETS)) {
        run_and_forget(x, pid, location, first, found);
        return;
    }
    Packed known = frame_slot(x, pid)->mask;
    const MemoNode *node = memo_walk(&x->memo, first, x->at.number, &known);
    MemoUse *use = &x->memo_use[location];
    use->asked++;
    if (UNLIKELY(node->kind != NODE_LIST)) {
        learn_steps(x, pid, location, first, found);
        return;
    }
    use->known++;
    found->list.first = node->u.first;
    found->list.n = node->n;
    found->fields.lo = known.lo;
    found->fields.hi = known.hi;
    found->is_known = found->lasts = true;
}

static bool remembers_now(const Expansion *x) { return x->remembers && !step_context.timeout; }

static void forget_all(Expansion *x)
{
    int n = x->layout->shape->n_processes;
    if (n > x->n_known) x->n_known = n;
    for (int pid = 0; pid < x->n_known; pid++) x->known[pid].is_known = false;
}

/* Comes to the state: forgets what depends on fields that have changed. */
static inline void come_to_state(Expansion *x)
{
    Packed differ = packed_xor(x->at.number, x->asked);
    if (x->has_asked && packed_is_zero(differ)) return; /* the same state */
    items_reset(&x->scratch);
    if (UNLIKELY(!x->has_asked || (differ.lo & ((UINT64_C(1) << x->packing.layout_bits) - 1)))) {
        x->layout = packing_layout(&x->packing, x->at.number);
        add_frames(x, x->layout->number);
        forget_all(x);
    }
    for (int pid = 0; pid < x->n_known; pid++) {
        KnownSteps *known = &x->known[pid];
        known->is_known &= known->lasts & !packed_meet(known->fields, differ);
    }
    x->asked = x->at.number;
    x->has_asked = true;
}

/* What a process can do. */
static inline const KnownSteps *known_steps(Expansion *x, int pid)
{
    KnownSteps *known = &x->known[pid];
    if (!known->is_known) find_steps(x, pid, known);
    return known;
}

int expansion_ample(Expansion *x, int after)
{
    if (!remembers_now(x)) return ample_process(expansion_vector(x), after);
    come_to_state(x);
    for (int pid = (after < 0 ? x->layout->shape->n_processes : after) - 1; pid >= 0; pid--) {
        uint32_t location;
        frame_node(x, pid, &location);
        AmpleAnswer stands = x->stands[location];
        if (stands == STANDS_NOT || known_steps(x, pid)->list.n == 0) continue;
        if (stands == STANDS || ample_can_stand(expansion_vector(x), pid)) return pid;
    }
    return -1;
}

/* ---- successors ---- */

static inline Successor *next_successor(Expansion *x, const Item *item)
{
    if (UNLIKELY(x->n == x->capacity)) {
        x->capacity = 2 * x->capacity + 16;
        x->items = xrealloc(x->items, x->capacity * sizeof *x->items);
    }
    Successor *next = &x->items[x->n++];
    next->item = item;
    next->stored = false;
    return next;
}

static inline bool is_to_be_stored(const Expansion *x, const Item *item)
{
    return x->stores && (x->keeps_owner || !(item->flags & ITEM_ATOMIC));
}

/* Words are copied one by one: what was written in halves cannot be read as a whole at once. */
static inline void note_step_to(Expansion *x, const Item *item)
{
    Successor *next = next_successor(x, item);
    Packed number = packed_xor(x->at.number, item->change);
    next->to.number.lo = number.lo;
    next->to.number.hi = number.hi;
    next->to.sum = x->at.sum + item->sum;
    if (!is_to_be_stored(x, item)) return;
    next->stored = true;
    seen_locate(x->seen, number, next->to.sum, &next->place);
}

/* What is no step to a state of the same shape. */
static void note_other(Expansion *x, const Item *item)
{
    Successor *next = next_successor(x, item);
    if (item->kind != ITEM_STEP) return;
    x->any = true;
    if (!x->seen) return;
    next->to = execute_item(x, item);
    if (!is_to_be_stored(x, item)) return;
    next->stored = true;
    seen_locate(x->seen, next->to.number, next->to.sum, &next->place);
}

static inline void note_successor(Expansion *x, const Item *item)
{
    if (UNLIKELY(item->kind != ITEM_STEP || item->flags & ITEM_EXECUTE)) {
        note_other(x, item);
        return;
    }
    x->any = true;
    note_step_to(x, item);
}

/* ---- rendezvous in two halves ---- */

/* What it depends on, as far as that is known, how a process replies to an offer. */
static Packed reply_fields(Expansion *x, const Item *offer, int pid)
{
    const PackedLayout *l = x->layout;
    Packed fields = packed_or(l->process_masks[pid], l->channel_masks[item_name(offer)->reply - 1]);
    return packed_or(fields, global_fields(l, process_location(expansion_vector(x), pid)));
}

/* The rendezvous of an offer with process `pid`. */
static ItemList find_replies(Expansion *x, const Item *offer, int pid, uint32_t location)
{
    enum { OFFERS = 1u << 31 }; /* no number of a node */
    if (UNLIKELY(x->packing.overflows)) return (ItemList){NULL, 0};
    MemoEnd end = {0};
    KnownSteps found;
    if (offer->offer) {
        Packed content = {(uint64_t)pid, location}, known = {0, 0};
        MemoNode *first = memo_root(&x->memo, OFFERS | offer->offer, content);
        if (!first) first = memo_add_root(&x->memo, OFFERS | offer->offer, content, reply_fields(x, offer, pid));
        const MemoNode *node = memo_walk(&x->memo, first, x->at.number, &known);
        if (LIKELY(node->kind == NODE_LIST)) return (ItemList){node->u.first, node->n};
        end = memo_end(&x->memo, first, (Packed){0, 0}, x->at.number);
    }
    memset(&touched, 0, sizeof touched);
    list_replies(x, offer, pid);
    end_list(x, offer->offer ? &end : NULL, &found);
    return found.list;
}

/* A step with the fault that was raised before. */
static const Item *with_fault(Expansion *x, const Item *item, Fault pending)
{
    Item *copy = items_take(&x->scratch, 1);
    StepName name = *item_name(item);
    *copy = *item;
    name.fault = fault_number(&pending);
    copy->name = step_name(&name);
    copy->flags = (uint8_t)((copy->flags & ~ITEM_KEPT) | ITEM_FAULTY);
    return copy;
}

/* The fault of a receiver's guard, when no step takes it along. */
static const Item *lone_fault(Expansion *x, const Item *offer, Fault pending)
{
    Item *item = items_take(&x->scratch, 1);
    StepName name = *item_name(offer);
    name.reply = NO_REPLY;
    name.fault = fault_number(&pending);
    *item = (Item){.name = step_name(&name), .kind = ITEM_FAULT, .flags = ITEM_FAULTY};
    return item;
}

/* Looks for receivers of an offer. A fault of a receiver's guard is told with the next step. */
static void expand_offer(Expansion *x, const Item *offer)
{
    const StepName *name = item_name(offer);
    const Transition *send = &model.transitions[name->transition];
    int sender = name->pid;
    bool was_tried = name->reply == NO_CHANNEL; /* names move */
    Fault pending = {0};
    if (x->cuts_offers) {
        x->n_cut++;
        return;
    }
    x->offered = true;
    if (offer->flags & ITEM_FAULTY || !model.proctypes[send->proctype].reached[send->own]) note_successor(x, offer);
    if (was_tried) return;
    int n = x->layout->shape->n_processes, stride = options.reverse_processes ? 1 : -1;
    for (int pid = stride > 0 ? 0 : n - 1; pid >= 0 && pid < n; pid += stride) {
        uint32_t location;
        if (pid == sender) continue;
        frame_node(x, pid, &location);
        if (!(x->location_flags[location] & LOCATION_RECEIVES)) continue;
        ItemList list = find_replies(x, offer, pid, location);
        for (const Item *item = list.first; item < list.first + list.n; item++) {
            if (item->kind == ITEM_STEP) {
                note_successor(x, pending.text ? with_fault(x, item, pending) : item);
                pending = (Fault){0};
            } else if (!pending.text) {
                pending = item_fault(item);
            }
        }
    }
    if (pending.text) note_successor(x, lone_fault(x, offer, pending));
}

/* ---- all processes ---- */

static inline void use_list(Expansion *x, ItemList list)
{
    for (const Item *item = list.first, *end = item + list.n; item < end; item++) {
        if (UNLIKELY(item->kind == ITEM_OFFER))
            expand_offer(x, item);
        else
            note_successor(x, item);
    }
}

/* Asks a process or the claim by running it, whatever is known. */
static void run_only(Expansion *x, int pid)
{
    const State *s = expansion_vector(x);
    int proctype = pid == CLAIM_PID ? options.claim_type : state_process_type(s, pid);
    uint32_t pc = pid == CLAIM_PID ? state_header(s)->claim : state_process(s, pid)->pc;
    KnownSteps found;
    run_process(x, pid, location_number(x, proctype, pc), NULL, &found);
    use_list(x, found.list);
}

static inline void expand_process(Expansion *x, int pid, bool remembers)
{
    if (LIKELY(remembers))
        use_list(x, known_steps(x, pid)->list);
    else
        run_only(x, pid);
}

static void expand_all(Expansion *x)
{
    int n = x->seen ? x->layout->shape->n_processes : state_n_processes(x->now);
    bool remembers = remembers_now(x);
    if (LIKELY(!options.reverse_processes))
        for (int pid = n - 1; pid >= 0; pid--) expand_process(x, pid, remembers);
    else
        for (int pid = 0; pid < n; pid++) expand_process(x, pid, remembers);
}

bool expand(Expansion *x)
{
    x->n = x->n_cut = 0;
    x->any = x->offered = false;
    if (x->seen)
        come_to_state(x);
    else
        items_reset(&x->scratch);
    if (x->only != ALL_PROCESSES)
        expand_process(x, x->only, x->only != CLAIM_PID && remembers_now(x));
    else
        expand_all(x);
    return LIKELY(!x->packing.overflows);
}

/* ---- taking a step ---- */

void expand_mark(const State *s, const Step *step)
{
    step_mark(s, step->pid, step->transition);
    if (step->reply) step_mark(s, step->reply_pid, step->reply);
    chain_mark(step_last(step));
}

void expand_take(State *s, const Step *step)
{
    step_move(s, step->pid, step->transition);
    if (step->reply) step_move(s, step->reply_pid, step->reply);
    chain_take(s, step->reply ? step->reply_pid : step->pid, step_last(step));
    step_context.offer = 0;
    fault = (Fault){0}; /* it was noted when the step was found */
}
