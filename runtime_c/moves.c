/* moves.c: the moves of program and claim together; see moves.h. */
#include "moves.h"

#include "trail.h"

enum MovePhase {
    PHASE_OWNER,       /* the process inside an atomic sequence */
    PHASE_CLAIM,       /* the next step of the claim */
    PHASE_CLAIM_MOVED, /* it was found, and its end is to be looked for */
    PHASE_PROGRAM,     /* the program's steps after it */
    PHASE_ALONE,       /* the claim's step is a move of its own */
    PHASE_DONE
};

/* The state after the claim's step. One is enough: it is built anew when an iterator resumes. */
static State claim_moved;

void moves_start(State *s)
{
    model_start(s);
    if (options.use_claim) state_header(s)->claim = active_claim()->start;
}

/* Starts with process `ample` alone, or with all. */
static void begin_program(MoveIterator *it, const State *s, int ample)
{
    it->ample = (int16_t)ample;
    it->tally = (AmpleTally){0, 0};
    step_begin(&it->program, s, ample);
}

static int first_ample(const MoveIterator *it, const State *s)
{
    bool by_search = options.reduction == REDUCE_TWO_PHASE; /* the search itself makes the steps of phase one */
    return options.reduction == REDUCE_OFF || by_search || it->full || it->timeout ? -1 : ample_process(s, -1);
}

/* One process has moved. If it cannot stand for all, another is tried, or all move. */
static bool is_settled_by_one(MoveIterator *it, const State *s)
{
    bool any = it->program.any;
    if (any && ample_suffices(it->tally)) return true;
    int next = ample_tries_once() ? -1 : ample_process(s, it->ample);
    if (next < 0) it->was_full = true;
    begin_program(it, s, next);
    it->program.any = any;
    return false;
}

static void begin_round(MoveIterator *it, const State *s)
{
    it->claim_step = NULL;
    if (options.use_claim) {
        it->phase = PHASE_CLAIM;
        step_begin_claim(&it->claim);
    } else {
        it->phase = PHASE_PROGRAM;
        begin_program(it, s, first_ample(it, s));
    }
}

static void begin_moves(MoveIterator *it, const State *s, bool full)
{
    int owner = state_header(s)->owner - 1;
    it->timeout = it->blocked = it->any = it->was_full = false;
    it->full = full;
    it->ample = -1;
    if (owner < 0) {
        begin_round(it, s);
        return;
    }
    it->claim_step = NULL;
    it->phase = PHASE_OWNER;
    step_begin(&it->program, s, owner);
}

void moves_begin(MoveIterator *it, const State *s) { begin_moves(it, s, false); }

void moves_begin_full(MoveIterator *it, const State *s) { begin_moves(it, s, true); }

static bool begin_timeout(MoveIterator *it, const State *s)
{
    if (!model.uses_timeout || it->timeout) return false;
    it->timeout = true;
    it->blocked = false;
    begin_round(it, s);
    return true;
}

/* ---- the claim ---- */

/* A claim that only looks leaves the program's part as it is. */
static bool claim_acts(const MoveIterator *it) { return it->claim_step && it->claim_step->flags & T_ACTS; }

static void build_claim_moved(const MoveIterator *it, const State *s)
{
    state_copy(&claim_moved, s);
    if (claim_acts(it)) model_effect(&claim_moved, CLAIM_PID, it->claim_step);
    state_header(&claim_moved)->claim = it->claim_step->to;
}

static MoveResult next_claim_step(MoveIterator *it, const State *s)
{
    Step step;
    step_context.stutter = state_header(s)->stutter;
    step_context.progress = state_makes_progress(s);
    StepResult found = step_next(&it->claim, s, &claim_moved, &step);
    step_context.stutter = step_context.progress = false;
    if (found == STEP_NONE) return MOVE_NONE;
    it->claim_step = step.transition;
    it->claim_counted = false;
    if (found == STEP_FAULT) return MOVE_GUARD_FAULT;
    it->phase = PHASE_CLAIM_MOVED;
    return fault.text ? MOVE_CLAIM_FAULT : MOVE_TAKEN;
}

