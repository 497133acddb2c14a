/* moves.h: the moves of program and claim together, one after the other.
 *
 * In a move the claim makes one step and then the program one; without a claim, or inside an atomic
 * sequence, the program moves alone. When the program is blocked for good it stutters: the claim moves
 * and the program stays. Between moves the vector is complete: it names the claim's location and the
 * process in an atomic sequence, so states can be stored and continued from anywhere.
 *
 * Like a StepIterator, the iterator holds no vector and can be resumed when a search comes back.
 */
#ifndef HSFPY_MOVES_H
#define HSFPY_MOVES_H

#include "ample.h"
#include "search.h"
#include "steps.h"

typedef struct Move {
    const Transition *claim; /* the claim's step, which comes first; NULL: it does not move */
    Step program;
    bool has_program; /* false: the program stutters, or the claim is inside an atomic sequence */
} Move;

typedef struct MoveIterator {
    StepIterator claim, program;
    const Transition *claim_step; /* the claim's step of the moves being tried */
    uint8_t phase;
    bool timeout;       /* second round: nothing can move without time passing */
    bool blocked;       /* the program could not move */
    bool any;           /* the program could move */
    bool full;          /* all processes must move, whoever could stand for them */
    bool was_full;      /* all processes moved though one was tried first */
    int16_t ample;      /* process that may stand for all; -1: none */
    AmpleTally tally;   /* states its steps led to, as the search tells */
    bool claim_counted; /* -DPEG: the claim's step was */
} MoveIterator;

typedef enum MoveResult {
    MOVE_NONE,        /* no further move */
    MOVE_TAKEN,       /* *out is the successor; fault.text may be set by the effect */
    MOVE_GUARD_FAULT, /* testing the guard of the move's last step raised a fault; go on */
    MOVE_CLAIM_FAULT, /* the claim's step raised a fault; go on */
    MOVE_CLAIM_END    /* the claim has caught the program; go on */
} MoveResult;

void moves_begin(MoveIterator *it, const State *s);
/* The same without partial order reduction. */
void moves_begin_full(MoveIterator *it, const State *s);
/* The search tells what the move just made led to (see ample_suffices). */
static inline void moves_note(MoveIterator *it, bool is_fresh) { is_fresh ? it->tally.fresh++ : it->tally.stale++; }
MoveResult moves_next(MoveIterator *it, const State *s, State *out, Move *move);

/* Steps in SPIN's count. */
static inline int move_length(const Move *move)
{
    return (move->claim != NULL) + (move->has_program ? step_length(&move->program) : 0);
}
/* Adds the steps of a move that begins at `depth`. */
void move_write(Trail *t, long depth, const Move *move);
/* The initial state of the product. */
void moves_start(State *s);

#endif
