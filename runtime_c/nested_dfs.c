/* nested_dfs.c: depth-first search for acceptance and non-progress cycles.
 *
 * The first search visits all states. When it leaves an accepting one, a second search starts there
 * and looks for a way back to the stack of the first (Courcoubetis, Vardi, Wolper, Yannakakis). A state
 * met on that stack closes a cycle at once if one of its two ends is accepting (Schwoon and Esparza).
 * States are stored once; what each search knows of them are colours, indexed by state number.
 *
 * The improved search (HSF 4.2, Fig. 5) uses the components of the claim: in a fully accepting one
 * every cycle is accepting, so the first search finds it alone; a second search is needed in partially
 * accepting ones only, and does not leave the component of its seed.
 *
 * States inside atomic sequences are not stored, except one in a while so that an endless sequence is
 * noticed. With a host (nested_dfs.h) all are, and the search stays inside one component of the claim.
 */
#include "nested_dfs.h"

#include <string.h>

#include "acceptance.h"
#include "ample.h"
#include "expand.h"
#include "hash_stack.h"
#include "tallies.h"
#include "two_phase.h"
#include "util.h"
#include "vector_log.h"

enum { COLOUR_STACK = 1, COLOUR_FIRST = 2, COLOUR_SECOND = 4, COLOUR_FULL = 8, STORE_INSIDE_EVERY = 16 };

typedef struct CycleLevel {
    MoveIterator it;
    Move move;       /* how this level was reached */
    VectorMark undo; /* takes nd.now back to the state above */
    long depth;      /* steps before this level */
    size_t phase;    /* end of its part of the steps of phase one; it begins at that of the level before */
    uint64_t id;     /* of the state, if it is stored: its number, or its hash if states have none */
    size_t entry;    /* level the atomic sequence was entered from, which its end counts for; else this level */
    bool stored, accepting;
    uint8_t inside; /* states since one was stored, inside an atomic sequence */
} CycleLevel;

static struct {
    CycleLevel *levels;
    size_t n_levels, levels_capacity;
    State now, next;
    VectorLog undo;
    const NestedHost *host; /* NULL: this search has all states to itself */
    StateSet *set;
    TreeCursor tree;
    State seen;       /* what `tree` describes */
    State bare;       /* a state without its hidden variables */
    uint8_t *colours; /* by number */
    size_t colours_capacity;
    bool has_hashes; /* states have no numbers, so colours are bits in the set, */
    HashStack stack; /* except this one */
    bool improved;   /* the components of the claim are used */
    bool second;     /* the second search runs */
    size_t seed;     /* level it started from */
    bool stop;
    Move failed; /* the move being reported, which is not on the stack */
    bool has_failed;
    long cycle_start; /* while a cycle is reported: depth of the state it comes back to */
} nd;

static CycleLevel *nd_top(void) { return &nd.levels[nd.n_levels - 1]; }

/* ---- reporting ---- */

static void nd_write_levels(Trail *t, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const CycleLevel *before = &nd.levels[i - 1], *level = &nd.levels[i];
        move_write(t, before->depth, &level->move);
        phase_one_write(t, before->depth + move_length(&level->move), before->phase, level->phase);
    }
}

/* The first accepting level of the cycle being reported. */
static size_t accepting_level(void)
{
    size_t i = 0;
    while (nd.levels[i].depth < nd.cycle_start || (!nd.levels[i].accepting && i + 1 < nd.n_levels)) i++;
    return i;
}

/* The way to a level: a short one if the host finds one. */
static void nd_write_way(size_t level, const State *s, Trail *t)
{
    if (nd.levels[level].depth == 0 || nd.host->write_short_way(s, t)) return;
    t->n = 0;
    nd.host->write_way((uint32_t)nd.levels[0].id, t);
    nd_write_levels(t, 1, level + 1);
}

