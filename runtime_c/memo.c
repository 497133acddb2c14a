/* memo.c: lists of steps by what they depend on; see memo.h. */
#include "memo.h"

#include <string.h>

#include "util.h"

/* ---- the arena ---- */

static void add_chunk(Arena *a, uint32_t n_words)
{
    if (a->n_chunks == a->capacity) {
        a->capacity = 2 * a->capacity + 4;
        a->chunks = xrealloc(a->chunks, a->capacity * sizeof *a->chunks);
    }
    a->chunks[a->n_chunks++] = xmalloc((n_words > CHUNK_WORDS ? n_words : CHUNK_WORDS) * sizeof **a->chunks);
}

uint64_t *arena_take(Arena *a, uint32_t n_words)
{
    if (UNLIKELY(a->n_chunks == 0 || a->used + n_words > CHUNK_WORDS)) {
        if (n_words > CHUNK_WORDS)
            a->chunk = a->n_chunks; /* one of its own */
        else if (a->n_chunks)
            a->chunk++;
        a->used = 0;
        if (a->chunk >= a->n_chunks) add_chunk(a, n_words);
    }
    uint64_t *p = a->chunks[a->chunk] + a->used;
    a->used += n_words;
    return p;
}

void arena_reset(Arena *a) { a->chunk = a->used = 0; }

void arena_free(Arena *a)
{
    for (uint32_t i = 0; i < a->n_chunks; i++) xfree(a->chunks[i]);
    xfree(a->chunks);
    memset(a, 0, sizeof *a);
}

static uint64_t *arena_at(const Arena *a, uint32_t place)
{
    return a->chunks[place / CHUNK_WORDS] + place % CHUNK_WORDS;
}

/* The place of what was taken last. */
static uint32_t arena_place(const Arena *a, uint32_t n_words) { return a->chunk * CHUNK_WORDS + a->used - n_words; }

/* ---- entries ---- */

/* An entry is: whose steps; the contents of the slots, two in a word; then either the number of items
 * and the items, or STAGE and the slots to look at next. Of a later stage, `whose` is the place
 * of the stage before. */
#define STAGE UINT64_MAX
#define LATER_STAGE (UINT64_C(1) << 63)

enum { FIRST_MEMO_INDEX = 1 << 10, MAX_KEY_SLOTS = 24 };

typedef struct EntryKey {
    uint64_t words[1 + MAX_KEY_SLOTS / 2];
    uint32_t n;
    uint64_t hash;
} EntryKey;

/* False if there are too many slots to be a key. */
static inline bool make_entry_key(EntryKey *e, const MemoKey *key, const TreeCursor *c)
{
    uint64_t hash = key->whose * UINT64_C(0x9FB21C651E98DF25);
    uint32_t n = 1;
    e->words[0] = key->whose;
    for (uint64_t slots = key->slots; slots;) {
        uint64_t word = tree_slot(c, lowest_bit(slots));
        slots &= slots - 1;
        if (slots) word |= (uint64_t)tree_slot(c, lowest_bit(slots)) << 32;
        slots &= slots - 1; /* 0 stays 0 */
        if (UNLIKELY(n > MAX_KEY_SLOTS / 2)) return false;
        e->words[n++] = word;
        hash = (hash ^ hash >> 32 ^ word) * UINT64_C(0xD6E8FEB86659FD93);
    }
    e->n = n;
    e->hash = (hash ^ hash >> 29) * UINT64_C(0xC2B2AE3D27D4EB4F);
    return true;
}

static inline bool key_equal(const uint64_t *entry, const EntryKey *key)
{
    uint64_t differ = 0;
    for (uint32_t i = 0; i < key->n; i++) differ |= entry[i] ^ key->words[i];
    return differ == 0;
}

/* The place of the entry with this key, 0 if there is none. */
static inline uint32_t find_entry(const Memo *m, const EntryKey *key)
{
    for (uint64_t i = key->hash >> m->shift;; i = (i + 1) & (m->n_index - 1)) {
        uint64_t found = m->index[i];
        if (found == 0) return 0;
        if (((found ^ key->hash) >> 32) == 0 && LIKELY(key_equal(arena_at(&m->arena, (uint32_t)found), key)))
            return (uint32_t)found;
    }
}

