/* dfs.c: depth-first search for safety errors, SPIN's default search.
 *
 * The current state is changed in place: going down writes the successor over it and logs the
 * words that changed, going up restores them. A level therefore costs a few words, whatever the
 * size of the vector, and the stack may grow as deep as memory allows.
 *
 * With a never claim, claim and program move in turns, each move on its own level. States are
 * stored where the claim is about to move, as SPIN does; states inside atomic sequences are not
 * stored at all.
 *
 * With partial order reduction one process may move alone (ample.h). What its steps lead to, through atomic
 * sequences too, decides whether the others move as well.
 */
#include <string.h>

#include "ample.h"
#include "expand.h"
#include "search.h"
#include "hash_stack.h"
#include "tell_search.h"
#include "state_set.h"
#include "steps.h"
#include "switches.h"
#include "tallies.h"
#include "trail.h"
#include "util.h"
#include "vector_log.h"

enum LevelFlags {
    LEVEL_CLAIM = 1,    /* the claim moves here */
    LEVEL_TIMEOUT = 2,  /* timeout is true here */
    LEVEL_REQUEST = 4,  /* the program below is blocked and asks the claim to allow a timeout */
    LEVEL_INSIDE = 8,   /* inside an atomic sequence: not stored, only the owner moves */
    LEVEL_STUTTER = 16, /* the program is blocked for good: the claim moves alone */
    LEVEL_CUT = 32      /* -DCHECK: the depth limit lies behind a step from here */
};

/* What takes dfs.seen and dfs.tree back to the stored state before. */
typedef struct Visit {
    size_t untree;
    bool from_above;   /* that state is the one of the level above */
    uint64_t id;       /* of the state stored: its number, or its hash if states have none */
    VectorMark unseen; /* otherwise, how to get back */
} Visit;

typedef struct Level {
    StepIterator it;
    Step step;       /* how this level was reached */
    VectorMark undo; /* takes dfs.now back to the state above */
    Visit visit;     /* if this level's state was stored */
    bool stored;
    uint8_t flags;
    int16_t owner; /* process in an atomic sequence, -1 if none */
    int16_t ample; /* process that moves for all, -1 if none */
    AmpleTally tally;
    uint32_t entry; /* level the atomic sequence was entered from, which its end counts for; else this level */
    Switches switches;
    long depth; /* in SPIN's steps */
} Level;

static struct {
    Level *levels;
    size_t n_levels, levels_capacity;
    State now;  /* state of the top level */
    State next; /* successor under construction */
    State bare; /* a state without its hidden variables */
    VectorLog undo;
    StateSet *set;
    State seen; /* the last state on the stack that was stored */
    VectorLog unseen;
    TreeCursor tree; /* describes `seen`: the next state differs little from it */
    TreeUndo untree;
    uint8_t *on_stack; /* by state, if a cycle condition asks for it */
    size_t on_stack_capacity;
    HashStack stack;  /* the same where states have no numbers */
    uint32_t *depths; /* -i, -I: smallest depth each state was entered at */
    size_t depths_capacity;
    Switches way; /* with bounded context switches: how the state being stored was reached */
    bool stop;
    Step failed; /* the step that raised a fault and is not on the stack */
    bool has_failed;
} dfs;

/* A level as -DCHECK shows it. */
static ToldLevel told(long depth, uint8_t flags)
{
    int kind = (flags & LEVEL_TIMEOUT ? TOLD_TIMEOUT : 0) | (flags & LEVEL_REQUEST ? TOLD_REQUEST : 0)
               | (flags & LEVEL_CLAIM ? TOLD_CLAIM : 0) | (flags & LEVEL_INSIDE ? TOLD_INSIDE : 0)
               | (flags & LEVEL_CUT ? TOLD_CUT : 0) | (flags & LEVEL_STUTTER ? TOLD_CLAIM | TOLD_STUTTER : 0);
    return (ToldLevel){depth, kind};
}

static Level *dfs_top(void) { return &dfs.levels[dfs.n_levels - 1]; }

/* ---- the stack ---- */

