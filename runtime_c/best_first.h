/* best_first.h: the general search, as a part of another one. */
#ifndef HSFPY_BEST_FIRST_H
#define HSFPY_BEST_FIRST_H

#include "moves.h"

/* Takes a state off the hands of the general search instead of its being expanded. Returns false if the
 * state is to be expanded as usual. */
typedef bool (*StateTaker)(const State *s, uint32_t id, long depth);

/* Runs the search; `take` may be NULL. */
void best_first_run(StateTaker take);
/* Ends it: the taker has found what was looked for. */
void best_first_stop(void);
struct StateSet *best_first_set(void);
/* The taker reached this state from state `from`, and explores it; or leaves it to the search. */
void best_first_reached(uint32_t id, uint32_t from, const Move *move);
void best_first_add(uint32_t from, const Move *move, State *successor);
/* Writes the way from the initial state to state `id`. */
void best_first_write_way(uint32_t id, Trail *t);
/* Writes a shortest way from `s`, `depth` steps deep, back to itself inside its component of the claim.
 * False if none was found within the limits. */
bool best_first_write_cycle(const State *s, long depth, Trail *t);
/* Writes a shortest way from the initial state to another one, with the same reservation. */
bool best_first_write_short_way(const State *to, Trail *t);

#endif