bool memo_find(const Memo *m, MemoKey *key, const TreeCursor *c, ItemList *list)
{
    EntryKey e;
    while (make_entry_key(&e, key, c)) {
        uint32_t place = find_entry(m, &e);
        if (place == 0) return false;
        const uint64_t *entry = arena_at(&m->arena, place) + e.n;
        if (entry[0] != STAGE) {
            *list = (ItemList){(const Item *)(const void *)(entry + 1), (uint32_t)entry[0]};
            return true;
        }
        *key = (MemoKey){LATER_STAGE | place, entry[1], key->known | entry[1]};
    }
    return false;
}

/* ---- keeping ---- */

static void memo_index_new(Memo *m, uint64_t n)
{
    m->n_index = n;
    for (m->shift = 64; n > 1; n /= 2) m->shift--;
    m->index = xcalloc(m->n_index, sizeof *m->index);
    m->count = 0;
}

void memo_init(Memo *m)
{
    memset(m, 0, sizeof *m);
    memo_index_new(m, FIRST_MEMO_INDEX);
    arena_take(&m->arena, 1); /* place 0 means none */
}

void memo_free(Memo *m)
{
    arena_free(&m->arena);
    xfree(m->index);
}

size_t memo_memory(const Memo *m)
{
    return m->arena.n_chunks * CHUNK_WORDS * sizeof(uint64_t) + m->n_index * sizeof *m->index;
}

static void index_entry(Memo *m, uint64_t hash, uint32_t place)
{
    uint64_t i = hash >> m->shift;
    while (m->index[i]) i = (i + 1) & (m->n_index - 1);
    m->index[i] = (hash & ~(uint64_t)UINT32_MAX) | place;
    m->count++;
}

static void index_grow(Memo *m)
{
    uint64_t *old = m->index, n = m->n_index;
    memo_index_new(m, 2 * n);
    for (uint64_t i = 0; i < n; i++)
        if (old[i]) index_entry(m, old[i], (uint32_t)old[i]);
    xfree(old);
}

/* Makes an entry with so many words behind its key. */
static uint64_t *new_entry(Memo *m, const EntryKey *key, uint32_t n_words, uint32_t *place)
{
    if (m->count >= m->n_index / 2) index_grow(m);
    uint64_t *entry = arena_take(&m->arena, key->n + n_words);
    *place = arena_place(&m->arena, key->n + n_words);
    memcpy(entry, key->words, key->n * sizeof *entry);
    index_entry(m, key->hash, *place);
    return entry + key->n;
}

/* Makes the key one of a later stage, which looks at `more`. */
static bool add_stage(Memo *m, MemoKey *key, uint64_t more, const TreeCursor *c)
{
    EntryKey e;
    uint32_t place;
    if (!make_entry_key(&e, key, c)) return false;
    uint64_t *entry = new_entry(m, &e, 2, &place);
    entry[0] = STAGE;
    entry[1] = more;
    *key = (MemoKey){LATER_STAGE | place, more, key->known | more};
    return true;
}

/* Items of the memo are told apart by their places in it. */
static void number_items(const ItemList *list, uint32_t place)
{
    Item *item = (Item *)list->first;
    for (uint32_t i = 0; i < list->n; i++) {
        item->id = place;
        place += ITEM_WORDS + item->n_words;
        item = (Item *)item_next(item);
    }
}

bool memo_keep(Memo *m, MemoKey *key, uint64_t slots, const TreeCursor *c, ItemList *list, uint32_t n_words)
{
    uint64_t more = slots & ~key->known;
    EntryKey e;
    uint32_t place;
    if (n_words > CHUNK_WORDS / 2 || (more && !add_stage(m, key, more, c)) || !make_entry_key(&e, key, c)) return false;
    uint64_t *to = new_entry(m, &e, 1 + n_words, &place);
    to[0] = list->n;
    if (n_words) memcpy(to + 1, list->first, n_words * sizeof *to);
    list->first = (const Item *)(const void *)(to + 1);
    number_items(list, place + e.n + 1);
    return true;
}

bool memo_is_full(const Memo *m, uint64_t n_states)
{
    enum { LEAST_BYTES = 4 << 20, BYTES_PER_STATE = 1 };
    return m->arena.chunk * CHUNK_WORDS * 8 >= LEAST_BYTES + n_states * BYTES_PER_STATE;
}

void memo_clear(Memo *m)
{
    arena_reset(&m->arena);
    arena_take(&m->arena, 1); /* place 0 means none */
    memset(m->index, 0, m->n_index * sizeof *m->index);
    m->count = 0;
}
