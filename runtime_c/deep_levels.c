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

static inline void write_record(const Successors *found, uint32_t i, unsigned flags)
{
    const Item *item = found->items[i].item;
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
        memcpy(to, &found->executed[i], sizeof found->executed[i]);
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
static void record_step(const Successors *found, uint32_t i, bool is_stored, bool is_seen, bool is_kept, uint32_t first)
{
    const Successor *next = &found->items[i];
    if (is_seen)
        write_record(found, i, RECORD_MATCHED);
    else if (is_stored && !is_kept && is_first_to_follow(first, next->item) && seen_add_at(deep.seen, &next->place))
        write_record(found, i, RECORD_ADDED);
    else
        write_record(found, i, is_stored ? RECORD_NEW : 0);
}

static inline bool is_only_counted(const Successor *next)
{
    if (LIKELY(!(next->item->flags & (ITEM_FAULTY | ITEM_UNREACHED)))) return true;
    return !(next->item->flags & ITEM_FAULTY) && reaches_nothing_new(next->item);
}

/* Makes the records of a level. */
static void record_successors(const Successors *found)
{
    uint32_t skipped = 0, first = deep.records.n;
    for (uint32_t i = 0; i < found->n; i++) {
        const Successor *next = &found->items[i];
        bool is_stored = is_placed(&next->place), is_seen = is_stored && seen_has(deep.seen, &next->place);
        if (is_seen && LIKELY(is_only_counted(next))) {
            skipped++;
            continue;
        }
        write_skipped(&skipped);
        record_step(found, i, is_stored, is_seen, false, first);
    }
    write_skipped(&skipped);
}

/* The same with a depth limit, or for a level that is brought back: step number `kept` (none: 0) is kept even if it was
 * seen. */
static void record_some_successors(const Successors *found, long depth, uint32_t kept)
{
    uint32_t skipped = 0, ordinal = 0, first = deep.records.n;
    for (uint32_t i = 0; i < found->n; i++) {
        const Successor *next = &found->items[i];
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
        record_step(found, i, is_stored, is_seen, kept > 0, first);
    }
    write_skipped(&skipped);
}

/* ---- finding steps ---- */

void find_level_steps(int ample)
{
    Expansion *x = &deep.expansion;
    DeepLevel *level = deep_top();
    level->ample = (int16_t)ample;
    x->only = ample >= 0 ? ample : whom_to_ask(level);
    x->cuts_offers = exceeds_depth(level->depth + 1);
    x->stores = !(level->flags & AT_CLAIM) || level->flags & AT_STUTTER;
    x->at = packed_state_copy(&level->state);
    while (UNLIKELY(!expand(x))) {
        make_room_in_numbers();
        x->at = deep_top()->state;
    }
}

/* Steps that have had their turn meanwhile are nothing special any more. */
static void look_who_is_reached(void)
{
    const Successors *found = deep.expansion.found;
    for (uint32_t i = 0; i < found->n; i++)
        if (item_name(found->items[i].item)->is_reached) note_reached(found->items[i].item);
    expansion_note_reached(&deep.expansion);
}

void record_level(DeepLevel *level, uint32_t kept)
{
    const Successors *found = deep.expansion.found;
    deep.records.n = level->first;
    if (LIKELY(!kept && !options.max_depth))
        record_successors(found);
    else
        record_some_successors(found, level->depth, kept);
    level->next = level->first;
    level->end = deep.records.n;
    level->ordinal = 0;
    level->any |= found->any;
    level->offered |= found->offered;
    level->n_cut = found->n_cut;
    if (UNLIKELY(found->flags & ITEM_UNREACHED)) look_who_is_reached();
}

/* ---- partial order reduction ---- */

static bool is_beyond(long depth, const Item *item)
{
    Step step = item_step(item);
    return exceeds_depth(depth + step_length(&step));
}

/* The same for a state that has this place. */
static bool is_stale_at(uint64_t sum, const PackedPlace *place)
{
    if (!deep.asks_stack) return seen_has(deep.seen, place);
    if (!deep.opens) return stack_set_has(&deep.on_stack, sum);
    const uint32_t *head = seen_entry(deep.seen, place);
    return head && *head & ENTRY_OPEN;
}

bool is_stale(const PackedState *state)
{
    PackedPlace place;
    seen_locate(deep.seen, state->number, state->sum, &place);
    return is_stale_at(state->sum, &place);
}

/* What the steps that were found lead to. Nobody knows what lies behind the depth limit; what an atomic sequence leads
 * to is told from inside it. */
static AmpleTally tally_steps(const DeepLevel *level, bool *enters)
{
    const Successors *found = deep.expansion.found;
    AmpleTally tally = {0, 0};
    for (uint32_t i = 0; i < found->n; i++) {
        const Item *item = found->items[i].item;
        if (item->kind != ITEM_STEP) continue;
        if (UNLIKELY(options.max_depth) && is_beyond(level->depth, item))
            tally.stale++;
        else if (item->flags & ITEM_ATOMIC)
            *enters = true;
        else
            is_stale_at(successor_state(found, i).sum, &found->items[i].place) ? tally.stale++ : tally.fresh++;
    }
    return tally;
}

int find_ample_process(int after)
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
        if (deep.expansion.found->any && (enters || ample_suffices(level->tally))) return true;
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
