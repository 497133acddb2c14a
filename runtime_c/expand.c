/* expand.c: all steps of a state at once; see expand.h. */
#include "expand.h"

#include <string.h>

#include "search.h"
#include "state.h"
#include "util.h"
#include "vector_diff.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* ---- what is known of locations ---- */

enum LocationUseFlags { LOCATION_RECEIVES = 1, LOCATION_ESCAPES = 2 };

static uint8_t *location_flags(Expansion *x, const Location *at, int proctype)
{
    return &x->location_flags[x->first_location[proctype] + (uint32_t)(at - model.proctypes[proctype].locations)];
}

static void find_location_flags(Expansion *x)
{
    int n = model.n_proctypes + 1; /* with the nonprogress claim */
    x->first_location = xcalloc((size_t)n + 1, sizeof *x->first_location);
    for (int p = 0; p < n; p++) x->first_location[p + 1] = x->first_location[p] + model.proctypes[p].n_locations;
    x->location_flags = xcalloc(x->first_location[n] + 1u, 1);
    for (int p = 0; p < n; p++)
        for (uint32_t k = 0; k < model.proctypes[p].n_locations; k++) {
            const Location *at = &model.proctypes[p].locations[k];
            for (uint32_t i = 0; i < at->count; i++) {
                const Transition *t = &model.transitions[at->first + i];
                if (t->flags & T_RECEIVE) *location_flags(x, at, p) |= LOCATION_RECEIVES;
                if (t->escape) *location_flags(x, at, p) |= LOCATION_ESCAPES;
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

/* The slots of the globals that statements at a location name. */
static uint64_t global_slots(Expansion *x, const TreeLayout *l, const Location *at, int proctype)
{
    enum { KNOWN = 1 }; /* slot 0 belongs to the header */
    uint32_t number = x->first_location[proctype] + (uint32_t)(at - model.proctypes[proctype].locations);
    uint64_t *known = &l->location_slots[number];
    if (LIKELY(*known)) return *known & ~(uint64_t)KNOWN;
    for (uint32_t i = 0; i < at->count; i++) {
        const Transition *t = &model.transitions[at->first + i];
        const uint16_t *use = &model.global_uses[model.first_use[t->action]];
        for (; *use != END_OF_USES; use++) *known |= slots_of_range(l, &model.global_ranges[*use]);
    }
    *known |= KNOWN;
    return *known & ~(uint64_t)KNOWN;
}

/* ---- the expansion ---- */

void expansion_init(Expansion *x, StateSet *set)
{
    memset(x, 0, sizeof *x);
    x->set = set;
    x->trees = set ? state_set_trees(set) : NULL;
    x->remembers = set && !model.uses_priority && !model.has_provided && !model.uses_last;
    if (x->remembers) memo_init(&x->memo);
    find_location_flags(x);
}

void expansion_free(Expansion *x)
{
    if (x->remembers) memo_free(&x->memo);
    arena_free(&x->scratch);
    xfree(x->items);
    xfree(x->list);
    xfree(x->first_location);
    xfree(x->location_flags);
    state_free(&x->work);
    state_free(&x->middle);
    memset(x, 0, sizeof *x);
}

Step item_step(const Item *item)
{
    const Transition *reply
        = item->kind != ITEM_STEP || item->reply == NO_REPLY ? NULL : &model.transitions[item->reply];
    return (Step){&model.transitions[item->transition], reply, item->pid, item->reply_pid};
}

/* Of an offer that was tried with all receivers already. */
#define NO_CHANNEL 0u
#define NO_CHANGE UINT64_MAX

/* ---- items ---- */

/* How many words follow an item that takes the current fault with it. */
static uint32_t words_behind(uint32_t n_changes) { return (fault.text ? FAULT_WORDS : 0) + SUM_WORDS + n_changes; }

static Item *make_item(uint64_t *at, ItemKind kind, const Step *step, const uint64_t *changes, uint32_t n_changes)
{
    Item *item = (Item *)(void *)at;
    const Transition *last = step->reply ? step->reply : step->transition;
    item->transition = (uint32_t)(step->transition - model.transitions);
    item->reply = step->reply ? (uint32_t)(step->reply - model.transitions) : NO_REPLY;
    item->pid = step->pid;
    item->reply_pid = step->reply_pid;
    item->kind = (uint8_t)kind;
    item->flags = (uint8_t)((last->flags & T_ATOMIC ? ITEM_ATOMIC : 0) | (fault.text ? ITEM_HAS_FAULT : 0));
    item->n_changes = (uint8_t)n_changes;
    item->n_words = (uint8_t)words_behind(n_changes);
    at += ITEM_WORDS;
    if (fault.text) {
        *at++ = (uintptr_t)fault.text;
        *at++ = fault.fatal;
        fault = (Fault){0};
    }
    if (n_changes) memcpy(at + SUM_WORDS, changes, n_changes * sizeof *changes);
    return item;
}

/* An item in the list being made; valid until the next one is. */
static Item *list_item(Expansion *x, ItemKind kind, const Step *step, const uint64_t *changes, uint32_t n_changes)
{
    uint32_t at = x->n_list_words;
    x->n_list_words += ITEM_WORDS + words_behind(n_changes);
    x->n_listed++;
    if (x->n_list_words > x->list_capacity) {
        x->list_capacity = 2 * x->n_list_words + 64;
        x->list = xrealloc(x->list, x->list_capacity * sizeof *x->list);
    }
    return make_item(x->list + at, kind, step, changes, n_changes);
}

/* An item that lives as long as the expansion. */
static Item *lone_item(Expansion *x, ItemKind kind, const Step *step, const uint64_t *changes, uint32_t n_changes)
{
    uint64_t *at = arena_take(&x->scratch, ITEM_WORDS + words_behind(n_changes));
    return make_item(at, kind, step, changes, n_changes);
}

static void begin_list(Expansion *x) { x->n_listed = x->n_list_words = 0; }

/* Puts the list into the memo, if it depends on no more than it should, or else aside. */
static ItemList end_list(Expansion *x, const MemoKey *key, uint64_t slots)
{
    ItemList list = {(const Item *)(const void *)x->list, x->n_listed};
    if (key && !touched.others && memo_keep(&x->memo, *key, slots, x->cursor, &list, x->n_list_words)) return list;
    uint64_t *to = arena_take(&x->scratch, x->n_list_words);
    if (x->n_list_words) memcpy(to, x->list, x->n_list_words * sizeof *to);
    list.first = (const Item *)(const void *)to;
    return list;
}

/* Fills in what an item's changes add to the sums of the halves. */
static void set_sums(Item *item, const TreeCursor *from)
{
    const TreeLayout *l = from->layout;
    uint64_t *sums = (uint64_t *)item_sums(item);
    const uint64_t *changes = item_changes(item);
    sums[0] = sums[1] = 0;
    for (int i = 0; i < item->n_changes; i++) {
        uint32_t slot = change_slot(changes[i]);
        sums[half_of_slot(l, slot)] += slot_delta(l, slot, tree_slot(from, slot), change_content(changes[i]));
    }
}

/* ---- running guards and effects ---- */

/* What the copy changes of `s`, which the cursor describes. */
static uint32_t list_changes(Expansion *x, const State *s, uint64_t *changes)
{
    const TreeLayout *l = x->cursor->layout;
    uint64_t slots = 0;
    uint32_t n = 0;
    for (uint32_t from = 0; from < l->n_pairs; from += 64)
        for (uint64_t changed = changed_pairs(s->v, x->work.v, from, l->n_pairs); changed; changed &= changed - 1)
            slots |= UINT64_C(1) << l->slot_of[from + lowest_bit(changed)];
    if (slots & 1) slots |= 2; /* both words of the header */
    for (; slots; slots &= slots - 1) {
        uint32_t slot = lowest_bit(slots), content = slot_content(x->trees, l, x->work.v, slot);
        if (content != tree_slot(x->cursor, slot)) changes[n++] = change_word(slot, content);
    }
    return n;
}

/* The copy has made a step away from `from`, which the cursor describes. */
static Item *note_step(Expansion *x, ItemKind kind, const Step *step, const State *from)
{
    uint64_t changes[MAX_SLOTS] = {0};
    bool executes = !x->set || x->work.shape != from->shape;
    uint32_t n = executes ? 0 : list_changes(x, from, changes);
    Item *item = list_item(x, kind, step, changes, n);
    if (executes)
        item->flags |= ITEM_EXECUTE;
    else
        set_sums(item, x->cursor);
    return item;
}

static void note_fault(Expansion *x, const Transition *t, int pid)
{
    if (LIKELY(!fault.text)) return;
    Step step = {t, NULL, (int16_t)pid, -1};
    list_item(x, ITEM_FAULT, &step, NULL, 0);
}

/* The sender's half of a rendezvous. */
static Item *note_offer(Expansion *x, int pid, const Transition *send)
{
    Step step = {send, NULL, (int16_t)pid, -1};
    step_move(&x->work, pid, send); /* channel_send names the offered channel */
    Item *item = note_step(x, ITEM_OFFER, &step, x->now);
    item->reply = (uint32_t)step_context.offer;
    step_context.offer = 0;
    state_copy(&x->work, x->now);
    return item;
}

/* The replies of one process, tried on the copy, which equals `middle`. Steps are noted as whole
 * ones, or only their second halves. */
static bool try_replies(Expansion *x, int pid, const Step *offer)
{
    const Location *at = process_location(&x->middle, pid);
    uint16_t escape = 0;
    bool accepted = false;
    for (uint16_t i = 0; i < at->count; i++) {
        const Transition *t = step_transition(at, i, NULL);
        if (escape && escape != t->escape) break;
        if (!(t->flags & T_RECEIVE)) continue;
        bool can = model_guard(&x->work, pid, t);
        if (!offer) note_fault(x, t, pid);
        if (!can) continue;
        Step step = offer ? (Step){offer->transition, t, offer->pid, (int16_t)pid} : (Step){t, NULL, (int16_t)pid, -1};
        step_move(&x->work, pid, t);
        note_step(x, ITEM_STEP, &step, offer ? x->now : &x->middle);
        state_copy(&x->work, &x->middle);
        escape = t->escape;
        accepted = true;
    }
    return accepted;
}

/* A rendezvous with whoever takes part, at once. */
static bool try_offer(Expansion *x, int pid, const Transition *send)
{
    bool accepted = false;
    Step step = {send, NULL, (int16_t)pid, -1};
    int n = state_n_processes(x->now), stride = options.reverse_processes ? 1 : -1;
    touched.others = true;
    note_offer(x, pid, send)->reply = NO_CHANNEL;
    step_move(&x->work, pid, send);
    fault = (Fault){0}; /* noted with the offer */
    state_copy(&x->middle, &x->work);
    for (int other = stride > 0 ? 0 : n - 1; other >= 0 && other < n; other += stride)
        if (other != pid && process_eligible(&x->middle, other)) accepted |= try_replies(x, other, &step);
    step_context.offer = 0;
    note_fault(x, send, pid);
    state_copy(&x->work, x->now);
    return accepted;
}

static int test_guard_of(const State *s, int pid, const Transition *t, bool moved)
{
    if (t->flags & (T_ELSE | T_SKIP)) return !(t->flags & T_ELSE) || !moved;
    if (t->flags & T_BLOCKED) return BLOCKED;
    step_context.else_blocked = moved;
    return model_guard(s, pid, t);
}

/* Lists the steps of a process. `splits`: of a rendezvous only the first half. */
static void list_steps(Expansion *x, int pid, const Location *at, bool splits)
{
    uint16_t escape = 0;
    bool moved = false;
    begin_list(x);
    state_copy(&x->work, x->now);
    if (pid != CLAIM_PID && !process_eligible(&x->work, pid)) return;
    for (uint16_t i = 0; i < at->count; i++) {
        const Transition *t = step_transition(at, i, NULL);
        if (escape && escape != t->escape) break;
        int result = test_guard_of(&x->work, pid, t, moved);
        note_fault(x, t, pid);
        if (result == BLOCKED) continue;
        if (result == OFFER) {
            if (splits) {
                note_offer(x, pid, t);
            } else if (x->cuts_offers) {
                touched.others = true; /* not to be remembered */
                x->n_cut++;
            } else {
                escape = try_offer(x, pid, t) ? t->escape : 0;
            }
            continue;
        }
        if (moved && model.proctypes[t->proctype].deterministic && !(t->flags & T_ELSE))
            raise_error("non-determinism in D_proctype");
        Step step = {t, NULL, (int16_t)pid, -1};
        step_move(&x->work, pid, t);
        note_step(x, ITEM_STEP, &step, x->now);
        state_copy(&x->work, x->now);
        escape = t->escape;
        moved = true;
    }
}

/* The slots of the channels that were touched. */
static uint64_t touched_slots(const Expansion *x)
{
    uint64_t slots = 0;
    for (uint32_t block = 0; block < 4; block++)
        for (uint64_t left = touched.channels[block]; left; left &= left - 1) {
            uint32_t i = 64 * block + lowest_bit(left);
            if (i < x->now->shape->n_channels) slots |= x->cursor->layout->channel_slots[i];
        }
    return slots;
}

/* ---- successors ---- */

/* Starts looking up the halves that change. */
static inline void start_lookups(Expansion *x, Successor *s)
{
    const TreeCursor *c = x->cursor;
    const uint64_t *sums = item_sums(s->item), *changes = item_changes(s->item);
    uint64_t changed = 0;
    for (int i = 0; i < s->item->n_changes; i++) changed |= UINT64_C(1) << change_slot(changes[i]);
    s->lookups = x->unknown;
    for (int half = 0; half < 2; half++) {
        if (changed & c->layout->of_half[half]) s->lookups |= (uint8_t)(1 << half);
        if (!(s->lookups >> half & 1)) continue;
        s->hash[half] = span_finish(c->sum[half] + sums[half]);
        span_prefetch(&x->trees->halves, s->hash[half]);
    }
}

static Successor *note_successor(Expansion *x, const Item *item)
{
    if (UNLIKELY(x->n == x->capacity)) {
        x->capacity = 2 * x->capacity + 16;
        x->items = xrealloc(x->items, x->capacity * sizeof *x->items);
    }
    Successor *s = &x->items[x->n++];
    s->item = item;
    s->has_root = item->kind == ITEM_STEP && x->stores && !(item->flags & ITEM_ATOMIC);
    if (item->kind == ITEM_STEP) x->any = true;
    if (s->has_root && !(item->flags & ITEM_EXECUTE)) start_lookups(x, s);
    return s;
}

/* The number of a half whose content is that of the cursor, but for an item's changes. */
static uint32_t add_half(Expansion *x, const Item *item, int half, uint64_t hash)
{
    const TreeLayout *l = x->cursor->layout;
    const uint64_t *changes = item_changes(item);
    uint64_t cells[MAX_SLOTS / 2];
    memcpy(cells, x->cursor->cells, l->n_slots / 2 * sizeof *cells);
    for (int i = 0; i < item->n_changes; i++) {
        uint32_t slot = change_slot(changes[i]);
        cells[slot / 2] = with_slot(cells[slot / 2], slot, change_content(changes[i]));
    }
    return span_table_add(&x->trees->halves, &cells[l->first[half] / 2], l->n_words[half], hash);
}

/* In which of its slots does a stored half differ from that of the cursor? */
static inline uint64_t half_difference(const uint64_t *words, const uint64_t *cells, uint32_t n_words)
{
    uint64_t differ = 0;
    for (uint32_t i = 0; i < n_words; i += 2) {
#if defined(__SSE2__)
        __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(words + i));
        __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(cells + i));
        unsigned same = (unsigned)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(a, b)));
        differ |= (uint64_t)(same ^ 15) << 2 * i;
#else
        for (uint32_t k = i; k < i + 2; k++) {
            uint64_t d = words[k] ^ cells[k];
            differ |= (uint64_t)(((uint32_t)d != 0) | (d >> 32 != 0) << 1) << 2 * k;
        }
#endif
    }
    return differ;
}

