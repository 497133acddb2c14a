/* dfs_batch.c: depth-first search that looks up all successors of a state at once.
 *
 * SPIN's search, step for step, like dfs.c, but a state is expanded as a whole when it is entered:
 * then the lookups of its successors wait for memory together. What was seen before
 * stays seen, so a successor found in the set needs no second lookup when its turn comes; the others
 * are looked up again then.
 *
 * A level holds what is left of the expansion, which is much, and stacks are often as deep as half
 * of all states. So only the upper part of the stack is kept like that. Below, a level
 * is two bytes: which step was taken there, and in what circumstances. When the search comes back,
 * a block of such levels is expanded again, beginning with a state that was kept.
 */
#include <string.h>

#include "chain.h"
#include "expand.h"
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
 * its item (memo.h) is, with these flags in the low bits; then the root of the state it leads to, if
 * that is to be stored and was not seen. An item that is not in the memo follows; the word is its
 * length then. Steps of which nothing is left to do but count them are one record, with all flags,
 * whose word is their number. */
enum RecordFlags { RECORD_COPY = 1, RECORD_ROOT = 2, RECORD_MATCHED = 4, RECORD_SKIPPED = 7, RECORD_SHIFT = 3 };

typedef struct DeepLevel {
    size_t first;     /* where its records begin, */
    size_t next;      /* the one whose turn is next, */
    size_t end;       /* and where they end */
    size_t taken;     /* the record whose step is being followed */
    size_t untree;    /* where the log of how this level differs from the one before begins */
    uint64_t root;    /* of its state's tree, as far as it is known, */
    uint64_t sum[2];  /* and the sums of the halves */
    long depth;       /* in SPIN's steps */
    uint32_t ordinal; /* steps whose turn has come */
    uint32_t n_cut;
    uint32_t entry; /* level at hand that an atomic sequence was entered from; else this level */
    AmpleTally tally;
    int16_t ample; /* process that moves for all, -1 if none */
    int16_t owner; /* process in an atomic sequence, -1 if none */
    uint8_t flags;
    uint8_t unknown; /* halves that were not looked up, one bit each */
    bool any, offered;
    bool reshaped; /* the log holds the whole cursor */
} DeepLevel;

/* Levels that are not at hand: the state of the first one, and two bytes or more for each: flags, with reduction who
 * moves for all and what that led to, and ordinal. */
typedef struct Block {
    State state;
    long depth;
    int16_t owner;
    uint32_t n_levels;
    unsigned char *bytes;
    size_t size, capacity;
} Block;

/* A stack of words. */
typedef struct Words {
    uint64_t *at;
    size_t n, capacity;
} Words;

static struct {
    DeepLevel *levels; /* those at hand */
    size_t n_levels, levels_capacity;
    Words records;
    Words untree;      /* slots and what they held, or cursors */
    State now;         /* state of the last level, not always up to date, */
    TreeCursor cursor; /* and its tree */
    State bottom;      /* state of the first level at hand */
    StateSet *set;
    TreeStore *trees;
    Expansion expansion;
    StackSet on_stack; /* if a cycle condition asks for it */
    Block *blocks;     /* the levels before */
    size_t n_blocks, blocks_capacity;
    bool requests_timeout; /* AT_REQUEST for the last packed level */
    bool stop;
    Step failed; /* the step that raised a fault and is not on the stack */
    bool has_failed;
} deep;

enum { CURSOR_AS_WORDS = (sizeof(TreeCursor) + 7) / 8 };
#define NO_LEVEL UINT32_MAX
#define FRESH ((AmpleTally){1, 0})
#define STALE ((AmpleTally){0, 1})

static DeepLevel *deep_top(void) { return &deep.levels[deep.n_levels - 1]; }

static void words_reserve(Words *w, size_t more)
{
    if (LIKELY(w->n + more <= w->capacity)) return;
    w->capacity = 2 * w->capacity + more;
    w->at = xrealloc(w->at, w->capacity * sizeof *w->at);
}

