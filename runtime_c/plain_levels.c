/* plain_levels.c: levels of the fast depth-first search with nothing special about them; see deep_stack.h.
 *
 * None of their steps raises a fault, changes the shape of the state or reaches something for the first time. Nearly all
 * levels are like that. All their successors are looked up at once, the first new one is entered, and only steps to
 * other new ones are recorded.
 *
 * While the lookups wait for memory the search goes on with the successor that will probably be entered: mostly a
 * process that has moved moves again. What that one can do is found, and its successors are fetched in turn. If the
 * guess was wrong, nothing is lost but the time.
 */
#include "deep_stack.h"
#include "util.h"

/* ---- looking up ---- */

/* Of the steps that were found, at most 64, a bit each: */
typedef struct Found {
    uint64_t seen;  /* those that lead to states in the set, */
    uint64_t stale; /* and those that the cycle condition counts as such */
} Found;

/* Looks up all in the table. The last two are the set's, as constants. */
static ALWAYS_INLINE Found find_in_table(const Successors *s, uint32_t tail_size, bool opens)
{
    const uint32_t entries = BUCKET_BYTES / (4 + tail_size);
    const PackedSet like
        = {.tail_size = tail_size, .entries = entries, .heads = (UINT32_C(1) << entries) - 1, .opens = opens};
    Found found = {0, 0};
    for (uint32_t i = 0; i < s->n; i++) {
        const PackedPlace *place = &s->items[i].place;
        const uint32_t *head = is_placed(place) ? packed_set_find_at(&deep.seen->numbers, &like, place) : NULL;
        found.seen |= (uint64_t)(head != NULL) << i;
        if (opens) found.stale |= (uint64_t)(head && *head & ENTRY_OPEN) << i;
    }
    return found;
}

static ALWAYS_INLINE Found find_in_tables(const Successors *s, bool opens)
{
    switch (deep.seen->numbers.tail_size) {
    case 0: return find_in_table(s, 0, opens);
    case 1: return find_in_table(s, 1, opens);
    case 2: return find_in_table(s, 2, opens);
    case 4: return find_in_table(s, 4, opens);
    case 8: return find_in_table(s, 8, opens);
    default: return find_in_table(s, 12, opens);
    }
}

static Found find_bits(const Successors *s)
{
    Found found = {0, 0};
    for (uint32_t i = 0; i < s->n; i++) {
        const PackedPlace *place = &s->items[i].place;
        found.seen |= (uint64_t)(is_placed(place) && seen_has(deep.seen, place)) << i;
        if (deep.asks_stack) found.stale |= (uint64_t)stack_set_has(&deep.on_stack, s->from.sum + s->items[i].item->sum) << i;
    }
    return found;
}

static Found look_up(const Successors *s)
{
    if (deep.opens) return find_in_tables(s, true);
    Found found = deep.seen->kind == STORE_BITSTATE ? find_bits(s) : find_in_tables(s, false);
    if (!deep.asks_stack) found.stale = found.seen;
    return found;
}

/* ---- records ---- */

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
static inline void record_rest(const Successors *s, uint32_t followed, uint64_t fresh)
{
    words_reserve(&deep.records, (2 + ITEM_AS_WORDS) * s->n + 1);
    uint64_t *to = put_record(deep.records.at + deep.records.n, s->items[followed].item);
    uint32_t before = followed;
    for (fresh &= fresh - 1; fresh; fresh &= fresh - 1) {
        uint32_t i = lowest_bit(fresh);
        to = put_skipped(to, i - before - 1);
        to = put_record(to, s->items[i].item);
        before = i;
    }
    to = put_skipped(to, s->n - before - 1);
    deep.records.n = (uint32_t)(to - deep.records.at);
}

static inline uint64_t bits_of_all(const Successors *s) { return UINT64_MAX >> (64 - s->n); }

/* ---- starting ---- */

/* Goes to a state that was just stored, or to one inside an atomic sequence. */
static inline void go_down(long depth, const Item *item, const PackedState *to, bool inside)
{
    const StepName *name = item_name(item);
    DeepLevel *below = deep_push(to, depth + item->u.length, inside ? AT_INSIDE : AT_STORED, name->owner);
    deep.last_mover = name->pid;
    if (inside) {
        stats.atomic_steps++;
        return;
    }
    stats.stored++;
    enter_stack(below);
}

