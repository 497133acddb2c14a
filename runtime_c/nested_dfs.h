/* nested_dfs.h: the depth-first search for accepting cycles, as a part of another search. */
#ifndef HSFPY_NESTED_DFS_H
#define HSFPY_NESTED_DFS_H

#include "moves.h"
#include "state_set.h"

/* The search that calls it and owns the states. It explores what this search leaves: states outside
 * the claim's component in which it was started. */
typedef struct NestedHost {
    /* State `id` was first reached by this move from state `from`. */
    void (*visited)(uint32_t id, uint32_t from, const Move *move);
    /* This move leads from state `from` out of the component. */
    void (*left)(uint32_t from, const Move *move, State *successor);
    /* Writes the way from the initial state to state `id`. */
    void (*write_way)(uint32_t id, Trail *t);
    /* Writes a short way to another state. False if it found none. */
    bool (*write_short_way)(const State *to, Trail *t);
    /* Writes a way from a state, `depth` steps deep, back to itself. False if it found none. */
    bool (*write_cycle)(const State *s, long depth, Trail *t);
} NestedHost;

/* Prepares for searches among the states of `set`. */
void nested_dfs_open(StateSet *set, const NestedHost *host);
/* Searches from state `id`, `depth` steps deep, unless an earlier search came by. True if the whole
 * search has to stop. */
bool nested_dfs_from(const State *s, uint32_t id, long depth);

#endif