static inline bool half_matches(const Expansion *x, const Item *item, int half, const uint64_t *words)
{
    const TreeLayout *l = x->cursor->layout;
    const uint64_t *changes = item_changes(item);
    uint32_t first = l->first[half];
    uint64_t differ = half_difference(words, &x->cursor->cells[first / 2], l->n_words[half]);
    for (int i = 0; i < item->n_changes; i++) {
        uint32_t place = change_slot(changes[i]) - first; /* wraps around for the other half */
        if (place >= 2 * l->n_words[half]) continue;
        if ((uint32_t)(words[place / 2] >> 32 * (place & 1)) != change_content(changes[i])) return false;
        differ &= ~(UINT64_C(1) << place);
    }
    return differ == 0;
}

static inline uint32_t find_half(Expansion *x, const Item *item, int half, uint64_t hash)
{
    const SpanTable *t = &x->trees->halves;
    uint32_t number;
    for (uint64_t slot = hash >> t->shift; (number = span_candidate(t, slot, hash)) != 0;
         slot = span_next_slot(t, slot))
        if (number != NO_SPAN && LIKELY(half_matches(x, item, half, span_words(t, number)))) return number;
    return add_half(x, item, half, hash);
}

/* The root of a state that is found only by executing the step. */
static uint64_t execute(Expansion *x, const Item *item)
{
    TreeCursor c;
    Step step = item_step(item);
    state_copy(&x->work, x->now);
    expand_take(&x->work, &step);
    return tree_fill(x->trees, &c, x->work.v);
}

