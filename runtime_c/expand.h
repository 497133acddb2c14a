/* expand.h: all steps of a state at once, with the roots of the states they lead to.
 *
 * The same steps in the same order as with a StepIterator (steps.h). Most are not computed but
 * remembered (memo.h), as changes of the state's tree; guards and effects run only for processes in
 * circumstances that are new. Nothing is marked as reached and no fault is reported: that is for the
 * search to do when the step's turn comes.
 *
 * Going from state to state, only processes that depend on what changed are asked again, and the
 * vector is brought up to date only when somebody looks at it.
 */
#ifndef HSFPY_EXPAND_H
#define HSFPY_EXPAND_H

#include "ample.h"
#include "half_cache.h"
#include "memo.h"
#include "model.h"
#include "state_set.h"
#include "steps.h"

typedef struct Successor {
    const Item *item; /* valid until the next expansion; if it has an id, until the memo is cleared */
    uint64_t root;    /* of the state it leads to, if that is to be stored, else 0 */
} Successor;

/* What a process can do, and the slots that depends on. */
typedef struct KnownSteps {
    ItemList list;
    uint64_t slots; /* NOT_KNOWN: it must be asked */
    AmpleAnswer stands;
} KnownSteps;

/* How often the memo was asked about a location, and how often it knew. */
typedef struct MemoUse {
    uint32_t asked, known;
} MemoUse;

typedef struct Expansion {
    /* What is asked for. */
    State *now;         /* the state, and its tree. The vector may be out of date: */
    TreeCursor *cursor; /* that is for expansion_vector to mend */
    uint64_t stale;     /* slots whose contents are not in the vector */
    uint64_t changed;   /* slots that changed since all processes were asked the last time */
    int only;           /* process to ask, CLAIM_PID, or ALL_PROCESSES */
    bool cuts_offers;   /* the depth limit lies between the halves of a rendezvous */
    bool stores;        /* states outside atomic sequences are stored: find their roots */
    bool keeps_owner;   /* those inside too: the header names the process in control. Set once */
    uint8_t unknown;    /* halves of the state itself that were never looked up, one bit each */
    /* What was found. */
    Successor *items;
    uint32_t n, capacity;
    bool any;       /* some step was found */
    bool offered;   /* some rendezvous was offered */
    uint32_t n_cut; /* offers not followed because of the depth limit */
    /* While looking. */
    StateSet *set; /* NULL: only steps are wanted, not what they change */
    TreeStore *trees;
    Memo memo;
    HalfCache halves;
    bool remembers;
    KnownSteps *known;        /* by pid, */
    int n_known;              /* as far as there were ever processes */
    uint32_t *first_location; /* by proctype: the number of its first location among all */
    uint8_t *location_flags;  /* by that number, */
    MemoUse *memo_use;        /* and this too */
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
/* Finds all steps of the state. */
void expand(Expansion *x);
/* The next process after `after` (-1: the first one) that can stand for all (ample.h) and has steps; -1 if there is
 * none. */
int expansion_ample(Expansion *x, int after);
/* The state's vector, brought up to date. */
State *expansion_vector(Expansion *x);
/* To be called when the state has become one of another shape. */
void expansion_reshaped(Expansion *x);
/* Has so much been remembered that it should be forgotten? Items found before are not valid afterwards. */
bool expansion_is_full(const Expansion *x);
void expansion_forget(Expansion *x);
/* Executes a step: changes `s` into its successor. */
void expand_take(State *s, const Step *step);
/* Marks what a step reaches. */
void expand_mark(const State *s, const Step *step);
Step item_step(const Item *item);
/* The fault that an item raises, if it has one. */
Fault item_fault(const Item *item);

#endif