static Level *dfs_push(long depth, uint8_t flags, int owner, const Step *step)
{
    if (dfs.n_levels == dfs.levels_capacity) {
        dfs.levels_capacity = dfs.levels_capacity ? 2 * dfs.levels_capacity : 1024;
        dfs.levels = xrealloc(dfs.levels, dfs.levels_capacity * sizeof *dfs.levels);
    }
    Level *level = &dfs.levels[dfs.n_levels++];
    level->depth = depth;
    level->flags = flags;
    level->owner = (int16_t)owner;
    level->stored = false;
    level->ample = -1;
    level->entry = (uint32_t)(dfs.n_levels - (flags & LEVEL_INSIDE ? 2 : 1));
    if (flags & LEVEL_INSIDE && level[-1].flags & LEVEL_INSIDE) level->entry = level[-1].entry;
    level->switches = (Switches){dfs.way.count, dfs.way.last, SWITCH_NONE, false};
    if (step) level->step = *step;
    return level;
}

/* Makes dfs.next the state of a new level. */
static void dfs_descend(Level *level)
{
    level->undo = vector_log_change(&dfs.undo, &dfs.now, &dfs.next);
    State swap = dfs.now;
    dfs.now = dfs.next;
    dfs.next = swap;
}

static void take_off_stack(uint64_t id)
{
    if (dfs.on_stack) dfs.on_stack[id] = 0;
    if (dfs.stack.n) hash_stack_pop(&dfs.stack);
}

/* Leaves the top level; dfs.now is again the state above. */
static void dfs_ascend(void)
{
    Level *level = dfs_top();
    if (TELLS_SEARCH && !dfs.stop) tell_up(told(level->depth, level->flags));
    vector_log_undo(&dfs.undo, &dfs.now, level->undo);
    dfs.n_levels--;
    if (options.marks_late && !dfs.stop) expand_mark(&dfs.now, &level->step);
    if (level->switches.leads_on && level->flags & LEVEL_INSIDE) level[-1].switches.leads_on = true;
    if (!level->stored) return;
    take_off_stack(level->visit.id);
    if (options.bounds_switches) switches_leave((uint32_t)level->visit.id);
    if (TELLS_SEARCH) tell_leave((uint32_t)level->visit.id);
    tree_undo_to(&dfs.tree, &dfs.untree, level->visit.untree);
    if (level->visit.from_above)
        state_copy(&dfs.seen, &dfs.now);
    else
        vector_log_undo(&dfs.unseen, &dfs.seen, level->visit.unseen);
}

static void dfs_write_path(void *unused, Trail *t)
{
    (void)unused;
    for (size_t i = 1; i < dfs.n_levels; i++) trail_add_step(t, dfs.levels[i - 1].depth, &dfs.levels[i].step);
    if (dfs.has_failed) trail_add_step(t, dfs_top()->depth, &dfs.failed);
}

static void dfs_report(ErrorKind kind, const char *text, long depth)
{
    bool stop = report_error(kind, text, depth, dfs_write_path, NULL);
    if (!options.shorten) {
        if (stop) dfs.stop = true;
    } else if (options.max_depth == 0 || options.max_depth > depth) {
        options.max_depth = options.shorten == 1 ? depth + 1 : depth / 2;
        report_shorter_limit(options.max_depth);
    }
}

/* Reports the fault the last guard or effect raised, if any. */
static void report_fault(ErrorKind kind, const Step *step)
{
    if (!fault.text) return;
    const char *text = fault.text;
    bool fatal = fault.fatal;
    dfs.failed = *step;
    dfs.failed.n_chained = fault.chained;
    dfs.has_failed = true;
    fault = (Fault){0};
    /* SPIN was one level deeper when the receiver failed. */
    if (step->reply && dfs_top()->depth + 1 > stats.max_depth) stats.max_depth = dfs_top()->depth + 1;
    dfs_report(kind, text, fault_depth(text, dfs_top()->depth, step_length(&dfs.failed)));
    dfs.has_failed = false;
    if (fatal) dfs.stop = true;
}

/* ---- storing ---- */

/* Looking for the shortest error, a state met again on a shorter path must be explored again. */
static bool is_shallower(uint32_t id, bool is_new, long depth)
{
    if (id >= dfs.depths_capacity) {
        dfs.depths_capacity = id + id / 2 + 1024;
        dfs.depths = xrealloc(dfs.depths, dfs.depths_capacity * sizeof *dfs.depths);
    }
    if (!is_new && dfs.depths[id] <= (uint32_t)depth) return false;
    dfs.depths[id] = (uint32_t)depth;
    return true;
}

