/* expand.c: all steps of a state at once; see expand.h. */
#include "expand.h"

#include <string.h>

#include "chain.h"
#include "frames.h"
#include "run_steps.h"
#include "search.h"
#include "state.h"
#include "util.h"

/* ---- the expansion ---- */

static bool has_narrow_set(const Expansion *x)
{
    return x->seen && x->seen->kind == STORE_EXACT && x->packing.hi_bits == 0;
}

void expansion_init(Expansion *x, Seen *seen)
{
    memset(x, 0, sizeof *x);
    x->seen = seen;
    x->found = &x->own;
    x->remembers = seen && !model.uses_priority && !model.has_provided && !model.uses_last;
    x->known = xcalloc(MAX_PROCESSES + 1, sizeof *x->known);
    x->fields = xcalloc(1, sizeof *x->fields);
    x->more = xcalloc(MAX_PROCESSES + 1, sizeof *x->more);
    packing_init(&x->packing);
    x->is_narrow = has_narrow_set(x);
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
    xfree(x->fields);
    successors_free(&x->own);
    xfree(x->list);
    xfree(x->first_location);
    xfree(x->location_flags);
    xfree(x->location_parts);
    xfree(x->more);
    xfree(x->n_learnt);
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

bool expansion_is_full(Expansion *x)
{
    x->memo.has_grown = false;
    return memo_is_full(&x->memo, stats.stored);
}

void expansion_forget(Expansion *x)
{
    memo_clear(&x->memo);
    drop_frames(x);
    memset(x->n_learnt, 0, x->n_locations * sizeof *x->n_learnt);
    x->has_asked = false; /* so nothing is known when the next state comes */
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
    x->is_narrow = has_narrow_set(x);
    expansion_forget(x);
    x->has_vector = false;
}

/* ---- steps of a process ---- */

#define ALL_FIELDS ((Packed){UINT64_MAX, UINT64_MAX})

/* Puts the list into the memo, if it depends on no more than it should, or else aside. Returns what it depends on. */
static Packed end_list(Expansion *x, MemoEnd *end, ItemList *list)
{
    *list = (ItemList){x->list, x->n_listed, items_flags(x->list, x->n_listed)};
    if (end && !touched.others && memo_keep(&x->memo, end, touched_fields(x), x->at.number, list)) return end->known;
    *list = set_list_aside(x);
    return ALL_FIELDS;
}

/* Asks a process by running its guards and effects. */
static Packed run_process(Expansion *x, int pid, uint32_t location, uint32_t part, MemoEnd *end, ItemList *list)
{
    bool splits = x->remembers && !(x->location_flags[location] & LOCATION_ESCAPES);
    const LocationParts *parts = &x->location_parts[location];
    const State *s = expansion_vector(x);
    memset(&touched, 0, sizeof touched);
    list_steps(x, pid, step_location(s, pid), part_begin(parts, part), parts->end[part], splits);
    return end_list(x, end, list);
}

/* The same where remembering is a waste: the list is good until something changes that it depends on. */
static Packed run_and_forget(Expansion *x, int pid, const FrameNode *first, KnownSteps *found)
{
    Packed fields = run_process(x, pid, first->location - 1, 0, NULL, &found->list);
    if (touched.others) return fields;
    if (found->list.n > found->own_capacity) {
        found->own_capacity = 2 * found->list.n;
        found->own = xrealloc(found->own, found->own_capacity * sizeof *found->own);
    }
    if (found->list.n) {
        memcpy(found->own, found->list.first, found->list.n * sizeof *found->own);
        found->list.first = found->own;
    }
    fields = packed_or(x->frames_here[pid].mask, touched_fields(x));
    return first->memo.kind == NODE_FIELDS ? packed_or(fields, memo_fields(&x->memo, first->memo.u.number)) : fields;
}

/* The memo does not know what a process can do in a part of its location. */
static Packed learn_part(Expansion *x, int pid, uint32_t location, uint32_t part, MemoNode *first, bool keeps,
                         ItemList *list)
{
    MemoEnd end = memo_end(&x->memo, first, x->frames_here[pid].mask, x->at.number);
    return run_process(x, pid, location, part, keeps ? &end : NULL, list);
}

/* The same for the first part, which is mostly all of it. */
static Packed learn_steps(Expansion *x, int pid, FrameNode *first, KnownSteps *found)
{
    uint32_t location = first->location - 1;
    if (x->location_flags[location] & LOCATION_FORGETS) return run_and_forget(x, pid, first, found);
    bool keeps = first->others || is_worth_remembering(x, location);
    return learn_part(x, pid, location, 0, &first->memo, keeps, &found->list);
}

/* What a process can do in the other parts of its location. Returns what that depends on. */
static Packed find_more_steps(Expansion *x, int pid, const FrameNode *first, KnownSteps *found)
{
    uint32_t location = first->location - 1;
    Packed fields = {0, 0};
    found->n_more = x->location_parts[location].n - 1u;
    for (uint32_t i = 0; i < found->n_more; i++) {
        ItemList *list = &x->more[pid][i];
        Packed known = x->frames_here[pid].mask;
        const MemoNode *node = memo_walk(&x->memo, &first->others[i], x->at.number, &known);
        if (LIKELY(node->kind == NODE_LIST))
            *list = (ItemList){node->u.first, node->n, node->flags};
        else
            known = learn_part(x, pid, location, i + 1, &first->others[i], true, list);
        fields = packed_or(fields, known);
    }
    return fields;
}

/* What a process can do, from the memo if that knows. */
static inline void find_steps(Expansion *x, int pid, KnownSteps *found)
{
    FrameNode *first = frame_node(x, pid);
    Packed known = x->frames_here[pid].mask;
    const MemoNode *node = memo_walk(&x->memo, &first->memo, x->at.number, &known);
    found->n_more = 0;
    if (UNLIKELY(node->kind != NODE_LIST)) {
        known = learn_steps(x, pid, first, found);
    } else {
        first->known++;
        found->list.first = node->u.first;
        found->list.n = node->n;
        found->list.flags = node->flags;
    }
    if (UNLIKELY(first->others != NULL)) known = packed_or(known, find_more_steps(x, pid, first, found));
    x->fields->lo[pid] = known.lo;
    x->fields->hi[pid] = known.hi;
}

static bool remembers_now(const Expansion *x) { return x->remembers && !step_context.timeout; }

/* The state has another layout than the one before, or there was none. */
static void come_to_layout(Expansion *x)
{
    x->layout = packing_layout(&x->packing, x->at.number);
    x->n_known = x->layout->shape->n_processes;
    add_frames(x, x->layout->number);
    memset(&x->unknown, 0xff, sizeof x->unknown);
    memset(&x->unjudged, 0xff, sizeof x->unjudged);
}

/* Which of four words have bits in common with `bits`? One bit each. */
static ALWAYS_INLINE uint64_t meet_four(const uint64_t *words, uint64_t bits)
{
#if defined(__SSE2__)
    const __m128i *from = (const __m128i *)(const void *)words;
    __m128i wanted = _mm_set1_epi64x((long long)bits);
    __m128 a = _mm_castsi128_ps(_mm_and_si128(_mm_loadu_si128(from), wanted));
    __m128 b = _mm_castsi128_ps(_mm_and_si128(_mm_loadu_si128(from + 1), wanted));
    __m128 halves
        = _mm_or_ps(_mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)), _mm_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1)));
    __m128i none = _mm_cmpeq_epi32(_mm_castps_si128(halves), _mm_setzero_si128());
    return 15 ^ (unsigned)_mm_movemask_ps(_mm_castsi128_ps(none));