/* What follows the claim's step. */
static MoveResult after_claim_step(MoveIterator *it, const State *s)
{
    it->phase = it->claim_step->flags & T_ATOMIC ? PHASE_ALONE : PHASE_PROGRAM;
    if (it->phase == PHASE_PROGRAM) begin_program(it, s, first_ample(it, s));
    return claim_has_caught(it->claim_step->to) ? MOVE_CLAIM_END : MOVE_NONE;
}

static void claim_moves_alone(MoveIterator *it, const State *s, State *out, bool stutters)
{
    build_claim_moved(it, s);
    fault = (Fault){0};
    state_copy(out, &claim_moved);
    state_header(out)->owner = 0;
    state_header(out)->stutter = stutters && (model.uses_np || options.find_nonprogress);
    it->phase = PHASE_CLAIM;
}

/* ---- the program ---- */

static MoveResult next_program_step(MoveIterator *it, const State *s, State *out, Move *move)
{
    const State *from = s;
    if (claim_acts(it)) {
        build_claim_moved(it, s);
        fault = (Fault){0};
        from = &claim_moved;
    }
    StepResult found = step_next(&it->program, from, out, &move->program);
    if (found == STEP_NONE) return MOVE_NONE;
    move->has_program = true;
    if (found == STEP_FAULT) return MOVE_GUARD_FAULT;
    Header *header = state_header(out);
    header->owner = (uint8_t)(step_owner(&move->program) + 1);
    header->stutter = 0;
    if (it->claim_step) header->claim = it->claim_step->to;
    it->any = true;
    return MOVE_TAKEN;
}

/* The program has no further step. True if that was a move nevertheless: it stutters. */
static bool after_program(MoveIterator *it, const State *s, State *out)
{
    if (it->ample >= 0 && !is_settled_by_one(it, s)) return false;
    bool could_move = it->program.any;
    if (it->phase == PHASE_OWNER) { /* blocked inside an atomic sequence, others may move */
        it->full = true;            /* the state may not be stored: what was decided here could not be remembered */
        if (could_move)
            it->phase = PHASE_DONE;
        else
            begin_round(it, s);
        return false;
    }
    if (!options.use_claim) {
        if (could_move || !begin_timeout(it, s)) it->phase = PHASE_DONE;
        return false;
    }
    it->phase = PHASE_CLAIM;
    if (could_move) return false;
    it->blocked = true;
    if (options.no_stutter || (model.uses_timeout && !it->timeout)) return false;
    claim_moves_alone(it, s, out, true);
    return true;
}

MoveResult moves_next(MoveIterator *it, const State *s, State *out, Move *move)
{
    for (;;) {
        MoveResult result = MOVE_NONE;
        step_context.timeout = it->timeout;
        move->has_program = false;
        switch (it->phase) {
        case PHASE_CLAIM:
            result = next_claim_step(it, s);
            if (result == MOVE_NONE && !(it->blocked && begin_timeout(it, s))) it->phase = PHASE_DONE;
            if (result == MOVE_TAKEN) result = MOVE_NONE;
            break;
        case PHASE_CLAIM_MOVED: result = after_claim_step(it, s); break;
        case PHASE_ALONE:
            claim_moves_alone(it, s, out, false);
            result = MOVE_TAKEN;
            break;
        case PHASE_OWNER:
        case PHASE_PROGRAM:
            result = next_program_step(it, s, out, move);
            if (result == MOVE_NONE && after_program(it, s, out)) result = MOVE_TAKEN;
            break;
        default: step_context.timeout = false; return MOVE_NONE;
        }
        if (result == MOVE_NONE) continue;
        move->claim = it->claim_step;
        step_context.timeout = false;
        return result;
    }
}

void move_write(Trail *t, long depth, const Move *move)
{
    if (move->claim) trail_add(t, ++depth, CLAIM_PID, move->claim);
    if (!move->has_program) return;
    trail_add_step(t, depth, &move->program);
}