static void finish_lookups(Expansion *x)
{
    const SpanTable *halves = &x->trees->halves;
    for (uint32_t i = 0; i < x->n; i++) {
        const Successor *s = &x->items[i];
        if (!s->has_root || s->item->flags & ITEM_EXECUTE) continue;
        if (s->lookups & 1) span_prefetch_words(halves, s->hash[0]);
        if (s->lookups & 2) span_prefetch_words(halves, s->hash[1]);
    }
    for (uint32_t i = 0; i < x->n; i++) {
        Successor *s = &x->items[i];
        if (!s->has_root) continue;
        if (UNLIKELY(s->item->flags & ITEM_EXECUTE)) {
            s->root = execute(x, s->item);
        } else {
            uint32_t left = (uint32_t)x->cursor->root, right = (uint32_t)(x->cursor->root >> 32);
            if (s->lookups & 1) left = find_half(x, s->item, 0, s->hash[0]);
            if (s->lookups & 2) right = find_half(x, s->item, 1, s->hash[1]);
            s->root = left | (uint64_t)right << 32;
        }
        state_set_prefetch(x->set, s->root);
    }
}

/* ---- rendezvous in two halves ---- */

static Fault item_fault(const Item *item)
{
    if (!(item->flags & ITEM_HAS_FAULT)) return (Fault){0};
    return (Fault){(const char *)(uintptr_t)item_words(item)[0], item_words(item)[1] != 0};
}

