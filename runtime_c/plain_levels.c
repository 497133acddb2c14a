/* plain_levels.c: levels of the fast depth-first search with nothing special about them; see deep_stack.h.
 *
 * None of their steps raises a fault, changes the shape of the state or reaches something for the first time. Nearly
 * all levels are like that. All their successors are looked up at once, the first new one is entered, and only steps to
 * other new ones are recorded.
 *
 * While the lookups wait for memory the search goes on with the successor that will probably be entered: mostly a
 * process that has moved moves again. What can be done there is found, its successors are fetched in turn, and so on
 * for a few states in line. If a guess was wrong, nothing is lost but the time.
 */
#include "deep_stack.h"
#include "util.h"

/* ---- looking up ---- */

/* Of the steps that were found, at most 64: */
typedef struct Found {
    uint32_t first; /* the first one that leads to a new state; if none does, their number */
    uint64_t fresh; /* all that do, a bit each, */
    uint64_t stale; /* and those that lead to states on the stack, if the cycle condition asks about that */
} Found;

/* Steps are simple if all are in the memo and lead to states that are stored. */
static inline bool are_simple(const Successors *s) { return !(s->flags & (ITEM_LOOSE | ITEM_ATOMIC)); }

typedef struct Answer {
    bool is_seen, is_open; /* open: on the stack. Of no use if nobody asks */
} Answer;

/* `like` is the set as far as that is constant. */
static ALWAYS_INLINE Answer ask_table(const PackedSet *like, const PackedPlace *place)
{
    const uint32_t *head;
    bool is_seen = packed_set_look_at(&deep.seen->numbers, like, place, &head);
    return (Answer){is_seen, is_seen && *head & ENTRY_OPEN};
}

static ALWAYS_INLINE Answer ask_bits(const Successors *s, uint32_t i, bool asks_stack)
{
    const PackedPlace *place = &s->items[i].place;
    bool is_seen = bit_array_contains(&deep.seen->bits, (const uint64_t *)(const void *)place->bucket, place->entry.lo);
    if (!asks_stack) return (Answer){is_seen, false};
    return (Answer){is_seen, stack_set_has(&deep.on_stack, s->from.sum + s->items[i].item->sum)};
}

/* Has the state been seen that step number i leads to? What is inside an atomic sequence never was. Without a table,
 * the states are bits. */
static ALWAYS_INLINE Answer ask(const Successors *s, uint32_t i, const PackedSet *like, bool asks_stack, bool is_simple)
{
    if (!is_simple && UNLIKELY(!is_placed(&s->items[i].place))) return (Answer){false, false};
    return like ? ask_table(like, &s->items[i].place) : ask_bits(s, i, asks_stack);
}

/* What is recorded of a simple step: which of them are new is nothing to branch on. */
static ALWAYS_INLINE uint64_t simple_record(const Item *item, bool is_new)
{
    const uint64_t counted = UINT64_C(1) << RECORD_SHIFT | RECORD_SKIPPED;
    return is_new ? (uint64_t)(uintptr_t)item | RECORD_NEW : counted;
}

/* Looks up all. The first new one is found by asking one after the other: which one it is, a processor guesses, and
 * does not wait for memory before it goes there. If the steps are simple, this one and those after it are recorded. */
static ALWAYS_INLINE Found find_all(const Successors *s, const PackedSet *like, bool asks_stack, bool is_simple)
{
    Found found = {0, 0, 0};
    uint32_t i = 0;
    for (; i < s->n; i++) {
        Answer answer = ask(s, i, like, asks_stack, is_simple);
        if (asks_stack) found.stale |= (uint64_t)answer.is_open << i;
        if (!answer.is_seen) break;
    }
    found.first = i;
    if (i == s->n) return found;
    uint64_t *to = deep.records.at + deep.records.n;
    if (is_simple) *to++ = simple_record(s->items[i].item, true);
    found.fresh = UINT64_C(1) << i;
    for (i++; i < s->n; i++) {
        Answer answer = ask(s, i, like, asks_stack, is_simple);
        found.fresh |= (uint64_t)!answer.is_seen << i;
        if (asks_stack) found.stale |= (uint64_t)answer.is_open << i;
        if (is_simple) *to++ = simple_record(s->items[i].item, !answer.is_seen);
    }
    return found;
}

