/* switches.h: a bounded number of context switches (-LN, -DBCS).
 *
 * On each path, control may pass N times from a process that could go on to another one. Switches
 * that are forced, because the process cannot move or only runs in circles, are free, as are those
 * of a rendezvous. Each state remembers with how few switches it was reached and by which processes;
 * it is explored again when it is reached with fewer, or by another process.
 */
#ifndef HSFPY_SWITCHES_H
#define HSFPY_SWITCHES_H

#include <stdbool.h>
#include <stdint.h>

typedef enum SwitchPhase {
    SWITCH_NONE,   /* nothing counts: the first step, inside an atomic sequence, moves of the claim */
    SWITCH_STAY,   /* the process that moved last goes on */
    SWITCH_FORCED, /* others move, because it is stuck */
    SWITCH_COUNTED /* others move, though it could go on */
} SwitchPhase;

/* What a level of the search knows about switches. */
typedef struct Switches {
    uint8_t count; /* on the way to this level */
    uint8_t last;  /* process that moved last */
    uint8_t phase;
    bool leads_on; /* some successor is not on the search stack */
} Switches;

/* Must state `id`, reached on this way, be explored? If so it is on the search stack from now on.
 * Sets way->leads_on unless the state was on the stack already. */
bool switches_visit(Switches *way, uint32_t id, bool is_new);
/* State `id` leaves the search stack. */
void switches_leave(uint32_t id);

#endif
