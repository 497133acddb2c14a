/* claim_run.c: finding the claim's steps; see claim_run.h.
 *
 * First the program's steps are replayed, and for each of the claim's turns it is noted which of its transitions could
 * be taken. The rest is a search in layers, one per turn, whose nodes are the claim's locations, twice: with and
 * without an accepting location on the way. For a cycle, the layers of one round give a relation between locations;
 * a closed walk in it, over an accepting round, is the cycle wanted. Claims are small, and this is done once per trail.
 */
#include "claim_run.h"

#include <string.h>

#include "follow.h"
#include "steps.h"
#include "util.h"

enum { STEP_OPEN = UINT32_MAX };

static struct {
    const Trail *trail;
    const Location *locations;
    uint32_t n_locations;
    uint32_t first_transition, n_transitions; /* of the claim, in model.transitions */
    uint16_t *source;                         /* where each of them begins */
    size_t n_turns;
    size_t *turns;    /* their places in the trail */
    uint8_t *enabled; /* by turn and transition */
    size_t n_before;  /* turns before the cycle */
    bool accepts;     /* the program passes an accept label in the cycle */
    bool last_stays;  /* the last turn shows a fault of the claim's step: it must not change */
    uint32_t *layers; /* by layer and node: how it is reached, 0 if it is not */
} claim_run;

typedef struct ClaimNode {
    uint16_t location;
    bool accepted;
} ClaimNode;

void claim_run_leave_open(Trail *t, long depth)
{
    trail_add(t, depth, CLAIM_PID, &model.transitions[0]);
    t->steps[t->n - 1].transition = STEP_OPEN;
}

/* ---- the claim's turns ---- */

static bool has_open_steps(const Trail *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->steps[i].pid == CLAIM_PID && t->steps[i].transition == STEP_OPEN) return true;
    return false;
}

static bool turn_is_atomic(size_t turn)
{
    uint32_t known = claim_run.trail->steps[claim_run.turns[turn]].transition;
    return known != STEP_OPEN && model.transitions[known].flags & T_ATOMIC;
}

static bool is_in_cycle(const TrailStep *step)
{
    return claim_run.trail->cycle_start >= 0 && step->depth > claim_run.trail->cycle_start;
}

/* Two turns in a row: between them the program stuttered. */
static bool turn_stutters(size_t turn)
{
    return turn > 0 && claim_run.turns[turn] == claim_run.turns[turn - 1] + 1 && !turn_is_atomic(turn - 1);
}

static void note_enabled(State *s, size_t turn)
{
    uint8_t *row = claim_run.enabled + turn * claim_run.n_transitions;
    bool is_atomic = turn_is_atomic(turn);
    uint32_t stays = claim_run.last_stays && turn + 1 == claim_run.n_turns
                         ? claim_run.trail->steps[claim_run.turns[turn]].transition
                         : STEP_OPEN;
    step_context.stutter = turn_stutters(turn);
    step_context.progress = state_makes_progress(s);
    for (uint32_t l = 0; l < claim_run.n_locations; l++) {
        StepIterator it;
        Step step;
        StepResult found;
        state_header(s)->claim = (uint16_t)l;
        step_begin_claim(&it);
        it.only_tests = true;
        while ((found = step_next(&it, s, NULL, &step)) != STEP_NONE) {
            uint32_t number = (uint32_t)(step.transition - model.transitions);
            bool fits = stays == STEP_OPEN ? !(step.transition->flags & T_ATOMIC) == !is_atomic : number == stays;
            if (found == STEP_TAKEN || stays != STEP_OPEN) row[number - claim_run.first_transition] = fits;
            fault = (Fault){0};
        }
    }
    step_context.stutter = step_context.progress = false;
}

static bool some_process_accepts(const State *s)
{
    for (int pid = 0; pid < state_n_processes(s) && !options.find_nonprogress; pid++)
        if (process_location(s, pid)->flags & L_ACCEPT) return true;
    return false;
}

