/* expand.c: all steps of a state at once; see expand.h. */
#include "expand.h"

#include <string.h>

#include "chain.h"
#include "search.h"
#include "state.h"
#include "util.h"
#include "vector_diff.h"

/* ---- what is known of locations ---- */

enum LocationUseFlags { LOCATION_RECEIVES = 1, LOCATION_ESCAPES = 2, LOCATION_FORGETS = 4 };

static inline uint32_t location_number(const Expansion *x, int proctype, uint32_t pc)
{
    return x->first_location[proctype] + pc;
}

static inline uint32_t process_location_number(const Expansion *x, int pid)
{
    return location_number(x, state_process_type(x->now, pid), state_process(x->now, pid)->pc);
}

static void find_location_flags(Expansion *x)
{
    int n = model.n_proctypes + 1; /* with the nonprogress claim */
    x->first_location = xcalloc((size_t)n + 1, sizeof *x->first_location);
    for (int p = 0; p < n; p++) x->first_location[p + 1] = x->first_location[p] + model.proctypes[p].n_locations;
    x->location_flags = xcalloc(x->first_location[n] + 1u, 1);
    x->memo_use = xcalloc(x->first_location[n] + 1u, sizeof *x->memo_use);
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

/* The slots of the globals that statements at a location name, and those taken with them. */
static inline uint64_t global_slots(const TreeLayout *l, const Location *at, uint32_t number)
{
    enum { KNOWN = 1 }; /* slot 0 belongs to the header */
    uint64_t *known = &l->location_slots[number];
    if (LIKELY(*known)) return *known & ~(uint64_t)KNOWN;
    for (uint32_t i = 0; i < at->count; i++) {
        const Transition *t = &model.transitions[at->first + i];
        *known |= slots_named(l, t);
        for (uint16_t n = chain_length(t); n > 0; n--) *known |= slots_named(l, t = chain_next(t));
    }
    *known |= KNOWN;
    return *known & ~(uint64_t)KNOWN;
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

/* ---- the expansion ---- */

#define NOT_KNOWN UINT64_MAX
/* There are never so many slots. This one always counts as changed: what is NOT_KNOWN depends on it, and what was found
 * for this state only. */
#define NO_SLOT (UINT64_C(1) << (MAX_SLOTS - 1))
/* Where the header says who is inside an atomic sequence. */
#define OWNER_SLOT UINT64_C(2)
_Static_assert(offsetof(Header, owner) / 4 == 1, "the second word of the header");
_Static_assert(HEADER_SLOTS + MAX_LEAVES + SLOT_GROUP < MAX_SLOTS, "the last slot is never used");

void expansion_init(Expansion *x, StateSet *set)
{
    memset(x, 0, sizeof *x);
    x->set = set;
    x->trees = set ? state_set_trees(set) : NULL;
    x->remembers = set && !model.uses_priority && !model.has_provided && !model.uses_last;
    x->known = xcalloc(MAX_PROCESSES + 1, sizeof *x->known);
    for (int pid = 0; pid <= MAX_PROCESSES; pid++) x->known[pid].slots = NOT_KNOWN;
    x->changed = ALL_SLOTS;
    memo_init(&x->memo);
    half_cache_init(&x->halves);
    find_location_flags(x);
}

void expansion_free(Expansion *x)
{
    memo_free(&x->memo);
    half_cache_free(&x->halves);
    arena_free(&x->scratch);
    xfree(x->known);
    xfree(x->items);
    xfree(x->list);
    xfree(x->first_location);
    xfree(x->location_flags);
    xfree(x->memo_use);
    state_free(&x->work);
    state_free(&x->middle);
    memset(x, 0, sizeof *x);
}

void expansion_reshaped(Expansion *x)
{
    x->stale = 0;
    x->changed = ALL_SLOTS;
}

bool expansion_is_full(const Expansion *x) { return memo_is_full(&x->memo, stats.stored); }

void expansion_forget(Expansion *x)
{
    memo_clear(&x->memo);
    half_cache_clear(&x->halves);
    x->changed = ALL_SLOTS;
}

/* Brings some slots of the vector up to date. */
static inline void refresh(Expansion *x, uint64_t slots)
{
    for (slots &= x->stale; slots; slots &= slots - 1) {
        uint32_t slot = lowest_bit(slots);
        slot_write(x->trees, x->cursor->layout, slot, tree_slot(x->cursor, slot), x->now->v);
        x->stale &= ~(UINT64_C(1) << slot);
    }
}

State *expansion_vector(Expansion *x)
{
    refresh(x, ALL_SLOTS);
    return x->now;
}

Step item_step(const Item *item)
{
    const Transition *reply
        = item->kind != ITEM_STEP || item->reply == NO_REPLY ? NULL : &model.transitions[item->reply];
    Step step = {&model.transitions[item->transition], reply, item->pid, item->reply_pid, 0};
    if (item->kind == ITEM_STEP) step.n_chained = chain_length(step_last(&step));
    return step;
}

Fault item_fault(const Item *item)
{
    if (!(item->flags & ITEM_HAS_FAULT)) return (Fault){0};
    const uint64_t *words = item_words(item);
    return (Fault){(const char *)(uintptr_t)words[0], words[1] & 1, (uint16_t)(words[1] >> 1)};
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
    item->id = item->unused = 0;
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
        *at++ = fault.fatal | (uint64_t)fault.chained << 1;
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
static KnownSteps end_list(Expansion *x, MemoKey *key, uint64_t slots)
{
    ItemList list = {(const Item *)(const void *)x->list, x->n_listed};
    if (key && !touched.others && memo_keep(&x->memo, key, slots, x->cursor, &list, x->n_list_words))
        return (KnownSteps){list, key->known, STANDS_NOT};
    uint64_t *to = arena_take(&x->scratch, x->n_list_words);
    if (x->n_list_words) memcpy(to, x->list, x->n_list_words * sizeof *to);
    list.first = (const Item *)(const void *)to;
    return (KnownSteps){list, NO_SLOT, STANDS_NOT};
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
        int half = half_of_slot(l, slot);
        sums[half] += slot_delta(l, slot, tree_slot(from, slot), change_content(changes[i]));
        item->flags |= half ? ITEM_RIGHT : ITEM_LEFT;
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

/* The copy has made a step. */
static inline void name_owner(Expansion *x, const Step *step)
{
    if (x->keeps_owner) state_header(&x->work)->owner = (uint8_t)(step_owner(step) + 1);
}

/* The copy has made a step away from `from`, which the cursor describes. */
static Item *note_step(Expansion *x, ItemKind kind, const Step *step, const State *from)
{
    uint64_t changes[MAX_SLOTS];
    changes[0] = 0; /* compilers do not see that what is not counted is not read */
    if (kind == ITEM_STEP) name_owner(x, step);
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
    Step step = {t, NULL, (int16_t)pid, -1, 0};
    list_item(x, ITEM_FAULT, &step, NULL, 0);
}

static inline void move_chained(State *s, int pid, const Transition *t)
{
    step_move(s, pid, t);
    chain_take(s, pid, t);
}

/* The sender's half of a rendezvous. */
static Item *note_offer(Expansion *x, int pid, const Transition *send)
{
    Step step = {send, NULL, (int16_t)pid, -1, 0};
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
        Step step = {t, NULL, (int16_t)pid, -1, 0};
        if (offer) step = (Step){offer->transition, t, offer->pid, (int16_t)pid, 0};
        move_chained(&x->work, pid, t);
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
    Step step = {send, NULL, (int16_t)pid, -1, 0};
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
        Step step = {t, NULL, (int16_t)pid, -1, 0};
        move_chained(&x->work, pid, t);
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

/* The number of a half as an item changes it, from the store. */
static uint32_t find_half(Expansion *x, const Item *item, int half)
{
    const SpanTable *t = &x->trees->halves;
    uint64_t hash = span_finish(x->cursor->sum[half] + item_sums(item)[half]);
    uint32_t number;
    for (uint64_t slot = hash >> t->shift; (number = span_candidate(t, slot, hash)) != 0;
         slot = span_next_slot(t, slot))
        if (number != NO_SPAN && LIKELY(half_matches(x, item, half, span_words(t, number)))) return number;
    return add_half(x, item, half, hash);
}

/* The same, but most are known. */
static inline uint32_t half_after(Expansion *x, const Item *item, int half)
{
    uint32_t from = (uint32_t)(x->cursor->root >> 32 * half);
    if (UNLIKELY(item->id == 0 || x->unknown >> half & 1)) return find_half(x, item, half);
    HalfStep *known = half_cache_at(&x->halves, from, item->id);
    if (LIKELY(known->half == from && known->item == item->id)) return known->to;
    uint32_t to = find_half(x, item, half);
    *known = (HalfStep){from, item->id, to};
    return to;
}

/* The root of a state that is found only by executing the step. */
static uint64_t execute(Expansion *x, const Item *item)
{
    TreeCursor c;
    Step step = item_step(item);
    state_copy(&x->work, expansion_vector(x));
    expand_take(&x->work, &step);
    name_owner(x, &step);
    return tree_fill(x->trees, &c, x->work.v);
}

/* The same where a hash is the root; its place in the set is fetched while other steps are looked for. */
static inline uint64_t hash_after(Expansion *x, const Item *item)
{
    const uint64_t *sums = item_sums(item);
    uint64_t hash = tree_hash(x->trees, x->cursor->sum[0] + sums[0], x->cursor->sum[1] + sums[1]);
    state_set_prefetch(x->set, hash);
    return hash;
}

static inline uint64_t root_after(Expansion *x, const Item *item)
{
    if (UNLIKELY(item->flags & ITEM_EXECUTE)) return execute(x, item);
    if (x->trees->hash_mask) return hash_after(x, item);
    uint32_t left = (uint32_t)x->cursor->root, right = (uint32_t)(x->cursor->root >> 32);
    if (item->flags & ITEM_LEFT || x->unknown & 1) left = half_after(x, item, 0);
    if (item->flags & ITEM_RIGHT || x->unknown & 2) right = half_after(x, item, 1);
    return left | (uint64_t)right << 32;
}

/* Starts fetching what root_after will read. */
static inline void prefetch_halves(const Expansion *x, const Item *item)
{
    if (item->flags & ITEM_LEFT) PREFETCH(half_cache_at(&x->halves, (uint32_t)x->cursor->root, item->id));
    if (item->flags & ITEM_RIGHT) PREFETCH(half_cache_at(&x->halves, (uint32_t)(x->cursor->root >> 32), item->id));
}

static inline void note_successor(Expansion *x, const Item *item)
{
    if (UNLIKELY(x->n == x->capacity)) {
        x->capacity = 2 * x->capacity + 16;
        x->items = xrealloc(x->items, x->capacity * sizeof *x->items);
    }
    x->any |= item->kind == ITEM_STEP;
    x->items[x->n++] = (Successor){item, 0};
    if (x->stores) prefetch_halves(x, item);
}

static inline bool is_to_be_stored(const Expansion *x, const Item *item)
{
    return item->kind == ITEM_STEP && (x->keeps_owner || !(item->flags & ITEM_ATOMIC));
}

/* Finds the roots of all successors, and lets their lookups wait for memory together. */
static void find_roots(Expansion *x)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (is_to_be_stored(x, x->items[i].item)) x->items[i].root = root_after(x, x->items[i].item);
    if (x->trees->hash_mask) return; /* they wait already */
    state_set_expect(x->set);
    for (uint32_t i = 0; i < x->n; i++)
        if (x->items[i].root) state_set_prefetch(x->set, x->items[i].root);
}

/* ---- rendezvous in two halves ---- */

/* What the slots that an offer changes hold before. */
static void contents_before(const TreeCursor *c, const Item *offer, uint64_t *old)
{
    for (int i = 0; i < offer->n_changes; i++) {
        uint32_t slot = change_slot(item_changes(offer)[i]);
        old[i] = change_word(slot, tree_slot(c, slot));
    }
}

/* Puts changes into the cursor; its sums and root stay. */
static void patch(TreeCursor *c, const uint64_t *changes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t slot = change_slot(changes[i]);
        c->cells[slot / 2] = with_slot(c->cells[slot / 2], slot, change_content(changes[i]));
    }
}

/* The change of a slot by an item, or `otherwise`. */
static uint64_t change_of(const Item *item, uint32_t slot, uint64_t otherwise)
{
    for (int i = 0; i < item->n_changes; i++)
        if (change_slot(item_changes(item)[i]) == slot) return item_changes(item)[i];
    return otherwise;
}

/* What an offer and a reply change together; `old` is what the offer replaced. */
static uint32_t join_changes(const Item *offer, const Item *reply, const uint64_t *old, uint64_t *changes)
{
    uint32_t n = 0;
    for (int i = 0; i < offer->n_changes; i++) {
        uint64_t change = change_of(reply, change_slot(old[i]), item_changes(offer)[i]);
        if (change != old[i]) changes[n++] = change;
    }
    for (int i = 0; i < reply->n_changes; i++) {
        uint64_t change = item_changes(reply)[i];
        if (change_of(offer, change_slot(change), NO_CHANGE) == NO_CHANGE) changes[n++] = change;
    }
    return n;
}

/* Makes the list of replies, which is aside, one of whole steps. */
static void join_list(Expansion *x, const Item *offer, ItemList replies, const uint64_t *old)
{
    uint64_t changes[MAX_SLOTS];
    const Item *reply = replies.first;
    begin_list(x);
    for (uint32_t i = 0; i < replies.n; i++, reply = item_next(reply)) {
        Step step
            = {&model.transitions[offer->transition], &model.transitions[reply->transition], offer->pid, reply->pid, 0};
        fault = item_fault(reply);
        if (reply->kind == ITEM_FAULT) {
            step.reply = NULL;
            list_item(x, ITEM_FAULT, &step, NULL, 0);
            continue;
        }
        uint32_t n = join_changes(offer, reply, old, changes);
        Item *item = list_item(x, ITEM_STEP, &step, changes, n);
        item->flags |= reply->flags & ITEM_EXECUTE;
        set_sums(item, x->cursor);
    }
}

/* Lists the rendezvous of an offer with process `pid`. */
static void list_replies(Expansion *x, const Item *offer, int pid)
{
    uint64_t old[MAX_SLOTS];
    contents_before(x->cursor, offer, old);
    patch(x->cursor, item_changes(offer), offer->n_changes);
    begin_list(x);
    state_copy(&x->middle, expansion_vector(x));
    for (int i = 0; i < offer->n_changes; i++) {
        uint64_t change = item_changes(offer)[i];
        slot_write(x->trees, x->cursor->layout, change_slot(change), change_content(change), x->middle.v);
    }
    state_copy(&x->work, &x->middle);
    step_context.offer = (int)offer->reply;
    try_replies(x, pid, NULL);
    step_context.offer = 0;
    patch(x->cursor, old, offer->n_changes);
    join_list(x, offer, end_list(x, NULL, 0).list, old);
}

/* The rendezvous of an offer with process `pid`. */
static ItemList find_replies(Expansion *x, const Item *offer, int pid, uint32_t location)
{
    const TreeLayout *l = x->cursor->layout;
    uint64_t slots = l->process_slots[pid] | global_slots(l, process_location(x->now, pid), location)
                     | l->channel_slots[offer->reply - 1];
    MemoKey key = memo_reply_key(offer->id, pid, slots);
    ItemList list;
    if (offer->id && memo_find(&x->memo, &key, x->cursor, &list)) return list;
    memset(&touched, 0, sizeof touched);
    list_replies(x, offer, pid);
    return end_list(x, offer->id ? &key : NULL, touched_slots(x)).list;
}

/* A step with the fault that was raised before. */
static const Item *with_fault(Expansion *x, const Item *item, Fault pending)
{
    Step step = item_step(item);
    fault = pending;
    Item *copy = lone_item(x, (ItemKind)item->kind, &step, item_changes(item), item->n_changes);
    copy->flags |= item->flags & ITEM_EXECUTE;
    set_sums(copy, x->cursor);
    return copy;
}

/* Looks for receivers of an offer. A fault of a receiver's guard is told with the next step. */
static void expand_offer(Expansion *x, const Item *offer)
{
    const Transition *send = &model.transitions[offer->transition];
    Fault pending = {0};
    if (x->cuts_offers) {
        x->n_cut++;
        return;
    }
    x->offered = true;
    if (offer->flags & ITEM_HAS_FAULT || !model.proctypes[send->proctype].reached[send->own]) note_successor(x, offer);
    if (offer->reply == NO_CHANNEL) return;
    refresh(x, ALL_SLOTS);
    int n = state_n_processes(x->now), stride = options.reverse_processes ? 1 : -1;
    for (int pid = stride > 0 ? 0 : n - 1; pid >= 0 && pid < n; pid += stride) {
        uint32_t location = process_location_number(x, pid);
        if (pid == offer->pid || !(x->location_flags[location] & LOCATION_RECEIVES)) continue;
        ItemList list = find_replies(x, offer, pid, location);
        const Item *item = list.first;
        for (uint32_t i = 0; i < list.n; i++, item = item_next(item)) {
            if (item->kind == ITEM_STEP) {
                note_successor(x, pending.text ? with_fault(x, item, pending) : item);
                pending = (Fault){0};
            } else if (!pending.text) {
                pending = item_fault(item);
            }
        }
    }
    if (!pending.text) return;
    fault = pending;
    Step step = {send, NULL, offer->pid, -1, 0};
    note_successor(x, lone_item(x, ITEM_FAULT, &step, NULL, 0));
}

/* ---- all processes ---- */

static void use_list(Expansion *x, ItemList list)
{
    const Item *item = list.first;
    for (uint32_t i = 0; i < list.n; i++, item = item_next(item)) {
        if (UNLIKELY(item->kind == ITEM_OFFER))
            expand_offer(x, item);
        else
            note_successor(x, item);
    }
}

/* Asks a process by running its guards and effects. */
static KnownSteps run_process(Expansion *x, int pid, uint32_t location, MemoKey *key)
{
    bool splits = x->remembers && !(x->location_flags[location] & LOCATION_ESCAPES);
    refresh(x, ALL_SLOTS);
    memset(&touched, 0, sizeof touched);
    list_steps(x, pid, step_location(x->now, pid), splits);
    return end_list(x, key, key ? touched_slots(x) : 0);
}

/* What a process can do, from the memo if that knows. */
static KnownSteps find_steps(Expansion *x, int pid)
{
    const TreeLayout *l = x->cursor->layout;
    refresh(x, l->process_slots[pid]);
    uint32_t location = process_location_number(x, pid);
    if (x->location_flags[location] & LOCATION_FORGETS) return run_process(x, pid, location, NULL);
    uint64_t slots = l->process_slots[pid] | global_slots(l, process_location(x->now, pid), location);
    if (x->keeps_owner && model.has_atomic) slots |= OWNER_SLOT; /* what steps change depends on it */
    MemoKey key = memo_key(l->shape, pid, slots);
    ItemList list;
    MemoUse *use = &x->memo_use[location];
    use->asked++;
    if (LIKELY(memo_find(&x->memo, &key, x->cursor, &list))) {
        use->known++;
        return (KnownSteps){list, key.known, STANDS_NOT};
    }
    return run_process(x, pid, location, is_worth_remembering(x, location) ? &key : NULL);
}

static inline KnownSteps ask_process(Expansion *x, int pid)
{
    KnownSteps found = find_steps(x, pid);
    if (options.reduction != REDUCE_OFF)
        found.stands = ample_answer(state_process_type(x->now, pid), state_process(x->now, pid)->pc);
    return found;
}

/* ---- one process ---- */

static bool remembers_now(const Expansion *x) { return x->remembers && !step_context.timeout; }

/* Forgets what depends on slots that have changed. */
static void forget_changed(Expansion *x)
{
    int n = state_n_processes(x->now);
    if (x->changed == NO_SLOT) return; /* the same state */
    arena_reset(&x->scratch);
    if (n > x->n_known) x->n_known = n;
    for (int pid = 0; pid < x->n_known; pid++)
        if (x->known[pid].slots & x->changed) x->known[pid].slots = NOT_KNOWN;
    x->changed = NO_SLOT;
}

/* What a process can do, after forget_changed. */
static const KnownSteps *known_steps(Expansion *x, int pid)
{
    KnownSteps *known = &x->known[pid];
    if (known->slots == NOT_KNOWN) *known = ask_process(x, pid);
    return known;
}

int expansion_ample(Expansion *x, int after)
{
    if (!remembers_now(x)) return ample_process(expansion_vector(x), after);
    forget_changed(x);
    for (int pid = (after < 0 ? state_n_processes(x->now) : after) - 1; pid >= 0; pid--) {
        const KnownSteps *known = known_steps(x, pid);
        if (known->list.n == 0 || known->stands == STANDS_NOT) continue;
        if (known->stands == STANDS || ample_can_stand(expansion_vector(x), pid)) return pid;
    }
    return -1;
}

/* Asks one process, or the claim. */
static void expand_only(Expansion *x, int pid)
{
    if (pid != CLAIM_PID && remembers_now(x)) {
        use_list(x, options.reduction == REDUCE_OFF ? ask_process(x, pid).list : known_steps(x, pid)->list);
        return;
    }
    refresh(x, ALL_SLOTS);
    int proctype = pid == CLAIM_PID ? options.claim_type : state_process_type(x->now, pid);
    uint32_t pc = pid == CLAIM_PID ? state_header(x->now)->claim : state_process(x->now, pid)->pc;
    use_list(x, run_process(x, pid, location_number(x, proctype, pc), NULL).list);
}

static inline void expand_process(Expansion *x, int pid)
{
    KnownSteps *known = &x->known[pid];
    if (known->slots & x->changed) *known = ask_process(x, pid);
    use_list(x, known->list);
}

static void expand_all(Expansion *x)
{
    int n = state_n_processes(x->now), stride = options.reverse_processes ? 1 : -1;
    bool knows = remembers_now(x);
    for (int pid = stride > 0 ? 0 : n - 1; pid >= 0 && pid < n; pid += stride) {
        if (LIKELY(knows))
            expand_process(x, pid);
        else
            expand_only(x, pid);
    }
    if (knows) x->changed = NO_SLOT;
}

void expand(Expansion *x)
{
    x->n = x->n_cut = 0;
    x->any = x->offered = false;
    if (options.reduction != REDUCE_OFF && remembers_now(x))
        forget_changed(x);
    else
        arena_reset(&x->scratch);
    if (x->set && !x->trees->hash_mask) half_cache_fit(&x->halves, stats.stored);
    if (x->only != ALL_PROCESSES)
        expand_only(x, x->only);
    else
        expand_all(x);
    if (x->stores) find_roots(x);
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
