/* expand.h: all steps of a state at once, with the states they lead to.
 *
 * The same steps in the same order as with a StepIterator (steps.h). Most are not computed but
 * remembered (memo.h), as changes of the state's number (packing.h); guards and effects run only for processes in
 * circumstances that are new (run_steps.c). Nothing is marked as reached and no fault is reported: that is for the
 * search to do when the step's turn comes.
 *
 * Going from state to state, only processes that depend on what changed are asked again, and the
 * vector is brought up to date only when somebody looks at it.
 */
#ifndef HSFPY_EXPAND_H
#define HSFPY_EXPAND_H

#include "ample.h"
#include "memo.h"
#include "model.h"
#include "packing.h"
#include "seen.h"
#include "step_names.h"
#include "steps.h"

typedef struct Successor {
    const Item *item;  /* valid until the next expansion; if it is not ITEM_LOOSE, until the memo is cleared */
    PackedPlace place; /* of where a step leads, if that is to be stored (is_placed) */
} Successor;
_Static_assert(sizeof(Successor) == 32, "two in a line of cache");

/* What was found at a state. */
typedef struct Successors {
    PackedState from; /* the state */
    Successor *items;
    PackedState *executed; /* by the same index: where items lead that are ITEM_EXECUTE */
    uint32_t n, capacity;
    uint32_t flags; /* of all items together */
    bool any;       /* some step was found */
    bool offered;   /* some rendezvous was offered */
    uint32_t n_cut; /* offers not followed because of the depth limit */
} Successors;

void successors_free(Successors *s);

/* Where a step leads. */
static inline PackedState successor_state(const Successors *s, uint32_t i)
{
    const Item *item = s->items[i].item;
    if (UNLIKELY(item->flags & ITEM_EXECUTE)) return s->executed[i];
    return (PackedState){packed_xor(s->from.number, item->change), s->from.sum + item->sum};
}

/* What a process can do. */
typedef struct KnownSteps {
    ItemList list;
    Item *own; /* room for a list that is not worth remembering */
    uint32_t own_capacity;
    uint32_t n_more; /* lists of other parts of its location, in Expansion.more */
} KnownSteps;

/* Options of a location that depend on different things, say on different channels, are asked and remembered one by
 * one: together they would depend on all combinations. */
enum { MOST_PARTS = 4 };
typedef struct LocationParts {
    uint8_t n;
    uint16_t end[MOST_PARTS]; /* the first transition after each part */
} LocationParts;

/* A set of processes. */
enum { PID_WORDS = (MAX_PROCESSES + 64) / 64 };

/* The fields that what processes can do depends on, by pid; all of them if it is known for one state only. */
typedef struct KnownFields {
    uint64_t lo[64 * PID_WORDS], hi[64 * PID_WORDS];
} KnownFields;
typedef struct PidSet {
    uint64_t words[PID_WORDS];
} PidSet;

/* What is known about the frames of a process, by the number of the content of their first field. */
typedef struct FrameNode {
    MemoNode memo;
    MemoNode *others;  /* the same for parts of the location after the first one; NULL if there are none */
    uint32_t location; /* its number plus one; 0: not known yet */
    uint32_t known;    /* how often the memo knew what can be done */
    uint32_t stands;   /* whether the process can stand for all here: AmpleAnswer */
} FrameNode;

typedef struct FrameNodes {
    FrameNode *nodes;
    uint32_t n;
    uint32_t shift; /* where the field's bits begin, in one word or the other, */
    Packed mask;    /* and which they are */
} FrameNodes;

