/* idastar.c: iterative-deepening A* (HSF 6).
 *
 * Depth-first searches bounded by f = g + h, the bound growing to the smallest f that was cut off.
 * Only the path is kept, as changes to one vector; visited states are remembered within an
 * iteration to cut duplicates: exactly, with the smallest g, or as bits (bitstate), which takes
 * little memory and may cut too much. Then runs may be repeated with fresh hash functions.
 *
 * With partial order reduction the cycle condition speaks of one iteration. In the last one nothing is cut off but
 * what was visited before, so it is a depth-first search like any other; a state visited again on a cheaper way
 * only adds steps to those of its first visit.
 */
#include <string.h>

#include "ample.h"
#include "bitstate.h"
#include "heuristic.h"
#include "search.h"
#include "state_set.h"
#include "steps.h"
#include "tallies.h"
#include "trail.h"
#include "util.h"
#include "vector_log.h"

enum { NO_BOUND = UINT32_MAX };

typedef struct IdaLevel {
    StepIterator it;
    Step step;
    VectorMark undo;
    uint32_t cost; /* of the way here */
    long depth;    /* steps on the way here */
    int16_t owner;
    int16_t ample; /* process that moves for all, -1 if none */
    AmpleTally tally;
    size_t entry; /* level the atomic sequence was entered from, which its end counts for; else this level */
    uint32_t id;  /* of the state, where visited ones are kept exactly */
    bool timeout, any;
} IdaLevel;

static struct {
    IdaLevel *levels;
    size_t n_levels, capacity;
    State now, next;
    VectorLog undo;
    StateSet *set; /* exact: ids, with the facts below */
    TreeCursor tree;
    State seen;
    uint32_t *best; /* smallest cost in `iteration_of` */
    uint32_t *iteration_of;
    uint8_t *on_stack; /* how often a state is on the path */
    uint32_t last_id;  /* the state asked for last */
    size_t facts;
    BitState *bits; /* bitstate; else NULL */
    uint32_t iteration;
    uint32_t bound, next_bound;
    bool has_hopeless; /* a state was cut off because the estimate sees no way to an error from it */
    bool stop;
    Step failed;
    bool has_failed;
} ida;

static IdaLevel *ida_top(void) { return &ida.levels[ida.n_levels - 1]; }

/* ---- reporting ---- */

static void ida_write_path(void *unused, Trail *t)
{
    (void)unused;
    for (size_t i = 1; i < ida.n_levels; i++) trail_add_step(t, ida.levels[i - 1].depth, &ida.levels[i].step);
    if (ida.has_failed) trail_add_step(t, ida_top()->depth, &ida.failed);
}

static uint32_t cost_of(const Step *step)
{
    return (uint32_t)(transition_cost(step->transition) + (step->reply ? transition_cost(step->reply) : 0));
}

/* May the error be called a shortest one? Lossy hashing may have cut the way to a shorter one; so may a
 * limit on the depth if steps have other costs. */
static bool ida_is_shortest(int class)
{
    if (options.reduction != REDUCE_OFF) return false;
    if (stats.errors > 0 || store_is_lossy(&options.store) || (!cost_is_steps() && stats.truncated)) return false;
    return options.heuristic->admissible() && options.heuristic->classes & (class | CLASS_ANY_ERROR);
}

static void ida_report(ErrorKind kind, const char *text, long depth, int class)
{
    stats.is_shortest = ida_is_shortest(class);
    if (stats.errors == 0) stats.cost = ida_top()->cost + (ida.has_failed ? cost_of(&ida.failed) : 0);
    if (report_error(kind, text, depth, ida_write_path, NULL)) ida.stop = true;
}

/* Steps differ in length and cost: an error beyond the bound is for a later iteration, in which a state
 * with the same f has its turn. */
static bool is_error_within_bound(const Step *step)
{
    uint32_t f = ida_top()->cost + cost_of(step) - heuristic_uncounted();
    if (f <= ida.bound) return true;
    if (f < ida.next_bound) ida.next_bound = f;
    return false;
}

/* Reports the fault of a step, if any. False if the step leads nowhere. */
static bool ida_report_fault(ErrorKind kind, const Step *step)
{
    if (!fault.text) return true;
    const char *text = fault.text;
    bool fatal = fault.fatal;
    fault = (Fault){0};
    if (!is_error_within_bound(step)) return !fatal;
    ida.failed = *step;
    ida.has_failed = true;
    ida_report(kind, text, fault_depth(text, ida_top()->depth, step_length(step)),
               kind == ERROR_FAULT && is_failed_assertion(text) ? CLASS_ASSERTION : 0);
    ida.has_failed = false;
    if (fatal) ida.stop = true;
    return !ida.stop;
}

/* ---- visited states ---- */

