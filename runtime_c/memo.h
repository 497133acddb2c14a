/* memo.h: what a process can do, remembered by what that depends on.
 *
 * The steps of a process depend on its own frame, on the globals its statements name and on the
 * channels they touch, and in all of a search these take few different values together, where
 * the rest of the state takes many. So the list of a process's steps, each with the leaves it changes,
 * is kept under the contents of the slots (tree_layout.h) that were looked at when it was made, and
 * used again wherever these slots hold the same.
 *
 * Which slots are looked at first is known: the frame, and the globals of the location. Channels are
 * only found while guards and effects run. Then the list is kept in two stages or more: what is under
 * the first slots says which others to look at.
 *
 * The memory is bounded. When it is full everything is forgotten.
 */
#ifndef HSFPY_MEMO_H
#define HSFPY_MEMO_H

#include "model.h"
#include "tree_store.h"

typedef enum ItemKind {
    ITEM_STEP,  /* a step, or in a list of replies the receiver's half of a rendezvous */
    ITEM_OFFER, /* the sender's half of a rendezvous */
    ITEM_FAULT  /* testing a guard raised a fault: no step */
} ItemKind;

enum ItemFlags {
    ITEM_ATOMIC = 1, /* leads into an atomic sequence */
    ITEM_HAS_FAULT = 2,
    ITEM_EXECUTE = 4, /* its changes are not known: the shape changes */
    ITEM_REACHED = 8, /* what it reaches was marked as reached */
    ITEM_LEFT = 16,   /* changes the first half of the tree, */
    ITEM_RIGHT = 32   /* the second one */
};

/* A step of a process and what it changes. Words of eight bytes follow: text and fatality of its
 * fault, if it has one; then, if its changes are known, what they add to the sum of each half, and
 * n_changes words of slot and content. */
typedef struct Item {
    uint32_t id;         /* in the memo: of no other item; else 0 */
    uint32_t transition; /* index */
    uint32_t reply;      /* index of the receiver's transition, or NO_REPLY; of an offer, its channel */
    int16_t pid, reply_pid;
    uint8_t kind;
    uint8_t flags;
    uint8_t n_changes;
    uint8_t n_words; /* that follow */
    uint32_t unused;
} Item;

#define NO_REPLY UINT32_MAX
enum { ITEM_WORDS = sizeof(Item) / 8, FAULT_WORDS = 2, SUM_WORDS = 2, MAX_ITEM_WORDS = 255 };
_Static_assert(sizeof(Item) == 24, "items are counted in words of eight bytes");

static inline const uint64_t *item_words(const Item *item) { return (const uint64_t *)(const void *)(item + 1); }

static inline const uint64_t *item_sums(const Item *item)
{
    return item_words(item) + (item->flags & ITEM_HAS_FAULT ? FAULT_WORDS : 0);
}

static inline const uint64_t *item_changes(const Item *item) { return item_sums(item) + SUM_WORDS; }

static inline const Item *item_next(const Item *item)
{
    return (const Item *)(const void *)(item_words(item) + item->n_words);
}

static inline uint64_t change_word(uint32_t slot, uint32_t content) { return slot | (uint64_t)content << 32; }
static inline uint32_t change_slot(uint64_t change) { return (uint32_t)change; }
static inline uint32_t change_content(uint64_t change) { return (uint32_t)(change >> 32); }

/* Memory that is handed out in order, never moved, and given back all at once. */
typedef struct Arena {
    uint64_t **chunks;
    uint32_t n_chunks, capacity;
    uint32_t chunk; /* in use, */
    uint32_t used;  /* and how many words of it */
} Arena;

enum { CHUNK_WORDS = 1 << 15 };

uint64_t *arena_take(Arena *a, uint32_t n_words);
void arena_reset(Arena *a);
void arena_free(Arena *a);

/* Items one after the other. */
typedef struct ItemList {
    const Item *first;
    uint32_t n;
} ItemList;

/* Under what a list is kept: whose steps, and what the slots hold. */
typedef struct MemoKey {
    uint64_t whose;
    uint64_t slots;
    uint64_t known; /* slots of this stage and those before: when a list was found, all it depends on */
} MemoKey;

typedef struct Memo {
    Arena arena;
    uint64_t *index; /* open addressing; places in the arena, with the upper half of the hash; 0: none */
    uint64_t n_index;
    uint64_t count;
    uint32_t shift;
} Memo;

void memo_init(Memo *m);
void memo_free(Memo *m);
/* Is there too much of it, as measured by the number of states? */
bool memo_is_full(const Memo *m, uint64_t n_states);
/* Forgets everything. Lists that were found are valid until then. */
void memo_clear(Memo *m);
size_t memo_memory(const Memo *m);

/* Looks for a list. If there is none, *key says where it belongs, for memo_keep. */
bool memo_find(const Memo *m, MemoKey *key, const TreeCursor *c, ItemList *list);
/* Keeps a copy of a list of n_words that depends on `slots`, which may be more than those of the key,
 * and makes *list that copy. False if it is too long to be kept. */
bool memo_keep(Memo *m, MemoKey *key, uint64_t slots, const TreeCursor *c, ItemList *list, uint32_t n_words);

/* The steps of a process in states of a shape, */
static inline MemoKey memo_key(uint32_t shape, int pid, uint64_t slots)
{
    return (MemoKey){shape | (uint64_t)(unsigned)pid << 32, slots, slots};
}

/* and those in which it takes what another one offers. */
static inline MemoKey memo_reply_key(uint32_t offer_id, int pid, uint64_t slots)
{
    return (MemoKey){UINT64_C(1) << 62 | offer_id | (uint64_t)(unsigned)pid << 32, slots, slots};
}

#endif