typedef struct Expansion {
    /* What is asked for. */
    PackedState at;    /* the state */
    int only;          /* process to ask, CLAIM_PID, or ALL_PROCESSES */
    bool cuts_offers;  /* the depth limit lies between the halves of a rendezvous */
    bool stores;       /* states outside atomic sequences are stored */
    bool keeps_owner;  /* those inside too: the header names the process in control. Set once */
    bool is_narrow;    /* numbers are looked up as they are, and have one word */
    Successors *found; /* where what is found goes: `own`, unless a search lends something else */
    Successors own;
    /* While looking. */
    Seen *seen; /* NULL: only steps are wanted, not what they change; the state is `now` */
    Packing packing;
    PackedLayout *layout; /* of the state */
    State *now;           /* its vector, which may be out of date: that is for expansion_vector to mend */
    State vector;
    Packed vector_number; /* the state it is a vector of, */
    bool has_vector;      /* if it is one */
    Memo memo;
    bool remembers;
    KnownSteps *known;                /* by pid, */
    KnownFields *fields;              /* what each depends on, */
    int n_known;                      /* as far as there are processes, */
    ItemList (*more)[MOST_PARTS - 1]; /* and lists after the first */
    PidSet unknown;                   /* those that must be asked, */
    PidSet unjudged;                  /* and those of which it is not known whether they can stand for all (ample.h). */
    PidSet standing;                  /* Those that can, and have steps, */
    PidSet doubtful;                  /* or perhaps can: that depends on where others are */
    Packed asked;                     /* for this state, */
    bool has_asked;                   /* if for any */
    FrameNodes **frames;              /* by layout, then by pid */
    uint32_t n_frames;
    FrameNodes *frames_here;  /* of the state's layout */
    uint32_t *first_location; /* by proctype: the number of its first location among all */
    uint32_t n_locations;
    uint8_t *location_flags; /* by that number, */
    LocationParts *location_parts;
    uint32_t *n_learnt; /* and how often something was found there that the memo did not know */
    ItemArena scratch;  /* items that are not in the memo */
    Item *list;         /* the list being made */
    uint32_t n_listed, list_capacity;
    State work;   /* equal to `now` except while a step is tried */
    State middle; /* between the halves of a rendezvous */
} Expansion;

enum { ALL_PROCESSES = -3 };

/* `seen` may be NULL: then only steps are found, and executed by expand_take. */
void expansion_init(Expansion *x, Seen *seen);
void expansion_free(Expansion *x);
/* The state that a vector describes, ready to be expanded. May overflow the packing. */
PackedState expansion_pack(Expansion *x, const State *s);
/* Finds all steps of the state. False if the packing overflows: then nothing was found, and expansion_repack must come
 * first. */
bool expand(Expansion *x);
/* The same for the steps of a process that expansion_ample has named. */
bool expand_ample(Expansion *x, int pid);
/* The next process after `after` (-1: the first one) that can stand for all (ample.h) and has steps; -1 if there is
 * none. */
int expansion_ample(Expansion *x, int after);
/* The state's vector, brought up to date. */
State *expansion_vector(Expansion *x);
/* Has so much been remembered that it should be forgotten? Items found before are not valid afterwards. */
bool expansion_is_full(Expansion *x);
void expansion_forget(Expansion *x);
/* Gives states other numbers; those the search keeps are named by `each_state`, which calls `visit` for all of them.
 * Items found before are not valid afterwards. Sums stay as they are. */
typedef void (*PackedVisit)(void *context, PackedState *state);
void expansion_repack(Expansion *x, void (*each_state)(PackedVisit visit, void *context));
/* Some items were found to be reached and are not ITEM_UNREACHED any more: so may be lists of the state. */
void expansion_note_reached(Expansion *x);
/* Executes a step: changes `s` into its successor. */
void expand_take(State *s, const Step *step);
/* Marks what a step reaches. */
void expand_mark(const State *s, const Step *step);
static inline StepName *item_name(const Item *item) { return &step_names[item->name]; }

static inline Step named_step(const StepName *name)
{
    const Transition *reply = !name->is_step || name->reply == NO_REPLY ? NULL : &model.transitions[name->reply];
    return (Step){&model.transitions[name->transition], reply, name->pid, name->reply_pid, name->chained};
}

static inline Step item_step(const Item *item) { return named_step(item_name(item)); }

/* The fault that an item raises, if it has one. */
Fault item_fault(const Item *item);

#endif
