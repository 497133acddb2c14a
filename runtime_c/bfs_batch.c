/* bfs_batch.c: breadth-first search that looks up all successors of a state at once.
 *
 * The same as best_first.c does without an estimate, but for searches in which nothing else is asked
 * for. States are expanded as a whole (expand.h) in the order of their distance, in SPIN's
 * steps, from the initial state. While some are expanded, the lookups of the successors of those before
 * wait for memory.
 *
 * A rendezvous is two steps long. A state it leads to may be but one step away from another state of
 * the same level, so it is entered only when all of these have been expanded: every state is entered
 * at its distance, once, and expanded once.
 *
 * Numbers (packing.h) are kept of those states only that wait to be expanded. How a state was reached is
 * written down as numbers (way_log.h), and a trail made by taking the steps again.
 */
#include <string.h>

#include "expand.h"
#include "heuristic.h"
#include "packed_queue.h"
#include "search.h"
#include "state_set.h"
#include "util.h"
#include "way_log.h"

enum ArrivalFlags { ARRIVES_INSIDE = 1, ARRIVES_RESHAPED = 2, ARRIVES_LATER = 4, KEPT_FLAGS = 3, FLAG_BITS = 2 };

/* A step was found, and where it leads. */
typedef struct Arrival {
    PackedState state;
    uint32_t ordinal;
    uint8_t flags;
} Arrival;

/* Those of one state. */
typedef struct Arrivals {
    Arrival *items;
    uint32_t n, capacity;
    uint64_t from; /* number of the state */
} Arrivals;

/* A fault of a step. */
typedef struct StepFault {
    uint64_t from; /* number of the state it happened in */
    Step step;
    const char *text;
    ErrorKind kind;
    bool fatal;
} StepFault;

/* So many states are expanded before the successors of the first one are entered: that long takes
 * memory to answer. */
enum { LAG = 4 };

/* Who is asked: first the process inside an atomic sequence, if there is one; all if nobody could
 * move so far; and all again when time may pass. */
typedef enum Round { ROUND_OWNER, ROUND_ALL, ROUND_TIMEOUT, NO_ROUND } Round;

static struct {
    StateSet *set;
    Seen *seen;
    Expansion expansion;
    uint64_t number;      /* of the state being expanded, in the order they came, */
    long depth;           /* and its distance */
    PackedQueue queue;    /* states to be expanded */
    WayLog ways;          /* to all states */
    uint64_t next;        /* number of the first one in the queue */
    PackedQueue two_away; /* where rendezvous of this level lead, */
    WayLog two_away_ways; /* and how; their low bits are flags of the arrival */
    Arrivals found[LAG];  /* of the state being expanded and those before, by number */
    StepFault *late;      /* faults of rendezvous, which are told at the next level */
    size_t n_late, late_capacity;
    Step failed; /* the step that raised the fault being reported */
    bool has_failed;
    bool stop;
} broad;

/* ---- rounds ---- */

static Round first_round(int owner) { return owner >= 0 ? ROUND_OWNER : ROUND_ALL; }

static Round next_round(Round round)
{
    if (round == ROUND_OWNER) return ROUND_ALL;
    return round == ROUND_ALL && model.uses_timeout ? ROUND_TIMEOUT : NO_ROUND;
}

static void make_room_in_packing(void);

static void expand_round(Expansion *x, Round round, int owner)
{
    step_context.timeout = round == ROUND_TIMEOUT;
    x->only = round == ROUND_OWNER ? owner : ALL_PROCESSES;
    while (UNLIKELY(!expand(x))) make_room_in_packing();
    step_context.timeout = false;
}

/* ---- reporting ---- */

static void broad_write_step(Trail *t, long depth, const Step *step)
{
    trail_add(t, depth + 1, step->pid, step->transition);
    if (step->reply) trail_add(t, depth + 2, step->reply_pid, step->reply);
}

/* The step with this ordinal in the first round that has any. */
static Step find_step(Expansion *x, uint32_t ordinal)
{
    int owner = state_header(x->now)->owner - 1;
    Round round = first_round(owner);
    expand_round(x, round, owner);
    while (!x->found->any) expand_round(x, round = next_round(round), owner);
    uint32_t i = 0;
    while (x->found->items[i].item->kind != ITEM_STEP || --ordinal > 0) i++;
    return item_step(x->found->items[i].item);
}