/* Runs the program's steps, and asks the claim whenever it is its turn. */
static void ask_claim(void)
{
    State s;
    size_t turn = 0;
    state_init(&s);
    model_start(&s);
    for (size_t i = 0; i < claim_run.trail->n; i++) {
        const TrailStep *step = &claim_run.trail->steps[i];
        if (step->pid == CLAIM_PID)
            note_enabled(&s, turn++);
        else
            follow_past(&s, step->pid, step->transition);
        fault = (Fault){0};
        if (is_in_cycle(step) && some_process_accepts(&s)) claim_run.accepts = true;
    }
    state_free(&s);
}

static void look_at_claim(void)
{
    const Proctype *claim = active_claim();
    uint32_t end = 0;
    claim_run.locations = claim->locations;
    claim_run.n_locations = claim->n_locations;
    claim_run.first_transition = STEP_OPEN;
    for (uint32_t l = 0; l < claim_run.n_locations; l++) {
        const Location *at = &claim->locations[l];
        if (at->count == 0) continue;
        if (at->first < claim_run.first_transition) claim_run.first_transition = at->first;
        if (at->first + at->count > end) end = at->first + at->count;
    }
    claim_run.n_transitions = end - claim_run.first_transition;
    claim_run.source = xcalloc(claim_run.n_transitions, sizeof *claim_run.source);
    for (uint32_t l = 0; l < claim_run.n_locations; l++)
        for (uint32_t i = 0; i < claim->locations[l].count; i++)
            claim_run.source[claim->locations[l].first + i - claim_run.first_transition] = (uint16_t)l;
}

static void claim_run_open(const Trail *t, ErrorKind kind)
{
    memset(&claim_run, 0, sizeof claim_run);
    claim_run.trail = t;
    look_at_claim();
    claim_run.turns = xcalloc(t->n, sizeof *claim_run.turns);
    for (size_t i = 0; i < t->n; i++) {
        if (t->steps[i].pid != CLAIM_PID) continue;
        claim_run.n_before += !is_in_cycle(&t->steps[i]);
        claim_run.turns[claim_run.n_turns++] = i;
    }
    bool ends_in_fault = kind == ERROR_FAULT || kind == ERROR_GUARD;
    claim_run.last_stays = ends_in_fault && t->steps[t->n - 1].pid == CLAIM_PID;
    claim_run.enabled = xcalloc(claim_run.n_turns * claim_run.n_transitions + 1, 1);
    claim_run.layers = xcalloc((claim_run.n_turns + 1) * claim_run.n_locations * 2, sizeof *claim_run.layers);
    ask_claim();
}

static void claim_run_close(void)
{
    xfree(claim_run.source);
    xfree(claim_run.turns);
    xfree(claim_run.enabled);
    xfree(claim_run.layers);
}

/* ---- layers ---- */

static uint32_t *layer_node(size_t layer, ClaimNode node)
{
    return &claim_run.layers[(layer * claim_run.n_locations + node.location) * 2 + node.accepted];
}

static void spread_node(size_t turn, size_t layer, ClaimNode node)
{
    const Location *at = &claim_run.locations[node.location];
    for (uint32_t i = at->first; i < at->first + at->count; i++) {
        uint32_t k = i - claim_run.first_transition;
        if (!claim_run.enabled[turn * claim_run.n_transitions + k]) continue;
        uint16_t to = model.transitions[i].to;
        ClaimNode next = {to, node.accepted || claim_run.accepts || claim_run.locations[to].flags & L_ACCEPT};
        uint32_t *entry = layer_node(layer + 1, next);
        if (!*entry) *entry = (k + 1) * 2 + node.accepted;
    }
}

/* Fills the layers of the turns from..to, beginning at a location. */
static void fill_layers(size_t from, size_t to, uint16_t location)
{
    size_t row = (size_t)claim_run.n_locations * 2;
    memset(claim_run.layers, 0, (to - from + 1) * row * sizeof *claim_run.layers);
    *layer_node(0, (ClaimNode){location, false}) = 1;
    for (size_t turn = from; turn < to; turn++)
        for (uint32_t i = 0; i < row; i++) {
            ClaimNode node = {(uint16_t)(i / 2), i % 2};
            if (*layer_node(turn - from, node)) spread_node(turn, turn - from, node);
        }
}