/* A way to an accepting state of the cycle, and a short one from there back. */
static bool nd_write_short_cycle(Trail *t)
{
    size_t level = accepting_level();
    State s;
    state_init(&s);
    state_set_get(nd.set, (uint32_t)nd.levels[level].id, &s);
    nd_write_way(level, &s, t);
    long depth = t->n ? t->steps[t->n - 1].depth : 0;
    bool found = nd.levels[level].accepting && nd.host->write_cycle(&s, depth, t);
    state_free(&s);
    if (found)
        t->cycle_start = depth;
    else
        t->n = 0;
    return found;
}

static void nd_write_path(void *unused, Trail *t)
{
    (void)unused;
    if (nd.host && nd.cycle_start >= 0 && nd_write_short_cycle(t)) return;
    if (nd.host) nd.host->write_way((uint32_t)nd.levels[0].id, t);
    phase_one_write(t, 0, 0, nd.levels[0].phase);
    nd_write_levels(t, 1, nd.n_levels);
    if (nd.has_failed) {
        move_write(t, nd_top()->depth, &nd.failed);
        phase_one_write(t, nd_top()->depth + move_length(&nd.failed), nd_top()->phase, phase_one_mark());
    }
    t->cycle_start = nd.cycle_start;
}

static void nd_report(ErrorKind kind, const char *text, long depth, const Move *last)
{
    nd.has_failed = last != NULL;
    if (last) nd.failed = *last;
    if (report_error(kind, text, depth, nd_write_path, NULL)) nd.stop = true;
    nd.has_failed = false;
}

/* Faults are the first search's business; the second one meets them again. */
static void nd_report_fault(ErrorKind kind, const Move *move)
{
    if (!fault.text) return;
    const char *text = fault.text;
    bool fatal = fault.fatal;
    Move failed = *move;
    failed.program.n_chained = fault.chained;
    fault = (Fault){0};
    if (nd.second) return;
    nd_report(kind, text, fault_depth(text, nd_top()->depth, move_length(&failed)), &failed);
    if (fatal) nd.stop = true;
}

static long depth_on_stack(uint64_t id)
{
    size_t i = nd.n_levels;
    while (i-- > 0)
        if (nd.levels[i].stored && nd.levels[i].id == id) return nd.levels[i].depth;
    die("internal error: a state is not on the stack");
    return 0;
}

/* The move leads back to state `id` on the stack. */
static void nd_report_cycle(uint64_t id, const Move *move)
{
    nd.cycle_start = depth_on_stack(id);
    nd_report(ERROR_CYCLE, options.find_nonprogress ? "non-progress cycle" : "acceptance cycle", nd.cycle_start, move);
    nd.cycle_start = -1;
}

/* ---- states ---- */

static void reserve_colours(uint64_t id)
{
    if (nd.has_hashes || id < nd.colours_capacity) return;
    size_t n = (size_t)(id + id / 2 + 1024);
    nd.colours = xrealloc(nd.colours, n);
    memset(nd.colours + nd.colours_capacity, 0, n - nd.colours_capacity);
    nd.colours_capacity = n;
}

/* A state with a colour is another member of a set of bits, as SPIN marks states of the second search. Seen by the
 * first search is what is there without a colour. */
static uint64_t coloured(uint64_t hash, unsigned colour)
{
    return colour == COLOUR_FIRST ? hash : mix64(hash + colour);
}

static bool has_colour(uint64_t id, unsigned colour)
{
    if (!nd.has_hashes) return nd.colours[id] & colour;
    return colour == COLOUR_STACK ? hash_stack_contains(&nd.stack, id)
                                  : state_set_has_hash(nd.set, coloured(id, colour));
}

static void add_colour(uint64_t id, unsigned colour)
{
    if (!nd.has_hashes)
        nd.colours[id] |= (uint8_t)colour;
    else if (colour == COLOUR_STACK)
        hash_stack_push(&nd.stack, id);
    else
        state_set_add_hash(nd.set, coloured(id, colour));
}

