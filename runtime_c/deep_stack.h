/* deep_stack.h: the stack of the fast depth-first search (dfs_batch.c): its levels, and what is left to do at each.
 *
 * The upper levels are at hand, with records of the steps whose turn is yet to come; those below are in a log
 * (level_log.h). deep_stack.c moves levels between the two, deep_levels.c finds the steps of a level and records them.
 */
#ifndef HSFPY_DEEP_STACK_H
#define HSFPY_DEEP_STACK_H

#include <string.h>

#include "expand.h"
#include "level_log.h"
#include "search.h"
#include "stack_set.h"
#include "state_set.h"
#include "trail.h"

enum BatchLevelFlags {
    AT_CLAIM = 1,    /* the claim moves here */
    AT_TIMEOUT = 2,  /* timeout is true here */
    AT_REQUEST = 4,  /* the program below is blocked and asks the claim to allow a timeout */
    AT_INSIDE = 8,   /* inside an atomic sequence: not stored, only the owner moves */
    AT_STUTTER = 16, /* the program is blocked for good: the claim moves alone */
    AT_STORED = 32   /* the state of this level is in the set */
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
_Static_assert((int)RECORD_SKIPPED == (int)NUMBER_WORD, "the log knows numbers from addresses");
_Static_assert(sizeof(Item) % 8 == 0 && sizeof(PackedState) % 8 == 0, "records are words of eight bytes");

typedef struct DeepLevel {
    uint32_t first; /* where its records begin, */
    uint32_t next;  /* the one whose turn is next, */
    uint32_t end;   /* and where they end */
    uint32_t taken; /* the record whose step is being followed, or NO_RECORD */
    PackedState state;
    long depth;       /* in SPIN's steps */
    uint32_t ordinal; /* steps whose turn has come */
    uint32_t n_cut;
    uint32_t entry; /* level at hand that an atomic sequence was entered from; else this level */
    AmpleTally tally;
    uint32_t moves; /* of the set when the state was stored, */
    uint32_t *head; /* and its entry there, if that is known and open */
    int16_t ample;  /* process that moves for all, -1 if none */
    int16_t owner;  /* process in an atomic sequence, -1 if none */
    uint8_t flags;
    bool any, offered;
} DeepLevel;

/* A stack of words. */
typedef struct Words {
    uint64_t *at;
    uint32_t n, capacity;
} Words;

/* States that will probably be entered one after the other, the first of them that of the last level: what was found at
 * each, and which of the steps leads to the next one. Valid as long as neither the memo is cleared nor the set moved.
 */
enum { LONGEST_LINE = 3, LINE_ROOM = 4 };
typedef struct GuessLine {
    Successors found[LINE_ROOM]; /* in a ring */
    uint32_t guess[LINE_ROOM];
    uint32_t first; /* where the first one is */
    uint32_t n;     /* 0: nothing was guessed */
} GuessLine;

typedef struct DeepSearch {
    DeepLevel *levels; /* those at hand */
    DeepLevel *top;    /* the last of them */
    size_t n_levels, levels_capacity;
    Words records;
    StateSet *set;
    Seen *seen;
    Expansion expansion;
    bool asks_stack;   /* a cycle condition asks whether states are on the stack: */
    bool opens;        /* the set knows, */
    StackSet on_stack; /* or else this */
    LevelLog log;      /* the levels before, */
    ItemArena kept;    /* and items of what waits there, of memos that were forgotten */
    LoggedLevel *back; /* those that are being brought back */
    size_t n_back, back_capacity;
    bool is_simple; /* no claim, invariant or limit: levels are alike */
    bool waits;     /* lines of the set come from memory, not from a cache */
    int last_mover; /* process whose step was followed last */
    GuessLine line;
    bool stop;
    Step failed; /* the step that raised a fault and is not on the stack */
    bool has_failed;
} DeepSearch;

extern DeepSearch deep;

#define NO_LEVEL UINT32_MAX
#define NO_RECORD UINT32_MAX

/* So many levels at hand are never too many. Tests set it low. */
#ifndef LEVELS_AT_HAND
#define LEVELS_AT_HAND (1 << 13)
#endif

/* The last level. Levels move when others are added or packed. */
static inline DeepLevel *deep_top(void) { return deep.top; }

static inline State *level_vector(const DeepLevel *level)
{
    deep.expansion.at = level->state;
    return expansion_vector(&deep.expansion);
}

static inline void words_reserve(Words *w, uint32_t more)
{
    if (LIKELY(w->n + more <= w->capacity)) return;
    if (w->capacity > UINT32_MAX / 4) die("too many steps wait for their turn for this version (2^30)");
    w->capacity = 2 * w->capacity + more;
    w->at = xrealloc(w->at, w->capacity * sizeof *w->at);
}

/* ---- records ---- */

static inline bool exceeds_depth(long depth) { return options.max_depth && depth >= options.max_depth; }

static inline unsigned record_flags(uint32_t at) { return deep.records.at[at] & RECORD_SKIPPED; }

static inline uint64_t record_word(uint32_t at) { return deep.records.at[at] >> RECORD_SHIFT; }

/* The item in the memo that a word names. */
static inline const Item *word_item(uint64_t word)
{
    return (const Item *)(uintptr_t)(word & ~(uint64_t)RECORD_SKIPPED);
}

static inline const Item *record_item(uint32_t at)
{
    uint64_t word = deep.records.at[at];
    return UNLIKELY(word & RECORD_COPY) ? (const Item *)(const void *)&deep.records.at[at + 1] : word_item(word);
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

/* ---- levels ---- */

static inline void set_context(const DeepLevel *level)
{
    step_context.timeout = level->flags & AT_TIMEOUT;
    step_context.stutter = level->flags & AT_STUTTER;
}

static inline int whom_to_ask(const DeepLevel *level)
{
    if (level->flags & (AT_CLAIM | AT_STUTTER)) return CLAIM_PID;
    return level->owner >= 0 ? level->owner : ALL_PROCESSES;
}

static inline DeepLevel *deep_push(const PackedState *state, long depth, uint8_t flags, int owner)
{
    if (deep.n_levels == deep.levels_capacity) {
        deep.levels_capacity = deep.levels_capacity ? 2 * deep.levels_capacity : 1024;
        deep.levels = xrealloc(deep.levels, deep.levels_capacity * sizeof *deep.levels);
    }
    DeepLevel *level = deep.top = &deep.levels[deep.n_levels];
    /* Field by field: compilers fill a whole struct of this size by an instruction that is slow. */
    level->first = level->next = level->end = level->taken = deep.records.n;
    level->state.number.lo = state->number.lo;
    level->state.number.hi = state->number.hi;
    level->state.sum = state->sum;
    level->depth = depth;
    level->ordinal = level->n_cut = 0;
    level->entry = (uint32_t)deep.n_levels++;
    level->tally = (AmpleTally){0, 0};
    level->moves = 0;
    level->head = NULL;
    level->ample = -1;
    level->owner = (int16_t)owner;
    level->flags = flags;
    level->any = level->offered = false;
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

/* A state is stored that may be of another shape than those before. */
static inline void note_vector_size(const DeepLevel *level)
{
    uint32_t size = packing_layout(&deep.expansion.packing, level->state.number)->shape->size;
    if (size > stats.vector_size) stats.vector_size = size;
}

/* SPIN counts the state between the halves of a rendezvous as a level, taken or not. */
static inline void note_offer_depth(const DeepLevel *level)
{
    if (level->offered && level->depth + 1 > stats.max_depth) stats.max_depth = level->depth + 1;
}

/* ---- plain_levels.c ---- */

/* How a level starts. */
typedef enum LevelStart {
    LEVEL_LEADS_ON, /* one of its steps leads to a new level, which is the last one now */
    LEVEL_DONE,     /* nothing new is to be found */
    LEVEL_SPECIAL   /* its steps are recorded */
} LevelStart;

/* Starts the last level, whose state is stored, if the search is simple (DeepSearch). */
LevelStart start_level(void);
/* The same if it is inside an atomic sequence. */
LevelStart start_inside_level(void);
/* Goes on with the last level after others were left: follows the first step to a state that is still new. False if
 * there is none, or if something special comes first. */
bool resume_level(void);
/* The last level was come back to: starts fetching what will be asked for a few levels before it. */
void fetch_waiting(void);
/* Finds out whether the set has become too large for a cache (DeepSearch.waits). */
void look_at_size(void);

/* ---- deep_levels.c ---- */

/* Finds the steps of the last level: those of process `ample`, or all if it is -1. */
void find_level_steps(int ample);
/* The next process after `after` that can stand for all (expansion_ample). */
int find_ample_process(int after);
/* Makes records of what was found; step number `kept` (0: none) is kept whatever it leads to. */
void record_level(DeepLevel *level, uint32_t kept);
/* Begins the last level; or goes on with it when process `after` could not stand for all. */
void begin_level(void);
void begin_level_after(int after);
/* Begins the last level once more, as it was; step number `kept` is the one being followed. */
void begin_level_again(int ample, uint32_t kept);
/* What a step inside an atomic sequence led to is told to the level it was entered from. */
void tell_entry(const DeepLevel *level, AmpleTally tally);
/* Does the cycle condition count this state as one that was there before? */
bool is_stale(const PackedState *state);
/* The state of a level, which was just stored, enters the stack. */
static inline void enter_stack(DeepLevel *level)
{
    if (LIKELY(!deep.asks_stack)) return;
    if (UNLIKELY(!deep.opens)) {
        stack_set_add(&deep.on_stack, level->state.sum);
        return;
    }
    level->head = deep.seen->numbers.newest;
    level->moves = deep.seen->numbers.moves;
}

/* A state that was stored leaves the stack. */
static inline void close_state(const PackedState *state)
{
    if (LIKELY(deep.opens))
        seen_close(deep.seen, state->number, state->sum);
    else
        stack_set_remove(&deep.on_stack, state->sum);
}

static inline void leave_stack(const DeepLevel *level)
{
    if (LIKELY(!deep.asks_stack) || !(level->flags & AT_STORED)) return;
    if (LIKELY(level->head && level->moves == deep.seen->numbers.moves))
        *level->head &= ~(uint32_t)ENTRY_OPEN;
    else
        close_state(&level->state);
}

/* ---- deep_stack.c ---- */

/* Logs levels if there are many at hand. */
void limit_levels_at_hand(void);
/* Goes back to the last logged level. False if there is none. */
bool return_to_log(void);
/* Leaves the last level. False if it was the first one. */
static inline bool deep_ascend(void)
{
    DeepLevel *level = deep_top();
    leave_stack(level);
    if (UNLIKELY(deep.n_levels == 1)) return return_to_log();
    deep.records.n = level->first;
    deep.n_levels--;
    deep.top--;
    return true;
}
/* Forgets the memo. The last level is about to get new records. */
void forget_steps(void);
/* Gives all states numbers with more room. The last level has no records yet. */
void make_room_in_numbers(void);
/* The states that are kept, for expansion_repack. */
void each_kept(PackedVisit visit, void *context);
/* Writes the steps that were taken at all levels but the last one. */
void write_taken(Trail *t);

#endif