/* The transitions on the way to a node of layer `n`, into chosen[0..n). */
static void read_back(size_t n, ClaimNode node, uint32_t *chosen)
{
    while (n > 0) {
        uint32_t entry = *layer_node(n, node), k = entry / 2 - 1;
        chosen[--n] = claim_run.first_transition + k;
        node = (ClaimNode){claim_run.source[k], entry % 2};
    }
}

/* ---- runs that end ---- */

static bool choose_finite(Trail *t, ErrorKind kind)
{
    size_t n = claim_run.n_turns;
    fill_layers(0, n, active_claim()->start);
    for (uint32_t i = 0; i < claim_run.n_locations * 2; i++) {
        ClaimNode node = {(uint16_t)(i / 2), i % 2};
        if (!*layer_node(n, node) || (kind == ERROR_CLAIM_END && !claim_has_caught(node.location))) continue;
        uint32_t *chosen = xcalloc(n + 1, sizeof *chosen);
        read_back(n, node, chosen);
        for (size_t turn = 0; turn < n; turn++) t->steps[claim_run.turns[turn]].transition = chosen[turn];
        xfree(chosen);
        return true;
    }
    return false;
}

/* ---- cycles ---- */

/* Which locations a round leads to, by location and node. */
static uint8_t *round_relation(void)
{
    uint32_t n = claim_run.n_locations;
    uint8_t *relation = xcalloc((size_t)n * n * 2, 1);
    for (uint32_t l = 0; l < n; l++) {
        fill_layers(claim_run.n_before, claim_run.n_turns, (uint16_t)l);
        const uint32_t *last = layer_node(claim_run.n_turns - claim_run.n_before, (ClaimNode){0, false});
        for (uint32_t i = 0; i < n * 2; i++) relation[(size_t)l * n * 2 + i] = last[i] != 0;
    }
    return relation;
}

/* A walk of rounds: nodes 0..n-1, from one location to another. */
typedef struct RoundWalk {
    ClaimNode *nodes;
    size_t n;
} RoundWalk;

/* The shortest walk from a location to a node: over an accepting round if that is wanted. */
static bool find_walk(const uint8_t *relation, uint16_t from, ClaimNode goal, RoundWalk *walk)
{
    uint32_t n = claim_run.n_locations * 2, head = 0, tail = 0;
    uint32_t *queue = xcalloc(n, sizeof *queue), *before = xcalloc(n, sizeof *before);
    uint32_t wanted = goal.location * 2u + goal.accepted, at = n;
    queue[tail++] = from * 2u;
    before[from * 2u] = n + 1;
    while (head < tail && at == n) {
        uint32_t here = queue[head++];
        for (uint32_t i = 0; i < n && at == n; i++) {
            if (!relation[(size_t)(here / 2) * n + i]) continue;
            uint32_t next = i | (here & 1);
            if (next == wanted && before[next] == 0) at = next;
            if (before[next] == 0) {
                before[next] = here + 1;
                queue[tail++] = next;
            }
        }
    }
    walk->n = 0;
    for (uint32_t i = at; i < n; i = before[i] - 1) walk->n++;
    walk->nodes = xcalloc(walk->n + 1, sizeof *walk->nodes);
    for (uint32_t i = at, k = (uint32_t)walk->n; i < n; i = before[i] - 1)
        walk->nodes[--k] = (ClaimNode){(uint16_t)(i / 2), i % 2};
    xfree(queue);
    xfree(before);
    return at < n;
}

static void copy_steps(Trail *to, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++) {
        const TrailStep *step = &claim_run.trail->steps[i];
        trail_add(to, (long)to->n + 1, step->pid, &model.transitions[step->pid == CLAIM_PID ? 0 : step->transition]);
    }
}

/* Appends the turns from..to with the claim going from a location to a node, which it can reach. */
static void append_part(Trail *to, size_t first, size_t end, size_t from, size_t until, uint16_t start, ClaimNode goal)
{
    size_t base = to->n, n = until - from;
    uint32_t *chosen = xcalloc(n + 1, sizeof *chosen);
    fill_layers(from, until, start);
    if (!*layer_node(n, goal)) goal.accepted = !goal.accepted;
    read_back(n, goal, chosen);
    copy_steps(to, first, end);
    for (size_t i = 0; i < n; i++) to->steps[base + claim_run.turns[from + i] - first].transition = chosen[i];
    xfree(chosen);
}