static void drop_from_stack(uint64_t id)
{
    if (nd.has_hashes)
        hash_stack_pop(&nd.stack);
    else
        nd.colours[id] &= (uint8_t)~COLOUR_STACK;
}

static uint64_t nd_intern(const State *full, bool *is_new)
{
    *is_new = false;
    const State *s = nd.host ? full : state_without_hidden(full, &nd.bare);
    uint64_t id = nd.has_hashes && nd.second
                      ? state_set_prepare(nd.set, &nd.tree, &nd.seen, s, NULL) /* it is not for the second to add it */
                      : state_set_visit(nd.set, &nd.tree, &nd.seen, s, NULL, is_new);
    state_copy(&nd.seen, s);
    if (s->size > stats.vector_size) stats.vector_size = s->size;
    reserve_colours(id);
    return id;
}

static const ClaimLocation *claim_place(const State *s) { return &active_claim()->claim[state_header(s)->claim]; }

/* Does a cycle through a state on the stack, closed from the top level, contain an accepting state? */
static bool closes_accepting(void)
{
    if (!looks_for_cycles()) return false;
    if (nd.improved && claim_place(&nd.next)->class_ == CLAIM_F) return true;
    return nd_top()->accepting || state_is_accepting(&nd.next);
}

static bool needs_second_search(const CycleLevel *level)
{
    return looks_for_cycles() && level->stored && level->accepting
           && (!nd.improved || claim_place(&nd.now)->class_ == CLAIM_P);
}

/* ---- the stack ---- */

static void nd_push(const CycleLevel *fresh)
{
    if (nd.n_levels == nd.levels_capacity) {
        nd.levels_capacity = nd.levels_capacity ? 2 * nd.levels_capacity : 1024;
        nd.levels = xrealloc(nd.levels, nd.levels_capacity * sizeof *nd.levels);
    }
    nd.levels[nd.n_levels++] = *fresh;
    if (fresh->depth > stats.max_depth) stats.max_depth = fresh->depth;
}

/* The second search takes the moves the first one took. */
static void begin_moves_of(CycleLevel *level)
{
    if (nd.second && level->stored && has_colour(level->id, COLOUR_FULL))
        moves_begin_full(&level->it, &nd.now);
    else
        moves_begin(&level->it, &nd.now);
}

/* Makes nd.next the state of a new level. */
static void nd_descend(CycleLevel *fresh)
{
    fresh->accepting = state_is_accepting(&nd.next);
    fresh->phase = phase_one_mark();
    fresh->undo = vector_log_change(&nd.undo, &nd.now, &nd.next);
    State swap = nd.now;
    nd.now = nd.next;
    nd.next = swap;
    begin_moves_of(fresh);
    nd_push(fresh);
}

/* -v: the two ends of a move count as reached when the search comes back from it. */
static void nd_mark(const Move *move)
{
    if (!options.marks_late || nd.stop) return;
    if (move->claim) step_mark(&nd.now, CLAIM_PID, move->claim);
    if (move->has_program) expand_mark(&nd.now, &move->program);
}

static void nd_ascend(void)
{
    CycleLevel *level = nd_top();
    if (level->stored && !nd.second) drop_from_stack(level->id);
    if (nd.n_levels > 1) vector_log_undo(&nd.undo, &nd.now, level->undo);
    nd.n_levels--;
    if (nd.n_levels > 0) nd_mark(&level->move);
}

/* ---- the two searches ---- */

/* The first search comes to a stored state. True if it must be explored. */
static bool enters_first(uint64_t id, bool is_new, const Move *move)
{
    stats.generated++;
    stats.stored += is_new;
    if (nd.has_hashes ? is_new : !has_colour(id, COLOUR_FIRST)) {
        add_colour(id, COLOUR_FIRST);
        add_colour(id, COLOUR_STACK);
        stats.expanded++;
        if (nd.host) nd.host->visited((uint32_t)id, (uint32_t)nd_top()->id, move);
        return true;
    }
    stats.matched++;
    if (has_colour(id, COLOUR_STACK) && closes_accepting()) nd_report_cycle(id, move);
    return false;
}