/* Takes steps from the initial state on, the last one of the list first. Returns where that ends. */
static long retrace(Trail *t, const uint32_t *ordinals, size_t n)
{
    Expansion x;
    State s;
    long depth = 0;
    expansion_init(&x, NULL);
    state_init(&s);
    model_start(&s);
    x.now = &s;
    while (n-- > 0) {
        Step step = find_step(&x, ordinals[n]);
        broad_write_step(t, depth, &step);
        expand_take(&s, &step);
        state_header(&s)->owner = (uint8_t)(step_owner(&step) + 1);
        depth += step_length(&step);
    }
    state_free(&s);
    expansion_free(&x);
    return depth;
}

static void broad_write_path(void *unused, Trail *t)
{
    (void)unused;
    uint32_t *ordinals = NULL;
    size_t n = 0, capacity = 0;
    for (uint64_t i = broad.number; i > 0;) {
        WayStep step = way_log_get(&broad.ways, i);
        if (n == capacity) {
            capacity = 2 * capacity + 64;
            ordinals = xrealloc(ordinals, capacity * sizeof *ordinals);
        }
        ordinals[n++] = step.ordinal;
        i = step.from;
    }
    long depth = retrace(t, ordinals, n);
    if (broad.has_failed) broad_write_step(t, depth, &broad.failed);
    xfree(ordinals);
}

/* Errors come in the order of their depth: the first one is a shortest. */
static void broad_report(ErrorKind kind, const char *text, long depth, uint64_t length)
{
    stats.is_shortest = stats.errors == 0;
    if (stats.errors == 0) stats.cost = length;
    if (report_error(kind, text, depth, broad_write_path, NULL)) broad.stop = true;
}

/* Tells of a fault of a step that begins at `depth`. */
static void report_step_fault(const StepFault *found, long depth)
{
    int length = step_length(&found->step);
    broad.number = found->from;
    broad.failed = found->step;
    broad.has_failed = true;
    broad_report(found->kind, found->text, fault_depth(found->text, depth, length), (uint64_t)(depth + length));
    broad.has_failed = false;
    if (found->fatal) broad.stop = true;
}

static void report_late_faults(void)
{
    for (size_t i = 0; i < broad.n_late && !broad.stop; i++) report_step_fault(&broad.late[i], broad.depth - 1);
    broad.n_late = 0;
}

static void add_late_fault(StepFault found)
{
    if (broad.n_late == broad.late_capacity) {
        broad.late_capacity = 2 * broad.late_capacity + 16;
        broad.late = xrealloc(broad.late, broad.late_capacity * sizeof *broad.late);
    }
    broad.late[broad.n_late++] = found;
}

/* A rendezvous ends one step later than others: so does its fault, and another one may be as near. */
static void note_item_fault(const Item *item)
{
    Fault raised = item_fault(item);
    ErrorKind kind = item->kind == ITEM_STEP ? ERROR_FAULT : ERROR_GUARD;
    StepFault found = {broad.number, item_step(item), raised.text, kind, raised.fatal};
    if (found.step.reply)
        add_late_fault(found);
    else
        report_step_fault(&found, broad.depth);
}

/* ---- entering states ---- */

/* Only sets that lose states ask for sums. */
static uint64_t sum_of(Packed number)
{
    return broad.seen->kind == STORE_EXACT ? 0 : packing_sum(&broad.expansion.packing, number);
}

static void enter(Packed number, WayStep way, unsigned flags)
{
    stats.stored++;
    if (!(flags & ARRIVES_INSIDE)) stats.nominal++;
    if (UNLIKELY(flags & ARRIVES_RESHAPED)) {
        uint32_t size = packing_layout(&broad.expansion.packing, number)->shape->size;
        if (size > stats.vector_size) stats.vector_size = size;
    }
    packed_queue_push(&broad.queue, number);
    way_log_add(&broad.ways, way);
}

