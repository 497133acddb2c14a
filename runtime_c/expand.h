/* expand.h: all steps of a state at once, with the roots of the states they lead to.
 *
 * The same steps in the same order as with a StepIterator (steps.h). Most are not computed but
 * remembered (memo.h), as changes of the state's tree; guards and effects run only for processes in
 * circumstances that are new. Nothing is marked as reached and no fault is reported: that is for the
 * search to do when the step's turn comes.
 *
 * The halves of all successors are looked up together, so that they wait for memory together.
 */
#ifndef HSFPY_EXPAND_H
#define HSFPY_EXPAND_H

#include "memo.h"
#include "model.h"
#include "state_set.h"
#include "steps.h"

typedef struct Successor {
    const Item *item; /* valid until the next expansion */
    uint64_t root;    /* if has_root */
    uint64_t hash[2]; /* while looking: of the halves to be looked up */
    uint8_t lookups;  /* one bit for each half that has to be */
    bool has_root;    /* leads to a state that is stored */
} Successor;

typedef struct Expansion {
    /* What is asked for. */
    int only;         /* process to ask, CLAIM_PID, or ALL_PROCESSES */
    bool cuts_offers; /* the depth limit lies between the halves of a rendezvous */
    bool stores;      /* states outside atomic sequences are stored: find their roots */
    uint8_t unknown;  /* halves of the state itself that were never looked up, one bit each */
    /* What was found. */
    Successor *items;
    uint32_t n, capacity;
    bool any;       /* some step was found */
    bool offered;   /* some rendezvous was offered */
    uint32_t n_cut; /* offers not followed because of the depth limit */
    /* While looking. */
    StateSet *set; /* NULL: only steps are wanted, not what they change */
    TreeStore *trees;
    TreeCursor *cursor;
    const State *now;
    Memo memo;
    bool remembers;
    uint32_t *first_location; /* by proctype: the number of its first location among all */
    uint8_t *location_flags;  /* by that number */
    Arena scratch;            /* items that are not in the memo */
    uint64_t *list;           /* the list being made */
    uint32_t n_listed, n_list_words, list_capacity;
    State work;   /* equal to `now` except while a step is tried */
    State middle; /* between the halves of a rendezvous */
} Expansion;

enum { ALL_PROCESSES = -3 };

/* `set` may be NULL: then only steps are found, and executed by expand_take. */
void expansion_init(Expansion *x, StateSet *set);
void expansion_free(Expansion *x);
/* Finds all steps of `now`, which the cursor describes. */
void expand(Expansion *x, const State *now, TreeCursor *cursor);
/* Executes a step: changes `s` into its successor. */
void expand_take(State *s, const Step *step);
/* Marks what a step reaches. */
void expand_mark(const State *s, const Step *step);
Step item_step(const Item *item);

#endif