/* The same for the second search. */
static bool enters_second(uint64_t id, const Move *move)
{
    bool closes = has_colour(id, COLOUR_STACK);
    if (closes || has_colour(id, COLOUR_SECOND)) {
        stats.matched++;
        if (closes) nd_report_cycle(id, move);
        return false;
    }
    add_colour(id, COLOUR_SECOND);
    stats.visited_again++;
    return true;
}

/* All cycles through the seed stay inside its component of the claim. */
static bool leaves_component(const Move *move)
{
    if (!nd.improved || !(nd.second || nd.host)) return false;
    if (claim_place(&nd.next)->component == claim_place(&nd.now)->component) return false;
    if (nd.host && !nd.second) nd.host->left((uint32_t)nd_top()->id, move, &nd.next);
    return true;
}

static bool nd_beyond_limit(long depth)
{
    if (options.max_depth == 0 || depth < options.max_depth) return false;
    report_depth_exceeded();
    stats.truncated++;
    return true;
}

static void nd_check_invariant(void)
{
    if (options.check_invariant && !nd.second && !model_invariant(&nd.now, options.invariant))
        nd_report(ERROR_INVARIANT, invariant_error_text(), nd_top()->depth - 1, NULL);
}

/* Tells the level that may be left with the steps of one process what they led to. What lies behind a state inside an
 * atomic sequence is told when it ends; if that state was met before, nobody knows. */
static void nd_note(const CycleLevel *level, const CycleLevel *fresh, bool is_new)
{
    bool is_fresh = ample_asks_stack() ? !has_colour(fresh->id, COLOUR_STACK) : is_new;
    if (fresh->inside && is_new) return;
    moves_note(&nd.levels[level->entry].it, is_fresh && !fresh->inside);
}

static void nd_take(const Move *move)
{
    CycleLevel *level = nd_top(), fresh = {.move = *move, .depth = level->depth + move_length(move)};
    bool is_inside = state_header(&nd.next)->owner != 0, is_new;
    if (options.fairness) fairness_follow(&nd.next, state_header(&nd.now)->fair, move);
    if (is_inside) stats.atomic_steps++;
    if (is_two_phase() && !is_inside && move->has_program) {
        phase_one_run(&nd.next);
        fresh.depth += phase_one_length(level->phase);
    }
    if (leaves_component(move) || nd_beyond_limit(fresh.depth)) {
        nd_mark(move);
        return;
    }
    fresh.inside = is_inside ? (uint8_t)(level->inside % STORE_INSIDE_EVERY + 1) : 0;
    fresh.stored = nd.host || fresh.inside % STORE_INSIDE_EVERY == 0;
    fresh.entry = is_inside ? level->entry : nd.n_levels;
    if (fresh.stored) {
        fresh.id = nd_intern(&nd.next, &is_new);
        nd_note(level, &fresh, is_new);
        if (nd.second ? !enters_second(fresh.id, move) : !enters_first(fresh.id, is_new, move)) {
            nd_mark(move);
            return;
        }
    }
    nd_descend(&fresh);
    nd_check_invariant();
}

/* A blocked program without a claim repeats its last state for ever. */
static void check_blocked(const CycleLevel *level)
{
    if (nd.second || options.use_claim || level->it.any) return;
    if (!looks_for_cycles()) {
        if (!options.ignore_end_states && !state_is_valid_end(&nd.now))
            nd_report(ERROR_END_STATE, "invalid end state", level->depth - 1, NULL);
    } else if (!options.no_stutter && state_has_accept_label(&nd.now)) {
        nd_report(ERROR_ACCEPT_STUTTER, "accept stutter", level->depth - 1, NULL);
    }
}