/* Puts an offer's changes into the cursor, and what they replace into `old`; the sums stay. */
static void patch(TreeCursor *c, const Item *offer, uint64_t *old)
{
    for (int i = 0; i < offer->n_changes; i++) {
        uint64_t change = item_changes(offer)[i];
        uint32_t slot = change_slot(change);
        old[i] = change_word(slot, tree_slot(c, slot));
        c->cells[slot / 2] = with_slot(c->cells[slot / 2], slot, change_content(change));
    }
}

static void unpatch(TreeCursor *c, const Item *offer, const uint64_t *old)
{
    for (int i = 0; i < offer->n_changes; i++) {
        uint32_t slot = change_slot(old[i]);
        c->cells[slot / 2] = with_slot(c->cells[slot / 2], slot, change_content(old[i]));
    }
}

/* Lists the replies of a process to an offer whose changes are in the cursor. */
static void list_replies(Expansion *x, const Item *offer, int pid)
{
    begin_list(x);
    state_copy(&x->middle, x->now);
    for (int i = 0; i < offer->n_changes; i++) {
        uint64_t change = item_changes(offer)[i];
        slot_write(x->trees, x->cursor->layout, change_slot(change), change_content(change), x->middle.v);
    }
    state_copy(&x->work, &x->middle);
    step_context.offer = (int)offer->reply;
    try_replies(x, pid, NULL);
    step_context.offer = 0;
}

