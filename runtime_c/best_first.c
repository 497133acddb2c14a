/* best_first.c: the general state-expanding search: breadth-first, A*, weighted and greedy.
 *
 * Every state is kept, also those inside atomic sequences (the vector then names the process in
 * control). A rendezvous counts two steps, so successors do not all lie one level deeper: a
 * state may be met again on a shorter path before it is expanded, and is then moved forward. With an
 * inconsistent estimate a state may even have been expanded; then it is opened again. Only the
 * predecessor of a state is remembered; the move between two states is found again by expanding the
 * predecessor when a trail is written.
 */
#include "best_first.h"

#include <stdlib.h>
#include <string.h>

#include "ample.h"
#include "heuristic.h"
#include "moves.h"
#include "open_list.h"
#include "state_set.h"
#include "tallies.h"
#include "util.h"

enum { NO_STATE = UINT32_MAX, MIN_WAY_STATES = 100000 };

/* Tells whether the successor is a state never seen before. */
typedef bool (*MoveVisitor)(const Move *move, State *successor);

static struct BestFirst {
    StateSet *set;
    TreeCursor tree;
    State seen;
    uint32_t *parent;
    uint32_t *length; /* cost of the way from the initial state */
    uint32_t *steps;  /* steps on that way, where steps cost other than 1; else NULL */
    bool has_costs;
    uint32_t g_factor, h_factor; /* key = g_factor * g + h_factor * h */
    uint8_t *closed;
    size_t capacity;
    OpenList open;
    OpenList hopeless; /* states from which the estimate sees no way to an error, by length */
    OpenList late;     /* states with errors that have to wait, by the errors' keys */
    OpenEntry told;    /* the last of these, and its key */
    uint32_t told_key;
    bool telling; /* late errors are told, successors are known */
    uint32_t key; /* of what is being done */
    uint32_t id;  /* state being expanded */
    State now, next;
    bool moved; /* the program could move */
    bool stop;
    Move failed; /* the move that raised the fault being reported */
    bool has_failed;
    StateTaker take;    /* may take states away from this search */
    bool finding;       /* a way to the state `goal` is looked for, errors are not */
    uint32_t goal, way; /* finding: its number, and the length of the best way so far */
    uint32_t last_of_way;
    Move last_move;
    int component;   /* finding: of the claim, which the way must not leave; -1: any */
    uint32_t wanted; /* while a path is written: the successor looked for */
    Move found;
    bool is_found;
} bf;

/* ---- states ---- */

static void reserve_facts(uint32_t id)
{
    if (id < bf.capacity) return;
    bf.capacity = id + id / 2 + 1024;
    bf.parent = xrealloc(bf.parent, bf.capacity * sizeof *bf.parent);
    bf.length = xrealloc(bf.length, bf.capacity * sizeof *bf.length);
    bf.closed = xrealloc(bf.closed, bf.capacity);
    if (bf.has_costs) bf.steps = xrealloc(bf.steps, bf.capacity * sizeof *bf.steps);
}

/* Steps from the initial state to a state. */
static long steps_to(uint32_t id) { return (long)(bf.has_costs ? bf.steps[id] : bf.length[id]); }

static uint32_t bf_intern(const State *s, bool *is_new)
{
    uint32_t id = state_set_update(bf.set, &bf.tree, &bf.seen, s, NULL, is_new);
    state_copy(&bf.seen, s);
    if (s->size > stats.vector_size) stats.vector_size = s->size;
    return id;
}

static uint32_t step_cost(const Step *step)
{
    return (uint32_t)(transition_cost(step->transition) + (step->reply ? transition_cost(step->reply) : 0));
}

static uint32_t move_cost(const Move *move)
{
    if (!bf.has_costs) return (uint32_t)move_length(move);
    uint32_t cost = move->has_program ? step_cost(&move->program) : 0;
    return move->claim ? cost + (uint32_t)transition_cost(move->claim) : cost;
}

/* ---- reporting ---- */

static void bf_expand(MoveVisitor visit);

static bool match_wanted(const Move *move, State *successor)
{
    bool is_new;
    if (bf.is_found) return false;
    if (bf_intern(successor, &is_new) == bf.wanted) {
        bf.found = *move;
        bf.is_found = true;
    }
    return false;
}

