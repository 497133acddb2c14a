/* best_first.c: the general state-expanding search; today its keys are path lengths, which makes
 * it breadth-first bf.
 *
 * Every state is kept, also those inside atomic sequences (the vector then names the process in
 * control). A rendezvous counts two steps, so successors do not all lie one level deeper: a
 * state may be met again on a shorter path before it is expanded, and is then moved forward.
 * Only the predecessor of a state is remembered; the step between two states is found again by
 * expanding the predecessor when a trail is written.
 */
#include <stdlib.h>
#include <string.h>

#include "open_list.h"
#include "bf.h"
#include "state_set.h"
#include "steps.h"
#include "util.h"

enum { NO_STATE = UINT32_MAX };

/* A move of the search: with a claim, the claim's step comes before the program's. */
typedef struct Move {
    Step claim;
    Step program;
    bool has_claim, has_program;
} Move;

typedef void (*MoveVisitor)(const Move *move, State *successor);

static struct {
    StateSet *set;
    TreeCursor tree;
    State seen;
    uint32_t *parent;
    uint32_t *length;  /* steps from the initial state */
    uint8_t *closed;
    size_t capacity;
    OpenList open;
    uint32_t id;       /* state being expanded */
    State now, before_program, program, next;
    bool moved;        /* some step was possible */
    bool blocked;      /* the program could not move after some move of the claim */
    bool stop;
    Move failed;       /* the move that raised the fault being reported */
    bool has_failed;
    uint32_t wanted;   /* while a path is written: the successor looked for */
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
}

static uint32_t bf_intern(const State *s, bool *is_new)
{
    uint32_t id =
        state_set_update(bf.set, &bf.tree, bf.seen.v, bf.seen.size, s->v, s->size, NULL, is_new);
    state_copy(&bf.seen, s);
    if (s->size > stats.vector_size) stats.vector_size = s->size;
    return id;
}

static void bf_load(State *s, uint32_t id)
{
    uint32_t size = state_set_get(bf.set, id, s->v, s->capacity);
    while (size > s->capacity) {
        state_reserve(s, size);
        size = state_set_get(bf.set, id, s->v, s->capacity);
    }
    s->size = size;
    s->shape = shape_by_id(state_header(s)->shape);
}

static uint32_t move_length(const Move *move)
{
    return (uint32_t)(move->has_claim + (move->has_program ? step_length(&move->program) : 0));
}

/* ---- reporting ---- */

static void bf_add_move(Trail *t, long depth, const Move *move)
{
    if (move->has_claim) trail_add(t, ++depth, CLAIM_PID, move->claim.transition);
    if (!move->has_program) return;
    trail_add(t, ++depth, move->program.pid, move->program.transition);
    if (move->program.reply) trail_add(t, ++depth, move->program.reply_pid, move->program.reply);
}

static void bf_expand(MoveVisitor visit);

static void match_wanted(const Move *move, State *successor)
{
    bool is_new;
    if (bf.is_found) return;
    if (bf_intern(successor, &is_new) == bf.wanted) {
        bf.found = *move;
        bf.is_found = true;
    }
}

static Move move_between(uint32_t from, uint32_t to)
{
    bf_load(&bf.now, from);
    bf.wanted = to;
    bf.is_found = false;
    bf_expand(match_wanted);
    return bf.found;
}

static void bf_write_path(void *unused, Trail *t)
{
    (void)unused;
    size_t n = 0;
    for (uint32_t id = bf.id; id != NO_STATE; id = bf.parent[id]) n++;
    uint32_t *path = xmalloc(n * sizeof *path);
    size_t i = n;
    for (uint32_t id = bf.id; id != NO_STATE; id = bf.parent[id]) path[--i] = id;
    Fault saved_fault = fault;
    fault = (Fault){0};
    for (i = 1; i < n; i++) {
        Move move = move_between(path[i - 1], path[i]);
        bf_add_move(t, bf.length[path[i - 1]], &move);
        fault = (Fault){0};
    }
    if (bf.has_failed) bf_add_move(t, bf.length[bf.id], &bf.failed);
    fault = saved_fault;
    xfree(path);
}

