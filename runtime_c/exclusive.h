/* exclusive.h: the ends of channels that processes declare to be theirs alone (xr, xs).
 *
 * Partial order reduction believes these declarations, so it is checked that they hold: a process that comes to use
 * an end another living process has declared is an error, whether or not it could take its step. Reduction does not
 * hurry the end of a process with declarations, so nobody who gets in its way is overlooked.
 */
#ifndef HSFPY_EXCLUSIVE_H
#define HSFPY_EXCLUSIVE_H

#include "model.h"

enum ChannelEnd { END_RECEIVE = 1, END_SEND = 2 };

typedef struct Exclusive {
    bool is_on;        /* reduction needs to know; set before the search */
    bool is_unchecked; /* -DXUSAFE: declarations are believed */
    /* Who has ever declared an end of a channel: pid + 1, or SEVERAL. Spares looking at all processes. */
    uint16_t declared[MAX_CHANNELS + 1][2];
    uint8_t told[MAX_CHANNELS + 1]; /* ends of which a violation was explained */
} Exclusive;

extern Exclusive exclusive;

/* Process `pid`, just started, declares an end of a channel to be its own. */
void exclusive_claim(const State *s, int id, int pid, unsigned end);
/* Raises an error if another process has declared one of these ends. */
void exclusive_ask(const State *s, int id, int pid, unsigned ends);

static inline void exclusive_use(const State *s, int id, int pid, unsigned ends)
{
    if (exclusive.is_on && !exclusive.is_unchecked) exclusive_ask(s, id, pid, ends);
}

#endif