static Move move_between(uint32_t from, uint32_t to)
{
    state_set_get(bf.set, from, &bf.now);
    bf.wanted = to;
    bf.is_found = false;
    bf_expand(match_wanted);
    return bf.found;
}

/* The states on the way to state `id`, the first one first. */
static uint32_t *way_to(uint32_t id, size_t *n)
{
    *n = 0;
    for (uint32_t i = id; i != NO_STATE; i = bf.parent[i]) ++*n;
    uint32_t *path = xmalloc(*n * sizeof *path);
    size_t at = *n;
    for (uint32_t i = id; i != NO_STATE; i = bf.parent[i]) path[--at] = i;
    return path;
}

static void write_way(uint32_t id, long depth, Trail *t)
{
    size_t n;
    uint32_t *path = way_to(id, &n);
    Fault saved_fault = fault;
    for (size_t i = 1; i < n; i++) {
        fault = (Fault){0};
        Move move = move_between(path[i - 1], path[i]);
        move_write(t, depth + steps_to(path[i - 1]), &move);
    }
    fault = saved_fault;
    xfree(path);
}

static void bf_write_path(void *unused, Trail *t)
{
    (void)unused;
    write_way(bf.id, 0, t);
    if (bf.has_failed) move_write(t, steps_to(bf.id), &bf.failed);
}

/* Writing a way expands other states; the one under expansion is put aside meanwhile. */
static void set_aside(State saved[2])
{
    saved[0] = bf.now;
    saved[1] = bf.next;
    state_init(&bf.now);
    state_init(&bf.next);
}

static void take_back(State saved[2])
{
    state_free(&bf.now);
    state_free(&bf.next);
    bf.now = saved[0];
    bf.next = saved[1];
}

/* May the error be called a shortest one? Errors are found when a state is expanded, so with an
 * admissible estimate for this kind of error no shorter one can be waiting. */
static bool is_shortest(ErrorKind kind, const char *text)
{
    static const int class_of[] = {[ERROR_FAULT] = CLASS_ASSERTION,
                                   [ERROR_END_STATE] = CLASS_END_STATE,
                                   [ERROR_CLAIM_END] = CLASS_CLAIM,
                                   [ERROR_INVARIANT] = CLASS_INVARIANT};
    if (stats.errors > 0 || bf.g_factor == 0 || options.reduction != REDUCE_OFF) return false;
    if (bf.has_costs && stats.truncated) return false;       /* a cheap way may be long */
    if (bf.take && !active_claim()->is_safety) return false; /* ways through other components are as they came */
    if (bf.h_factor == 0) return true;
    if (bf.h_factor > bf.g_factor || !options.heuristic->admissible()) return false;
    if (options.heuristic->classes & CLASS_ANY_ERROR) return true;
    bool is_claims = bf.has_failed && !bf.failed.has_program;
    if (kind == ERROR_FAULT && is_claims) return (options.heuristic->classes & CLASS_CLAIM) != 0;
    if (kind == ERROR_FAULT && !is_failed_assertion(text)) return false;
    return kind < sizeof class_of / sizeof *class_of && (options.heuristic->classes & class_of[kind]) != 0;
}

static void bf_report(ErrorKind kind, const char *text, long depth)
{
    State saved[2];
    StepContext context = step_context;
    set_aside(saved);
    stats.is_shortest = is_shortest(kind, text);
    if (stats.errors == 0) stats.cost = bf.length[bf.id] + (bf.has_failed ? move_cost(&bf.failed) : 0);
    if (report_error(kind, text, depth, bf_write_path, NULL)) bf.stop = true;
    take_back(saved);
    step_context = context;
}

static void report_move_fault(ErrorKind kind, const Move *move)
{
    const char *text = fault.text;
    bool fatal = fault.fatal;
    fault = (Fault){0};
    bf.failed = *move;
    bf.has_failed = true;
    bf_report(kind, text, fault_depth(text, steps_to(bf.id), move_length(move)));
    bf.has_failed = false;
    if (fatal) bf.stop = true;
}

/* ---- expansion ---- */

/* While a path is written, faults were reported before and say nothing new. */
static bool is_retracing(MoveVisitor visit) { return visit == match_wanted || bf.finding; }