#else
    uint64_t found = 0;
    for (int i = 4; i-- > 0;) found = found << 1 | ((words[i] & bits) != 0);
    return found;
#endif
}

/* Processes that depend on fields that differ are not known any more. Nobody asks about others than there are. */
static inline void forget_changed(Expansion *x, Packed differ)
{
    for (uint32_t pid = 0, n = (uint32_t)x->n_known; pid < n; pid += 4) {
        uint64_t four = meet_four(x->fields->lo + pid, differ.lo);
        if (UNLIKELY(differ.hi)) four |= meet_four(x->fields->hi + pid, differ.hi);
        x->unknown.words[pid / 64] |= four << pid % 64;
        x->unjudged.words[pid / 64] |= four << pid % 64;
    }
}

/* Comes to the state: forgets what depends on fields that have changed. */
static ALWAYS_INLINE void come_to_state(Expansion *x)
{
    Packed differ = packed_xor(packed_copy(&x->at.number), packed_copy(&x->asked));
    if (x->has_asked && packed_is_zero(differ)) return; /* the same state */
    items_reset(&x->scratch);
    if (UNLIKELY(!x->has_asked || (differ.lo & ((UINT64_C(1) << x->packing.layout_bits) - 1)))) {
        come_to_layout(x);
    } else {
        forget_changed(x, differ);
    }
    x->asked = packed_copy(&x->at.number);
    x->has_asked = true;
}

