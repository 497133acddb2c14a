/* deep_levels.c: the steps of a level of the fast depth-first search, and their records; see deep_stack.h. */
#include "chain.h"
#include "deep_stack.h"
#include "util.h"

/* ---- recording steps ---- */

/* So that next time the name need not be looked at. */
static void note_reached(const Item *item) { ((Item *)item)->flags &= (uint8_t)~ITEM_UNREACHED; }

static bool is_reached_by(const State *s, int pid, const Transition *t)
{
    const uint8_t *reached = model.proctypes[t->proctype].reached;
    return reached[t->own] & reached[t->to]
           & reached[pid == CLAIM_PID ? state_header(s)->claim : state_process(s, pid)->pc];
}

/* Was everything that the step reaches marked before? */
static bool reaches_nothing_new(const Item *item)
{
    if (item_name(item)->is_reached) {
        note_reached(item);
        return true;
    }
    Step step = item_step(item);
    const State *s = expansion_vector(&deep.expansion);
    if (!is_reached_by(s, step.pid, step.transition)) return false;
    if (step.reply && !is_reached_by(s, step.reply_pid, step.reply)) return false;
    if (!chain_is_marked(step_last(&step))) return false;
    item_name(item)->is_reached = true;
    note_reached(item);
    return true;
}

static inline void write_skipped(uint32_t *n)
{
    if (*n == 0) return;
    words_reserve(&deep.records, 1);
    deep.records.at[deep.records.n++] = (uint64_t)*n << RECORD_SHIFT | RECORD_SKIPPED;
    *n = 0;
}

static inline void write_record(const Successor *next, unsigned flags)
{
    const Item *item = next->item;
    words_reserve(&deep.records, 1 + ITEM_AS_WORDS + STATE_AS_WORDS);
    uint64_t *to = deep.records.at + deep.records.n;
    if (LIKELY(!(item->flags & ITEM_LOOSE))) {
        *to++ = (uint64_t)(uintptr_t)item | flags;
    } else {
        *to++ = flags | RECORD_COPY;
        memcpy(to, item, sizeof *item);
        to += ITEM_AS_WORDS;
    }
    if (UNLIKELY(item->flags & ITEM_EXECUTE)) {
        memcpy(to, &next->to, sizeof next->to);
        to += STATE_AS_WORDS;
    }
    deep.records.n = (uint32_t)(to - deep.records.at);
}

/* Will the turn of an item come before anything else happens? Then it need not be looked up again. Records of the level
 * begin at `first`. */
static inline bool is_first_to_follow(uint32_t first, const Item *item)
{
    if (item->flags & (ITEM_LOOSE | ITEM_FAULTY)) return false;
    return deep.records.n == first || (deep.records.n == first + 1 && record_flags(first) == RECORD_SKIPPED);
}

/* Makes a record of a step that does not only have to be counted. Records of the level begin at `first`; `kept` if it
 * is to stay whatever it leads to. */
static void record_step(const Successor *next, bool is_stored, bool is_seen, bool is_kept, uint32_t first)
{
    if (is_seen)
        write_record(next, RECORD_MATCHED);
    else if (is_stored && !is_kept && is_first_to_follow(first, next->item) && seen_add_at(deep.seen, &next->place))
        write_record(next, RECORD_ADDED);
    else
        write_record(next, is_stored ? RECORD_NEW : 0);
}

static inline bool is_only_counted(const Successor *next)
{
    if (LIKELY(!(next->item->flags & (ITEM_FAULTY | ITEM_UNREACHED)))) return true;
    return !(next->item->flags & ITEM_FAULTY) && reaches_nothing_new(next->item);
}

/* Makes the records of a level. */
static void record_successors(const Expansion *x)
{
    uint32_t skipped = 0, first = deep.records.n;
    for (const Successor *next = x->items, *end = next + x->n; next < end; next++) {
        bool is_stored = is_placed(&next->place), is_seen = is_stored && seen_has(deep.seen, &next->place);
        if (is_seen && LIKELY(is_only_counted(next))) {
            skipped++;
            continue;
        }
        write_skipped(&skipped);
        record_step(next, is_stored, is_seen, false, first);
    }
    write_skipped(&skipped);
}

/* The same with a depth limit, or for a level that is brought back: step number `kept` (none: 0) is kept even if it was
 * seen. */