static void report_claim_end(const Move *move)
{
    bf.failed = *move;
    bf.has_failed = true;
    bool is_end = active_claim()->locations[move->claim->to].flags & L_END;
    bf_report(ERROR_CLAIM_END, is_end ? "end state in claim reached" : "claim violated, whatever follows",
              steps_to(bf.id) + move_length(move));
    bf.has_failed = false;
}

/* An error is a state without successors whose key counts the failing move. Moves differ in length and
 * cost, so another error may come first: this one is then told when its key has its turn. */
static bool has_to_wait(const Move *move)
{
    if (options.reduction != REDUCE_OFF) return false; /* no promise, and a second look may see other moves */
    uint32_t key = bf.g_factor * (bf.length[bf.id] + move_cost(move) - heuristic_uncounted());
    if (bf.telling) return key != bf.key;
    if (key <= bf.key) return false;
    open_list_push(&bf.late, key, 0, (OpenEntry){bf.id, bf.length[bf.id]});
    return true;
}

static void note_result(MoveResult result, const Move *move)
{
    if (result != MOVE_CLAIM_END && !fault.text) return;
    if (has_to_wait(move))
        fault = (Fault){0};
    else if (result == MOVE_CLAIM_END)
        report_claim_end(move);
    else
        report_move_fault(result == MOVE_GUARD_FAULT ? ERROR_GUARD : ERROR_FAULT, move);
}

/* All moves of bf.now; without a visitor, only for their errors. */
static void bf_expand(MoveVisitor visit)
{
    MoveIterator it;
    Move move;
    MoveResult result;
    moves_begin(&it, &bf.now);
    while (!bf.stop && (result = moves_next(&it, &bf.now, &bf.next, &move)) != MOVE_NONE) {
        bool ends_here = result != MOVE_TAKEN || fault.fatal;
        if (is_retracing(visit))
            fault = (Fault){0};
        else
            note_result(result, &move);
        if (ends_here || !visit || bf.stop) continue;
        if (COUNTS_STEPS && !is_retracing(visit)) tally_move(&it, &move, false);
        moves_note(&it, visit(&move, &bf.next));
    }
    bf.moved = it.any;
}

/* ---- the open list ---- */

/* Rows and buckets of the open list are arrays: beyond this, one state is as far away as another. */
enum { LARGEST_KEY = 1 << 18, LARGEST_TIE = 1023 };

static uint32_t estimate(const State *s)
{
    if (bf.h_factor == 0) return 0;
    int h = heuristic_estimate(s), largest = LARGEST_KEY / (int)bf.h_factor;
    if (h >= UNREACHABLE) return UNREACHABLE;
    if (h < stats.h_min) stats.h_min = h;
    if (h > stats.h_max) stats.h_max = h;
    return (uint32_t)(h < largest ? h : largest);
}

static void open_state(uint32_t id, const State *s)
{
    OpenEntry entry = {id, bf.length[id]};
    uint32_t h = estimate(s);
    if (h == UNREACHABLE) {
        open_list_push(&bf.hopeless, entry.length, 0, entry);
        return;
    }
    uint32_t tie = options.ties != TIES_DEEP ? 0 : h < LARGEST_TIE ? h : LARGEST_TIE;
    open_list_push(&bf.open, bf.g_factor * entry.length + bf.h_factor * h, tie, entry);
}

static void count_successor(bool is_new, bool inside)
{
    stats.generated++;
    if (inside) stats.atomic_steps++;
    if (!is_new) {
        stats.matched++;
        return;
    }
    stats.stored++;
    if (!inside) stats.nominal++;
}

/* While a way is looked for: notes a move to its goal. False if the move leads astray. */
static bool is_on_a_way(uint32_t id, const State *successor, uint32_t length, const Move *move)
{
    if (id == bf.goal && length < bf.way) {
        bf.way = length;
        bf.last_of_way = bf.id;
        bf.last_move = *move;
    }
    return bf.component < 0 || active_claim()->claim[state_header(successor)->claim].component == bf.component;
}

static bool add_successor(const Move *move, State *successor)
{
    bool is_new;
    uint32_t id = bf_intern(successor, &is_new);
    reserve_facts(id);
    uint32_t length = bf.length[bf.id] + move_cost(move);
    count_successor(is_new, state_header(successor)->owner != 0);
    if (bf.finding && !is_on_a_way(id, successor, length, move)) return is_new;
    if (!is_new) {
        if (bf.length[id] <= length) return false;
        if (bf.closed[id]) stats.reopened++;
    }
    bf.parent[id] = bf.id;
    bf.length[id] = length;
    if (bf.has_costs) bf.steps[id] = bf.steps[bf.id] + (uint32_t)move_length(move);
    bf.closed[id] = 0;
    open_state(id, successor);
    return is_new;
}