/* All moves of the top level are done. */
static void nd_leave(void)
{
    CycleLevel *level = nd_top();
    check_blocked(level);
    if (nd.stop) return;
    if (level->it.was_full && level->stored) add_colour(level->id, COLOUR_FULL);
    if (!nd.second && needs_second_search(level)) {
        nd.second = true;
        nd.seed = nd.n_levels - 1;
        begin_moves_of(level);
        return;
    }
    if (nd.second && nd.n_levels - 1 == nd.seed) nd.second = false;
    nd_ascend();
}

static void nd_advance(void)
{
    Move move;
    phase_one_drop(nd_top()->phase);
    switch (moves_next(&nd_top()->it, &nd.now, &nd.next, &move)) {
    case MOVE_NONE: nd_leave(); break;
    case MOVE_GUARD_FAULT: nd_report_fault(ERROR_GUARD, &move); break;
    case MOVE_CLAIM_FAULT: nd_report_fault(ERROR_FAULT, &move); break;
    case MOVE_CLAIM_END:
        if (!nd.second)
            nd_report(ERROR_CLAIM_END, "end state in claim reached", nd_top()->depth + move_length(&move), &move);
        break;
    case MOVE_TAKEN:
        nd_report_fault(ERROR_FAULT, &move);
        if (nd.stop) break;
        if (COUNTS_STEPS) tally_move(&nd_top()->it, &move, true);
        nd_take(&move);
        break;
    }
}

static void nd_run(const State *start, uint64_t id, long depth)
{
    CycleLevel first = {.stored = true, .id = id, .depth = depth, .accepting = state_is_accepting(start)};
    first.phase = phase_one_mark();
    state_copy(&nd.now, start);
    add_colour(id, COLOUR_FIRST);
    add_colour(id, COLOUR_STACK);
    stats.expanded++;
    moves_begin(&first.it, &nd.now);
    nd_push(&first);
    nd_check_invariant();
    while (nd.n_levels > 0 && !nd.stop) {
        if (progress_is_due() && report_progress(nd_top()->depth, NULL)) nd.stop = true;
        nd_advance();
    }
}

/* The components of the claim tell all when only the claim accepts, and all accepting cycles count. */
static bool components_apply(void) { return !options.fairness && acceptance_is_claims_only(); }

void nested_dfs_open(StateSet *set, const NestedHost *host)
{
    memset(&nd, 0, sizeof nd);
    nd.cycle_start = -1;
    nd.set = set;
    nd.host = host;
    nd.has_hashes = state_set_has_hashes(set);
    if (nd.has_hashes) hash_stack_init(&nd.stack);
    tree_cursor_init(&nd.tree);
    acceptance_prepare();
    ample_prepare();
    phase_one_open(nd_intern);
    nd.improved = components_apply() && (host || !options.classic_nested);
}

bool nested_dfs_from(const State *s, uint32_t id, long depth)
{
    reserve_colours(id);
    if (has_colour(id, COLOUR_FIRST)) return false;
    nd_run(s, id, depth);
    return nd.stop;
}

static void nd_free(void)
{
    if (!nd.set) return;
    xfree(nd.levels);
    state_free(&nd.now);
    state_free(&nd.next);
    state_free(&nd.seen);
    state_free(&nd.bare);
    vector_log_free(&nd.undo);
    state_set_free(nd.set);
    xfree(nd.colours);
    if (nd.has_hashes) hash_stack_free(&nd.stack);
}

void search_nested_dfs(void)
{
    State start;
    Move none = {0};
    bool is_new;
    nd_free(); /* of the run before */
    nested_dfs_open(state_set_new(), NULL);
    search_set = nd.set;
    stats.max_depth = 0;
    state_init(&start);
    moves_start(&start);
    if (options.fairness) fairness_follow(&start, 0, &none);
    if (is_two_phase()) phase_one_run(&start);
    uint64_t id = nd_intern(&start, &is_new);
    stats.stored += is_new;
    nd_run(&start, id, phase_one_length(0));
    state_free(&start);
    stats.complete = !nd.stop;
}