/* Must a state that may have been met before be explored? */
static bool must_explore(uint32_t id, bool is_new, long depth)
{
    bool wanted = options.bounds_switches ? switches_visit(&dfs.way, id, is_new) : is_new;
    return options.shorten ? is_shallower(id, is_new, depth) || wanted : wanted;
}

static void put_on_stack(uint64_t id)
{
    if (!ample_asks_stack()) return;
    if (state_set_has_hashes(dfs.set)) {
        hash_stack_push(&dfs.stack, id);
        return;
    }
    if (id >= dfs.on_stack_capacity) {
        size_t n = (size_t)(id + id / 2 + 1024);
        dfs.on_stack = xrealloc(dfs.on_stack, n);
        memset(dfs.on_stack + dfs.on_stack_capacity, 0, n - dfs.on_stack_capacity);
        dfs.on_stack_capacity = n;
    }
    dfs.on_stack[id] = 1;
}

static bool is_on_stack(uint64_t id)
{
    return state_set_has_hashes(dfs.set) ? hash_stack_contains(&dfs.stack, id) : dfs.on_stack[id];
}

/* A step of the top level, or the end of an atomic sequence there, led to a state. */
static void note_for_ample(const Level *level, uint64_t id, bool is_old)
{
    AmpleTally *tally = &dfs.levels[level->entry].tally;
    bool is_stale = is_old && (!ample_asks_stack() || is_on_stack(id));
    is_stale ? tally->stale++ : tally->fresh++;
}

/* Interns a state. True if it must be explored: then dfs.seen and dfs.tree describe it, until
 * `visit` takes them back. `above` says that dfs.seen is the state of the level above. */
static bool visit_first(const State *state, long depth, bool above, Visit *visit)
{
    bool is_new;
    const State *s = state_without_hidden(state, &dfs.bare);
    visit->untree = dfs.untree.n;
    uint64_t id = state_set_visit(dfs.set, &dfs.tree, &dfs.seen, s, &dfs.untree, &is_new);
    if (is_new) stats.stored++;
    visit->id = id;
    bool explores = options.shorten || options.bounds_switches ? must_explore((uint32_t)id, is_new, depth) : is_new;
    if (TELLS_SEARCH) tell_state((uint32_t)id, is_new, explores);
    if (!explores) {
        tree_undo_to(&dfs.tree, &dfs.untree, visit->untree);
        stats.matched++;
        return false;
    }
    if (options.reduction != REDUCE_OFF) put_on_stack(id);
    visit->from_above = above && !model.has_hidden;
    if (!visit->from_above) visit->unseen = vector_log_change(&dfs.unseen, &dfs.seen, s);
    state_copy(&dfs.seen, s);
    if (s->size > stats.vector_size) stats.vector_size = s->size;
    return true;
}

/* Stores the state of the top level. False if it was seen before. */
static bool enter_state(void)
{
    Level *level = dfs_top();
    dfs.way = level->switches;
    dfs.way.leads_on = false;
    level->stored = visit_first(&dfs.now, level->depth, false, &level->visit);
    if (options.reduction != REDUCE_OFF) note_for_ample(level, level->visit.id, !level->stored);
    level->entry = (uint32_t)(dfs.n_levels - 1);
    if (dfs.way.leads_on && dfs.n_levels > 1) level[-1].switches.leads_on = true;
    return level->stored;
}

/* Is the state stored on a level with these flags below (or NULL for the first level)? */
static bool stores_state(uint8_t flags, const Level *above)
{
    if (flags & LEVEL_INSIDE) return false;
    if (!options.use_claim) return true;
    return flags & LEVEL_CLAIM || (above && above->flags & LEVEL_STUTTER);
}

/* ---- one level ---- */

static bool exceeds_limit(long depth) { return options.max_depth && depth >= options.max_depth; }

/* With bounded context switches: first the process goes on that moved last. */
static void begin_bounded(Level *level)
{
    bool has_moved = level->depth > (options.use_claim ? 1 : 0),
         lives = level->switches.last < state_n_processes(&dfs.now);
    level->switches.phase = level->owner >= 0 || !has_moved ? SWITCH_NONE : lives ? SWITCH_STAY : SWITCH_FORCED;
    step_begin(&level->it, &dfs.now, level->switches.phase == SWITCH_STAY ? level->switches.last : level->owner);
}