/* ---- records ---- */

static bool exceeds_depth(long depth) { return options.max_depth && depth >= options.max_depth; }

static inline unsigned record_flags(size_t at) { return deep.records.at[at] & RECORD_SKIPPED; }

static inline uint64_t record_word(size_t at) { return deep.records.at[at] >> RECORD_SHIFT; }

static inline const Item *record_item(size_t at)
{
    uint64_t word = deep.records.at[at];
    if (word & RECORD_COPY) return (const Item *)(const void *)&deep.records.at[at + (word & RECORD_ROOT ? 2 : 1)];
    return (const Item *)(uintptr_t)(word & ~(uint64_t)RECORD_SKIPPED);
}

static inline uint64_t record_root(size_t at) { return deep.records.at[at + 1]; }

static inline size_t record_next(size_t at)
{
    unsigned flags = record_flags(at);
    if (flags == RECORD_SKIPPED) return at + 1;
    return at + 1 + (flags & RECORD_ROOT ? 1 : 0) + (flags & RECORD_COPY ? record_word(at) : 0);
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
    if (LIKELY(item->flags & ITEM_REACHED)) return true;
    Step step = item_step(item);
    const State *s = expansion_vector(&deep.expansion);
    if (!is_reached_by(s, step.pid, step.transition)) return false;
    if (step.reply && !is_reached_by(s, step.reply_pid, step.reply)) return false;
    if (!chain_is_marked(step_last(&step))) return false;
    ((Item *)item)->flags |= ITEM_REACHED;
    return true;
}

static inline void write_skipped(uint32_t *n)
{
    if (*n == 0) return;
    words_reserve(&deep.records, 1);
    deep.records.at[deep.records.n++] = (uint64_t)*n << RECORD_SHIFT | RECORD_SKIPPED;
    *n = 0;
}

static void write_record(const Item *item, unsigned flags, uint64_t root)
{
    uint32_t n_words = item->id ? 0 : ITEM_WORDS + item->n_words;
    words_reserve(&deep.records, 2 + n_words);
    uint64_t *to = deep.records.at + deep.records.n;
    if (item->id)
        *to++ = (uint64_t)(uintptr_t)item | flags;
    else
        *to++ = (uint64_t)n_words << RECORD_SHIFT | flags | RECORD_COPY;
    if (flags & RECORD_ROOT) *to++ = root;
    if (n_words) memcpy(to, item, n_words * sizeof *to);
    deep.records.n = (size_t)(to + n_words - deep.records.at);
}