static void reserve_ida_facts(uint32_t id)
{
    if (id < ida.facts) return;
    size_t n = (size_t)id + id / 2 + 1024;
    ida.best = xrealloc(ida.best, n * sizeof *ida.best);
    ida.iteration_of = xrealloc(ida.iteration_of, n * sizeof *ida.iteration_of);
    memset(ida.iteration_of + ida.facts, 0, (n - ida.facts) * sizeof *ida.iteration_of);
    ida.on_stack = xrealloc(ida.on_stack, n);
    memset(ida.on_stack + ida.facts, 0, n - ida.facts);
    ida.facts = n;
}

/* Is this the first or a cheaper way to the state within this iteration? */
static bool is_worth_visiting(const State *s, uint32_t cost)
{
    bool is_new;
    if (s->size > stats.vector_size) stats.vector_size = s->size;
    if (ida.bits) {
        is_new = bitstate_insert(ida.bits, s);
        stats.stored += is_new;
        return is_new;
    }
    uint32_t id = state_set_update(ida.set, &ida.tree, &ida.seen, s, NULL, &is_new);
    state_copy(&ida.seen, s);
    reserve_ida_facts(id);
    ida.last_id = id;
    stats.stored += is_new;
    bool visited = ida.iteration_of[id] == ida.iteration;
    if (visited && ida.best[id] <= cost) return false;
    if (visited) stats.reopened++;
    ida.iteration_of[id] = ida.iteration;
    ida.best[id] = cost;
    return true;
}

static bool is_within_bound(const State *s, uint32_t cost)
{
    if (ida.bound == NO_BOUND) return true;
    int h = heuristic_estimate(s);
    if (h >= UNREACHABLE) {
        ida.has_hopeless = true;
        return false;
    }
    if (h < stats.h_min) stats.h_min = h;
    if (h > stats.h_max) stats.h_max = h;
    uint32_t f = cost + (uint32_t)h;
    if (f <= ida.bound) return true;
    if (f < ida.next_bound) ida.next_bound = f;
    return false;
}

/* ---- partial order reduction ---- */

/* Process `ample` moves for all; all move if it is -1. */
static void ida_begin_steps(IdaLevel *level, int ample)
{
    level->ample = (int16_t)ample;
    level->tally = (AmpleTally){0, 0};
    step_begin(&level->it, &ida.now, ample >= 0 ? ample : level->owner);
}

static int ida_first_to_stand(const IdaLevel *level)
{
    bool asks = options.reduction != REDUCE_OFF && level->owner < 0 && !level->timeout;
    return asks ? ample_process(&ida.now, -1) : -1;
}

/* One process has moved. If it cannot stand for all, another one is tried, or all move. */
static bool is_done_alone(IdaLevel *level)
{
    if (level->any && ample_suffices(level->tally)) return true;
    ida_begin_steps(level, ample_process(&ida.now, level->ample));
    return false;
}

/* Tells the level that may be left with the steps of one process what they led to. What lies behind a state inside
 * an atomic sequence is told when it ends; if that state was met before, nobody knows. */
static void ida_note(const IdaLevel *level, bool is_inside, bool is_visited)
{
    AmpleTally *tally = &ida.levels[level->entry].tally;
    if (is_inside && !is_visited) return;
    bool is_stale = is_inside || (ample_asks_stack() ? ida.on_stack[ida.last_id] > 0 : is_visited);
    is_stale ? tally->stale++ : tally->fresh++;
}

/* ---- the bounded search ---- */

static void ida_push(uint32_t cost, long depth, int owner, const Step *step)
{
    if (ida.n_levels == ida.capacity) {
        ida.capacity = ida.capacity ? 2 * ida.capacity : 1024;
        ida.levels = xrealloc(ida.levels, ida.capacity * sizeof *ida.levels);
    }
    IdaLevel *level = &ida.levels[ida.n_levels++];
    memset(level, 0, sizeof *level);
    level->cost = cost;
    level->depth = depth;
    level->owner = (int16_t)owner;
    level->entry = owner >= 0 && ida.n_levels > 1 ? level[-1].entry : ida.n_levels - 1;
    level->id = ida.last_id;
    if (!ida.bits) ida.on_stack[level->id]++;
    if (step) {
        level->step = *step;
        level->undo = vector_log_change(&ida.undo, &ida.now, &ida.next);
        State swap = ida.now;
        ida.now = ida.next;
        ida.next = swap;
    }
    step_context.timeout = false;
    ida_begin_steps(level, ida_first_to_stand(level));
    stats.expanded++;
    if (depth > stats.max_depth) stats.max_depth = depth;
}

static void ida_pop(void)
{
    if (ida.n_levels > 1) vector_log_undo(&ida.undo, &ida.now, ida_top()->undo);
    if (!ida.bits) ida.on_stack[ida_top()->id]--;
    ida.n_levels--;
}

/* What an atomic sequence does in between, nobody sees. */
static void ida_check_invariant(void)
{
    if (options.check_invariant && ida_top()->owner < 0 && !model_invariant(&ida.now, options.invariant))
        ida_report(ERROR_INVARIANT, invariant_error_text(), ida_top()->depth - 1, CLASS_INVARIANT);
}

