/* heuristic.h: estimates of how far a state is from an error.
 *
 * One file per heuristic (heuristic_*.c); heuristic.c lists them. A new one is a file and a line
 * in that list.
 */
#ifndef HSFPY_HEURISTIC_H
#define HSFPY_HEURISTIC_H

#include "distances.h"
#include "model.h"
#include "state.h"

/* Which errors an estimate speaks of: an admissible one makes A* give the shortest of these. */
enum ErrorClasses {
    CLASS_ANY_ERROR = 1,
    CLASS_END_STATE = 2,
    CLASS_ASSERTION = 4,
    CLASS_INVARIANT = 8,
    CLASS_CLAIM = 32, /* the end of the never claim, or the states behind which it accepts */
    CLASS_TARGET = 16 /* the state at the end of the given trail */
};

typedef struct Heuristic {
    const char *name;
    const char *summary;
    int classes;
    bool (*admissible)(void); /* for this model and these options */
    const char *consistent;   /* "yes", "no", ... for the list */
    const char *needs;        /* what it needs, for the list; "" for nothing */
    /* Why it cannot be used here; NULL if it can. Called once before a search. */
    const char *(*prepare)(void);
    int (*estimate)(const State *s);
} Heuristic;

/* The list, ended by NULL. */
extern const Heuristic *const all_heuristics[];
/* The heuristic of that name, or NULL. */
const Heuristic *heuristic_find(const char *name);
/* The one that fits the property checked, when none is named. */
const Heuristic *heuristic_default(void);
void heuristic_print_list(void);
/* Does an estimate for assertions speak of this fault? Not of run-time errors, whatever they are called. */
bool is_failed_assertion(const char *text);
/* What the chosen heuristic says of a state. */
int heuristic_estimate(const State *s);
/* The cost of an error's last step that no estimate counts: they lead to the state before a failing step,
 * except those towards the claim's end. */
uint32_t heuristic_uncounted(void);

/* How conjunctions combine: the sum is better informed, the maximum a lower bound. */
extern bool heuristic_uses_sum;
/* Does every change cost at least one? With --cost other than steps a change may be free: then only
 * distances between locations, which know the costs, count. */
static inline int h_unit(void) { return cost_is_steps() ? 1 : 0; }

/* Formula estimates (HSF Table 3) are generated; these are their connectives. */
static inline int h_min(int a, int b) { return a < b ? a : b; }
static inline int h_max(int a, int b) { return a > b ? a : b; }
static inline int h_sum(int a, int b) { return h_min(a + b, UNREACHABLE); }
static inline int h_and(int a, int b) { return heuristic_uses_sum ? h_sum(a, b) : h_max(a, b); }
static inline int h_holds(bool condition) { return condition ? 0 : h_unit(); }
/* Steps until a quantity that moves by one per step lies in low..high. With a modulus it wraps
 * around, so the way may lead over the other end; 0: it does not wrap. */
static inline int h_range(long value, long low, long high, long modulus)
{
    if (low > high) return UNREACHABLE;
    if ((value >= low && value <= high) || !h_unit()) return 0;
    long up = low - value, down = value - high;
    if (modulus) {
        up = (up % modulus + modulus) % modulus;
        down = (down % modulus + modulus) % modulus;
        return h_min((int)up, (int)down);
    }
    long way = value < low ? up : down;
    return way < UNREACHABLE ? (int)way : UNREACHABLE;
}
/* Steps of process `pid` itself until it stands at a location: D, or by dying and being made again. The
 * step that makes it is another's. */
int h_location(const State *s, int pid, int proctype, int location);
/* Steps until the head of channel `id` is a message that matches. */
int h_head(const State *s, int id, int n, const bool *tested, const int *values);

extern const Heuristic heuristic_ap, heuristic_deadlock, heuristic_assertion, heuristic_invariant;
extern const Heuristic heuristic_claim, heuristic_label, heuristic_fsm, heuristic_hamming, heuristic_none;

#endif
