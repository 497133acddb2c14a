/* dfs_batch.c: depth-first search that looks up all successors of a state at once.
 *
 * SPIN's search, step for step, like dfs.c, but a state is expanded as a whole when it is entered:
 * then the lookups of its successors wait for memory together. What was seen before
 * stays seen, so a successor found in the set needs no second lookup when its turn comes; the others
 * are looked up again then.
 *
 * A level holds what is left of the expansion, which is much, and stacks are often as deep as half
 * of all states. So only the upper part of the stack is kept like that. Below, a level
 * is a few bytes (level_log.h): which step was taken there, and in what circumstances. When the search comes back
 * to a level that still has steps to take, it is expanded again; most have none.
 */
#include <string.h>

#include "chain.h"
#include "expand.h"
#include "level_log.h"
#include "reach.h"
#include "search.h"
#include "stack_set.h"
#include "state_set.h"
#include "tallies.h"
#include "tell_search.h"
#include "trail.h"
#include "util.h"

enum BatchLevelFlags {
    AT_CLAIM = 1,    /* the claim moves here */
    AT_TIMEOUT = 2,  /* timeout is true here */
    AT_REQUEST = 4,  /* the program below is blocked and asks the claim to allow a timeout */
    AT_INSIDE = 8,   /* inside an atomic sequence: not stored, only the owner moves */
    AT_STUTTER = 16, /* the program is blocked for good: the claim moves alone */
    AT_STORED = 32   /* the state of this level is in the set, and the cursor describes it */
};

/* Of a level's records, which are steps whose turn is yet to come. A record is a word that says where
 * its item (memo.h) is, with these flags in the low bits. An item that is not in the memo follows, and, if the item
 * does not tell it, the state it leads to. Steps of which nothing is left to do but count them are one record, with all
 * flags, whose word is their number. */
enum RecordFlags {
    RECORD_COPY = 1,    /* the item follows, */
    RECORD_NEW = 2,     /* the state it leads to is to be stored, and was not seen, */
    RECORD_MATCHED = 4, /* or was seen, */
    RECORD_ADDED = 6,   /* or was not, but is now: its turn comes at once. Of items in the memo only */
    RECORD_SKIPPED = 7,
    RECORD_SHIFT = 3
};
enum { ITEM_AS_WORDS = sizeof(Item) / 8, STATE_AS_WORDS = sizeof(PackedState) / 8 };
_Static_assert(sizeof(Item) % 8 == 0 && sizeof(PackedState) % 8 == 0, "records are words of eight bytes");

typedef struct DeepLevel {
    uint32_t first; /* where its records begin, */
    uint32_t next;  /* the one whose turn is next, */
    uint32_t end;   /* and where they end */
    uint32_t taken; /* the record whose step is being followed */
    PackedState state;
    long depth;       /* in SPIN's steps */
    uint32_t ordinal; /* steps whose turn has come */
    uint32_t n_cut;
    uint32_t entry; /* level at hand that an atomic sequence was entered from; else this level */
    AmpleTally tally;
    int16_t ample; /* process that moves for all, -1 if none */
    int16_t owner; /* process in an atomic sequence, -1 if none */
    uint8_t flags;
    bool any, offered;
} DeepLevel;

/* A stack of words. */
typedef struct Words {
    uint64_t *at;
    uint32_t n, capacity;
} Words;

static struct {
    DeepLevel *levels; /* those at hand */
    size_t n_levels, levels_capacity;
    Words records;
    StateSet *set;
    Seen *seen;
    Expansion expansion;
    StackSet on_stack; /* if a cycle condition asks for it */
    LevelLog log;      /* the levels before */
    LoggedLevel *back; /* those that are being brought back */
    size_t n_back, back_capacity;
    bool stop;
    Step failed; /* the step that raised a fault and is not on the stack */
    bool has_failed;
} deep;

#define NO_LEVEL UINT32_MAX
#define FRESH ((AmpleTally){1, 0})
#define STALE ((AmpleTally){0, 1})

/* The last level. Levels move when others are added or packed. */
static DeepLevel *deep_top(void) { return &deep.levels[deep.n_levels - 1]; }

static State *level_vector(const DeepLevel *level)
{
    deep.expansion.at = level->state;
    return expansion_vector(&deep.expansion);
}

static void make_room_in_numbers(void);

static inline void words_reserve(Words *w, uint32_t more)
{
    if (LIKELY(w->n + more <= w->capacity)) return;
    if (w->capacity > UINT32_MAX / 4) die("too many steps wait for their turn for this version (2^30)");
    w->capacity = 2 * w->capacity + more;
    w->at = xrealloc(w->at, w->capacity * sizeof *w->at);
}