static bool is_beyond_depth(long depth)
{
    if (options.max_depth == 0 || depth < options.max_depth) return false;
    report_depth_exceeded();
    if (options.depth_is_error) ida_report(ERROR_DEPTH, "depth limit reached", depth, 0);
    stats.truncated++;
    return true;
}

static void ida_take(const Step *step)
{
    IdaLevel *level = ida_top();
    uint32_t cost = level->cost + cost_of(step);
    int owner = step_owner(step);
    stats.generated++;
    if (COUNTS_STEPS) tally_step(step, false);
    state_header(&ida.next)->owner = (uint8_t)(owner + 1);
    if (owner >= 0) stats.atomic_steps++;
    if (!is_within_bound(&ida.next, cost)) return;
    bool is_worth = is_worth_visiting(&ida.next, cost);
    if (options.reduction != REDUCE_OFF) ida_note(level, owner >= 0, !is_worth);
    if (!is_worth) {
        stats.matched++;
        return;
    }
    ida_push(cost, level->depth + step_length(step), owner, step);
    state_header(&ida.now)->owner = 0; /* the level knows the owner */
    if (is_beyond_depth(ida_top()->depth))
        ida_pop();
    else
        ida_check_invariant();
}

/* Nothing could move at the top level: gives up atomic control, lets time pass, or reports. */
static bool ida_after_block(IdaLevel *level)
{
    if (level->owner >= 0) {
        level->owner = -1;
        ida_begin_steps(level, -1);
        ida_check_invariant();
        return true;
    }
    if (model.uses_timeout && !level->timeout) {
        level->timeout = true;
        ida_begin_steps(level, -1);
        return true;
    }
    if (!options.ignore_end_states && !state_is_valid_end(&ida.now))
        ida_report(ERROR_END_STATE, "invalid end state", level->depth - 1, CLASS_END_STATE);
    return false;
}

static void ida_advance(void)
{
    IdaLevel *level = ida_top();
    Step step;
    step_context.timeout = level->timeout;
    StepResult result = step_next(&level->it, &ida.now, &ida.next, &step);
    if (result == STEP_FAULT) {
        ida_report_fault(ERROR_GUARD, &step);
    } else if (result == STEP_TAKEN) {
        level->any = true;
        if (ida_report_fault(ERROR_FAULT, &step)) ida_take(&step);
    } else if (level->ample >= 0 && !is_done_alone(level)) {
        return;
    } else if (level->any || !ida_after_block(level)) {
        ida_pop();
    }
}

static void ida_look_up(void)
{
    Front front = {.measure = ida.bound == NO_BOUND ? NULL : "bound", .key = ida.bound};
    if (report_progress(ida_top()->depth, &front)) ida.stop = true;
}

static void ida_iteration(void)
{
    ida.iteration++;
    ida.next_bound = NO_BOUND;
    ida.has_hopeless = false;
    stats.iterations++;
    if (ida.bits) bitstate_clear(ida.bits);
    model_start(&ida.now);
    is_worth_visiting(&ida.now, 0);
    ida_push(0, 0, -1, NULL);
    ida_check_invariant();
    while (ida.n_levels > 0 && !ida.stop) {
        if (progress_is_due()) ida_look_up();
        ida_advance();
    }
    while (ida.n_levels > 0) ida_pop();
    ida.undo.n = 0;
}

/* All iterations, until an error or until nothing was cut off. From states without a way to the errors the
 * estimate speaks of there may be others: the last iteration goes everywhere. */
static void ida_run(void)
{
    bool all_done = false;
    model_start(&ida.now);
    int h = heuristic_estimate(&ida.now);
    ida.bound = (uint32_t)(h < UNREACHABLE ? h : 0);
    while (!ida.stop && !all_done) {
        ida_iteration();
        all_done = ida.next_bound == NO_BOUND && !ida.has_hopeless;
        ida.bound = ida.next_bound;
    }
}

static uint64_t ida_hash_seed(void) { return (uint64_t)options.hash_number + (options.seed_given ? options.seed : 0); }

void search_idastar(void)
{
    memset(&ida, 0, sizeof ida);
    stats.h_min = UNREACHABLE;
    ample_prepare();
    if (options.store.kind == STORE_BITSTATE) {
        ida.bits = bitstate_new(options.store.array_log2, options.store.bits_per_state, ida_hash_seed() + 1);
    } else {
        ida.set = state_set_new();
        search_set = ida.set;
        tree_cursor_init(&ida.tree);
    }
    for (int run = 1; !ida.stop && run <= options.store.runs; run++) {
        if (run > 1) bitstate_rehash(ida.bits, ida_hash_seed() + (uint64_t)run);
        ida_run();
    }
    stats.complete = !ida.stop;
}