/* The change of a slot by an item, or `otherwise`. */
static uint64_t change_of(const Item *item, uint32_t slot, uint64_t otherwise)
{
    for (int i = 0; i < item->n_changes; i++)
        if (change_slot(item_changes(item)[i]) == slot) return item_changes(item)[i];
    return otherwise;
}

/* Puts an offer and a reply together; `old` is what the offer replaced. The fault is the one raised
 * first: `pending`, if there is one. */
static const Item *join_halves(Expansion *x, const Item *offer, const Item *reply, const uint64_t *old, Fault pending)
{
    uint64_t changes[MAX_SLOTS];
    uint32_t n = 0;
    Step step = {&model.transitions[offer->transition], &model.transitions[reply->transition], offer->pid, reply->pid};
    for (int i = 0; i < offer->n_changes; i++) {
        uint64_t change = change_of(reply, change_slot(old[i]), item_changes(offer)[i]);
        if (change != old[i]) changes[n++] = change;
    }
    for (int i = 0; i < reply->n_changes; i++) {
        uint64_t change = item_changes(reply)[i];
        if (change_of(offer, change_slot(change), NO_CHANGE) == NO_CHANGE) changes[n++] = change;
    }
    fault = pending.text ? pending : item_fault(reply);
    Item *item = lone_item(x, ITEM_STEP, &step, changes, n);
    item->flags |= reply->flags & ITEM_EXECUTE;
    set_sums(item, x->cursor);
    return item;
}