/* Enters the successors of a state. */
static void settle(Arrivals *a)
{
    stats.generated += a->n;
    for (uint32_t i = 0; i < a->n; i++) {
        const Arrival *it = &a->items[i];
        WayStep way = {a->from, it->ordinal};
        if (it->flags & ARRIVES_INSIDE) stats.atomic_steps++;
        if (UNLIKELY(it->flags & ARRIVES_LATER) && !seen_contains(broad.seen, &it->state)) {
            packed_queue_push(&broad.two_away, it->state.number);
            way.ordinal = way.ordinal << FLAG_BITS | (it->flags & KEPT_FLAGS);
            way_log_add(&broad.two_away_ways, way);
        } else if (!(it->flags & ARRIVES_LATER) && seen_add(broad.seen, it->state.number, it->state.sum)) {
            enter(it->state.number, way, it->flags);
        } else {
            stats.matched++;
        }
    }
    a->n = 0;
}

/* Enters the states that are two steps away from the level before. */
static void settle_two_away(void)
{
    enum { AHEAD = 32 };
    WayMark mark = {0, 0};
    while (broad.two_away.n) {
        Packed ahead;
        PackedPlace place;
        if (packed_queue_peek(&broad.two_away, AHEAD, &ahead)) seen_locate(broad.seen, ahead, sum_of(ahead), &place);
        Packed number = packed_queue_take(&broad.two_away);
        WayStep way = way_log_next(&broad.two_away_ways, &mark);
        unsigned flags = way.ordinal & KEPT_FLAGS;
        way.ordinal >>= FLAG_BITS;
        if (seen_add(broad.seen, number, sum_of(number)))
            enter(number, way, flags);
        else
            stats.matched++;
    }
    way_log_clear(&broad.two_away_ways);
}

/* ---- other numbers ---- */

typedef struct KeptVisit {
    PackedVisit visit;
    void *context;
} KeptVisit;

static Packed visit_waiting(void *kept, Packed number)
{
    const KeptVisit *k = kept;
    PackedState state = {number, 0};
    k->visit(k->context, &state);
    return state.number;
}

static void each_waiting(PackedVisit visit, void *context)
{
    KeptVisit kept = {visit, context};
    bool needs_second = broad.expansion.packing.hi_bits > 0;
    packed_queue_convert(&broad.queue, visit_waiting, &kept, needs_second);
    packed_queue_convert(&broad.two_away, visit_waiting, &kept, needs_second);
    for (int i = 0; i < LAG; i++)
        for (uint32_t k = 0; k < broad.found[i].n; k++) visit(context, &broad.found[i].items[k].state);
    visit(context, &broad.expansion.at);
}

/* Gives all states numbers with more room. */
static void make_room_in_packing(void) { expansion_repack(&broad.expansion, each_waiting); }

/* ---- expanding a state ---- */

/* Marks what an item reaches. */
static void mark_item(const Item *item)
{
    Step step = item_step(item);
    if (item->kind == ITEM_STEP) expand_mark(expansion_vector(&broad.expansion), &step);
    if (item->kind == ITEM_OFFER) model.proctypes[step.transition->proctype].reached[step.transition->own] = 1;
    item_name(item)->is_reached = true;
}

static uint8_t flags_of_arrival(const Item *item)
{
    return (uint8_t)((item->flags & ITEM_ATOMIC ? ARRIVES_INSIDE : 0)
                     | (item_name(item)->reply != NO_REPLY ? ARRIVES_LATER : 0)
                     | (item->flags & ITEM_EXECUTE ? ARRIVES_RESHAPED : 0));
}

static void reserve_arrivals(Arrivals *a, uint32_t n)
{
    if (LIKELY(n <= a->capacity)) return;
    a->capacity = 2 * n;
    a->items = xrealloc(a->items, a->capacity * sizeof *a->items);
}

/* Notes what a round has found: states to be entered, faults, statements reached. */
static void note_found(const Expansion *x)
{
    Arrivals *a = &broad.found[broad.number % LAG];
    uint32_t ordinal = 0;
    reserve_arrivals(a, x->found->n);
    for (uint32_t i = 0; i < x->found->n && !broad.stop; i++) {
        const Item *item = x->found->items[i].item;
        if (UNLIKELY(!item_name(item)->is_reached)) mark_item(item);
        if (UNLIKELY(item->flags & ITEM_FAULTY)) note_item_fault(item);
        if (UNLIKELY(item->kind != ITEM_STEP)) continue;
        ordinal++;
        if (UNLIKELY(item->flags & ITEM_FAULTY) && item_fault(item).fatal) continue;
        a->items[a->n++] = (Arrival){successor_state(x->found, i), ordinal, flags_of_arrival(item)};
    }
}