static void append_rounds(Trail *to, const RoundWalk *walk)
{
    for (size_t i = 1; i < walk->n; i++) {
        bool must_accept = walk->nodes[i].accepted && !walk->nodes[i - 1].accepted;
        append_part(to, (size_t)claim_run.trail->cycle_start, claim_run.trail->n, claim_run.n_before, claim_run.n_turns,
                    walk->nodes[i - 1].location, (ClaimNode){walk->nodes[i].location, must_accept});
    }
}

/* Builds the trail that enters the cycle at location `entry` and repeats itself at `again`. */
static bool build_cycle(Trail *to, const uint8_t *relation, uint16_t entry, uint16_t again)
{
    RoundWalk lead = {0}, cycle = {0};
    bool found = find_walk(relation, again, (ClaimNode){again, true}, &cycle);
    if (found && entry != again) found = find_walk(relation, entry, (ClaimNode){again, false}, &lead);
    if (found) {
        to->n = 0;
        append_part(to, 0, (size_t)claim_run.trail->cycle_start, 0, claim_run.n_before, active_claim()->start,
                    (ClaimNode){entry, false});
        append_rounds(to, &lead);
        to->cycle_start = (long)to->n;
        append_rounds(to, &cycle);
    }
    xfree(lead.nodes);
    xfree(cycle.nodes);
    return found;
}

static bool choose_cycle(Trail *t)
{
    uint32_t n = claim_run.n_locations;
    bool found = false;
    Trail built;
    trail_init(&built);
    uint8_t *relation = round_relation(), *entries = xcalloc(n, 1);
    fill_layers(0, claim_run.n_before, active_claim()->start);
    for (uint32_t l = 0; l < n; l++)
        entries[l] = *layer_node(claim_run.n_before, (ClaimNode){(uint16_t)l, false})
                     || *layer_node(claim_run.n_before, (ClaimNode){(uint16_t)l, true});
    for (uint32_t l = 0; l < n && !found; l++)
        for (uint32_t again = 0; entries[l] && again < n && !found; again++)
            found = build_cycle(&built, relation, (uint16_t)l, (uint16_t)again);
    xfree(relation);
    xfree(entries);
    if (found) {
        Trail swap = *t;
        *t = built;
        built = swap;
    }
    trail_free(&built);
    return found;
}

/* The claim counts steps: for it a chain is one, as in SPIN. */
static void drop_open_steps(Trail *t)
{
    size_t n = 0;
    long cycle_start = t->cycle_start;
    for (size_t i = 0; i < t->n; i++) {
        bool is_open = t->steps[i].pid == CLAIM_PID && t->steps[i].transition == STEP_OPEN;
        if (is_open && t->steps[i].depth <= t->cycle_start) cycle_start--;
        if (is_open) continue;
        t->steps[n] = t->steps[i];
        t->steps[n].depth = (long)n + 1;
        n++;
    }
    t->n = n;
    t->cycle_start = cycle_start;
}

void claim_run_choose(Trail *t, ErrorKind kind)
{
    if (!has_open_steps(t)) return;
    StepContext saved_context = step_context;
    Fault saved_fault = fault;
    bool reorders = options.reorders;
    options.reorders = false;
    step_context = (StepContext){0};
    claim_run_open(t, kind);
    bool has_cycle = t->cycle_start >= 0 && claim_run.n_before < claim_run.n_turns;
    bool found = has_cycle ? choose_cycle(t) : choose_finite(t, kind);
    claim_run_close();
    options.reorders = reorders;
    step_context = saved_context;
    fault = saved_fault;
    if (!found && options.reduction != REDUCE_TWO_PHASE)
        drop_open_steps(t);
    else if (!found)
        die("--reduce=two-phase: the claim tells apart runs that differ only in how often a state is repeated, so no "
            "reduction is sound with it: use --reduce=off");
}