/* Then the others move. True if they may. */
static bool begin_others(Level *level)
{
    bool any = level->it.any, is_stuck = !any || !level->switches.leads_on;
    level->switches.phase = is_stuck ? SWITCH_FORCED : SWITCH_COUNTED;
    if (!is_stuck && level->switches.count >= options.max_switches) return false;
    step_begin_others(&level->it, &dfs.now, level->switches.last);
    level->it.any = any;
    level->it.cuts_offers = exceeds_limit(level->depth + 1);
    return true;
}

/* How the state after `step` is reached. */
static Switches way_after(const Level *level, const Step *step)
{
    Switches way = {level->switches.count, level->switches.last, SWITCH_NONE, false};
    if (step->pid == CLAIM_PID) return way;
    if (level->switches.phase == SWITCH_COUNTED && !step->reply) way.count++;
    way.last = (uint8_t)(step->reply ? step->reply_pid : step->pid);
    return way;
}

/* Process `ample` moves for all; all move if it is -1. */
static void begin_program_steps(Level *level, int ample)
{
    level->ample = (int16_t)ample;
    level->tally = (AmpleTally){0, 0};
    step_begin(&level->it, &dfs.now, ample >= 0 ? ample : level->owner);
    level->it.cuts_offers = exceeds_limit(level->depth + 1);
}

static int first_to_stand(const Level *level)
{
    bool asks = options.reduction != REDUCE_OFF && level->owner < 0 && !(level->flags & LEVEL_TIMEOUT);
    return asks ? ample_process(&dfs.now, -1) : -1;
}

/* One process has moved. If it cannot stand for all, another one is tried, or all move. */
static bool is_done_by_one(Level *level)
{
    bool any = level->it.any;
    if (any && ample_suffices(level->tally)) return true;
    begin_program_steps(level, ample_process(&dfs.now, level->ample));
    level->it.any = any;
    return false;
}

static void begin_steps(Level *level)
{
    level->ample = -1;
    step_context.timeout = level->flags & LEVEL_TIMEOUT;
    level->switches.phase = SWITCH_NONE;
    if (level->flags & (LEVEL_CLAIM | LEVEL_STUTTER))
        step_begin_claim(&level->it);
    else if (options.bounds_switches)
        begin_bounded(level);
    else
        begin_program_steps(level, first_to_stand(level));
    level->it.cuts_offers = exceeds_limit(level->depth + 1);
}

static void check_claim_end(const Level *level)
{
    if (!options.use_claim) return;
    const Proctype *claim = active_claim();
    if (claim->locations[state_header(&dfs.now)->claim].flags & L_END)
        dfs_report(ERROR_CLAIM_END, "end state in claim reached", level->depth);
}

/* The invariant; what an atomic sequence does in between is not stored, and nobody sees it. */
static void check_stored_state(const Level *level)
{
    if (level->stored && options.check_invariant && !model_invariant(&dfs.now, options.invariant))
        dfs_report(ERROR_INVARIANT, invariant_error_text(), level->depth - 1);
}

static bool beyond_limit(const Level *level)
{
    if (!exceeds_limit(level->depth)) return false;
    report_depth_exceeded();
    if (options.depth_is_error) dfs_report(ERROR_DEPTH, "depth limit reached", level->depth);
    stats.truncated++;
    stats.matched++;
    return true;
}

/* Starts exploring the top level. False if there is nothing to explore. */
static bool dfs_open_level(void)
{
    Level *level = dfs_top();
    if (beyond_limit(level)) {
        if (dfs.n_levels > 1) dfs.levels[level[-1].entry].tally.stale++; /* nobody knows what lies there */
        if (dfs.n_levels > 1) level[-1].it.any = true;
        if (TELLS_SEARCH && dfs.n_levels > 1 && !level->step.reply) level[-1].flags |= LEVEL_CUT;
        return false;
    }
    const Level *above = dfs.n_levels > 1 ? level - 1 : NULL;
    if (!level->stored && stores_state(level->flags, above) && !enter_state()) return false;
    if (level->depth > stats.max_depth) stats.max_depth = level->depth;
    if (level->flags & LEVEL_CLAIM) level->flags &= (uint8_t) ~(LEVEL_TIMEOUT | LEVEL_REQUEST);
    check_claim_end(level);
    check_stored_state(level);
    level->it.n_found = 0;
    begin_steps(level);
    return true;
}

