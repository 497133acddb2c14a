/* exclusive.h: the ends of channels that processes declare to be theirs alone (xr, xs).
 *
 * Partial order reduction believes these declarations, so it is checked that they hold: as in SPIN, who declared
 * an end is remembered for the whole search, over all its branches, and any other process that comes to use that end
 * is an error.
 */
#ifndef HSFPY_EXCLUSIVE_H
#define HSFPY_EXCLUSIVE_H

#include "model.h"

enum ChannelEnd { END_RECEIVE = 1, END_SEND = 2 };

typedef struct Exclusive {
    bool is_on;                          /* set before the search if reduction needs to know */
    bool is_unchecked;                   /* -DXUSAFE: declarations are believed */
    uint8_t claimed[MAX_CHANNELS + 1];   /* ends, by channel */
    uint8_t senders[MAX_CHANNELS + 1];   /* pid + 1 */
    uint8_t receivers[MAX_CHANNELS + 1]; /* pid + 1 */
    uint8_t told[MAX_CHANNELS + 1];      /* ends of which a violation was explained */
} Exclusive;

extern Exclusive exclusive;

/* Process `pid` declares ends of a channel to be its own. */
void exclusive_claim(const State *s, int id, int pid, unsigned ends);
/* Raises an error if an end is used that another process has declared. */
void exclusive_ask(const State *s, int id, int pid, unsigned ends);

static inline void exclusive_use(const State *s, int id, int pid, unsigned ends)
{
    if (exclusive.is_on && exclusive.claimed[id] & ends) exclusive_ask(s, id, pid, ends);
}

/* Has this process, and no other, declared this end? */
static inline bool exclusive_is(int id, int pid, unsigned end)
{
    if (!(exclusive.claimed[id] & end)) return false;
    return (end == END_SEND ? exclusive.senders[id] : exclusive.receivers[id]) == pid + 1;
}

#endif