/* The processes from number 64 * word on, as far as they are below `end`. */
static inline uint64_t pids_below(int word, int end)
{
    return UNLIKELY(end - 64 * word >= 64) ? UINT64_MAX : (UINT64_C(1) << (end - 64 * word)) - 1;
}

static inline bool pid_set_has(const PidSet *s, int pid) { return s->words[(unsigned)pid / 64] >> pid % 64u & 1; }

static inline void pid_set_put(PidSet *s, int pid, bool is_in)
{
    uint64_t *word = &s->words[(unsigned)pid / 64];
    *word = (*word & ~(UINT64_C(1) << pid % 64u)) | (uint64_t)is_in << pid % 64u;
}

static inline bool is_unknown(const Expansion *x, int pid) { return pid_set_has(&x->unknown, pid); }

/* What a process can do. */
static const KnownSteps *known_steps(Expansion *x, int pid)
{
    if (is_unknown(x, pid)) {
        find_steps(x, pid, &x->known[pid]);
        pid_set_put(&x->unknown, pid, false);
    }
    return &x->known[pid];
}

/* Finds out what all processes can do. */
static inline void know_all(Expansion *x)
{
    int word = 0;
    do {
        for (uint64_t left = x->unknown.words[word] & pids_below(word, x->n_known); left; left &= left - 1) {
            int pid = 64 * word + (int)lowest_bit(left);
            find_steps(x, pid, &x->known[pid]);
        }
        x->unknown.words[word] = 0;
    } while (UNLIKELY(64 * ++word < x->n_known));
}

static bool has_steps(const Expansion *x, int pid, const KnownSteps *known)
{
    uint32_t n = known->list.n;
    for (uint32_t i = 0; i < known->n_more; i++) n += x->more[pid][i].n;
    return n > 0;
}

/* ---- who can stand for all ---- */

/* Do channels let a process stand for all? What that depends on is added to what its steps depend on. */
static bool stands_by_channels(Expansion *x, int pid)
{
    memset(&touched, 0, sizeof touched);
    bool stands = ample_can_stand(expansion_vector(x), pid);
    Packed fields = touched.others ? ALL_FIELDS : touched_fields(x);
    x->fields->lo[pid] |= fields.lo;
    x->fields->hi[pid] |= fields.hi;
    return stands;
}