/* ---- records ---- */

static bool exceeds_depth(long depth) { return options.max_depth && depth >= options.max_depth; }

static inline unsigned record_flags(uint32_t at) { return deep.records.at[at] & RECORD_SKIPPED; }

static inline uint64_t record_word(uint32_t at) { return deep.records.at[at] >> RECORD_SHIFT; }

static inline const Item *record_item(uint32_t at)
{
    uint64_t word = deep.records.at[at];
    if (UNLIKELY(word & RECORD_COPY)) return (const Item *)(const void *)&deep.records.at[at + 1];
    return (const Item *)(uintptr_t)(word & ~(uint64_t)RECORD_SKIPPED);
}

/* How many words there are before a record's state. */
static inline uint32_t record_length(uint32_t at) { return record_flags(at) & RECORD_COPY ? 1 + ITEM_AS_WORDS : 1; }

/* Where a step of a level leads. */
static inline void record_state(const DeepLevel *level, uint32_t at, PackedState *to)
{
    const Item *item = record_item(at);
    if (UNLIKELY(item->flags & ITEM_EXECUTE)) {
        memcpy(to, &deep.records.at[at + record_length(at)], sizeof *to);
        return;
    }
    to->number.lo = level->state.number.lo ^ item->change.lo;
    to->number.hi = level->state.number.hi ^ item->change.hi;
    to->sum = level->state.sum + item->sum;
}

static inline uint32_t record_next(uint32_t at)
{
    if (record_flags(at) == RECORD_SKIPPED) return at + 1;
    return at + record_length(at) + (record_item(at)->flags & ITEM_EXECUTE ? STATE_AS_WORDS : 0);
}

static bool is_reached_by(const State *s, int pid, const Transition *t)
{
    const uint8_t *reached = model.proctypes[t->proctype].reached;
    return reached[t->own] & reached[t->to]
           & reached[pid == CLAIM_PID ? state_header(s)->claim : state_process(s, pid)->pc];
}

