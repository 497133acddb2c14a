/* deep_stack.c: levels that are at hand, and those that are logged; see deep_stack.h. */
#include "deep_stack.h"

#include <string.h>

#include "util.h"

DeepSearch deep;

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

/* Starts fetching what leads_nowhere will read. */
static void prefetch_records(const DeepLevel *level)
{
    for (uint32_t at = level->next; at < level->end; at = record_next(at)) {
        PackedState to;
        PackedPlace place;
        if (record_flags(at) == RECORD_SKIPPED) continue;
        record_state(level, at, &to);
        seen_locate(deep.seen, to.number, to.sum, &place);
    }
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

/* Can a record be told by its word alone, and that be logged? */
static bool is_one_word(uint64_t word)
{
    if ((word & RECORD_SKIPPED) == RECORD_SKIPPED) return true;
    return !(word & RECORD_COPY) && word >> WAITING_BITS == 0 && !(word_item(word)->flags & ITEM_EXECUTE);
}

/* Tells in words what is left to do at a level, if words can tell that. */
static bool tell_in_words(const DeepLevel *level, LoggedLevel *logged)
{
    const uint64_t *words = deep.records.at + level->next;
    uint32_t n = level->end - level->next;
    if (n > 0 && (words[n - 1] & RECORD_SKIPPED) == RECORD_SKIPPED)
        logged->skipped = (uint32_t)(words[--n] >> RECORD_SHIFT);
    if (n > MOST_WAITING || !level->any) return false;
    for (uint32_t i = 0; i < n; i++)
        if (!is_one_word(words[i])) return false;
    logged->n_waiting = (uint8_t)n;
    return true;
}

/* Logs a level. One that an atomic sequence was entered from which stays at hand will not hear what that leads to: let
 * all move. */
static void log_level(const DeepLevel *level, bool is_deaf)
{
    LoggedLevel logged = {.state = level->state.number,
                          .depth = level->depth,
                          .ordinal = level->ordinal,
                          .ample = ample_as_number(level, is_deaf ? (AmpleTally){0, 1} : level->tally),
                          .owner = level->owner,
                          .flags = level->flags};
    if (!is_deaf)
        logged.is_known = (deep.is_simple && tell_in_words(level, &logged)) || is_closed(level, &logged.skipped);
    level_log_push(&deep.log, &logged, deep.records.at + level->next);
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
    deep.top -= k;
    for (size_t i = 0; i < deep.n_levels; i++) {
        DeepLevel *level = &deep.levels[i];
        level->first -= recorded;
        level->next -= recorded;
        level->end -= recorded;
        if (level->taken != NO_RECORD) level->taken -= recorded;
        level->entry = level->entry >= k && level->entry != NO_LEVEL ? level->entry - (uint32_t)k : NO_LEVEL;
    }
    drop_words(&deep.records, recorded);
}

/* Logs the first k levels at hand. */
static void pack_levels(size_t k)
{
    enum { AHEAD = 8 };
    for (size_t i = 0; i < k; i++) {
        if (!deep.is_simple && i + AHEAD < k) prefetch_records(&deep.levels[i + AHEAD]);
        log_level(&deep.levels[i], i == deep.levels[k].entry);
    }
    drop_levels(k);
}

/* Logs most of the levels at hand; the others are moved, so they are few. An atomic sequence is not parted from where
 * it was entered. */
static void pack_most(void)
{
    size_t k = deep.n_levels - deep.n_levels / 4;
    while (k < deep.n_levels - 1 && deep.levels[k].flags & AT_INSIDE) k++;
    pack_levels(k);
}

/* How many levels are kept at hand: their memory must not count against that of the states. */
static bool has_too_many_levels(void)
{
    enum { STATES_PER_LEVEL = 256 };
    return deep.n_levels >= LEVELS_AT_HAND && deep.n_levels >= stats.stored / STATES_PER_LEVEL;
}

void limit_levels_at_hand(void)
{
    if (UNLIKELY(has_too_many_levels())) pack_most();
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

/* Takes levels from the log: some, up to one that has to be expanded again. An atomic sequence is taken with where it
 * was entered. */
static void take_logged(void)
{
    enum { TOGETHER = LEVELS_AT_HAND / 16 };
    LoggedLevel *level;
    deep.n_back = 0;
    do {
        if (deep.n_back == deep.back_capacity) {
            deep.back_capacity = 2 * deep.back_capacity + 16;
            deep.back = xrealloc(deep.back, deep.back_capacity * sizeof *deep.back);
        }
        level = &deep.back[deep.n_back++];
        level_log_pop(&deep.log, level);
    } while (deep.log.n > 0 && (level->flags & AT_INSIDE || (level->is_known && deep.n_back < TOGETHER)));
}

/* Gives a level that is brought back its records. */
static void recall_records(DeepLevel *level, const LoggedLevel *logged)
{
    words_reserve(&deep.records, logged->n_waiting + 1u);
    uint64_t *to = deep.records.at + deep.records.n;
    level_log_words(logged, to);
    to += logged->n_waiting;
    if (logged->skipped) *to++ = (uint64_t)logged->skipped << RECORD_SHIFT | RECORD_SKIPPED;
    level->end = deep.records.n = (uint32_t)(to - deep.records.at);
    level->ordinal = logged->ordinal;
    level->taken = NO_RECORD;
    level->any = true;
}

/* Makes a logged level the last one at hand, as it was. */
static void bring_back(const LoggedLevel *logged)
{
    PackedState state = {logged->state, 0};
    if (deep.seen->kind != STORE_EXACT) state.sum = packing_sum(&deep.expansion.packing, logged->state);
    DeepLevel *level = deep_push(&state, logged->depth, logged->flags, logged->owner);
    int ample = ample_of_number(logged->ample, &level->tally);
    level->ample = (int16_t)ample;
    if (LIKELY(logged->is_known)) {
        recall_records(level, logged);
        return;
    }
    uint32_t ordinal = logged->ordinal;
    begin_level_again(ample, ordinal);
    skip_to(deep_top(), ordinal);
}

bool return_to_log(void)
{
    deep.n_levels = deep.records.n = 0;
    if (deep.log.n == 0) return false;
    take_logged();
    while (deep.n_back > 0) bring_back(&deep.back[--deep.n_back]);
    return true;
}

/* ---- going through levels that are not at hand ---- */

/* The step with this ordinal among those found. */
static Step nth_step(const Expansion *x, uint32_t ordinal)
{
    uint32_t i = 0;
    while (x->found->items[i].item->kind != ITEM_STEP || --ordinal > 0) i++;
    return item_step(x->found->items[i].item);
}

typedef struct LogWalk {
    Expansion x;
    State s;
    Trail *trail;
} LogWalk;

/* Writes the step that was taken at a level: the one with its ordinal. */
static void write_again(LogWalk *w, const DeepLevel *level)
{
    set_context(level);
    packing_unpack(&deep.expansion.packing, level->state.number, &w->s);
    w->x.only = level->ample >= 0 ? level->ample : whom_to_ask(level);
    w->x.now = &w->s;
    expand(&w->x);
    Step step = nth_step(&w->x, level->ordinal);
    trail_add_step(w->trail, level->depth, &step);
}

static void write_logged(void *walk, LoggedLevel *logged)
{
    DeepLevel level = {.state.number = logged->state,
                       .depth = logged->depth,
                       .ordinal = logged->ordinal,
                       .owner = logged->owner,
                       .flags = logged->flags};
    level.ample = (int16_t)ample_of_number(logged->ample, &level.tally);
    write_again(walk, &level);
}

/* Writes the step of a level at hand. Where it was brought back, there is no record of what was taken before. */
static void write_at_hand(LogWalk *w, const DeepLevel *level)
{
    if (level->taken == NO_RECORD) {
        write_again(w, level);
        return;
    }
    Step step = item_step(record_item(level->taken));
    trail_add_step(w->trail, level->depth, &step);
}

void write_taken(Trail *t)
{
    LogWalk walk = {.trail = t};
    StepContext saved = step_context;
    expansion_init(&walk.x, NULL);
    state_init(&walk.s);
    level_log_each(&deep.log, write_logged, &walk);
    for (size_t i = 0; i + 1 < deep.n_levels; i++) write_at_hand(&walk, &deep.levels[i]);
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
    item.flags = (uint8_t)(item.flags | ITEM_LOOSE | ITEM_EXECUTE);
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

/* Makes records at hand outlast the memo. */
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
    deep.line.n = 0;
}

void forget_steps(void)
{
    detach_records();
    level_log_outdate(&deep.log);
    items_free(&deep.kept);
    expansion_forget(&deep.expansion);
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

/* An item that will outlast the memo in place of one that applies to state `old`, which is `now`. */
static const Item *kept_item(const LogVisit *v, Item *item, Packed old, Packed now)
{
    if (!(item->flags & ITEM_MOVED)) {
        PackedState to = {packed_xor(old, item->change), 0};
        Item *kept = items_take(&deep.kept, 1);
        v->visit(v->context, &to);
        *kept = *item;
        kept->change = packed_xor(to.number, now);
        item->flags |= ITEM_MOVED;
        item->sum = (uintptr_t)kept;
    }
    return (const Item *)(uintptr_t)item->sum;
}

/* Words of a level name items, whose changes become others in the same way for all states: bits are moved. If it is not
 * as simple as that, the words are dropped. */
static void rewrite_logged(void *visit, LoggedLevel *level, uint64_t *words)
{
    Packed old = level->state;
    visit_logged(visit, level);
    if (!packing_moves_bits(&deep.expansion.packing, old)) logged_level_outdate(level);
    for (uint32_t i = 0; i < level->n_waiting; i++) {
        if ((words[i] & RECORD_SKIPPED) == RECORD_SKIPPED) continue;
        const Item *item = kept_item(visit, (Item *)word_item(words[i]), old, level->state);
        words[i] = (uint64_t)(uintptr_t)item | (words[i] & RECORD_SKIPPED);
        if (words[i] >> WAITING_BITS) logged_level_outdate(level);
    }
}

static void rewrite_log(LogVisit *v)
{
    ItemArena old = deep.kept;
    deep.kept = (ItemArena){0};
    level_log_rewrite(&deep.log, rewrite_logged, v);
    items_free(&old);
}

void each_kept(PackedVisit visit, void *context)
{
    LogVisit v = {visit, context};
    rewrite_log(&v);
    for (size_t i = 0; i < deep.n_back; i++) {
        visit_logged(&v, &deep.back[i]);
        logged_level_outdate(&deep.back[i]);
    }
    for (size_t i = 0; i < deep.n_levels; i++) visit(context, &deep.levels[i].state);
    each_recorded(visit, context);
}

void make_room_in_numbers(void)
{
    detach_records();
    expansion_repack(&deep.expansion, each_kept);
}