/* Makes the records of a level. Step number `kept` (none: 0) is kept even if it was seen. */
static void record_successors(const Expansion *x, long depth, uint32_t kept)
{
    uint32_t skipped = 0, ordinal = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        const Item *item = x->items[i].item;
        uint64_t root = x->items[i].root;
        if (UNLIKELY(options.max_depth) && exceeds_depth(depth + (item->reply != NO_REPLY) + 1)) root = 0;
        ordinal += item->kind == ITEM_STEP;
        bool is_kept = kept && ordinal == kept && item->kind == ITEM_STEP;
        if (root && !is_kept && state_set_contains(deep.set, root)) {
            if (LIKELY(!(item->flags & ITEM_HAS_FAULT) && reaches_nothing_new(item))) {
                skipped++;
                continue;
            }
            write_skipped(&skipped);
            write_record(item, RECORD_MATCHED, 0);
            continue;
        }
        write_skipped(&skipped);
        write_record(item, root ? RECORD_ROOT : 0, root);
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
static void find_level_steps(DeepLevel *level, int ample)
{
    Expansion *x = &deep.expansion;
    level->ample = (int16_t)ample;
    x->only = ample >= 0 ? ample : whom_to_ask(level);
    x->cuts_offers = exceeds_depth(level->depth + 1);
    x->stores = !(level->flags & AT_CLAIM) || level->flags & AT_STUTTER;
    x->unknown = level->unknown;
    expand(x);
}

/* Makes records of what was found. */
static void record_level(DeepLevel *level, uint32_t kept)
{
    const Expansion *x = &deep.expansion;
    deep.records.n = level->first;
    record_successors(x, level->depth, kept);
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

static bool is_stale(uint64_t key)
{
    return ample_asks_stack() ? stack_set_has(&deep.on_stack, key) : state_set_contains(deep.set, key);
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
            is_stale(x->items[i].root) ? tally.stale++ : tally.fresh++;
    }
    return tally;
}

/* Looks for a process after `after` that can stand for all. If its steps lead into atomic sequences, these will tell
 * whether it does. */
static bool find_ample_steps(DeepLevel *level, int after)
{
    for (int pid = after; (pid = expansion_ample(&deep.expansion, pid)) >= 0;) {
        bool enters = false;
        find_level_steps(level, pid);
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
static void begin_level_after(DeepLevel *level, int after)
{
    set_context(level);
    if (!may_reduce(level) || !find_ample_steps(level, after)) find_level_steps(level, -1);
    if (options.reduction != REDUCE_OFF && level->flags & AT_INSIDE && !(level->flags & AT_CLAIM)) {
        bool enters;
        tell_entry(level, tally_steps(level, &enters));
    }
    record_level(level, 0);
}

static void begin_level(DeepLevel *level)
{
    level->any = level->offered = false;
    begin_level_after(level, -1);
}

/* Begins a level once more, as it was; step number `kept` is the one being followed. */
static void begin_level_again(DeepLevel *level, int ample, uint32_t kept)
{
    set_context(level);
    level->any = level->offered = false;
    find_level_steps(level, ample);
    record_level(level, kept);
}

static void enter_stack(uint64_t key)
{
    if (options.reduction != REDUCE_OFF && ample_asks_stack()) stack_set_add(&deep.on_stack, key);
}

/* The state of the last level leaves the stack. */
static void leave_stack(const DeepLevel *level)
{
    if (options.reduction == REDUCE_OFF || !ample_asks_stack() || !(level->flags & AT_STORED)) return;
    stack_set_remove(&deep.on_stack,
                     level->unknown ? tree_root(deep.trees, &deep.cursor, level->unknown) : level->root);
}

/* ---- the stack ---- */

static DeepLevel *deep_push(long depth, uint8_t flags, int owner, uint8_t unknown)
{
    if (deep.n_levels == deep.levels_capacity) {
        deep.levels_capacity = deep.levels_capacity ? 2 * deep.levels_capacity : 1024;
        deep.levels = xrealloc(deep.levels, deep.levels_capacity * sizeof *deep.levels);
    }
    DeepLevel *level = &deep.levels[deep.n_levels++];
    *level = (DeepLevel){.first = deep.records.n, .depth = depth, .flags = flags, .owner = (int16_t)owner};
    level->untree = deep.untree.n;
    level->root = deep.cursor.root;
    level->sum[0] = deep.cursor.sum[0];
    level->sum[1] = deep.cursor.sum[1];
    level->unknown = unknown;
    level->ample = -1;
    level->entry = (uint32_t)deep.n_levels - 1;
    if (flags & AT_INSIDE && deep.n_levels > 1)
        level->entry = level[-1].flags & AT_INSIDE ? level[-1].entry : level->entry - 1;
    return level;
}

/* Executes a step whose changes are not known. */
static void deep_execute(const Item *item)
{
    Step step = item_step(item);
    words_reserve(&deep.untree, CURSOR_AS_WORDS);
    memcpy(deep.untree.at + deep.untree.n, &deep.cursor, sizeof deep.cursor);
    deep.untree.n += CURSOR_AS_WORDS;
    expand_take(expansion_vector(&deep.expansion), &step);
    tree_fill(deep.trees, &deep.cursor, deep.now.v);
    expansion_reshaped(&deep.expansion);
}

/* Slots of the cursor have changed. */
static inline void note_changed_slots(uint64_t slots)
{
    deep.expansion.stale |= slots;
    deep.expansion.changed |= slots;
}

/* Makes the changes of an item in the cursor. */
static void deep_change(const Item *item)
{
    TreeCursor *c = &deep.cursor;
    const uint64_t *changes = item_changes(item), *sums = item_sums(item);
    uint64_t slots = 0;
    words_reserve(&deep.untree, item->n_changes);
    for (int i = 0; i < item->n_changes; i++) {
        uint32_t slot = change_slot(changes[i]);
        deep.untree.at[deep.untree.n++] = change_word(slot, tree_slot(c, slot));
        c->cells[slot / 2] = with_slot(c->cells[slot / 2], slot, change_content(changes[i]));
        slots |= UINT64_C(1) << slot;
    }
    c->sum[0] += sums[0];
    c->sum[1] += sums[1];
    note_changed_slots(slots);
}

static inline uint8_t item_halves(const Item *item)
{
    return (uint8_t)((item->flags & ITEM_LEFT ? 1 : 0) | (item->flags & ITEM_RIGHT ? 2 : 0));
}

/* Goes down along the step of record number `taken` of the last level. */
static void deep_descend(size_t taken, uint8_t flags, int owner, long depth)
{
    DeepLevel *level = deep_top();
    const Item *item = record_item(taken);
    size_t untree = deep.untree.n;
    uint8_t unknown = 0;
    level->taken = taken;
    bool reshaped = item->flags & ITEM_EXECUTE;
    if (UNLIKELY(reshaped)) {
        deep_execute(item);
    } else {
        unknown = level->unknown | item_halves(item);
        deep_change(item);
        if (record_flags(taken) & RECORD_ROOT) {
            deep.cursor.root = record_root(taken);
            unknown = 0;
        }
    }
    DeepLevel *below = deep_push(depth, flags, owner, unknown);
    below->untree = untree;
    below->reshaped = reshaped;
}

/* Takes a cursor from the state of level number i to that of the level before. */
static void undo_cursor(TreeCursor *c, size_t i, size_t log_end)
{
    const DeepLevel *level = &deep.levels[i];
    if (UNLIKELY(level->reshaped)) {
        memcpy(c, deep.untree.at + level->untree, sizeof *c);
        return;
    }
    for (size_t k = level->untree; k < log_end; k++) {
        uint32_t slot = change_slot(deep.untree.at[k]);
        c->cells[slot / 2] = with_slot(c->cells[slot / 2], slot, change_content(deep.untree.at[k]));
    }
    c->sum[0] = level[-1].sum[0];
    c->sum[1] = level[-1].sum[1];
    c->root = level[-1].root;
}

/* ---- levels that are not at hand ---- */

static void block_byte(Block *b, unsigned byte)
{
    if (b->size == b->capacity) {
        b->capacity = b->capacity + b->capacity / 2 + 64;
        b->bytes = xrealloc(b->bytes, b->capacity);
    }
    b->bytes[b->size++] = (unsigned char)byte;
}

/* Seven bits to a byte, the lowest first; the last byte has its highest bit clear. */
static void block_number(Block *b, uint32_t n)
{
    for (; n > 127; n >>= 7) block_byte(b, (n & 127) | 128);
    block_byte(b, n);
}

static uint32_t read_number(const unsigned char **at)
{
    uint32_t n = 0;
    for (int shift = 0;; shift += 7) {
        unsigned byte = *(*at)++;
        n |= (byte & 127) << shift;
        if (byte < 128) return n;
    }
}

/* Who moves for all, plus one, and two bits for what that led to. */
static void block_ample(Block *b, int ample, AmpleTally tally)
{
    block_number(b, (uint32_t)(ample + 1) << 2 | (tally.fresh > 0) << 1 | (tally.stale > 0));
}

static int read_ample(const unsigned char **at, AmpleTally *tally)
{
    *tally = (AmpleTally){0, 0};
    if (options.reduction == REDUCE_OFF) return -1;
    uint32_t n = read_number(at);
    *tally = (AmpleTally){n >> 1 & 1, n & 1};
    return (int)(n >> 2) - 1;
}

/* A level that an atomic sequence was entered from will not hear what that leads to: let all move. */
static void block_level(Block *b, const DeepLevel *level, bool is_deaf)
{
    block_byte(b, level->flags);
    if (options.reduction != REDUCE_OFF) block_ample(b, level->ample, is_deaf ? (AmpleTally){0, 1} : level->tally);
    block_number(b, level->ordinal);
}

static Block *new_block(void)
{
    if (deep.n_blocks == deep.blocks_capacity) {
        deep.blocks_capacity = 2 * deep.blocks_capacity + 16;
        deep.blocks = xrealloc(deep.blocks, deep.blocks_capacity * sizeof *deep.blocks);
    }
    Block *b = &deep.blocks[deep.n_blocks++];
    memset(b, 0, sizeof *b);
    return b;
}

static void free_block(Block *b)
{
    state_free(&b->state);
    xfree(b->bytes);
}

/* Makes `s` the state of level number k at hand. */
static void state_of_level(State *s, size_t k)
{
    TreeCursor c = deep.cursor;
    size_t end = deep.untree.n;
    for (size_t i = deep.n_levels - 1; i > k; i--) {
        undo_cursor(&c, i, end);
        end = deep.levels[i].untree;
    }
    tree_write_state(deep.trees, &c, s);
}

static void drop_words(Words *w, size_t n)
{
    w->n -= n;
    memmove(w->at, w->at + n, w->n * sizeof *w->at);
}

/* Forgets what levels 0 .. k-1 had in the logs, and the levels themselves. */
static void drop_levels(size_t k)
{
    size_t logged = deep.levels[k].untree, recorded = deep.levels[k].first;
    deep.n_levels -= k;
    memmove(deep.levels, deep.levels + k, deep.n_levels * sizeof *deep.levels);
    for (size_t i = 0; i < deep.n_levels; i++) {
        DeepLevel *level = &deep.levels[i];
        level->untree -= logged;
        level->first -= recorded;
        level->next -= recorded;
        level->end -= recorded;
        level->taken -= recorded;
        level->entry = level->entry >= k && level->entry != NO_LEVEL ? level->entry - (uint32_t)k : NO_LEVEL;
    }
    drop_words(&deep.untree, logged);
    drop_words(&deep.records, recorded);
}

/* Packs the first k levels at hand. */
static void pack_levels(size_t k)
{
    Block *b = new_block();
    b->n_levels = (uint32_t)k;
    b->depth = deep.levels[0].depth;
    b->owner = deep.levels[0].owner;
    for (size_t i = 0; i < k; i++) block_level(b, &deep.levels[i], i == deep.levels[k].entry);
    b->bytes = xrealloc(b->bytes, b->size);
    b->capacity = b->size;
    state_copy(&b->state, &deep.bottom);
    state_of_level(&deep.bottom, k);
    drop_levels(k);
}

/* How many levels are kept at hand: their memory must not count against that of the states. */
static bool has_too_many_levels(void)
{
    enum { LEAST = 1 << 13, STATES_PER_LEVEL = 256 };
    return deep.n_levels >= LEAST && deep.n_levels >= stats.stored / STATES_PER_LEVEL;
}

/* How many steps a record stands for. */
static uint32_t record_steps(size_t at)
{
    return record_flags(at) == RECORD_SKIPPED ? (uint32_t)record_word(at) : record_item(at)->kind == ITEM_STEP;
}

/* Looks for the step with this ordinal among the records of the last level. Leaves the level as it
 * was when that step had been taken. */
static void skip_to(DeepLevel *level, uint32_t ordinal)
{
    size_t at = level->first;
    while ((level->ordinal += record_steps(at)) != ordinal) at = record_next(at);
    level->taken = at;
    level->next = record_next(at);
}

/* Brings the last packed block back: the search returns to its last level. */
static void unpack_levels(void)
{
    Block *b = &deep.blocks[--deep.n_blocks];
    const unsigned char *at = b->bytes;
    deep.n_levels = deep.records.n = deep.untree.n = 0;
    state_copy(&deep.now, &b->state);
    state_copy(&deep.bottom, &b->state);
    tree_fill(deep.trees, &deep.cursor, deep.now.v);
    expansion_reshaped(&deep.expansion);
    long depth = b->depth;
    deep_push(depth, *at, b->owner, 0);
    for (uint32_t i = 0; i < b->n_levels; i++) {
        at++;
        int ample = read_ample(&at, &deep_top()->tally);
        uint32_t ordinal = read_number(&at);
        begin_level_again(deep_top(), ample, ordinal);
        skip_to(deep_top(), ordinal);
        if (i + 1 == b->n_levels) break;
        Step step = item_step(record_item(deep_top()->taken));
        depth += step_length(&step);
        int owner = *at & AT_INSIDE && step.pid != CLAIM_PID ? step_owner(&step) : -1;
        deep_descend(deep_top()->taken, *at, owner, depth);
    }
    if (deep.requests_timeout) deep_top()->flags |= AT_REQUEST;
    deep.requests_timeout = false;
    free_block(b);
}

/* Leaves the last level. */
static void deep_ascend(void)
{
    DeepLevel *level = deep_top();
    leave_stack(level);
    if (deep.n_levels == 1) {
        unpack_levels();
        return;
    }
    undo_cursor(&deep.cursor, deep.n_levels - 1, deep.untree.n);
    if (UNLIKELY(level->reshaped)) {
        tree_write_state(deep.trees, &deep.cursor, &deep.now);
        expansion_reshaped(&deep.expansion);
    } else {
        uint64_t slots = 0;
        for (size_t k = level->untree; k < deep.untree.n; k++) slots |= UINT64_C(1) << change_slot(deep.untree.at[k]);
        note_changed_slots(slots);
    }
    deep.untree.n = level->untree;
    deep.records.n = level->first;
    deep.n_levels--;
}

/* ---- reporting ---- */

/* The step with this ordinal among those found. */
static Step nth_step(const Expansion *x, uint32_t ordinal)
{
    uint32_t i = 0;
    while (x->items[i].item->kind != ITEM_STEP || --ordinal > 0) i++;
    return item_step(x->items[i].item);
}

/* The way through a packed block. */
static void write_block(Trail *t, const Block *b, Expansion *x)
{
    const unsigned char *at = b->bytes;
    State s;
    DeepLevel level = {.depth = b->depth, .owner = b->owner};
    state_init(&s);
    state_copy(&s, &b->state);
    for (uint32_t i = 0; i < b->n_levels; i++) {
        level.flags = *at++;
        if (!(level.flags & AT_INSIDE)) level.owner = -1;
        set_context(&level);
        int ample = read_ample(&at, &level.tally);
        x->only = ample >= 0 ? ample : whom_to_ask(&level);
        x->now = &s;
        expand(x);
        Step step = nth_step(x, read_number(&at));
        trail_add_step(t, level.depth, &step);
        expand_take(&s, &step);
        level.depth += step_length(&step);
        level.owner = (int16_t)(step.pid == CLAIM_PID ? -1 : step_owner(&step));
    }
    state_free(&s);
}

static void deep_write_path(void *unused, Trail *t)
{
    (void)unused;
    Expansion x;
    StepContext saved = step_context;
    expansion_init(&x, NULL);
    for (size_t i = 0; i < deep.n_blocks; i++) write_block(t, &deep.blocks[i], &x);
    expansion_free(&x);
    step_context = saved;
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
    if (LIKELY(!(item->flags & ITEM_HAS_FAULT))) return;
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

static void count_stored(uint32_t size)
{
    stats.stored++;
    if (size > stats.vector_size) stats.vector_size = size;
}

/* Stores the state of the last level. False if it was seen before. */
static bool store_level(DeepLevel *level)
{
    level->root = tree_root(deep.trees, &deep.cursor, level->unknown);
    level->unknown = 0;
    level->flags |= AT_STORED;
    state_set_expect(deep.set);
    bool is_new = state_set_add(deep.set, level->root);
    if (options.reduction != REDUCE_OFF) tell_entry(level, is_stale(level->root) && !is_new ? STALE : FRESH);
    level->entry = (uint32_t)deep.n_levels - 1;
    if (is_new) {
        enter_stack(level->root);
        count_stored(deep.now.size);
        return true;
    }
    level->flags &= (uint8_t)~AT_STORED;
    stats.matched++;
    return false;
}

static void check_end_of_claim(const DeepLevel *level)
{
    if (!options.use_claim) return;
    if (active_claim()->locations[state_header(expansion_vector(&deep.expansion))->claim].flags & L_END)
        deep_report(ERROR_CLAIM_END, "end state in claim reached", level->depth);
}

static void check_invariant_at(const DeepLevel *level)
{
    if (level->flags & AT_STORED && options.check_invariant
        && !model_invariant(expansion_vector(&deep.expansion), options.invariant))
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
    begin_level(level);
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
static bool follow(DeepLevel *level, size_t at)
{
    const Item *item = record_item(at);
    unsigned record = record_flags(at);
    level->ordinal++;
    Step step = item_step(item);
    if (!(item->flags & ITEM_REACHED) && !options.marks_late) expand_mark(expansion_vector(&deep.expansion), &step);
    int owner = step.pid == CLAIM_PID ? -1 : step_owner(&step);
    if (owner != -1) stats.atomic_steps++;
    bool is_seen = record & RECORD_MATCHED || (record & RECORD_ROOT && !state_set_add(deep.set, record_root(at)));
    if (is_seen) {
        if (options.marks_late) expand_mark(expansion_vector(&deep.expansion), &step);
        stats.matched++;
        return false;
    }
    uint8_t flags = flags_after_step(level, &step);
    long depth = level->depth + step_length(&step);
    if (record & RECORD_ROOT) flags |= AT_STORED;
    deep_descend(at, flags, owner, depth);
    if (flags & AT_STORED) {
        enter_stack(deep_top()->root);
        count_stored(deep.now.size);
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
    if (all_ended(expansion_vector(&deep.expansion))) return false;
    if (level->flags & AT_INSIDE && !claim_level) { /* blocked inside atomic: others may move */
        level->flags &= (uint8_t) ~(AT_INSIDE | AT_TIMEOUT);
        level->owner = -1;
        bool is_new = store_level(level);
        if (options.use_claim) level->flags |= AT_CLAIM;
        if (!is_new) return false;
        check_invariant_at(level);
        begin_level(level);
        return true;
    }
    if (model.uses_timeout && !(level->flags & AT_TIMEOUT)) {
        if (!options.use_claim || (claim_level && level->flags & AT_REQUEST)) {
            level->flags = (uint8_t)((level->flags | AT_TIMEOUT) & ~AT_REQUEST);
            begin_level(level);
            return true;
        }
        if (!claim_level) { /* only the claim can let time pass */
            if (deep.n_levels > 1)
                level[-1].flags |= AT_REQUEST;
            else
                deep.requests_timeout = deep.n_blocks > 0;
            return false;
        }
    }
    if (options.use_claim) {
        if (claim_level || options.no_stutter) return false;
        level->flags |= AT_STUTTER;
        begin_level(level);
        return true;
    }
    if (!options.ignore_end_states && !state_is_valid_end(expansion_vector(&deep.expansion)))
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
    /* SPIN counts the state between the halves of a rendezvous as a level, taken or not. */
    if (level->offered && level->depth + 1 > stats.max_depth) stats.max_depth = level->depth + 1;
    if (level->ample >= 0 && !ample_suffices(level->tally)) {
        begin_level_after(level, level->ample);
        return true;
    }
    bool asked = level->flags & AT_CLAIM && level->flags & AT_REQUEST;
    return (!level->any || asked) && try_otherwise(level);
}

/* Goes on at the last level until it leads to a new one (true) or is done. */
static bool advance_level(void)
{
    DeepLevel *level = deep_top();
    set_context(level);
    do {
        while (level->next < level->end) {
            size_t at = level->next;
            level->next = record_next(at);
            if (record_flags(at) == RECORD_SKIPPED) {
                level->ordinal += (uint32_t)record_word(at);
                stats.matched += record_word(at);
                continue;
            }
            const Item *item = record_item(at);
            if (item->kind == ITEM_OFFER) {
                const Transition *send = &model.transitions[item->transition];
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
    if (UNLIKELY(has_too_many_levels())) pack_levels(deep.n_levels / 2);
    if (LIKELY(!expansion_is_full(&deep.expansion))) return;
    pack_levels(deep.n_levels - 1);
    expansion_forget(&deep.expansion);
}

/* -v: what was tried at the level that is being left counts as reached, */
static void mark_tried_at_last(void)
{
    const DeepLevel *level = deep_top();
    const State *s = expansion_vector(&deep.expansion);
    if (deep.stop || exceeds_depth(level->depth)) return;
    set_context(level);
    reach_mark_tried(s, level->ample >= 0 ? level->ample : whom_to_ask(level));
    if (level->flags & AT_STUTTER) reach_mark_tried(s, ALL_PROCESSES); /* that was before the claim moved alone */
}

/* and then the two ends of the step that led there. */
static void mark_taken(void)
{
    if (deep.stop) return;
    Step step = item_step(record_item(deep_top()->taken));
    expand_mark(expansion_vector(&deep.expansion), &step);
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
            if (options.marks_late) mark_tried_at_last();
            if (deep.n_levels == 1 && deep.n_blocks == 0) return;
            deep_ascend();
            if (options.marks_late) mark_taken();
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
    for (size_t i = 0; i < deep.n_blocks; i++) free_block(&deep.blocks[i]);
    xfree(deep.blocks);
    xfree(deep.levels);
    xfree(deep.records.at);
    xfree(deep.untree.at);
    state_free(&deep.now);
    state_free(&deep.bottom);
    expansion_free(&deep.expansion);
    stack_set_free(&deep.on_stack);
    state_set_free(deep.set);
}

void search_dfs_batch(void)
{
    deep_free(); /* of the run before */
    memset(&deep, 0, sizeof deep);
    deep.set = state_set_new_unnumbered();
    deep.trees = state_set_trees(deep.set);
    search_set = deep.set;
    ample_prepare();
    stack_set_init(&deep.on_stack);
    expansion_init(&deep.expansion, deep.set);
    deep.expansion.now = &deep.now;
    deep.expansion.cursor = &deep.cursor;
    stats.max_depth = 0;
    model_start(&deep.now);
    if (options.use_claim) state_header(&deep.now)->claim = active_claim()->start;
    state_copy(&deep.bottom, &deep.now);
    tree_fill(deep.trees, &deep.cursor, deep.now.v);
    deep_push(0, options.use_claim ? AT_CLAIM : 0, -1, 0);
    store_level(deep_top());
    deep_search();
    stats.complete = !deep.stop;
}