static int owner_of_state(void)
{
    return packing_header(&broad.expansion.packing, broad.expansion.at.number).owner - 1;
}

static void check_invariant_of_state(void)
{
    if (LIKELY(!options.check_invariant)) return;
    const State *s = expansion_vector(&broad.expansion);
    if (model_invariant(s, options.invariant) || state_is_inside_atomic(s)) return;
    broad_report(ERROR_INVARIANT, invariant_error_text(), broad.depth - 1, (uint64_t)broad.depth);
}

static void check_end_of_state(void)
{
    if (options.ignore_end_states || state_is_valid_end(expansion_vector(&broad.expansion))) return;
    broad_report(ERROR_END_STATE, "invalid end state", broad.depth - 1, (uint64_t)broad.depth);
}

/* Finds the steps of the state. */
static void expand_state(void)
{
    Expansion *x = &broad.expansion;
    int owner = owner_of_state();
    broad.found[broad.number % LAG].from = broad.number;
    for (Round round = first_round(owner); round != NO_ROUND; round = next_round(round)) {
        expand_round(x, round, owner);
        note_found(x);
        if (LIKELY(x->found->any || broad.stop)) return;
    }
    check_end_of_state();
}

static bool is_at_limit(void)
{
    if (LIKELY(options.max_depth == 0 || broad.depth < options.max_depth)) return false;
    report_depth_exceeded();
    if (options.depth_is_error) broad_report(ERROR_DEPTH, "depth limit reached", broad.depth, (uint64_t)broad.depth);
    stats.truncated++;
    return true;
}

static void tell_progress(void)
{
    Front front = {.has_open = true, .open = broad.queue.n + broad.two_away.n};
    if (report_progress(broad.depth, &front)) broad.stop = true;
}

/* The turn of the first state of the queue has come. */
static void broad_step(void)
{
    Packed number = packed_queue_take(&broad.queue);
    broad.number = broad.next++;
    stats.max_depth = broad.depth;
    if (is_at_limit()) return;
    settle(&broad.found[broad.number % LAG]);
    if (UNLIKELY(expansion_is_full(&broad.expansion))) expansion_forget(&broad.expansion);
    broad.expansion.at = (PackedState){number, sum_of(number)};
    check_invariant_of_state();
    if (!broad.stop) expand_state();
    if (!broad.stop) stats.expanded++;
    if (UNLIKELY(seen_could_shrink(broad.seen, &broad.expansion.packing))) make_room_in_packing();
    if (progress_is_due()) tell_progress();
}

static bool has_level(void) { return broad.queue.n || broad.two_away.n || broad.n_late; }

static void broad_search(void)
{
    for (; has_level() && !broad.stop; broad.depth++) {
        uint64_t end = stats.stored;
        settle_two_away();
        report_late_faults();
        while (broad.next < end && !broad.stop) broad_step();
        for (uint64_t i = 0; i < LAG; i++) settle(&broad.found[(broad.next + i) % LAG]);
    }
}

bool bfs_is_plain(void)
{
    return options.algorithm == SEARCH_BFS && !options.use_claim && cost_is_steps() && dfs_can_batch();
}

/* Everything else is for the general search. */
bool bfs_can_batch(void) { return options.reduction == REDUCE_OFF && !options.merges && bfs_is_plain(); }

static PackedState first_state(void)
{
    State s;
    state_init(&s);
    model_start(&s);
    PackedState packed = expansion_pack(&broad.expansion, &s);
    while (broad.expansion.packing.overflows) {
        make_room_in_packing();
        packed = expansion_pack(&broad.expansion, &s);
    }
    state_free(&s);
    return packed;
}

void search_bfs_batch(void)
{
    memset(&broad, 0, sizeof broad);
    broad.set = state_set_new_unnumbered();
    broad.seen = state_set_seen(broad.set);
    search_set = broad.set;
    expansion_init(&broad.expansion, broad.seen);
    broad.expansion.stores = broad.expansion.keeps_owner = true;
    PackedState first = first_state();
    seen_add(broad.seen, first.number, first.sum);
    enter(first.number, (WayStep){0, 0}, ARRIVES_RESHAPED);
    broad_search();
    stats.complete = !broad.stop;
}