static void record_some_successors(const Expansion *x, long depth, uint32_t kept)
{
    uint32_t skipped = 0, ordinal = 0, first = deep.records.n;
    for (const Successor *next = x->items, *end = next + x->n; next < end; next++) {
        bool is_step = next->item->kind == ITEM_STEP;
        bool is_kept = is_step && ++ordinal == kept;
        bool is_stored
            = is_placed(&next->place) && !exceeds_depth(depth + (item_name(next->item)->reply != NO_REPLY) + 1);
        bool is_seen = is_stored && !is_kept && seen_has(deep.seen, &next->place);
        if (is_seen && is_only_counted(next)) {
            skipped++;
            continue;
        }
        write_skipped(&skipped);
        record_step(next, is_stored, is_seen, kept > 0, first);
    }
    write_skipped(&skipped);
}

/* ---- finding steps ---- */

/* Finds the steps of the last level: those of process `ample`, or all if it is -1. */
static void find_level_steps(int ample)
{
    Expansion *x = &deep.expansion;
    DeepLevel *level = deep_top();
    level->ample = (int16_t)ample;
    x->only = ample >= 0 ? ample : whom_to_ask(level);
    x->cuts_offers = exceeds_depth(level->depth + 1);
    x->stores = !(level->flags & AT_CLAIM) || level->flags & AT_STUTTER;
    x->at = level->state;
    while (UNLIKELY(!expand(x))) {
        make_room_in_numbers();
        x->at = deep_top()->state;
    }
}

/* Steps that have had their turn meanwhile are nothing special any more. */
static void look_who_is_reached(void)
{
    Expansion *x = &deep.expansion;
    for (uint32_t i = 0; i < x->n; i++)
        if (item_name(x->items[i].item)->is_reached) note_reached(x->items[i].item);
    expansion_note_reached(x);
}

/* Makes records of what was found. */
static void record_level(DeepLevel *level, uint32_t kept)
{
    const Expansion *x = &deep.expansion;
    deep.records.n = level->first;
    if (LIKELY(!kept && !options.max_depth))
        record_successors(x);
    else
        record_some_successors(x, level->depth, kept);
    level->next = level->first;
    level->end = deep.records.n;
    level->ordinal = 0;
    level->any |= x->any;
    level->offered |= x->offered;
    level->n_cut = x->n_cut;
    if (UNLIKELY(x->flags & ITEM_UNREACHED)) look_who_is_reached();
}

/* ---- partial order reduction ---- */

static bool is_beyond(long depth, const Item *item)
{
    Step step = item_step(item);
    return exceeds_depth(depth + step_length(&step));
}

/* The same for a state that has this place. */
static bool is_stale_at(const PackedState *state, const PackedPlace *place)
{
    if (!deep.asks_stack) return seen_has(deep.seen, place);
    if (!deep.opens) return stack_set_has(&deep.on_stack, state->sum);
    const uint32_t *head = seen_entry(deep.seen, place);
    return head && *head & ENTRY_OPEN;
}

bool is_stale(const PackedState *state)
{
    PackedPlace place;
    seen_locate(deep.seen, state->number, state->sum, &place);
    return is_stale_at(state, &place);
}

/* What the steps that were found lead to. Nobody knows what lies behind the depth limit; what an atomic sequence leads
 * to is told from inside it. */
static AmpleTally tally_steps(const DeepLevel *level, bool *enters)
{
    const Expansion *x = &deep.expansion;
    AmpleTally tally = {0, 0};
    for (uint32_t i = 0; i < x->n; i++) {
        const Item *item = x->items[i].item;
        if (item->kind != ITEM_STEP) continue;
        if (UNLIKELY(options.max_depth) && is_beyond(level->depth, item))
            tally.stale++;
        else if (item->flags & ITEM_ATOMIC)
            *enters = true;
        else
            is_stale_at(&x->items[i].to, &x->items[i].place) ? tally.stale++ : tally.fresh++;
    }
    return tally;
}

static int find_ample_process(int after)
{
    int pid = expansion_ample(&deep.expansion, after);
    while (UNLIKELY(deep.expansion.packing.overflows)) {
        make_room_in_numbers();
        deep.expansion.at = deep_top()->state;
        pid = expansion_ample(&deep.expansion, after);
    }
    return pid;
}

/* Looks for a process after `after` that can stand for all. If its steps lead into atomic sequences, these will tell
 * whether it does. */
static bool find_ample_steps(int after)
{
    deep.expansion.at = deep_top()->state;
    for (int pid = after; (pid = find_ample_process(pid)) >= 0;) {
        bool enters = false;
        find_level_steps(pid);
        DeepLevel *level = deep_top();
        level->tally = tally_steps(level, &enters);
        if (deep.expansion.any && (enters || ample_suffices(level->tally))) return true;
    }
    return false;
}