/* What the level after `step` is like: whose turn it is, and whether it is inside atomic. */
static uint8_t flags_after(const Level *level, const Step *step)
{
    const Transition *last = step->reply ? step->reply : step->transition;
    bool inside = last->flags & T_ATOMIC;
    bool claim_moved = step->pid == CLAIM_PID;
    if (inside && claim_moved) return (uint8_t)(LEVEL_INSIDE | LEVEL_CLAIM | (level->flags & LEVEL_STUTTER));
    if (inside) return LEVEL_INSIDE;
    if (!options.use_claim) return 0;
    if (!claim_moved) return LEVEL_CLAIM;
    return level->flags & LEVEL_TIMEOUT; /* what the claim allows holds for the program's move */
}

typedef enum Outcome {
    OUTCOME_DOWN,  /* a new level was pushed */
    OUTCOME_AGAIN, /* there may be more to do at this level */
    OUTCOME_DONE   /* nothing left at this level */
} Outcome;

/* -DCHECK: the sender's half of a rendezvous was shown when it was offered. */
static void tell_taken(const Level *level, const Step *step, uint8_t flags, int owner)
{
    ToldLevel from = step->reply ? (ToldLevel){level->depth + 1, TOLD_INSIDE} : told(level->depth, level->flags);
    tell_step(from, &dfs.now, step->reply ? step->reply_pid : step->pid, step->reply ? step->reply : step->transition);
    tell_down(told(level->depth + step_length(step), flags), &dfs.next, owner);
}

/* Goes down along a step. A state met before is recognised without going down. */
static Outcome dfs_take_step(const Step *step)
{
    Level *level = dfs_top();
    Visit visit;
    if (COUNTS_STEPS) tally_step(step, true);
    int owner = step->pid == CLAIM_PID ? -1 : step_owner(step);
    long depth = level->depth + step_length(step);
    uint8_t flags = flags_after(level, step);
    if (owner != -1) stats.atomic_steps++;
    bool stores = stores_state(flags, level) && !exceeds_limit(depth);
    if (TELLS_SEARCH) tell_taken(level, step, flags, owner);
    if (options.bounds_switches) dfs.way = way_after(level, step);
    bool is_old = stores && !visit_first(&dfs.next, depth, level->stored, &visit);
    if (options.reduction != REDUCE_OFF && stores) note_for_ample(level, visit.id, is_old);
    if (dfs.way.leads_on) level->switches.leads_on = true;
    if (TELLS_SEARCH && is_old) tell_up(told(depth, flags));
    if (is_old && options.marks_late) expand_mark(&dfs.now, step);
    if (is_old) return OUTCOME_AGAIN;
    Level *below = dfs_push(depth, flags, owner, step);
    below->stored = stores;
    if (stores) below->visit = visit;
    dfs_descend(below);
    return OUTCOME_DOWN;
}

/* All processes have ended, and the claim too. */
static bool is_over(const State *s)
{
    if (options.use_claim && state_header(s)->claim != 0) return false;
    return state_n_processes(s) == 0 && state_is_valid_end(s);
}

/* The program cannot move at the top level. True if there is still something to try there. */
static bool dfs_after_block(Level *level)
{
    if (options.max_depth && level->depth >= options.max_depth - 1) return false;
    if (is_over(&dfs.now)) return false;
    bool claim_level = level->flags & (LEVEL_CLAIM | LEVEL_STUTTER);
    if (level->flags & LEVEL_INSIDE && !claim_level) { /* blocked inside atomic: others may move */
        level->flags &= (uint8_t) ~(LEVEL_INSIDE | LEVEL_TIMEOUT);
        level->owner = -1;
        if (options.use_claim) level->flags |= LEVEL_CLAIM;
        if (!enter_state()) return false;
        check_stored_state(level);
        begin_steps(level);
        return true;
    }
    if (model.uses_timeout && !(level->flags & LEVEL_TIMEOUT)) {
        if (!options.use_claim || (claim_level && level->flags & LEVEL_REQUEST)) {
            level->flags = (uint8_t)((level->flags | LEVEL_TIMEOUT) & ~LEVEL_REQUEST);
            begin_steps(level);
            return true;
        }
        if (!claim_level) { /* only the claim can let time pass */
            if (dfs.n_levels > 1) level[-1].flags |= LEVEL_REQUEST;
            return false;
        }
    }
    if (options.use_claim) {
        if (claim_level || options.no_stutter) return false;
        level->flags |= LEVEL_STUTTER;
        step_context.stutter = true;
        begin_steps(level);
        return true;
    }
    if (!options.ignore_end_states && !state_is_valid_end(&dfs.now))
        dfs_report(ERROR_END_STATE, "invalid end state", level->depth - 1);
    return false;
}