/* Steps were found and looked up, and none is special. Returns which one is followed, or NONE. */
enum { NONE = 64 };
static uint32_t start_plain_level(DeepLevel *level, const Successors *s, Found found)
{
    uint64_t fresh = bits_of_all(s) & ~found.seen;
    level->offered = s->offered;
    if (fresh == 0) {
        stats.matched += s->n;
        note_offer_depth(level);
        return NONE;
    }
    uint32_t followed = lowest_bit(fresh);
    const Successor *next = &s->items[followed];
    PackedState to = successor_state(s, followed);
    bool inside = next->item->flags & ITEM_ATOMIC;
    if (!inside && UNLIKELY(!seen_add_at(deep.seen, &next->place))) /* other places are not needed any more */
        seen_add(deep.seen, to.number, to.sum);
    stats.matched += followed;
    level->any = true;
    level->ordinal = followed + 1;
    level->taken = level->first;
    record_rest(s, followed, fresh);
    level->next = record_next(level->first);
    level->end = deep.records.n;
    go_down(level->depth, next->item, &to, inside);
    return followed;
}

enum { SPECIAL_ITEM = ITEM_FAULTY | ITEM_EXECUTE | ITEM_UNREACHED | ITEM_OTHER };

static inline bool is_plain(const Successors *s, uint32_t special) { return !(s->flags & special) && s->n - 1 < 64; }

/* The step that will probably be followed: the first one of the process that moved last. NONE if it has none. */
static inline uint32_t guess_step(const Successors *s)
{
    const Item *first = deep.expansion.known[deep.last_mover].list.first;
    if (s->flags & (ITEM_LOOSE | ITEM_ATOMIC)) return NONE;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->items[i].item == first) return i;
    return NONE;
}

/* The same as start_plain_level, but the state is expanded first that is guessed to be followed. */
static uint32_t start_guessing(DeepLevel *level, uint32_t guess)
{
    Expansion *x = &deep.expansion;
    Successors *now = &deep.before, free = *now;
    uint32_t moves = deep.seen->numbers.moves;
    *now = x->found;
    x->found = free;
    x->at = successor_state(now, guess);
    bool is_expanded = expand(x);
    uint32_t followed = start_plain_level(level, now, look_up(now));
    deep.is_ahead = is_expanded && followed == guess && moves == deep.seen->numbers.moves;
    return followed;
}

/* Is the set so large that its lines come from memory, not from a cache? */
static inline bool waits_for_memory(void)
{
    enum { LARGE = 16 << 20 };
    const Seen *seen = deep.seen;
    return (seen->kind == STORE_BITSTATE ? seen->bits.bytes : seen->numbers.n_buckets * BUCKET_BYTES) > LARGE;
}

/* Lets one process stand for all, if one can. */
static LevelStart start_reduced_level(bool *is_whole)
{
    const Successors *s = &deep.expansion.found;
    deep.expansion.at = deep_top()->state;
    for (int pid = -1; (pid = find_ample_process(pid)) >= 0;) {
        find_level_steps(pid);
        if (!is_plain(s, SPECIAL_ITEM | ITEM_ATOMIC)) return LEVEL_SPECIAL;
        Found found = look_up(s);
        DeepLevel *level = deep_top();
        level->tally = (AmpleTally){found.stale != bits_of_all(s), found.stale != 0};
        if (ample_suffices(level->tally))
            return start_plain_level(level, s, found) == NONE ? LEVEL_DONE : LEVEL_LEADS_ON;
    }
    *is_whole = true;
    return LEVEL_DONE;
}

/* Finds the steps of the last level. */
static inline void find_all_steps(void)
{
    Expansion *x = &deep.expansion;
    x->only = ALL_PROCESSES;
    x->cuts_offers = false;
    x->stores = true;
    x->at = deep_top()->state;
    if (UNLIKELY(!expand(x))) find_level_steps(-1);
}

LevelStart start_level(void)
{
    const Successors *s = &deep.expansion.found;
    if (deep_top()->depth > stats.max_depth) stats.max_depth = deep_top()->depth;
    step_context.timeout = step_context.stutter = false;
    if (options.reduction != REDUCE_OFF) {
        bool is_whole = false;
        LevelStart start = start_reduced_level(&is_whole);
        if (start == LEVEL_SPECIAL) begin_level();
        if (!is_whole) return start;
    }
    if (!deep.is_ahead) find_all_steps();
    deep.is_ahead = false;
    DeepLevel *level = deep_top();
    if (UNLIKELY(!is_plain(s, SPECIAL_ITEM))) {
        record_level(level, 0);
        return LEVEL_SPECIAL;
    }
    uint32_t guess = waits_for_memory() ? guess_step(s) : NONE;
    uint32_t followed = guess < NONE ? start_guessing(level, guess) : start_plain_level(level, s, look_up(s));
    return followed == NONE ? LEVEL_DONE : LEVEL_LEADS_ON;
}