static bool may_reduce(const DeepLevel *level)
{
    return options.reduction != REDUCE_OFF && level->owner < 0
           && !(level->flags & (AT_CLAIM | AT_STUTTER | AT_TIMEOUT));
}

void tell_entry(const DeepLevel *level, AmpleTally tally)
{
    if (level->entry == NO_LEVEL || deep.levels[level->entry].ample < 0) return;
    deep.levels[level->entry].tally.fresh += tally.fresh;
    deep.levels[level->entry].tally.stale += tally.stale;
}

void begin_level_after(int after)
{
    set_context(deep_top());
    if (!may_reduce(deep_top()) || !find_ample_steps(after)) find_level_steps(-1);
    DeepLevel *level = deep_top();
    if (options.reduction != REDUCE_OFF && level->flags & AT_INSIDE && !(level->flags & AT_CLAIM)) {
        bool enters;
        tell_entry(level, tally_steps(level, &enters));
    }
    record_level(level, 0);
}

void begin_level(void)
{
    deep_top()->any = deep_top()->offered = false;
    begin_level_after(-1);
}

void begin_level_again(int ample, uint32_t kept)
{
    set_context(deep_top());
    deep_top()->any = deep_top()->offered = false;
    find_level_steps(ample);
    record_level(deep_top(), kept);
}

/* ---- levels with nothing special ---- */

/* Of the steps that were found, at most 64, a bit each: */
typedef struct Found {
    uint64_t seen;  /* those that lead to states in the set, */
    uint64_t stale; /* and those that the cycle condition counts as such */
} Found;

/* Looks up all in the table. The last two are the set's, as constants. */
static ALWAYS_INLINE Found find_in_table(const Expansion *x, uint32_t tail_size, bool opens)
{
    const uint32_t entries = BUCKET_BYTES / (4 + tail_size);
    const PackedSet like
        = {.tail_size = tail_size, .entries = entries, .heads = (UINT32_C(1) << entries) - 1, .opens = opens};
    Found found = {0, 0};
    for (uint32_t i = 0; i < x->n; i++) {
        const PackedPlace *place = &x->items[i].place;
        const uint32_t *head = is_placed(place) ? packed_set_find_at(&deep.seen->numbers, &like, place) : NULL;
        found.seen |= (uint64_t)(head != NULL) << i;
        if (opens) found.stale |= (uint64_t)(head && *head & ENTRY_OPEN) << i;
    }
    return found;
}

static ALWAYS_INLINE Found find_in_tables(const Expansion *x, bool opens)
{
    switch (deep.seen->numbers.tail_size) {
    case 0: return find_in_table(x, 0, opens);
    case 1: return find_in_table(x, 1, opens);
    case 2: return find_in_table(x, 2, opens);
    case 4: return find_in_table(x, 4, opens);
    case 8: return find_in_table(x, 8, opens);
    default: return find_in_table(x, 12, opens);
    }
}

static Found find_bits(const Expansion *x)
{
    Found found = {0, 0};
    for (uint32_t i = 0; i < x->n; i++) {
        const PackedPlace *place = &x->items[i].place;
        found.seen |= (uint64_t)(is_placed(place) && seen_has(deep.seen, place)) << i;
        if (deep.asks_stack) found.stale |= (uint64_t)stack_set_has(&deep.on_stack, x->items[i].to.sum) << i;
    }
    return found;
}

static Found look_up(const Expansion *x)
{
    if (deep.opens) return find_in_tables(x, true);
    Found found = deep.seen->kind == STORE_BITSTATE ? find_bits(x) : find_in_tables(x, false);
    if (!deep.asks_stack) found.stale = found.seen;
    return found;
}

/* Records a step that leads to something new. */
static inline uint64_t *put_record(uint64_t *to, const Item *item)
{
    unsigned flags = item->flags & ITEM_ATOMIC ? 0 : RECORD_NEW;
    if (LIKELY(!(item->flags & ITEM_LOOSE))) {
        *to = (uint64_t)(uintptr_t)item | flags;
        return to + 1;
    }
    *to = RECORD_COPY | flags;
    memcpy(to + 1, item, sizeof *item);
    return to + 1 + ITEM_AS_WORDS;
}

static inline uint64_t *put_skipped(uint64_t *to, uint32_t n)
{
    *to = (uint64_t)n << RECORD_SHIFT | RECORD_SKIPPED;
    return to + (n > 0);
}