/* Was everything that the step reaches marked before? */
static inline bool reaches_nothing_new(const Item *item)
{
    if (LIKELY(item_name(item)->is_reached)) return true;
    Step step = item_step(item);
    const State *s = expansion_vector(&deep.expansion);
    if (!is_reached_by(s, step.pid, step.transition)) return false;
    if (step.reply && !is_reached_by(s, step.reply_pid, step.reply)) return false;
    if (!chain_is_marked(step_last(&step))) return false;
    item_name(item)->is_reached = true;
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
    if (LIKELY(item->flags & ITEM_KEPT)) {
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
    if ((item->flags & (ITEM_KEPT | ITEM_FAULTY)) != ITEM_KEPT) return false;
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
    return !(next->item->flags & ITEM_FAULTY) && reaches_nothing_new(next->item);
}

/* Makes the records of a level. */
static void record_successors(const Expansion *x)
{
    uint32_t skipped = 0, first = deep.records.n;
    for (const Successor *next = x->items, *end = next + x->n; next < end; next++) {
        bool is_seen = next->stored && seen_has(deep.seen, &next->place);
        if (is_seen && LIKELY(is_only_counted(next))) {
            skipped++;
            continue;
        }
        write_skipped(&skipped);
        record_step(next, next->stored, is_seen, false, first);
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
        bool is_stored = next->stored && !exceeds_depth(depth + (item_name(next->item)->reply != NO_REPLY) + 1);
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

static void set_context(const DeepLevel *level)
{
    step_context.timeout = level->flags & AT_TIMEOUT;
    step_context.stutter = level->flags & AT_STUTTER;
}

static int whom_to_ask(const DeepLevel *level)
{
    if (level->flags & (AT_CLAIM | AT_STUTTER)) return CLAIM_PID;
    return level->owner >= 0 ? level->owner : ALL_PROCESSES;
}

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
}

/* ---- partial order reduction ---- */

static bool is_beyond(long depth, const Item *item)
{
    Step step = item_step(item);
    return exceeds_depth(depth + step_length(&step));
}

static bool is_stale(const PackedState *state)
{
    return ample_asks_stack() ? stack_set_has(&deep.on_stack, state->sum) : seen_contains(deep.seen, state);
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
            is_stale(&x->items[i].to) ? tally.stale++ : tally.fresh++;
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

/* The steps inside an atomic sequence tell the level it was entered from what they lead to. */
static void tell_entry(const DeepLevel *level, AmpleTally tally)
{
    if (level->entry == NO_LEVEL || deep.levels[level->entry].ample < 0) return;
    deep.levels[level->entry].tally.fresh += tally.fresh;
    deep.levels[level->entry].tally.stale += tally.stale;
}

/* Begins the last level, or goes on with it when process `after` could not stand for all. */
static void begin_level_after(int after)
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

static void begin_level(void)
{
    deep_top()->any = deep_top()->offered = false;
    begin_level_after(-1);
}

/* Begins a level once more, as it was; step number `kept` is the one being followed. */
static void begin_level_again(int ample, uint32_t kept)
{
    set_context(deep_top());
    deep_top()->any = deep_top()->offered = false;
    find_level_steps(ample);
    record_level(deep_top(), kept);
}

static void enter_stack(const DeepLevel *level)
{
    if (options.reduction != REDUCE_OFF && ample_asks_stack()) stack_set_add(&deep.on_stack, level->state.sum);
}

/* The state of the last level leaves the stack. */
static void leave_stack(const DeepLevel *level)
{
    if (options.reduction == REDUCE_OFF || !ample_asks_stack() || !(level->flags & AT_STORED)) return;
    stack_set_remove(&deep.on_stack, level->state.sum);
}

/* ---- the stack ---- */

static inline DeepLevel *deep_push(const PackedState *state, long depth, uint8_t flags, int owner)
{
    if (deep.n_levels == deep.levels_capacity) {
        deep.levels_capacity = deep.levels_capacity ? 2 * deep.levels_capacity : 1024;
        deep.levels = xrealloc(deep.levels, deep.levels_capacity * sizeof *deep.levels);
    }
    DeepLevel *level = &deep.levels[deep.n_levels++];
    *level = (DeepLevel){.first = deep.records.n, .depth = depth, .flags = flags, .owner = (int16_t)owner, .ample = -1};
    level->state.number.lo = state->number.lo;
    level->state.number.hi = state->number.hi;
    level->state.sum = state->sum;
    level->entry = (uint32_t)deep.n_levels - 1;
    if (flags & AT_INSIDE && deep.n_levels > 1)
        level->entry = level[-1].flags & AT_INSIDE ? level[-1].entry : level->entry - 1;
    return level;
}

/* Goes down along the step of record number `taken` of the last level. */
static inline DeepLevel *deep_descend(uint32_t taken, const PackedState *to, uint8_t flags, int owner, long depth)
{
    deep_top()->taken = taken;
    return deep_push(to, depth, flags, owner);
}

/* SPIN counts the state between the halves of a rendezvous as a level, taken or not. */
static inline void note_offer_depth(const DeepLevel *level)
{
    if (level->offered && level->depth + 1 > stats.max_depth) stats.max_depth = level->depth + 1;
}

/* ---- levels that are not at hand ---- */

/* Who moves for all, plus one, and two bits for what that led to. */
static uint32_t ample_as_number(const DeepLevel *level, AmpleTally tally)
{
    if (options.reduction == REDUCE_OFF) return 0;
    return (uint32_t)(level->ample + 1) << 2 | (tally.fresh ? 2u : 0) | (tally.stale ? 1u : 0);
}

static int ample_of_number(uint32_t number, AmpleTally *tally)
{
    *tally = (AmpleTally){number >> 1 & 1, number & 1};
    return (int)(number >> 2) - 1;
}

/* Does a record that has not had its turn lead to nothing but a state that was seen? */
static bool leads_nowhere(const DeepLevel *level, uint32_t at)
{
    const Item *item = record_item(at);
    PackedState to;
    if (item->flags & ITEM_FAULTY || !item_name(item)->is_reached || (record_flags(at) & RECORD_ADDED) != RECORD_NEW)
        return false;
    record_state(level, at, &to);
    return seen_contains(deep.seen, &to);
}

/* Is nothing left to do at a level but to count *skipped steps? */
static bool is_closed(const DeepLevel *level, uint32_t *skipped)
{
    *skipped = 0;
    if (!level->any || level->n_cut || (level->flags & AT_CLAIM && model.uses_timeout) || options.marks_late)
        return false;
    if (level->ample >= 0 && !ample_suffices(level->tally)) return false;
    for (uint32_t at = level->next; at < level->end; at = record_next(at)) {
        if (record_flags(at) == RECORD_SKIPPED)
            *skipped += (uint32_t)record_word(at);
        else if (leads_nowhere(level, at))
            ++*skipped;
        else
            return false;
    }
    return true;
}

/* Logs a level. One that an atomic sequence was entered from which stays at hand will not hear what that leads to: let
 * all move. */
static void log_level(const DeepLevel *level, bool is_deaf)
{
    AmpleTally tally = is_deaf ? STALE : level->tally;
    LoggedLevel logged = {level->state.number, level->depth, level->ordinal, ample_as_number(level, tally), 0,
                          level->owner,        level->flags, false};
    if (!is_deaf) logged.is_closed = is_closed(level, &logged.skipped);
    if (!logged.is_closed) logged.skipped = 0;
    level_log_push(&deep.log, &logged);
    note_offer_depth(level);
}

static void drop_words(Words *w, uint32_t n)
{
    w->n -= n;
    memmove(w->at, w->at + n, w->n * sizeof *w->at);
}

/* Forgets levels 0 .. k-1 and their records. */
static void drop_levels(size_t k)
{
    uint32_t recorded = deep.levels[k].first;
    deep.n_levels -= k;
    memmove(deep.levels, deep.levels + k, deep.n_levels * sizeof *deep.levels);
    for (size_t i = 0; i < deep.n_levels; i++) {
        DeepLevel *level = &deep.levels[i];
        level->first -= recorded;
        level->next -= recorded;
        level->end -= recorded;
        level->taken -= recorded;
        level->entry = level->entry >= k && level->entry != NO_LEVEL ? level->entry - (uint32_t)k : NO_LEVEL;
    }
    drop_words(&deep.records, recorded);
}

/* Logs the first k levels at hand. */
static void pack_levels(size_t k)
{
    for (size_t i = 0; i < k; i++) log_level(&deep.levels[i], i == deep.levels[k].entry);
    drop_levels(k);
}

/* Logs half of the levels at hand, or a few more: an atomic sequence is not parted from where it was entered. */
static void pack_half(void)
{
    size_t k = deep.n_levels / 2;
    while (k < deep.n_levels - 1 && deep.levels[k].flags & AT_INSIDE) k++;
    pack_levels(k);
}

/* How many levels are kept at hand: their memory must not count against that of the states. */
static bool has_too_many_levels(void)
{
    enum { LEAST = 1 << 13, STATES_PER_LEVEL = 256 };
    return deep.n_levels >= LEAST && deep.n_levels >= stats.stored / STATES_PER_LEVEL;
}

/* How many steps a record stands for. */
static uint32_t record_steps(uint32_t at)
{
    return record_flags(at) == RECORD_SKIPPED ? (uint32_t)record_word(at) : record_item(at)->kind == ITEM_STEP;
}

/* Looks for the step with this ordinal among the records of the last level. Leaves the level as it
 * was when that step had been taken. */
static void skip_to(DeepLevel *level, uint32_t ordinal)
{
    uint32_t at = level->first;
    while ((level->ordinal += record_steps(at)) != ordinal) at = record_next(at);
    level->taken = at;
    level->next = record_next(at);
}

/* Takes levels from the log: the last one and, if that is inside an atomic sequence, those before, up to where it was
 * entered. */
static void take_logged(const LoggedLevel *last)
{
    LoggedLevel level = *last;
    deep.n_back = 0;
    for (;;) {
        if (deep.n_back == deep.back_capacity) {
            deep.back_capacity = 2 * deep.back_capacity + 16;
            deep.back = xrealloc(deep.back, deep.back_capacity * sizeof *deep.back);
        }
        deep.back[deep.n_back++] = level;
        if (!(level.flags & AT_INSIDE) || deep.log.n == 0) return;
        level_log_pop(&deep.log, &level);
    }
}

/* Makes a logged level the last one at hand, as it was. */
static void bring_back(const LoggedLevel *logged)
{
    PackedState state = {logged->state, packing_sum(&deep.expansion.packing, logged->state)};
    DeepLevel *level = deep_push(&state, logged->depth, logged->flags, logged->owner);
    int ample = ample_of_number(logged->ample, &level->tally);
    uint32_t ordinal = logged->ordinal;
    begin_level_again(ample, ordinal);
    skip_to(deep_top(), ordinal);
}

static void leave_logged(const LoggedLevel *level)
{
    stats.matched += level->skipped;
    if (options.reduction != REDUCE_OFF && ample_asks_stack() && level->flags & AT_STORED)
        stack_set_remove(&deep.on_stack, packing_sum(&deep.expansion.packing, level->state));
}

/* Goes back to the last logged level that has something left to do. False if there is none. */
static bool return_to_log(void)
{
    LoggedLevel level;
    deep.n_levels = deep.records.n = 0;
    do {
        if (deep.log.n == 0) return false;
        level_log_pop(&deep.log, &level);
        if (level.is_closed) leave_logged(&level);
    } while (level.is_closed);
    take_logged(&level);
    while (deep.n_back > 0) bring_back(&deep.back[--deep.n_back]);
    return true;
}

/* Leaves the last level. False if it was the first one. */
static bool deep_ascend(void)
{
    DeepLevel *level = deep_top();
    leave_stack(level);
    if (deep.n_levels == 1) return return_to_log();
    deep.records.n = level->first;
    deep.n_levels--;
    return true;
}

/* ---- going through levels that are not at hand ---- */

/* The step with this ordinal among those found. */
static Step nth_step(const Expansion *x, uint32_t ordinal)
{
    uint32_t i = 0;
    while (x->items[i].item->kind != ITEM_STEP || --ordinal > 0) i++;
    return item_step(x->items[i].item);
}

typedef struct LogWalk {
    Expansion x;
    State s;
    Trail *trail;
} LogWalk;

/* Writes the step that was taken at a logged level. */
static void write_logged(void *walk, LoggedLevel *logged)
{
    LogWalk *w = walk;
    DeepLevel level = {.depth = logged->depth, .owner = logged->owner, .flags = logged->flags};
    int ample = ample_of_number(logged->ample, &level.tally);
    set_context(&level);
    packing_unpack(&deep.expansion.packing, logged->state, &w->s);
    w->x.only = ample >= 0 ? ample : whom_to_ask(&level);
    w->x.now = &w->s;
    expand(&w->x);
    Step step = nth_step(&w->x, logged->ordinal);
    trail_add_step(w->trail, level.depth, &step);
}

static void write_log(Trail *t)
{
    LogWalk walk = {.trail = t};
    StepContext saved = step_context;
    expansion_init(&walk.x, NULL);
    state_init(&walk.s);
    level_log_each(&deep.log, write_logged, &walk);
    state_free(&walk.s);
    expansion_free(&walk.x);
    step_context = saved;
}

/* ---- records without the memo ---- */

/* Copies a record in a form that needs neither the memo nor the packing: with its item, and the state it leads to. What
 * was added had its turn. */
static void detach_record(Words *to, const DeepLevel *level, uint32_t at)
{
    unsigned flags = record_flags(at);
    words_reserve(to, 1 + ITEM_AS_WORDS + STATE_AS_WORDS);
    if (flags == RECORD_SKIPPED) {
        to->at[to->n++] = deep.records.at[at];
        return;
    }
    PackedState state;
    Item item = *record_item(at);
    record_state(level, at, &state);
    item.flags = (uint8_t)((item.flags & ~ITEM_KEPT) | ITEM_EXECUTE);
    flags &= RECORD_ADDED;
    to->at[to->n] = RECORD_COPY | (flags == RECORD_ADDED ? RECORD_NEW : flags);
    memcpy(&to->at[to->n + 1], &item, sizeof item);
    memcpy(&to->at[to->n + 1 + ITEM_AS_WORDS], &state, sizeof state);
    to->n += 1 + ITEM_AS_WORDS + STATE_AS_WORDS;
}

/* The same for all records of a level. */
static void detach_level(Words *to, DeepLevel *level)
{
    DeepLevel old = *level;
    level->first = to->n;
    for (uint32_t at = old.first; at < old.end; at = record_next(at)) {
        if (at == old.taken) level->taken = to->n;
        if (at == old.next) level->next = to->n;
        detach_record(to, &old, at);
    }
    level->end = to->n;
    if (old.next >= old.end) level->next = to->n;
}

/* Makes records that outlast the memo. The last level is about to get new ones. */
static void detach_records(void)
{
    Words to = {0};
    for (size_t i = 0; i + 1 < deep.n_levels; i++) detach_level(&to, &deep.levels[i]);
    if (deep.n_levels > 0) {
        DeepLevel *last = deep_top();
        last->first = last->next = last->end = to.n;
    }
    xfree(deep.records.at);
    deep.records = to;
}

static void each_recorded(PackedVisit visit, void *context)
{
    for (size_t i = 0; i + 1 < deep.n_levels; i++)
        for (uint32_t at = deep.levels[i].first; at < deep.levels[i].end; at = record_next(at)) {
            PackedState state;
            uint64_t *words = &deep.records.at[at + 1 + ITEM_AS_WORDS];
            if (record_flags(at) == RECORD_SKIPPED) continue;
            memcpy(&state, words, sizeof state);
            visit(context, &state);
            memcpy(words, &state, sizeof state);
        }
}

/* ---- other numbers ---- */

typedef struct LogVisit {
    PackedVisit visit;
    void *context;
} LogVisit;

static void visit_logged(void *visit, LoggedLevel *level)
{
    const LogVisit *v = visit;
    PackedState state = {level->state, 0};
    v->visit(v->context, &state);
    level->state = state.number;
}

static void each_kept(PackedVisit visit, void *context)
{
    LogVisit v = {visit, context};
    level_log_rewrite(&deep.log, visit_logged, &v);
    for (size_t i = 0; i < deep.n_back; i++) visit_logged(&v, &deep.back[i]);
    for (size_t i = 0; i < deep.n_levels; i++) visit(context, &deep.levels[i].state);
    each_recorded(visit, context);
}

/* Gives all states numbers with more room. The last level has no records yet. */
static void make_room_in_numbers(void)
{
    detach_records();
    expansion_repack(&deep.expansion, each_kept);
}

/* ---- reporting ---- */

static void deep_write_path(void *unused, Trail *t)
{
    (void)unused;
    write_log(t);
    for (size_t i = 0; i + 1 < deep.n_levels; i++) {
        Step step = item_step(record_item(deep.levels[i].taken));
        trail_add_step(t, deep.levels[i].depth, &step);
    }
    if (deep.has_failed) trail_add_step(t, deep_top()->depth, &deep.failed);
}

static void deep_report(ErrorKind kind, const char *text, long depth)
{
    if (report_error(kind, text, depth, deep_write_path, NULL)) deep.stop = true;
}

static void report_fault_of(ErrorKind kind, const Item *item)
{
    if (LIKELY(!(item->flags & ITEM_FAULTY))) return;
    Fault raised = item_fault(item);
    deep.failed = item_step(item);
    deep.failed.n_chained = raised.chained;
    /* SPIN was one level deeper when the receiver failed. */
    if (deep.failed.reply && deep_top()->depth + 1 > stats.max_depth) stats.max_depth = deep_top()->depth + 1;
    deep.has_failed = true;
    deep_report(kind, raised.text, fault_depth(raised.text, deep_top()->depth, step_length(&deep.failed)));
    deep.has_failed = false;
    if (raised.fatal) deep.stop = true;
}

/* ---- one level ---- */

/* A state is stored. Only one of another shape can be the largest so far. */
static inline void count_stored(const DeepLevel *level, bool is_reshaped)
{
    stats.stored++;
    if (LIKELY(!is_reshaped)) return;
    uint32_t size = packing_layout(&deep.expansion.packing, level->state.number)->shape->size;
    if (size > stats.vector_size) stats.vector_size = size;
}

/* Stores the state of the last level. False if it was seen before. */
static bool store_level(DeepLevel *level)
{
    level->flags |= AT_STORED;
    bool is_new = seen_add(deep.seen, level->state.number, level->state.sum);
    if (options.reduction != REDUCE_OFF) tell_entry(level, is_stale(&level->state) && !is_new ? STALE : FRESH);
    level->entry = (uint32_t)deep.n_levels - 1;
    if (is_new) {
        enter_stack(level);
        count_stored(level, true);
        return true;
    }
    level->flags &= (uint8_t)~AT_STORED;
    stats.matched++;
    return false;
}

static void check_end_of_claim(const DeepLevel *level)
{
    if (!options.use_claim) return;
    if (active_claim()->locations[state_header(level_vector(level))->claim].flags & L_END)
        deep_report(ERROR_CLAIM_END, "end state in claim reached", level->depth);
}

static void check_invariant_at(const DeepLevel *level)
{
    if (level->flags & AT_STORED && options.check_invariant && !model_invariant(level_vector(level), options.invariant))
        deep_report(ERROR_INVARIANT, invariant_error_text(), level->depth - 1);
}

static bool ends_at_limit(const DeepLevel *level)
{
    if (!exceeds_depth(level->depth)) return false;
    report_depth_exceeded();
    if (options.depth_is_error) deep_report(ERROR_DEPTH, "depth limit reached", level->depth);
    stats.truncated++;
    stats.matched++;
    return true;
}

/* Starts exploring the last level. False if there is nothing to explore. */
static bool open_level(void)
{
    DeepLevel *level = deep_top();
    if (ends_at_limit(level)) return false;
    if (level->depth > stats.max_depth) stats.max_depth = level->depth;
    if (level->flags & AT_CLAIM) level->flags &= (uint8_t) ~(AT_TIMEOUT | AT_REQUEST);
    check_end_of_claim(level);
    check_invariant_at(level);
    begin_level();
    return true;
}

/* What the level after `step` is like: whose turn it is, and whether it is inside atomic. */
static uint8_t flags_after_step(const DeepLevel *level, const Step *step)
{
    const Transition *last = step->reply ? step->reply : step->transition;
    bool claim_moved = step->pid == CLAIM_PID;
    bool inside = last->flags & T_ATOMIC;
    if (inside && claim_moved) return (uint8_t)(AT_INSIDE | AT_CLAIM | (level->flags & AT_STUTTER));
    if (inside) return AT_INSIDE;
    if (!options.use_claim) return 0;
    if (!claim_moved) return AT_CLAIM;
    return level->flags & AT_TIMEOUT; /* what the claim allows holds for the program's move */
}

/* The turn of a step has come. True if it leads to a new level. */
static bool follow(DeepLevel *level, uint32_t at)
{
    const Item *item = record_item(at);
    unsigned record = record_flags(at);
    level->ordinal++;
    Step step = item_step(item);
    if (UNLIKELY(!item_name(item)->is_reached) && !options.marks_late) {
        expand_mark(level_vector(level), &step);
        item_name(item)->is_reached = true;
    }
    int owner = step.pid == CLAIM_PID ? -1 : step_owner(&step);
    if (owner != -1) stats.atomic_steps++;
    PackedState to;
    record_state(level, at, &to);
    record &= RECORD_ADDED;
    bool is_seen = record == RECORD_MATCHED || (record == RECORD_NEW && !seen_add(deep.seen, to.number, to.sum));
    if (is_seen) {
        if (UNLIKELY(options.marks_late)) expand_mark(level_vector(level), &step);
        stats.matched++;
        return false;
    }
    uint8_t flags = flags_after_step(level, &step);
    long depth = level->depth + step_length(&step);
    if (record & RECORD_NEW) flags |= AT_STORED;
    bool is_reshaped = item->flags & ITEM_EXECUTE || level->flags & AT_INSIDE; /* the record may move */
    const DeepLevel *below = deep_descend(at, &to, flags, owner, depth);
    if (flags & AT_STORED) {
        enter_stack(below);
        count_stored(below, is_reshaped);
    }
    return true;
}

/* All processes have ended, and the claim too. */
static bool all_ended(const State *s)
{
    if (options.use_claim && state_header(s)->claim != 0) return false;
    return state_n_processes(s) == 0 && state_is_valid_end(s);
}

/* No step is left at the last level and none was found, or the program asks for a timeout. True if
 * there is still something to try there. */
static bool try_otherwise(DeepLevel *level)
{
    bool claim_level = level->flags & (AT_CLAIM | AT_STUTTER);
    if (options.max_depth && level->depth >= options.max_depth - 1) return false;
    if (all_ended(level_vector(level))) return false;
    if (level->flags & AT_INSIDE && !claim_level) { /* blocked inside atomic: others may move */
        level->flags &= (uint8_t) ~(AT_INSIDE | AT_TIMEOUT);
        level->owner = -1;
        bool is_new = store_level(level);
        if (options.use_claim) level->flags |= AT_CLAIM;
        if (!is_new) return false;
        check_invariant_at(level);
        begin_level();
        return true;
    }
    if (model.uses_timeout && !(level->flags & AT_TIMEOUT)) {
        if (!options.use_claim || (claim_level && level->flags & AT_REQUEST)) {
            level->flags = (uint8_t)((level->flags | AT_TIMEOUT) & ~AT_REQUEST);
            begin_level();
            return true;
        }
        if (!claim_level) { /* only the claim can let time pass */
            if (deep.n_levels > 1)
                level[-1].flags |= AT_REQUEST;
            else if (deep.log.n > 0)
                level_log_flag(&deep.log, AT_REQUEST);
            return false;
        }
    }
    if (options.use_claim) {
        if (claim_level || options.no_stutter) return false;
        level->flags |= AT_STUTTER;
        begin_level();
        return true;
    }
    if (!options.ignore_end_states && !state_is_valid_end(level_vector(level)))
        deep_report(ERROR_END_STATE, "invalid end state", level->depth - 1);
    return false;
}

/* The turns of all steps have come. True if the level has new ones. */
static bool finish_level(DeepLevel *level)
{
    if (level->n_cut) {
        report_depth_exceeded();
        stats.truncated += level->n_cut;
        stats.matched += level->n_cut;
        level->n_cut = 0;
    }
    note_offer_depth(level);
    if (level->ample >= 0 && !ample_suffices(level->tally)) {
        begin_level_after(level->ample);
        return true;
    }
    bool asked = level->flags & AT_CLAIM && level->flags & AT_REQUEST;
    return (!level->any || asked) && try_otherwise(level);
}

/* Goes on at the last level until it leads to a new one (true) or is done. */
static bool advance_level(void)
{
    DeepLevel *level;
    set_context(deep_top());
    do {
        level = deep_top();
        while (level->next < level->end) {
            uint32_t at = level->next;
            level->next = record_next(at);
            if (record_flags(at) == RECORD_SKIPPED) {
                level->ordinal += (uint32_t)record_word(at);
                stats.matched += record_word(at);
                continue;
            }
            const Item *item = record_item(at);
            if (item->kind == ITEM_OFFER) {
                const Transition *send = &model.transitions[item_name(item)->transition];
                model.proctypes[send->proctype].reached[send->own] = 1;
            }
            report_fault_of(item->kind == ITEM_STEP ? ERROR_FAULT : ERROR_GUARD, item);
            if (deep.stop) return false;
            if (record_item(at)->kind == ITEM_STEP && follow(level, at)) return true;
        }
    } while (finish_level(level) && !deep.stop);
    return false;
}

/* Packs levels when there are many, and all when what they point to is to be forgotten. */
static void make_room_for_levels(void)
{
    if (UNLIKELY(has_too_many_levels())) pack_half();
    if (UNLIKELY(seen_could_shrink(deep.seen, &deep.expansion.packing))) {
        make_room_in_numbers();
    } else if (UNLIKELY(expansion_is_full(&deep.expansion))) {
        detach_records();
        expansion_forget(&deep.expansion);
    }
}

/* -v: what was tried at the level that is being left counts as reached, */
static void mark_tried_at_last(void)
{
    const DeepLevel *level = deep_top();
    if (deep.stop || exceeds_depth(level->depth)) return;
    const State *s = level_vector(level);
    set_context(level);
    reach_mark_tried(s, level->ample >= 0 ? level->ample : whom_to_ask(level));
    if (level->flags & AT_STUTTER) reach_mark_tried(s, ALL_PROCESSES); /* that was before the claim moved alone */
}

/* and then the two ends of the step that led there. */
static void mark_taken(void)
{
    if (deep.stop) return;
    Step step = item_step(record_item(deep_top()->taken));
    expand_mark(level_vector(deep_top()), &step);
}

static void deep_search(void)
{
    bool open = open_level();
    while (!deep.stop) {
        if (progress_is_due() && report_progress(deep_top()->depth, NULL)) deep.stop = true;
        if (open && advance_level()) {
            make_room_for_levels();
            open = open_level();
        } else {
            if (UNLIKELY(options.marks_late)) mark_tried_at_last();
            if (!deep_ascend()) return;
            if (UNLIKELY(options.marks_late)) mark_taken();
            open = true;
        }
    }
}

/* Some models and options need their steps to be executed once, in their order, or their states to
 * be numbered: that is what dfs.c does. */
bool dfs_can_batch(void)
{
    return options.reduction != REDUCE_TWO_PHASE && options.store.kind != STORE_PLAIN && !model.has_c_code
           && model.trace < 0 && !model.has_hidden && !model.loses_messages && !options.shorten && !COUNTS_STEPS
           && !COUNTS_SUCCESSORS && !options.notes_values && !options.print_output && !options.reorders
           && !options.bounds_switches && !TELLS_SEARCH;
}

static void deep_free(void)
{
    if (!deep.set) return;
    level_log_free(&deep.log);
    xfree(deep.back);
    xfree(deep.levels);
    xfree(deep.records.at);
    expansion_free(&deep.expansion);
    stack_set_free(&deep.on_stack);
    state_set_free(deep.set);
}

static PackedState initial_state(void)
{
    State s;
    state_init(&s);
    model_start(&s);
    if (options.use_claim) state_header(&s)->claim = active_claim()->start;
    PackedState packed = expansion_pack(&deep.expansion, &s);
    while (deep.expansion.packing.overflows) {
        expansion_repack(&deep.expansion, each_kept);
        packed = expansion_pack(&deep.expansion, &s);
    }
    state_free(&s);
    return packed;
}

void search_dfs_batch(void)
{
    deep_free(); /* of the run before */
    memset(&deep, 0, sizeof deep);
    deep.set = state_set_new_unnumbered();
    deep.seen = state_set_seen(deep.set);
    search_set = deep.set;
    ample_prepare();
    stack_set_init(&deep.on_stack);
    expansion_init(&deep.expansion, deep.seen);
    stats.max_depth = 0;
    PackedState first = initial_state();
    deep_push(&first, 0, options.use_claim ? AT_CLAIM : 0, -1);
    store_level(deep_top());
    deep_search();
    stats.complete = !deep.stop;
}