static ALWAYS_INLINE Found find_in_table(const Successors *s, uint32_t tail_size, bool opens)
{
    const uint32_t entries = BUCKET_BYTES / (4 + tail_size);
    const PackedSet like
        = {.tail_size = tail_size, .entries = entries, .heads = (UINT32_C(1) << entries) - 1, .opens = opens};
    return are_simple(s) ? find_all(s, &like, opens, true) : find_all(s, &like, opens, false);
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

static ALWAYS_INLINE Found look_up(const Successors *s)
{
    words_reserve(&deep.records, s->n + 1);
    if (deep.seen->kind == STORE_BITSTATE) {
        if (deep.asks_stack) return are_simple(s) ? find_all(s, NULL, true, true) : find_all(s, NULL, true, false);
        return are_simple(s) ? find_all(s, NULL, false, true) : find_all(s, NULL, false, false);
    }
    return deep.opens ? find_in_tables(s, true) : find_in_tables(s, false);
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

/* The same as record_rest for simple steps, which find_all has written: those after the last new one become one record.
 */
static inline void end_simple_records(const Successors *s, Found found)
{
    uint32_t last = highest_bit(found.fresh);
    uint64_t *to = put_skipped(deep.records.at + deep.records.n + (last - found.first) + 1, s->n - 1 - last);
    deep.records.n = (uint32_t)(to - deep.records.at);
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

/* ---- starting ---- */

/* Goes to a state that was just stored, or to one inside an atomic sequence. */
static inline void leave_level(const DeepLevel *level, const Item *item, const PackedState *to, bool inside)
{
    const StepName *name = item_name(item);
    bool may_be_reshaped = level->flags & AT_INSIDE;
    DeepLevel *below
        = deep_push(to, level->depth + item->u.length, inside ? AT_INSIDE : AT_STORED, inside ? name->owner : -1);
    deep.last_mover = name->pid;
    if (inside) {
        stats.atomic_steps++;
        return;
    }
    stats.stored++;
    if (UNLIKELY(may_be_reshaped)) note_vector_size(below);
    enter_stack(below);
}

/* Steps were found and looked up, and none is special. Returns which one is followed, or NONE. */
enum { NONE = 64, REFUSED };
static ALWAYS_INLINE uint32_t follow_found(DeepLevel *level, const Successors *s, Found found)
{
    uint32_t followed = found.first;
    level->offered = s->offered;
    stats.matched += followed;
    if (followed == s->n) {
        note_offer_depth(level);
        return NONE;
    }
    const Successor *next = &s->items[followed];
    PackedState to = successor_state(s, followed);
    bool inside = next->item->flags & ITEM_ATOMIC;
    if (!inside && UNLIKELY(!seen_add_at(deep.seen, &next->place))) /* other places are not needed any more */
        seen_add(deep.seen, to.number, to.sum);
    level->any = true;
    level->ordinal = followed + 1;
    level->taken = level->first;
    if (LIKELY(are_simple(s))) {
        end_simple_records(s, found);
        level->next = level->first + 1;
    } else {
        record_rest(s, followed, found.fresh);
        level->next = record_next(level->first);
    }
    level->end = deep.records.n;
    leave_level(level, next->item, &to, inside);
    return followed;
}

/* All steps, a bit each; there are 1 to 64. */
static inline uint64_t all_steps(const Successors *s) { return UINT64_MAX >> (64 - s->n); }

/* Those that the cycle condition counts as leading back. */
static inline uint64_t steps_back(const Successors *s, Found found)
{
    return deep.asks_stack ? found.stale : all_steps(s) & ~found.fresh;
}

/* What steps inside an atomic sequence lead to outside it, for the level it was entered from. */
static void tell_found(const DeepLevel *level, const Successors *s, Found found)
{
    AmpleTally tally = {0, 0};
    uint64_t back = steps_back(s, found);
    for (uint32_t i = 0; i < s->n; i++)
        if (is_placed(&s->items[i].place)) back >> i & 1 ? tally.stale++ : tally.fresh++;
    tell_entry(level, tally);
}

/* Whose steps they are. */
typedef enum LevelKind { OF_ALL, OF_ONE_FOR_ALL, OF_OWNER } LevelKind;

/* Looks up the steps of the last level, of which none is special, and follows the first one that leads to something
 * new. Returns which one that is, or NONE; REFUSED if the cycle condition does not let one process stand for all. */
static uint32_t start_plain_level(const Successors *s, LevelKind kind)
{
    DeepLevel *level = deep_top();
    Found found = look_up(s);
    if (UNLIKELY(kind != OF_ALL)) {
        if (kind == OF_OWNER) {
            if (options.reduction != REDUCE_OFF) tell_found(level, s, found);
        } else {
            uint64_t back = steps_back(s, found);
            level->tally = (AmpleTally){back != all_steps(s), back != 0};
            if (!ample_suffices(level->tally)) return REFUSED;
        }
    }
    return follow_found(level, s, found);
}

static inline LevelStart started(uint32_t followed) { return followed == NONE ? LEVEL_DONE : LEVEL_LEADS_ON; }

enum { SPECIAL_ITEM = ITEM_FAULTY | ITEM_EXECUTE | ITEM_UNREACHED | ITEM_OTHER };

static inline bool is_plain(const Successors *s, uint32_t special) { return !(s->flags & special) && s->n - 1 < 64; }

/* Finds the steps of a process that can stand for all. */
static inline void find_steps_of(int pid)
{
    Expansion *x = &deep.expansion;
    x->only = pid;
    x->cuts_offers = false;
    x->stores = true;
    deep_top()->ample = (int16_t)pid;
    if (UNLIKELY(!expand_ample(x, pid))) find_level_steps(pid);
}

/* Lets one process stand for all, if one can. */
static LevelStart start_reduced_level(bool *is_whole)
{
    const Successors *s = deep.expansion.found;
    deep.expansion.at = packed_state_copy(&deep_top()->state);
    for (int pid = -1; (pid = find_ample_process(pid)) >= 0;) {
        find_steps_of(pid);
        if (!is_plain(s, SPECIAL_ITEM | ITEM_ATOMIC)) return LEVEL_SPECIAL;
        uint32_t followed = start_plain_level(s, OF_ONE_FOR_ALL);
        if (followed != REFUSED) return started(followed);
    }
    *is_whole = true;
    return LEVEL_DONE;
}

/* The steps of all processes are asked for, at the last level. */
static inline void ask_for_all(void)
{
    deep.expansion.only = ALL_PROCESSES;
    deep.expansion.cuts_offers = false;
    deep.expansion.stores = true;
    deep_top()->ample = -1; /* one may have been tried */
}

/* The same if steps of no process stand for all: makes records if something about them is special. */
static LevelStart start_whole_level(void)
{
    const Successors *s = deep.expansion.found;
    ask_for_all();
    deep.expansion.at = packed_state_copy(&deep_top()->state);
    if (UNLIKELY(!expand(&deep.expansion))) find_level_steps(-1);
    if (LIKELY(is_plain(s, SPECIAL_ITEM))) return started(start_plain_level(s, OF_ALL));
    record_level(deep_top(), 0);
    return LEVEL_SPECIAL;
}

/* ---- inside atomic sequences ---- */

LevelStart start_inside_level(void)
{
    const Successors *s = deep.expansion.found;
    if (deep_top()->depth > stats.max_depth) stats.max_depth = deep_top()->depth;
    step_context.timeout = step_context.stutter = false;
    find_level_steps(-1);
    if (UNLIKELY(!is_plain(s, SPECIAL_ITEM))) {
        begin_level();
        return LEVEL_SPECIAL;
    }
    return started(start_plain_level(s, OF_OWNER));
}

/* ---- guessing ---- */

/* The step that will probably be followed: the first one of the process that moved last. NONE if it has none. The state
 * is the one that was expanded last. */
static inline uint32_t guess_step(const Successors *s)
{
    const Item *first = deep.expansion.known[deep.last_mover].list.first;
    if (!is_plain(s, SPECIAL_ITEM | ITEM_LOOSE | ITEM_ATOMIC)) return NONE;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->items[i].item == first) return i;
    return NONE;
}

/* Where number i in line is. */
static inline uint32_t place_in_line(const GuessLine *line, uint32_t i) { return (line->first + i) % LINE_ROOM; }

/* Expands a state, which becomes the last one in line. False if numbers of states have too few bits for that. */
static inline bool expand_in_line(GuessLine *line, PackedState state)
{
    Expansion *x = &deep.expansion;
    uint32_t place = place_in_line(line, line->n);
    Successors *found = x->found = &line->found[place];
    x->at = state;
    bool fits = expand(x);
    x->found = &x->own;
    if (UNLIKELY(!fits)) return false;
    line->guess[place] = guess_step(found);
    line->n++;
    return true;
}

static inline StepName *guessed_name(const GuessLine *line, uint32_t place)
{
    return item_name(line->found[place].items[line->guess[place]].item);
}

/* Expands the state that will probably follow the last one in line, if there is one and room for it. Guesses that were
 * wrong lately are not worth it. */
static inline bool lengthen_line(GuessLine *line)
{
    uint32_t last = place_in_line(line, line->n - 1);
    if (line->n == LONGEST_LINE || line->guess[last] == NONE) return false;
    if (guessed_name(line, last)->trust <= MOST_TRUST / 2) return false;
    /* Should it not fit, that will be mended when the state is really entered. */
    return expand_in_line(line, successor_state(&line->found[last], line->guess[last]));
}

/* Learns from what became of a guess, whether anything was done for it or not. */
static inline void judge_guess(StepName *name, bool was_right)
{
    int trust = name->trust + (was_right ? 1 : -1);
    name->trust = (uint8_t)(trust < 0 ? 0 : trust > MOST_TRUST ? MOST_TRUST : trust);
}

/* Starts the last level, which is the first in line, after the line was made as long as it may be. */
static LevelStart start_in_line(GuessLine *line)
{
    uint32_t moves = deep.seen->numbers.moves, first = line->first, guess = line->guess[first];
    while (lengthen_line(line)) continue;
    uint32_t followed = start_plain_level(&line->found[first], OF_ALL);
    if (guess != NONE) judge_guess(guessed_name(line, first), followed == guess);
    line->first = place_in_line(line, 1);
    line->n = followed == guess && moves == deep.seen->numbers.moves ? line->n - 1 : 0;
    return started(followed);
}

/* The state of the last level becomes the first one in line. */
static inline bool begin_line(GuessLine *line)
{
    ask_for_all();
    return expand_in_line(line, packed_state_copy(&deep_top()->state));
}

/* The same as start_whole_level. Registers it needs are not saved where nothing is guessed. */
static NEVER_INLINE LevelStart start_guessing(GuessLine *line)
{
    if (line->n == 0 && UNLIKELY(!begin_line(line))) return start_whole_level();
    if (LIKELY(is_plain(&line->found[line->first], SPECIAL_ITEM))) return start_in_line(line);
    line->n = 0;
    return start_whole_level();
}

/* From how many bytes on the lines of a set come from memory, not from a cache. Tests set it low. */
#ifndef GUESSED_FROM
#define GUESSED_FROM (24u << 20)
#endif

void look_at_size(void)
{
    const Seen *seen = deep.seen;
    deep.waits = (seen->kind == STORE_BITSTATE ? seen->bits.bytes : packed_set_memory(&seen->numbers)) > GUESSED_FROM;
}

/* ---- going on ---- */

/* Does a record tell of a step to a state that was not seen, and of nothing else? */
static inline bool is_plain_record(uint32_t at)
{
    return record_flags(at) == RECORD_NEW && !(record_item(at)->flags & (SPECIAL_ITEM | ITEM_ATOMIC));
}

bool resume_level(void)
{
    DeepLevel *level = deep_top();
    while (level->next < level->end) {
        uint32_t at = level->next, steps = 1;
        if (record_flags(at) == RECORD_SKIPPED) {
            steps = (uint32_t)record_word(at);
        } else if (UNLIKELY(!is_plain_record(at))) {
            return false;
        } else {
            PackedState to;
            record_state(level, at, &to);
            if (seen_add(deep.seen, to.number, to.sum)) {
                level->taken = at;
                level->next = at + 1;
                level->ordinal++;
                leave_level(level, record_item(at), &to, false);
                return true;
            }
        }
        level->next = at + 1;
        level->ordinal += steps;
        stats.matched += steps;
    }
    return false;
}

void fetch_waiting(void)
{
    enum { AHEAD = 2 };
    if (deep.n_levels <= AHEAD) return;
    const DeepLevel *level = deep_top() - AHEAD;
    for (uint32_t at = level->next; at < level->end && level->flags == AT_STORED; at = record_next(at)) {
        PackedState to;
        PackedPlace place;
        if (!is_plain_record(at)) continue;
        record_state(level, at, &to);
        seen_locate(deep.seen, to.number, to.sum, &place);
    }
}

/* ---- starting one ---- */

LevelStart start_level(void)
{
    if (deep_top()->depth > stats.max_depth) stats.max_depth = deep_top()->depth;
    step_context.timeout = step_context.stutter = false;
    if (options.reduction == REDUCE_OFF) return deep.waits ? start_guessing(&deep.line) : start_whole_level();
    bool is_whole = false;
    LevelStart start = start_reduced_level(&is_whole);
    if (is_whole) return start_whole_level();
    if (start == LEVEL_SPECIAL) begin_level();
    return start;
}