/* Finds out whether a process can stand for all, until something changes that this depends on. */
static void judge(Expansion *x, int pid)
{
    AmpleAnswer answer = frame_node(x, pid)->stands;
    bool stands = answer != STANDS_NOT && has_steps(x, pid, known_steps(x, pid));
    if (answer == STANDS_BY_CHANNELS && stands) stands = stands_by_channels(x, pid);
    if (is_unknown(x, pid)) { /* nobody has asked for its steps: only its place counts */
        x->fields->lo[pid] = x->frames_here[pid].mask.lo;
        x->fields->hi[pid] = x->frames_here[pid].mask.hi;
    }
    pid_set_put(&x->standing, pid, stands);
    pid_set_put(&x->doubtful, pid, stands && answer == STANDS_BY_OTHERS);
    pid_set_put(&x->unjudged, pid, false);
}

int expansion_ample(Expansion *x, int after)
{
    if (UNLIKELY(!remembers_now(x))) return ample_process(expansion_vector(x), after);
    come_to_state(x);
    int end = after < 0 ? x->n_known : after;
    for (int word = (end - 1) / 64; word >= 0 && end > 0; word--) {
        uint64_t below = pids_below(word, end);
        for (uint64_t left = x->unjudged.words[word] & below; left; left &= left - 1)
            judge(x, 64 * word + (int)lowest_bit(left));
        for (uint64_t left = x->standing.words[word] & below; left;) {
            uint32_t last = highest_bit(left);
            int pid = 64 * word + (int)last;
            if (LIKELY(!pid_set_has(&x->doubtful, pid)) || ample_can_stand(expansion_vector(x), pid)) return pid;
            left ^= UINT64_C(1) << last;
        }
    }
    return -1;
}

/* ---- successors ---- */

void successors_free(Successors *s)
{
    xfree(s->items);
    xfree(s->executed);
    memset(s, 0, sizeof *s);
}

static void grow_successors(Successors *found, uint32_t more)
{
    found->capacity = 2 * (found->n + more) + 16;
    found->items = xrealloc(found->items, found->capacity * sizeof *found->items);
    found->executed = xrealloc(found->executed, found->capacity * sizeof *found->executed);
}

/* Notes items with these flags together; where they lead is found when all are noted. */
static inline void note_items(Successors *found, const Item *first, uint32_t n, uint32_t flags)
{
    if (UNLIKELY(found->n + n + 1 >= found->capacity)) grow_successors(found, n + 2);
    Successor *next = found->items + found->n;
    next[0].item = first; /* whether there are so many or not: most lists have one item or two */
    next[1].item = first + 1;
    for (uint32_t i = 2; i < n; i++) next[i].item = first + i;
    found->n += n;
    found->flags |= flags;
}

static void note_item(Expansion *x, const Item *item) { note_items(x->found, item, 1, item->flags); }

static inline bool is_to_be_stored(const Expansion *x, uint32_t item_flags)
{
    return x->stores && (x->keeps_owner || !(item_flags & ITEM_ATOMIC));
}

/* Finds the places where steps lead that are nothing but exclusive ors, for an exact set. `inside`: some lead into
 * atomic sequences, and what is there is not stored. */
static ALWAYS_INLINE void locate_numbers(Expansion *x, bool is_wide, bool inside)
{
    PackedSet set = x->seen->numbers; /* of which the compiler keeps in registers what it needs */
    Packed from = packed_copy(&x->at.number), to = {0, 0};
    if (!is_wide) set.hi_bits = 0;
    for (Successor *next = x->found->items, *end = next + x->found->n; next < end; next++) {
        to.lo = from.lo ^ next->item->change.lo;
        if (is_wide) to.hi = from.hi ^ next->item->change.hi;
        packed_set_locate(&set, to, &next->place);
        if (inside && next->item->flags & ITEM_ATOMIC) next->place.bucket = NULL;
    }
}

/* The same for sets that lose states. */
static ALWAYS_INLINE void locate_sums(Expansion *x, bool is_bits, bool inside)
{
    uint64_t from = x->at.sum;
    const Seen seen = *x->seen;
    for (Successor *next = x->found->items, *end = next + x->found->n; next < end; next++) {
        seen_locate_sum(&seen, is_bits, from + next->item->sum, &next->place);
        if (inside && next->item->flags & ITEM_ATOMIC) next->place.bucket = NULL;
    }
}