/* Writing the path expands other states; the one under expansion is put aside meanwhile. */
static void bf_report(ErrorKind kind, const char *text, long depth)
{
    State *buffers[] = {&bf.now, &bf.before_program, &bf.program, &bf.next};
    enum { N_BUFFERS = sizeof buffers / sizeof *buffers };
    State saved[N_BUFFERS];
    StepContext context = step_context;
    for (int i = 0; i < N_BUFFERS; i++) {
        saved[i] = *buffers[i];
        state_init(buffers[i]);
    }
    if (report_error(kind, text, depth, bf_write_path, NULL)) bf.stop = true;
    for (int i = 0; i < N_BUFFERS; i++) {
        state_free(buffers[i]);
        *buffers[i] = saved[i];
    }
    step_context = context;
}

static void report_move_fault(ErrorKind kind, const Move *move)
{
    if (!fault.text) return;
    const char *text = fault.text;
    bool fatal = fault.fatal;
    fault = (Fault){0};
    if (options.ignore_asserts && strncmp(text, "assertion violated", 18) == 0) return;
    bf.failed = *move;
    bf.has_failed = true;
    bf_report(kind, text, (long)(bf.length[bf.id] + move_length(move)) - 1);
    bf.has_failed = false;
    if (fatal) bf.stop = true;
}

/* ---- expansion ---- */

/* While a path is written, faults were reported before and say nothing new. */
static bool is_retracing(MoveVisitor visit) { return visit == match_wanted; }

static void note_fault(MoveVisitor visit, ErrorKind kind, const Move *move)
{
    if (is_retracing(visit))
        fault = (Fault){0};
    else
        report_move_fault(kind, move);
}

/* All program steps from `s`. Returns true if there was one. */
static bool expand_program(const State *s, int only, Move *move, MoveVisitor visit)
{
    StepIterator it;
    StepResult result;
    step_begin(&it, s, only);
    while (!bf.stop && (result = step_next(&it, s, &bf.next, &move->program)) != STEP_NONE) {
        move->has_program = true;
        note_fault(visit, result == STEP_FAULT ? ERROR_GUARD : ERROR_FAULT, move);
        if (result == STEP_FAULT) continue;
        state_header(&bf.next)->owner = (uint8_t)(step_owner(&move->program) + 1);
        visit(move, &bf.next);
    }
    move->has_program = false;
    return it.any;
}

/* Program steps from `s`; blocked inside an atomic sequence, control goes to all processes. */
static bool expand_state(State *s, Move *move, MoveVisitor visit, bool timeout)
{
    int owner = state_header(s)->owner - 1;
    state_header(s)->owner = 0;
    step_context.timeout = timeout;
    bool any = expand_program(s, owner, move, visit);
    if (!any && owner >= 0) any = expand_program(s, -1, move, visit);
    step_context.timeout = false;
    return any;
}

static bool claim_has_ended(const State *s)
{
    const Proctype *claim = &model.proctypes[model.claims[options.claim]];
    return claim->locations[state_header(s)->claim].flags & L_END;
}

static void report_claim_end(const Move *move)
{
    bf.failed = *move;
    bf.has_failed = true;
    bf_report(ERROR_CLAIM_END, "end state in claim reached", (long)bf.length[bf.id] + 1);
    bf.has_failed = false;
}

/* The claim has moved to bf.before_program; now the program. */
static void visit_claim_move(Move *move, MoveVisitor visit, bool timeout)
{
    State *s = &bf.before_program;
    if (!is_retracing(visit) && claim_has_ended(s)) report_claim_end(move);
    if (bf.stop) return;
    state_copy(&bf.program, s);
    if (expand_state(&bf.program, move, visit, timeout)) return;
    bf.blocked = true;
    if (model.uses_timeout && !timeout) return;
    /* The program is blocked for good: it stutters, the claim goes on. */
    visit(move, s);
}