static void bf_check_end(void)
{
    if (bf.moved || options.use_claim || options.ignore_end_states) return;
    if (!state_is_valid_end(&bf.now)) bf_report(ERROR_END_STATE, "invalid end state", steps_to(bf.id) - 1);
}

static void check_invariant(void)
{
    if (!options.check_invariant || model_invariant(&bf.now, options.invariant)) return;
    if (!state_is_inside_atomic(&bf.now)) bf_report(ERROR_INVARIANT, invariant_error_text(), steps_to(bf.id) - 1);
}

static bool is_beyond_limit(long depth)
{
    if (options.max_depth == 0 || depth < options.max_depth) return false;
    report_depth_exceeded();
    if (options.depth_is_error) bf_report(ERROR_DEPTH, "depth limit reached", depth);
    stats.truncated++;
    return true;
}

static void expand_next(OpenEntry entry)
{
    if (bf.closed[entry.id] || bf.length[entry.id] != entry.length) return; /* moved forward meanwhile */
    bf.closed[entry.id] = 1;
    bf.id = entry.id;
    long depth = steps_to(entry.id);
    if (depth > stats.max_depth) stats.max_depth = depth;
    if (is_beyond_limit(depth)) return;
    state_set_get(bf.set, entry.id, &bf.now);
    if (bf.take && bf.take(&bf.now, entry.id, depth)) return;
    check_invariant();
    if (bf.stop) return;
    bf_expand(add_successor);
    if (!bf.stop) bf_check_end();
    if (!bf.stop) stats.expanded++; /* as the papers count: the state with the error is not expanded */
}

/* A state on a shorter path meanwhile is expanded again, and so are its errors. */
static void tell_late_errors(OpenEntry entry)
{
    bool told = entry.id == bf.told.id && entry.length == bf.told.length && bf.key == bf.told_key;
    if (told || bf.length[entry.id] != entry.length) return;
    bf.told = entry;
    bf.told_key = bf.key;
    bf.id = entry.id;
    state_set_get(bf.set, entry.id, &bf.now);
    bf.telling = true;
    bf_expand(NULL);
    bf.telling = false;
}

/* Does what comes next. False if nothing is left. */
static bool bf_step(void)
{
    OpenEntry entry;
    if (bf.late.n && (bf.open.n == 0 || open_list_key(&bf.late) <= open_list_key(&bf.open))) {
        bf.key = open_list_key(&bf.late);
        open_list_pop(&bf.late, &entry);
        tell_late_errors(entry);
        return true;
    }
    bf.key = bf.open.n ? open_list_key(&bf.open) : UINT32_MAX;
    if (!open_list_pop(&bf.open, &entry) && !open_list_pop(&bf.hopeless, &entry)) return false;
    expand_next(entry);
    return true;
}

static void bf_begin(const State *start)
{
    bool is_new;
    bf.set = state_set_new();
    tree_cursor_init(&bf.tree);
    open_list_init(&bf.open, bf.h_factor && options.ties != TIES_FIFO);
    open_list_init(&bf.hopeless, false);
    open_list_init(&bf.late, false);
    uint32_t id = bf_intern(start, &is_new);
    reserve_facts(id);
    bf.parent[id] = NO_STATE;
    bf.length[id] = 0;
    if (bf.has_costs) bf.steps[id] = 0;
    bf.closed[id] = 0;
    open_state(id, start);
}

/* The factors of the key for alpha = weight percent, in lowest terms. */
static void set_factors(void)
{
    uint32_t a = options.algorithm == SEARCH_BFS ? 100 : (uint32_t)options.weight, b = 100 - a, x = a, y = b;
    while (y) {
        uint32_t rest = x % y;
        x = y;
        y = rest;
    }
    bf.g_factor = a / x;
    bf.h_factor = b / x;
}

static void bf_look_up(void)
{
    Front front = {.key = bf.key, .has_open = true, .open = bf.open.n + bf.hopeless.n};
    if (bf.h_factor && bf.key != UINT32_MAX) front.measure = bf.g_factor ? "f" : "h";
    if (report_progress(stats.max_depth, &front)) bf.stop = true;
}

