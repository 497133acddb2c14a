/* dfs_batch.c: depth-first search that looks up all successors of a state at once.
 *
 * SPIN's search, step for step, like dfs.c, but a state is expanded as a whole when it is entered:
 * then the lookups of its successors wait for memory together. What was seen before
 * stays seen, so a successor found in the set needs no second lookup when its turn comes; the others
 * are looked up again then.
 *
 * A level holds what is left of the expansion, which is much, and stacks are often as deep as half
 * of all states. So only the upper part of the stack is kept like that. Below, a level
 * is a few bytes (level_log.h): which step was taken there, in what circumstances, and what is left to do if that can
 * be told shortly. If it can't, the level is expanded again when the search comes back to it.
 */
#include <string.h>

#include "deep_stack.h"
#include "reach.h"
#include "search.h"
#include "tallies.h"
#include "tell_search.h"
#include "util.h"

#define FRESH ((AmpleTally){1, 0})
#define STALE ((AmpleTally){0, 1})

/* ---- reporting ---- */

static void deep_write_path(void *unused, Trail *t)
{
    (void)unused;
    write_taken(t);
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
    if (UNLIKELY(is_reshaped)) note_vector_size(level);
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
static inline uint8_t flags_after_step(const DeepLevel *level, const Item *item)
{
    bool inside = item->flags & ITEM_ATOMIC, claim_moved = item_name(item)->pid == CLAIM_PID;
    if (inside && claim_moved) return (uint8_t)(AT_INSIDE | AT_CLAIM | (level->flags & AT_STUTTER));
    if (inside) return AT_INSIDE;
    if (!options.use_claim) return 0;
    if (!claim_moved) return AT_CLAIM;
    return level->flags & AT_TIMEOUT; /* what the claim allows holds for the program's move */
}

/* Marks what a step reaches; when SPIN says so, or once for all. */
static void mark_item_at(const DeepLevel *level, const Item *item)
{
    Step step = item_step(item);
    expand_mark(level_vector(level), &step);
    item_name(item)->is_reached = !options.marks_late;
}

/* The turn of a step has come. True if it leads to a new level. */
static bool follow(DeepLevel *level, uint32_t at)
{
    const Item *item = record_item(at);
    unsigned record = record_flags(at);
    const StepName *name = item_name(item);
    level->ordinal++;
    if (UNLIKELY(item->flags & ITEM_UNREACHED) && !name->is_reached && !options.marks_late) mark_item_at(level, item);
    if (name->owner != -1) stats.atomic_steps++;
    PackedState to;
    record_state(level, at, &to);
    record &= RECORD_ADDED;
    bool is_seen = record == RECORD_MATCHED || (record == RECORD_NEW && !seen_add(deep.seen, to.number, to.sum));
    if (is_seen) {
        if (UNLIKELY(options.marks_late)) mark_item_at(level, item);
        stats.matched++;
        return false;
    }
    uint8_t flags = flags_after_step(level, item);
    long depth = level->depth + name->length;
    if (record & RECORD_NEW) flags |= AT_STORED;
    bool is_reshaped = item->flags & ITEM_EXECUTE || level->flags & AT_INSIDE; /* the record may move */
    DeepLevel *below = deep_descend(at, &to, flags, name->owner, depth);
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

/* The same as go_on, whatever the level is like. */
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
static void make_deep_room(void)
{
    limit_levels_at_hand();
    look_at_size();
    if (seen_could_shrink(deep.seen, &deep.expansion.packing)) {
        make_room_in_numbers();
    } else if (expansion_is_full(&deep.expansion)) {
        forget_steps();
    }
}

/* The same, if there may be a reason to. */
static inline void make_room_for_levels(void)
{
    enum { LEVELS_BETWEEN_LOOKS = LEVELS_AT_HAND / 32 };
    if (UNLIKELY(deep.n_levels % LEVELS_BETWEEN_LOOKS == 0 || seen_is_full(deep.seen) || deep.expansion.memo.has_grown))
        make_deep_room();
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

/* Nothing is known of a level but whether it is inside an atomic sequence. */
static inline bool is_ordinary(const DeepLevel *level)
{
    return level->flags == AT_STORED || level->flags == AT_INSIDE;
}

/* Starts the last level and those it leads to, until one is something special or leads to nothing new. */
static bool run_down(void)
{
    for (;;) {
        if (UNLIKELY(!is_ordinary(deep_top()))) return open_level();
        switch (deep_top()->flags == AT_STORED ? start_level() : start_inside_level()) {
        case LEVEL_SPECIAL: return true;
        case LEVEL_DONE: return false;
        case LEVEL_LEADS_ON: make_room_for_levels();
        }
        if (progress_is_due() && report_progress(deep_top()->depth, NULL)) {
            deep.stop = true;
            return false;
        }
    }
}

/* Is nothing left to do at a level that was come back to but to count steps? Then that is done. */
static inline bool is_finished(DeepLevel *level)
{
    uint32_t left = level->end - level->next;
    if (left > 1 || (left == 1 && record_flags(level->next) != RECORD_SKIPPED)) return false;
    if (level->n_cut || !level->any) return false;
    if (level->ample >= 0 && !ample_suffices(level->tally)) return false;
    if (left == 1) stats.matched += record_word(level->next);
    note_offer_depth(level);
    return true;
}

/* Goes on at the last level until it leads to a new one (true) or is done. */
static inline bool go_on(void)
{
    return (deep.is_simple && is_ordinary(deep_top()) && resume_level()) || advance_level();
}

static void deep_search(void)
{
    bool open = open_level();
    while (!deep.stop) {
        if (progress_is_due() && report_progress(deep_top()->depth, NULL)) deep.stop = true;
        if (open && go_on()) {
            make_room_for_levels();
            open = deep.is_simple ? run_down() : open_level();
        } else {
            if (UNLIKELY(options.marks_late)) mark_tried_at_last();
            do {
                if (!deep_ascend()) return;
                if (deep.waits) fetch_waiting();
            } while (deep.is_simple && is_finished(deep_top()));
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
    items_free(&deep.kept);
    xfree(deep.back);
    xfree(deep.levels);
    xfree(deep.records.at);
    expansion_free(&deep.expansion);
    for (int i = 0; i < LINE_ROOM; i++) successors_free(&deep.line.found[i]);
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
    deep.asks_stack = options.reduction != REDUCE_OFF && ample_asks_stack();
    deep.opens = deep.seen->numbers.opens = deep.asks_stack && deep.seen->kind != STORE_BITSTATE;
    expansion_init(&deep.expansion, deep.seen);
    stats.max_depth = 0;
    deep.is_simple = !options.use_claim && !options.check_invariant && !options.max_depth && !options.marks_late;
    look_at_size();
    PackedState first = initial_state();
    deep_push(&first, 0, options.use_claim ? AT_CLAIM : 0, -1);
    store_level(deep_top());
    deep_search();
    stats.complete = !deep.stop;
}