static void claim_moves(MoveVisitor visit, bool timeout)
{
    Move move = {0};
    StepIterator it;
    StepResult result;
    step_begin_claim(&it);
    for (;;) {
        step_context.timeout = timeout;
        result = bf.stop ? STEP_NONE : step_next(&it, &bf.now, &bf.before_program, &move.claim);
        if (result == STEP_NONE) break;
        move.has_claim = true;
        note_fault(visit, result == STEP_FAULT ? ERROR_GUARD : ERROR_FAULT, &move);
        if (result == STEP_TAKEN) visit_claim_move(&move, visit, timeout);
    }
    step_context.timeout = false;
}

/* Claim first, then program. Only when the program is blocked does the claim move again with
 * timeout true. */
static void expand_with_claim(MoveVisitor visit)
{
    bf.blocked = false;
    claim_moves(visit, false);
    if (bf.blocked && model.uses_timeout) claim_moves(visit, true);
}

static void bf_expand(MoveVisitor visit)
{
    Move move = {0};
    State *s = &bf.now;
    bf.moved = true;
    if (!options.use_claim) {
        bf.moved = expand_state(s, &move, visit, false)
                   || (model.uses_timeout && expand_state(s, &move, visit, true));
        return;
    }
    /* Inside an atomic sequence the claim does not move. */
    int owner = state_header(s)->owner - 1;
    if (owner >= 0 && expand_program(s, owner, &move, visit)) return;
    state_header(s)->owner = 0;
    expand_with_claim(visit);
}

static void add_successor(const Move *move, State *successor)
{
    bool is_new;
    uint32_t id = bf_intern(successor, &is_new);
    reserve_facts(id);
    uint32_t length = bf.length[bf.id] + move_length(move);
    bool inside = state_header(successor)->owner != 0;
    if (inside) stats.atomic_steps++;
    if (is_new) {
        stats.stored++;
        if (!inside) stats.nominal++;
    } else {
        stats.matched++;
        if (bf.closed[id] || bf.length[id] <= length) return;
    }
    bf.parent[id] = bf.id;
    bf.length[id] = length;
    bf.closed[id] = 0;
    open_list_push(&bf.open, length, id);
}

static void bf_check_end(void)
{
    if (bf.moved || options.use_claim || options.ignore_end_states) return;
    if (state_n_processes(&bf.now) == 0 && state_is_valid_end(&bf.now)) return;
    if (!state_is_valid_end(&bf.now))
        bf_report(ERROR_END_STATE, "invalid end state", (long)bf.length[bf.id] - 1);
}

static bool is_beyond_limit(uint32_t length)
{
    if (options.max_depth == 0 || (long)length < options.max_depth) return false;
    report_depth_exceeded();
    if (options.depth_is_error) bf_report(ERROR_DEPTH, "depth limit reached", (long)length);
    stats.truncated++;
    return true;
}

static void expand_next(uint32_t length, uint32_t id)
{
    if (bf.closed[id] || bf.length[id] != length) return; /* moved forward meanwhile */
    bf.closed[id] = 1;
    bf.id = id;
    if ((long)length > stats.max_depth) stats.max_depth = (long)length;
    if (is_beyond_limit(length)) return;
    bf_load(&bf.now, id);
    bf_expand(add_successor);
    if (!bf.stop) bf_check_end();
}

static void bf_begin(void)
{
    bool is_new;
    model_start(&bf.now);
    if (options.use_claim) state_header(&bf.now)->claim = model.proctypes[model.claims[options.claim]].start;
    uint32_t id = bf_intern(&bf.now, &is_new);
    reserve_facts(id);
    bf.parent[id] = NO_STATE;
    bf.length[id] = 0;
    bf.closed[id] = 0;
    stats.stored = stats.nominal = 1;
    open_list_push(&bf.open, 0, id);
}

void search_bfs(void)
{
    uint32_t length, id;
    uint64_t expanded = 0;
    memset(&bf, 0, sizeof bf);
    bf.set = state_set_new();
    search_set = bf.set;
    tree_cursor_init(&bf.tree);
    open_list_init(&bf.open);
    bf_begin();
    while (!bf.stop && open_list_pop(&bf.open, &length, &id)) {
        expand_next(length, id);
        if ((++expanded & 0xfff) == 0 && report_progress((long)length)) bf.stop = true;
    }
    stats.complete = !bf.stop;
}