/* Takes the next step of the top level. */
static Outcome dfs_advance(void)
{
    Level *level = dfs_top();
    step_context.timeout = level->flags & LEVEL_TIMEOUT;
    step_context.stutter = level->flags & LEVEL_STUTTER;
    if (TELLS_SEARCH) told_level = told(level->depth, level->flags);
    if (options.shorten) level->it.cuts_offers = exceeds_limit(level->depth + 1); /* the limit may have moved */
    Step step;
    StepResult result;
    while ((result = step_next(&level->it, &dfs.now, &dfs.next, &step)) == STEP_FAULT) {
        report_fault(ERROR_GUARD, &step);
        if (dfs.stop) return OUTCOME_DONE;
    }
    if (result == STEP_TAKEN) {
        report_fault(ERROR_FAULT, &step);
        return dfs.stop ? OUTCOME_DONE : dfs_take_step(&step);
    }
    if (COUNTS_SUCCESSORS) tally_successors(level->it.n_found);
    if (level->it.n_cut) {
        report_depth_exceeded();
        stats.truncated += level->it.n_cut;
        stats.matched += level->it.n_cut;
        level->it.n_cut = 0;
    }
    /* SPIN counts the state between the halves of a rendezvous as a level, taken or not. */
    if (level->it.offered && level->depth + 1 > stats.max_depth) stats.max_depth = level->depth + 1;
    if (level->switches.phase == SWITCH_STAY && begin_others(level)) return OUTCOME_AGAIN;
    if (level->ample >= 0 && !is_done_by_one(level)) return OUTCOME_AGAIN;
    bool asked = level->flags & LEVEL_CLAIM && level->flags & LEVEL_REQUEST;
    if ((!level->it.any || asked) && dfs_after_block(level)) return OUTCOME_AGAIN;
    return OUTCOME_DONE;
}

static void dfs_search(void)
{
    bool open = dfs_open_level();
    while (!dfs.stop) {
        if (progress_is_due() && report_progress(dfs_top()->depth, NULL)) dfs.stop = true;
        Outcome outcome = open ? dfs_advance() : OUTCOME_DONE;
        open = true;
        if (outcome == OUTCOME_DOWN) {
            open = dfs_open_level();
        } else if (outcome == OUTCOME_DONE) {
            if (dfs.n_levels == 1) return;
            dfs_ascend();
        }
    }
}

static void dfs_free(void)
{
    if (!dfs.set) return;
    xfree(dfs.levels);
    state_free(&dfs.now);
    state_free(&dfs.next);
    state_free(&dfs.bare);
    state_free(&dfs.seen);
    vector_log_free(&dfs.undo);
    vector_log_free(&dfs.unseen);
    tree_undo_free(&dfs.untree);
    state_set_free(dfs.set);
    hash_stack_free(&dfs.stack);
    xfree(dfs.on_stack);
    xfree(dfs.depths);
}

void search_dfs(void)
{
    dfs_free(); /* of the run before */
    memset(&dfs, 0, sizeof dfs);
    dfs.set = state_set_new();
    hash_stack_init(&dfs.stack);
    search_set = dfs.set;
    tree_cursor_init(&dfs.tree);
    stats.max_depth = 0;
    ample_prepare();
    model_start(&dfs.now);
    if (options.use_claim) state_header(&dfs.now)->claim = active_claim()->start;
    Level *first = dfs_push(0, options.use_claim ? LEVEL_CLAIM : 0, -1, NULL);
    if (TELLS_SEARCH) tell_down(told(0, first->flags), &dfs.now, -1);
    dfs_search();
    stats.complete = !dfs.stop;
}