static void bf_loop(void)
{
    bf.told.id = NO_STATE;
    while (!bf.stop && bf_step())
        if (progress_is_due()) bf_look_up();
}

void best_first_run(StateTaker take)
{
    memset(&bf, 0, sizeof bf);
    stats.h_min = UNREACHABLE;
    bf.take = take;
    ample_prepare();
    bf.has_costs = !cost_is_steps();
    set_factors();
    moves_start(&bf.now);
    bf_begin(&bf.now);
    search_set = bf.set;
    stats.stored = stats.nominal = 1;
    bf_loop();
    stats.complete = !bf.stop;
}

void search_best_first(void) { best_first_run(NULL); }

/* ---- as a part of another search ---- */

void best_first_stop(void) { bf.stop = true; }

StateSet *best_first_set(void) { return bf.set; }

void best_first_reached(uint32_t id, uint32_t from, const Move *move)
{
    reserve_facts(id);
    bf.parent[id] = from;
    bf.length[id] = bf.length[from] + move_cost(move);
    if (bf.has_costs) bf.steps[id] = bf.steps[from] + (uint32_t)move_length(move);
    bf.closed[id] = 1;
}

void best_first_add(uint32_t from, const Move *move, State *successor)
{
    uint32_t id = bf.id;
    bf.id = from;
    add_successor(move, successor);
    bf.id = id;
}

void best_first_write_way(uint32_t id, Trail *t)
{
    State saved[2];
    set_aside(saved);
    write_way(id, 0, t);
    take_back(saved);
}

static void free_search(void)
{
    xfree(bf.parent);
    xfree(bf.length);
    xfree(bf.steps);
    xfree(bf.closed);
    state_free(&bf.now);
    state_free(&bf.next);
    state_free(&bf.seen);
    open_list_free(&bf.open);
    open_list_free(&bf.hopeless);
    open_list_free(&bf.late);
    state_set_free(bf.set);
}

/* A* from one state to another, by local distances to it, as long as that costs no more than the
 * search so far. */
static bool find_way(const State *from, const State *to, int component, long depth, Trail *t)
{
    OpenEntry entry;
    uint64_t limit = 4 * stats.stored + MIN_WAY_STATES;
    bool is_new;
    memset(&bf, 0, sizeof bf);
    bf.finding = true;
    bf.g_factor = bf.h_factor = 1;
    bf.way = UINT32_MAX;
    bf.component = component;
    bf_begin(from);
    bf.goal = bf_intern(to, &is_new);
    reserve_facts(bf.goal);
    if (is_new) {
        bf.length[bf.goal] = UINT32_MAX;
        bf.closed[bf.goal] = 0;
    }
    while (open_list_pop(&bf.open, &entry) && entry.length < bf.way && state_set_count(bf.set) < limit)
        expand_next(entry);
    if (bf.way == UINT32_MAX) return false;
    write_way(bf.last_of_way, depth, t);
    move_write(t, depth + steps_to(bf.last_of_way), &bf.last_move);
    return true;
}

static bool write_short_way(const State *from, const State *to, int component, long depth, Trail *t)
{
    static struct BestFirst saved;
    Stats saved_stats = stats;
    State saved_target = options.target;
    const Heuristic *saved_heuristic = options.heuristic;
    Reduction saved_reduction = options.reduction;
    saved = bf;
    options.reduction = REDUCE_OFF;
    options.target = *to;
    options.heuristic = &heuristic_fsm;
    bool found = find_way(from, to, component, depth, t);
    free_search();
    bf = saved;
    options.heuristic = saved_heuristic;
    options.reduction = saved_reduction;
    options.target = saved_target;
    saved_stats.expanded = stats.expanded;
    saved_stats.generated = stats.generated;
    stats = saved_stats;
    return found;
}

bool best_first_write_cycle(const State *s, long depth, Trail *t)
{
    return write_short_way(s, s, active_claim()->claim[state_header(s)->claim].component, depth, t);
}

bool best_first_write_short_way(const State *to, Trail *t)
{
    State start;
    state_init(&start);
    moves_start(&start);
    bool found = write_short_way(&start, to, -1, 0, t);
    state_free(&start);
    return found;
}
