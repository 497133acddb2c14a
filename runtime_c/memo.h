/* memo.h: what a process can do, remembered by what that depends on.
 *
 * The steps of a process depend on its own frame, on the globals its statements name and on the
 * channels they touch, and in all of a search these take few different values together, where
 * the rest of the state takes many. So the list of a process's steps, each with what it changes in the number
 * of a state (packing.h), is kept under the contents of the fields that were looked at when it was made, and
 * used again wherever these hold the same.
 *
 * What is looked at is found step by step: a node says which fields to look at next, and what they hold leads to
 * another node, until one has a list. Fields of few bits lead there by a table, others by hashing. The first node
 * belongs to the content of a process's frame, which the expansion keeps (expand.h).
 *
 * The memory is bounded. When it is full everything is forgotten.
 */
#ifndef HSFPY_MEMO_H
#define HSFPY_MEMO_H

#include "model.h"
#include "packed.h"
#include "util.h"

typedef enum ItemKind {
    ITEM_STEP,  /* a step, or in a list of replies the receiver's half of a rendezvous */
    ITEM_OFFER, /* the sender's half of a rendezvous */
    ITEM_FAULT  /* testing a guard raised a fault: no step */
} ItemKind;

enum ItemFlags {
    ITEM_ATOMIC = 1,     /* leads into an atomic sequence */
    ITEM_FAULTY = 2,     /* raises a fault (item_fault in expand.h) */
    ITEM_EXECUTE = 4,    /* its change is not known: the shape changes */
    ITEM_LOOSE = 8,      /* is not in the memo */
    ITEM_UNREACHED = 16, /* what it reaches may not have been marked as reached */
    ITEM_OTHER = 32,     /* is no step */
    ITEM_MOVED = 64      /* nothing is right any more but that `sum` says where it is now */
};

/* A step of a process in certain circumstances, and what it changes there. */
typedef struct Item {
    Packed change; /* exclusive or of the states before and after */
    uint64_t sum;  /* what it adds to the state's sum */
    uint32_t name; /* which step it is (step_names.h) */
    union {
        uint16_t length; /* of a step, in SPIN's steps */
        uint16_t offer;  /* of an offer in the memo: of no other one; 0: there are too many */
    } u;
    uint8_t kind;
    uint8_t flags;
} Item;
_Static_assert(sizeof(Item) == 32, "two in a line of cache");

/* Items one after the other. */
typedef struct ItemList {
    const Item *first;
    uint32_t n;
    uint32_t flags; /* of all of them together */
} ItemList;

typedef enum NodeKind {
    NODE_UNKNOWN, /* nobody has been here */
    NODE_LIST,
    NODE_FIELDS /* there are fields to look at */
} NodeKind;

typedef struct MemoNode {
    union {
        const Item *first; /* its list, */
        uint64_t number;   /* or its number, if it looks at fields */
    } u;
    uint16_t n;    /* items of its list, */
    uint8_t flags; /* and their flags together */
    uint8_t kind;
    uint32_t before; /* if it is found by hashing: number of the node before */
} MemoNode;

/* It lies next to the items of its list, mostly one, so that both come in one line of cache. */
typedef struct HashedNode {
    MemoNode node;
    Packed content; /* what the fields held that the node before looks at */
} HashedNode;
_Static_assert(sizeof(HashedNode) == sizeof(Item), "nodes and items come from the same arena");

/* The fields that a node looks at. */
typedef struct MemoLook {
    Packed fields;
    MemoNode *table; /* the nodes behind, if is_direct: by the bits of the fields, */
    uint32_t n;      /* so many */
    uint8_t shift;
    bool in_hi, is_direct;
} MemoLook;

/* Items that are handed out in order, never moved, and given back all at once. */
typedef struct ItemArena {
    Item **chunks;
    uint32_t n_chunks, capacity;
    uint32_t chunk; /* in use, */
    uint32_t used;  /* and how many items of it */
} ItemArena;

enum { CHUNK_ITEMS = 1 << 12 };

Item *items_take(ItemArena *a, uint32_t n);
/* The flags of n items together. */
uint32_t items_flags(const Item *first, uint32_t n);
void items_reset(ItemArena *a);
void items_free(ItemArena *a);

typedef struct Memo {
    ItemArena items; /* and hashed nodes */
    uint32_t *index; /* open addressing; by the number of a node's node before and what its fields hold: where it is */
    uint64_t n_index, count;
    MemoLook *looks; /* by number of a node */
    uint32_t n_numbers, looks_capacity;
    size_t table_bytes;   /* of all tables */
    uint32_t direct_bits; /* fields of so many bits have tables */
    uint16_t n_offers;
    bool has_grown; /* set when something is added; for those who ask now and then whether it is full */
} Memo;