/* The same if some are something else. */
static void locate_others(Expansion *x)
{
    Successors *found = x->found;
    for (uint32_t i = 0; i < found->n; i++) {
        const Item *item = found->items[i].item;
        found->items[i].place.bucket = NULL;
        if (item->kind != ITEM_STEP) continue;
        found->any = true;
        if (!x->seen) continue;
        if (item->flags & ITEM_EXECUTE) found->executed[i] = execute_item(x, item);
        if (!is_to_be_stored(x, item->flags)) continue;
        PackedState to = successor_state(found, i);
        seen_locate(x->seen, to.number, to.sum, &found->items[i].place);
    }
}

/* The same, whatever they are. */
static void locate_any(Expansion *x)
{
    uint32_t flags = x->found->flags;
    if (UNLIKELY(flags & (ITEM_EXECUTE | ITEM_OTHER) || !x->seen || !x->stores)) {
        locate_others(x);
        return;
    }
    bool inside = !is_to_be_stored(x, flags);
    x->found->any = x->found->n > 0;
    if (x->seen->kind == STORE_BITSTATE)
        inside ? locate_sums(x, true, true) : locate_sums(x, true, false);
    else if (x->seen->kind != STORE_EXACT)
        locate_sums(x, false, inside);
    else
        x->is_narrow ? locate_numbers(x, false, inside) : locate_numbers(x, true, inside);
}

/* Finds the places where steps lead. */
static ALWAYS_INLINE void locate_successors(Expansion *x)
{
    bool is_plain = !(x->found->flags & (ITEM_EXECUTE | ITEM_OTHER | ITEM_ATOMIC));
    if (LIKELY(is_plain & x->is_narrow & x->stores)) {
        x->found->any = x->found->n > 0;
        locate_numbers(x, false, false);
    } else {
        locate_any(x);
    }
}

/* ---- rendezvous in two halves ---- */

/* What it depends on, as far as that is known, how a process replies to an offer. */
static Packed reply_fields(Expansion *x, const Item *offer, int pid)
{
    const PackedLayout *l = x->layout;
    Packed fields = packed_or(l->process_masks[pid], l->channel_masks[item_name(offer)->reply - 1]);
    const Location *at = process_location(expansion_vector(x), pid);
    return packed_or(fields, global_fields(l, at, 0, at->count));
}

/* The rendezvous of an offer with process `pid`. */
static ItemList find_replies(Expansion *x, const Item *offer, int pid, uint32_t location)
{
    enum { OFFERS = 1u << 31 }; /* no number of a node */
    if (UNLIKELY(x->packing.overflows)) return (ItemList){NULL, 0, 0};
    MemoEnd end = {0};
    ItemList list;
    if (offer->u.offer) {
        Packed content = {(uint64_t)pid, location}, known = {0, 0};
        MemoNode *first = memo_root(&x->memo, OFFERS | offer->u.offer, content);
        if (!first) first = memo_add_root(&x->memo, OFFERS | offer->u.offer, content, reply_fields(x, offer, pid));
        const MemoNode *node = memo_walk(&x->memo, first, x->at.number, &known);
        if (LIKELY(node->kind == NODE_LIST)) return (ItemList){node->u.first, node->n, node->flags};
        end = memo_end(&x->memo, first, (Packed){0, 0}, x->at.number);
    }
    memset(&touched, 0, sizeof touched);
    list_replies(x, offer, pid);
    end_list(x, offer->u.offer ? &end : NULL, &list);
    return list;
}

