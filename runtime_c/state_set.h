/* state_set.h: the set of visited states.
 *
 * Usually exact and compressed: a vector is a tree whose nodes are stored once for each different
 * content, so that states that differ little share most of their tree; the set itself holds roots of
 * trees. What else a set can be is in store.h; options.store chooses.
 */
#ifndef HSFPY_STATE_SET_H
#define HSFPY_STATE_SET_H

#include "model.h"
#include "tree_store.h"

typedef struct StateSet StateSet;

/* A set that gives its states numbers, dense from 0; a bitstate set does not. */
StateSet *state_set_new(void);
/* A set that knows which states were seen, nothing else; it takes half the memory. */
StateSet *state_set_new_unnumbered(void);
void state_set_free(StateSet *set);

/* ---- with numbers ---- */

/* Numbers `new`, given that the cursor describes `old` (which is not read if the cursor describes
 * nothing yet). Updates the cursor to describe `new`; what changes there is appended to `undo` when
 * it is not NULL. */
uint32_t state_set_update(StateSet *set, TreeCursor *c, const State *old, const State *new, TreeUndo *undo,
                          bool *is_new);
/* The same in two halves, for a search that looks up many successors at once: prepare them all
 * (which starts fetching their places in the table), then commit one after the other. */
uint64_t state_set_prepare(StateSet *set, TreeCursor *c, const State *old, const State *new, TreeUndo *undo);
uint32_t state_set_commit(StateSet *set, uint64_t root, bool *is_new);
/* Makes `s` state number `id`. Not for sets that lose states. */
void state_set_get(const StateSet *set, uint32_t id, State *s);
uint32_t state_set_count(const StateSet *set);

/* ---- of any kind ---- */

/* Has this set no numbers for states, only hashes? */
bool state_set_has_hashes(const StateSet *set);
/* As state_set_update, but returns the state's hash if there are no numbers. */
uint64_t state_set_visit(StateSet *set, TreeCursor *c, const State *old, const State *new, TreeUndo *undo,
                         bool *is_new);

/* Of a set that has only hashes: adds one that is no state's, or asks for it. */
bool state_set_has_hash(StateSet *set, uint64_t hash);
void state_set_add_hash(StateSet *set, uint64_t hash);

/* ---- without numbers ---- */

struct Seen;
struct Seen *state_set_seen(StateSet *set);

/* ---- figures ---- */

/* Members of the set; a bitstate set may have others than states. */
uint64_t state_set_members(const StateSet *set);
size_t state_set_memory(const StateSet *set);
/* The part of it that is hash tables. */
size_t state_set_index_memory(const StateSet *set);
uint64_t state_set_conflicts(const StateSet *set);

#endif