void memo_init(Memo *m);
void memo_free(Memo *m);
/* Is there too much of it, as measured by the number of states? */
bool memo_is_full(const Memo *m, uint64_t n_states);
/* Forgets everything. Lists that were found are valid until then. Nodes outside have to be forgotten too. */
void memo_clear(Memo *m);

/* Where the way from a node ended without a list. */
typedef struct MemoEnd {
    MemoNode *first; /* where it began, */
    uint32_t last;   /* the number of the last node met, 0: the first one says nothing */
    Packed known;    /* all that was looked at */
} MemoEnd;

/* The fields that node number `number` looks at. */
static inline Packed memo_fields(const Memo *m, uint64_t number) { return m->looks[number].fields; }

/* A node of the memo's own to begin with: it is told by `before`, which is the number of no other node, and `content`.
 * NULL if there is none; then it can be made, to look at `fields`. */
MemoNode *memo_root(const Memo *m, uint32_t before, Packed content);
MemoNode *memo_add_root(Memo *m, uint32_t before, Packed content, Packed fields);

/* An entry of the index: where the node is among the items of the arena, and some bits of its hash. 0: there is none.
 */
enum { PLACE_IN_ARENA = 26, FIRST_IN_ARENA = 1, MOST_IN_ARENA = 1 << PLACE_IN_ARENA };

static inline uint64_t memo_hash(uint32_t before, uint64_t lo, uint64_t hi)
{
    uint64_t h = lo * UINT64_C(0x9FB21C651E98DF25) ^ (hi + before) * UINT64_C(0xC2B2AE3D27D4EB4F);
    h = (h ^ h >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return h ^ h >> 32;
}

static inline HashedNode *memo_indexed(const Memo *m, uint32_t entry)
{
    uint32_t place = entry & (MOST_IN_ARENA - 1);
    return (HashedNode *)(void *)&m->items.chunks[place / CHUNK_ITEMS][place % CHUNK_ITEMS];
}

/* The node behind another one, or NULL. */
static inline HashedNode *memo_behind(const Memo *m, uint32_t before, uint64_t lo, uint64_t hi)
{
    uint64_t hash = memo_hash(before, lo, hi);
    for (uint64_t i = hash & (m->n_index - 1);; i = (i + 1) & (m->n_index - 1)) {
        uint32_t entry = m->index[i];
        if (entry == 0) return NULL;
        if (entry >> PLACE_IN_ARENA != hash >> (32 + PLACE_IN_ARENA)) continue;
        HashedNode *found = memo_indexed(m, entry);
        if (LIKELY(found->node.before == before && found->content.lo == lo && found->content.hi == hi)) return found;
    }
}

/* Where the node behind a look is in its table. */
static inline uint64_t memo_index(const MemoLook *look, Packed state)
{
    return ((state.lo & look->fields.lo) | (state.hi & look->fields.hi)) >> look->shift; /* it looks at one of them */
}

extern const MemoNode memo_nowhere;

/* Goes from a node to one with a list, or to a place where there is none. Adds to *known what it looks at. */
static inline const MemoNode *memo_walk(const Memo *m, const MemoNode *node, Packed state, Packed *known)
{
    uint64_t lo = known->lo, hi = known->hi;
    while (node->kind == NODE_FIELDS) {
        const MemoLook *look = &m->looks[node->u.number];
        lo |= look->fields.lo;
        hi |= look->fields.hi;
        if (LIKELY(look->is_direct)) {
            uint64_t i = memo_index(look, state);
            node = LIKELY(i < look->n) ? &look->table[i] : &memo_nowhere;
        } else {
            const HashedNode *behind
                = memo_behind(m, (uint32_t)node->u.number, state.lo & look->fields.lo, state.hi & look->fields.hi);
            node = behind ? &behind->node : &memo_nowhere;
        }
    }
    known->lo = lo;
    known->hi = hi;
    return node;
}

/* The same, if there is none: where that was. */
MemoEnd memo_end(const Memo *m, MemoNode *first, Packed known, Packed state);
/* Makes a node say which fields to look at. */
void memo_set_fields(Memo *m, MemoNode *node, Packed fields);
/* Keeps a copy of a list that depends on `fields`, which may be more than those looked at so far, and makes
 * *list that copy. False if it is too long to be kept. */
bool memo_keep(Memo *m, MemoEnd *end, Packed fields, Packed state, ItemList *list);

#endif