/* The replies of process `pid` to an offer. The cursor is as before the offer again afterwards. */
static ItemList find_replies(Expansion *x, const Item *offer, int pid, const Location *at, uint64_t *old)
{
    const TreeLayout *l = x->cursor->layout;
    int proctype = state_process_type(x->now, pid);
    ItemList list;
    uint64_t slots = l->process_slots[pid] | global_slots(x, l, at, proctype) | l->channel_slots[offer->reply - 1];
    MemoKey key = memo_key(l->shape, pid, offer->reply, slots);
    patch(x->cursor, offer, old);
    if (!memo_find(&x->memo, &key, x->cursor, &list)) {
        memset(&touched, 0, sizeof touched);
        list_replies(x, offer, pid);
        list = end_list(x, &key, touched_slots(x));
    }
    unpatch(x->cursor, offer, old);
    return list;
}

/* Looks for receivers of an offer. */
static void expand_offer(Expansion *x, const Item *offer)
{
    const Transition *send = &model.transitions[offer->transition];
    uint64_t old[MAX_SLOTS];
    Fault pending = {0};
    if (x->cuts_offers) {
        x->n_cut++;
        return;
    }
    x->offered = true;
    if (offer->flags & ITEM_HAS_FAULT || !model.proctypes[send->proctype].reached[send->own]) note_successor(x, offer);
    if (offer->reply == NO_CHANNEL) return;
    int n = state_n_processes(x->now), stride = options.reverse_processes ? 1 : -1;
    for (int pid = stride > 0 ? 0 : n - 1; pid >= 0 && pid < n; pid += stride) {
        const Location *at = process_location(x->now, pid);
        if (pid == offer->pid) continue;
        if (!(*location_flags(x, at, state_process_type(x->now, pid)) & LOCATION_RECEIVES)) continue;
        ItemList list = find_replies(x, offer, pid, at, old);
        const Item *item = list.first;
        for (uint32_t i = 0; i < list.n; i++, item = item_next(item)) {
            if (item->kind == ITEM_STEP) {
                note_successor(x, join_halves(x, offer, item, old, pending));
                pending = (Fault){0};
            } else if (!pending.text) {
                pending = item_fault(item);
            }
        }
    }
    if (!pending.text) return;
    fault = pending;
    Step step = {send, NULL, offer->pid, -1};
    note_successor(x, lone_item(x, ITEM_FAULT, &step, NULL, 0));
}

/* ---- all processes ---- */

static void use_list(Expansion *x, ItemList list)
{
    const Item *item = list.first;
    for (uint32_t i = 0; i < list.n; i++, item = item_next(item)) {
        if (item->kind == ITEM_OFFER)
            expand_offer(x, item);
        else
            note_successor(x, item);
    }
}

static void expand_process(Expansion *x, int pid)
{
    const Location *at = step_location(x->now, pid);
    int proctype = pid == CLAIM_PID ? options.claim_type : state_process_type(x->now, pid);
    bool splits = x->remembers && !(*location_flags(x, at, proctype) & LOCATION_ESCAPES);
    ItemList list;
    if (!x->remembers || pid == CLAIM_PID || step_context.timeout) {
        list_steps(x, pid, at, splits);
        use_list(x, end_list(x, NULL, 0));
        return;
    }
    const TreeLayout *l = x->cursor->layout;
    MemoKey key = memo_key(l->shape, pid, 0, l->process_slots[pid] | global_slots(x, l, at, proctype));
    if (!memo_find(&x->memo, &key, x->cursor, &list)) {
        memset(&touched, 0, sizeof touched);
        list_steps(x, pid, at, splits);
        list = end_list(x, &key, touched_slots(x));
    }
    use_list(x, list);
}

void expand(Expansion *x, const State *now, TreeCursor *cursor)
{
    x->n = x->n_cut = 0;
    x->any = x->offered = false;
    x->now = now;
    x->cursor = cursor;
    arena_reset(&x->scratch);
    if (x->remembers) memo_trim(&x->memo, stats.stored);
    int n = state_n_processes(now);
    if (x->only != ALL_PROCESSES)
        expand_process(x, x->only);
    else if (options.reverse_processes)
        for (int pid = 0; pid < n; pid++) expand_process(x, pid);
    else
        for (int pid = n - 1; pid >= 0; pid--) expand_process(x, pid);
    if (x->stores) finish_lookups(x);
}

/* ---- taking a step ---- */

void expand_mark(const State *s, const Step *step)
{
    step_mark(s, step->pid, step->transition);
    if (step->reply) step_mark(s, step->reply_pid, step->reply);
}

void expand_take(State *s, const Step *step)
{
    step_move(s, step->pid, step->transition);
    if (step->reply) step_move(s, step->reply_pid, step->reply);
    step_context.offer = 0;
    fault = (Fault){0}; /* it was noted when the step was found */
}