/* Records what is left of a level when the first of its new successors is being followed. Bits tell which are new. */
static inline void record_rest(const Expansion *x, uint32_t followed, uint64_t fresh)
{
    words_reserve(&deep.records, (2 + ITEM_AS_WORDS) * x->n + 1);
    uint64_t *to = put_record(deep.records.at + deep.records.n, x->items[followed].item);
    uint32_t before = followed;
    for (fresh &= fresh - 1; fresh; fresh &= fresh - 1) {
        uint32_t i = lowest_bit(fresh);
        to = put_skipped(to, i - before - 1);
        to = put_record(to, x->items[i].item);
        before = i;
    }
    to = put_skipped(to, x->n - before - 1);
    deep.records.n = (uint32_t)(to - deep.records.at);
}

static inline uint64_t bits_of_all(const Expansion *x) { return UINT64_MAX >> (64 - x->n); }

/* Goes to a state that was just stored, or to one inside an atomic sequence. */
static inline void go_down(long depth, const Successor *next, bool inside)
{
    const StepName *name = item_name(next->item);
    DeepLevel *below = deep_push(&next->to, depth + next->item->u.length, inside ? AT_INSIDE : AT_STORED, name->owner);
    if (inside) {
        stats.atomic_steps++;
        return;
    }
    stats.stored++;
    below->mover = name->pid;
    enter_stack(below);
}

/* Steps were found and looked up, and none is special. */
static LevelStart start_plain_level(DeepLevel *level, Found found)
{
    const Expansion *x = &deep.expansion;
    uint64_t fresh = bits_of_all(x) & ~found.seen;
    level->offered = x->offered;
    if (fresh == 0) {
        stats.matched += x->n;
        note_offer_depth(level);
        return LEVEL_DONE;
    }
    uint32_t followed = lowest_bit(fresh);
    const Successor *next = &x->items[followed];
    bool inside = next->item->flags & ITEM_ATOMIC;
    if (!inside && UNLIKELY(!seen_add_at(deep.seen, &next->place))) /* other places are not needed any more */
        seen_add(deep.seen, next->to.number, next->to.sum);
    stats.matched += followed;
    level->any = true;
    level->ordinal = followed + 1;
    level->taken = level->first;
    record_rest(x, followed, fresh);
    level->next = record_next(level->first);
    level->end = deep.records.n;
    go_down(level->depth, next, inside);
    return LEVEL_LEADS_ON;
}

enum { SPECIAL_ITEM = ITEM_FAULTY | ITEM_EXECUTE | ITEM_UNREACHED | ITEM_OTHER };

static inline bool is_plain(const Expansion *x, uint32_t special) { return !(x->flags & special) && x->n - 1 < 64; }

/* Lets one process stand for all, if one can. */
static LevelStart start_reduced_level(void)
{
    const Expansion *x = &deep.expansion;
    deep.expansion.at = deep_top()->state;
    for (int pid = -1; (pid = find_ample_process(pid)) >= 0;) {
        find_level_steps(pid);
        if (!is_plain(x, SPECIAL_ITEM | ITEM_ATOMIC)) return LEVEL_SPECIAL;
        Found found = look_up(x);
        DeepLevel *level = deep_top();
        level->tally = (AmpleTally){found.stale != bits_of_all(x), found.stale != 0};
        if (ample_suffices(level->tally)) return start_plain_level(level, found);
    }
    return LEVEL_IS_WHOLE;
}

/* Is the set so large that its lines come from memory, not from a cache? Meanwhile there is time to guess what will be
 * looked up next: mostly a process that has moved moves again. */
static inline bool waits_for_memory(void)
{
    enum { LARGE = (16 << 20) / BUCKET_BYTES };
    return deep.seen->kind == STORE_EXACT && deep.seen->numbers.n_buckets > LARGE;
}

LevelStart start_level(void)
{
    const Expansion *x = &deep.expansion;
    if (deep_top()->depth > stats.max_depth) stats.max_depth = deep_top()->depth;
    step_context.timeout = step_context.stutter = false;
    if (options.reduction != REDUCE_OFF) {
        LevelStart start = start_reduced_level();
        if (start == LEVEL_SPECIAL) begin_level();
        if (start != LEVEL_IS_WHOLE) return start;
    }
    find_level_steps(-1);
    DeepLevel *level = deep_top();
    if (LIKELY(is_plain(x, SPECIAL_ITEM))) {
        if (waits_for_memory() && level->mover >= 0) expansion_look_ahead(&deep.expansion, level->mover);
        return start_plain_level(level, look_up(x));
    }
    record_level(level, 0);
    return LEVEL_SPECIAL;
}