/* A step with the fault that was raised before. */
static const Item *with_fault(Expansion *x, const Item *item, Fault pending)
{
    Item *copy = items_take(&x->scratch, 1);
    StepName name = *item_name(item);
    *copy = *item;
    name.fault = fault_number(&pending);
    copy->name = step_name(&name);
    copy->flags = (uint8_t)(copy->flags | ITEM_LOOSE | ITEM_FAULTY | ITEM_UNREACHED);
    return copy;
}

/* The fault of a receiver's guard, when no step takes it along. */
static const Item *lone_fault(Expansion *x, const Item *offer, Fault pending)
{
    Item *item = items_take(&x->scratch, 1);
    StepName name = *item_name(offer);
    name.reply = NO_REPLY;
    name.fault = fault_number(&pending);
    *item = (Item){.name = step_name(&name), .kind = ITEM_FAULT, .flags = ITEM_LOOSE | ITEM_FAULTY | ITEM_OTHER};
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
        x->found->n_cut++;
        return;
    }
    x->found->offered = true;
    if (offer->flags & ITEM_FAULTY || !model.proctypes[send->proctype].reached[send->own]) note_item(x, offer);
    if (was_tried) return;
    int n = x->layout->shape->n_processes, stride = options.reverse_processes ? 1 : -1;
    for (int pid = stride > 0 ? 0 : n - 1; pid >= 0 && pid < n; pid += stride) {
        if (pid == sender) continue;
        uint32_t location = frame_location(x, pid);
        if (!(x->location_flags[location] & LOCATION_RECEIVES)) continue;
        ItemList list = find_replies(x, offer, pid, location);
        for (const Item *item = list.first; item < list.first + list.n; item++) {
            if (item->kind == ITEM_STEP) {
                note_item(x, pending.text ? with_fault(x, item, pending) : item);
                pending = (Fault){0};
            } else if (!pending.text) {
                pending = item_fault(item);
            }
        }
    }
    if (pending.text) note_item(x, lone_fault(x, offer, pending));
}

/* ---- all processes ---- */

/* A list with offers or faults. */
static void use_mixed_list(Expansion *x, ItemList list)
{
    for (const Item *item = list.first, *end = item + list.n; item < end; item++) {
        if (item->kind == ITEM_OFFER)
            expand_offer(x, item);
        else
            note_item(x, item);
    }
}

static inline void use_list(Expansion *x, const ItemList *list)
{
    if (UNLIKELY(list->flags & ITEM_OTHER))
        use_mixed_list(x, *list);
    else
        note_items(x->found, list->first, list->n, list->flags);
}

/* All lists of a process. */
static inline void use_known(Expansion *x, int pid, const KnownSteps *known)
{
    use_list(x, &known->list);
    for (uint32_t i = 0; i < known->n_more; i++) use_list(x, &x->more[pid][i]);
}

/* Asks a process or the claim by running it, whatever is known. */
static void run_only(Expansion *x, int pid)
{
    const State *s = expansion_vector(x);
    int proctype = pid == CLAIM_PID ? options.claim_type : state_process_type(s, pid);
    uint32_t pc = pid == CLAIM_PID ? state_header(s)->claim : state_process(s, pid)->pc;
    uint32_t location = location_number(x, proctype, pc);
    for (uint32_t part = 0; part < x->location_parts[location].n; part++) {
        ItemList list;
        run_process(x, pid, location, part, NULL, &list);
        use_list(x, &list);
    }
}

static void expand_process(Expansion *x, int pid, bool remembers)
{
    if (LIKELY(remembers))
        use_known(x, pid, known_steps(x, pid));
    else
        run_only(x, pid);
}

/* Notes what all processes can do, from the last one to the first. Flags tell whether that was right: it is not if a
 * list is mixed. */
static inline void note_all(Expansion *x)
{
    Successors *found = x->found;
    uint32_t n = 0, flags = 0, spare = 2 * (uint32_t)x->n_known + 2;
    if (UNLIKELY(found->capacity < spare)) grow_successors(found, spare);
    for (const KnownSteps *known = x->known + x->n_known; known-- > x->known;) {
        const Item *first = known->list.first;
        Successor *next = found->items + n;
        flags |= known->list.flags;
        next[0].item = first; /* whether there are so many or not: most lists have one item or two */
        next[1].item = first + 1;
        if (UNLIKELY(known->list.n > 2 || known->n_more)) {
            found->n = n;
            found->flags = flags;
            note_items(found, first, known->list.n, 0);
            for (uint32_t i = 0; i < known->n_more; i++) {
                const ItemList *list = &x->more[known - x->known][i];
                note_items(found, list->first, list->n, list->flags);
            }
            flags = found->flags;
            n = found->n;
            if (UNLIKELY(n + spare > found->capacity)) grow_successors(found, spare);
        } else {
            n += known->list.n;
        }
    }
    found->n = n;
    found->flags = flags;
}

/* All processes, from the last to the first. */
static inline void expand_all(Expansion *x)
{
    if (LIKELY(x->seen && remembers_now(x))) {
        know_all(x);
        note_all(x);
        if (LIKELY(!(x->found->flags & ITEM_OTHER))) return;
        x->found->n = x->found->flags = 0;
        for (int pid = x->n_known - 1; pid >= 0; pid--) use_known(x, pid, &x->known[pid]);
    } else {
        int n = x->seen ? x->n_known : state_n_processes(x->now);
        for (int pid = n - 1; pid >= 0; pid--) expand_process(x, pid, false);
    }
}

static void expand_all_reversed(Expansion *x)
{
    int n = x->seen ? x->n_known : state_n_processes(x->now);
    for (int pid = 0; pid < n; pid++) expand_process(x, pid, remembers_now(x));
}

static inline void begin_successors(Expansion *x)
{
    x->found->n = x->found->n_cut = x->found->flags = 0;
    x->found->any = x->found->offered = false;
    x->found->from = packed_state_copy(&x->at);
}

bool expand_ample(Expansion *x, int pid)
{
    bool remembers = remembers_now(x);
    begin_successors(x);
    if (UNLIKELY(!remembers)) come_to_state(x); /* else that was done when the process was chosen */
    expand_process(x, pid, remembers);
    if (LIKELY(!x->packing.overflows)) locate_successors(x);
    return LIKELY(!x->packing.overflows);
}

bool expand(Expansion *x)
{
    begin_successors(x);
    if (x->seen)
        come_to_state(x);
    else
        items_reset(&x->scratch);
    if (x->only != ALL_PROCESSES)
        expand_process(x, x->only, x->only != CLAIM_PID && remembers_now(x));
    else
        LIKELY(!options.reverse_processes) ? expand_all(x) : expand_all_reversed(x);
    if (LIKELY(!x->packing.overflows)) locate_successors(x);
    return LIKELY(!x->packing.overflows);
}

/* ---- what is reached ---- */

/* Looks again which items of a list are reached. If all are, the memo is told. */
static void note_reached_list(Expansion *x, const MemoNode *first, ItemList *list)
{
    Packed known = {0, 0};
    if (!(list->flags & ITEM_UNREACHED)) return;
    list->flags = items_flags(list->first, list->n);
    if (list->flags & ITEM_UNREACHED) return;
    MemoNode *node = (MemoNode *)memo_walk(&x->memo, first, x->at.number, &known);
    if (node->kind == NODE_LIST && node->u.first == list->first) node->flags = (uint8_t)list->flags;
}

void expansion_note_reached(Expansion *x)
{
    for (int pid = 0; pid < x->n_known; pid++) {
        KnownSteps *known = &x->known[pid];
        if (is_unknown(x, pid)) continue;
        const FrameNode *first = frame_node(x, pid);
        note_reached_list(x, &first->memo, &known->list);
        for (uint32_t i = 0; i < known->n_more; i++) note_reached_list(x, &first->others[i], &x->more[pid][i]);
    }
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
