/* memo.c: lists of steps by what they depend on; see memo.h. */
#include "memo.h"

#include <string.h>

#include "util.h"

/* ---- items ---- */

/* Chunks begin with lines of cache. The first ones are small; those of a large arena lie together, on huge pages. */
enum { CHUNK_BYTES = CHUNK_ITEMS * sizeof(Item), CHUNK_BLOCK = 32, LINE_BYTES = 64 };

static bool begins_block(uint32_t chunk) { return chunk % CHUNK_BLOCK == 0 && chunk > 0; }

static Item *new_chunk(const ItemArena *a)
{
    uint32_t i = a->n_chunks;
    if (begins_block(i)) return big_resize(NULL, 0, (size_t)CHUNK_BLOCK * CHUNK_BYTES);
    if (i > CHUNK_BLOCK) return a->chunks[i - 1] + CHUNK_ITEMS;
    unsigned char *block = xmalloc(CHUNK_BYTES + LINE_BYTES + sizeof block), *chunk = block + sizeof block;
    chunk += -(uintptr_t)chunk & (LINE_BYTES - 1);
    memcpy(chunk - sizeof block, &block, sizeof block); /* for free_chunk */
    return (Item *)(void *)chunk;
}

static void free_chunk(const ItemArena *a, uint32_t i)
{
    void *block;
    if (begins_block(i)) big_free(a->chunks[i], (size_t)CHUNK_BLOCK * CHUNK_BYTES);
    if (i >= CHUNK_BLOCK) return;
    memcpy(&block, (unsigned char *)a->chunks[i] - sizeof block, sizeof block);
    xfree(block);
}

Item *items_take(ItemArena *a, uint32_t n)
{
    if (UNLIKELY(a->n_chunks == 0 || a->used + n > CHUNK_ITEMS)) {
        if (a->n_chunks) a->chunk++;
        a->used = 0;
        if (a->chunk >= a->n_chunks) {
            if (a->n_chunks == a->capacity) {
                a->capacity = 2 * a->capacity + 4;
                a->chunks = xrealloc(a->chunks, a->capacity * sizeof *a->chunks);
            }
            a->chunks[a->n_chunks] = new_chunk(a);
            a->n_chunks++;
        }
    }
    Item *items = a->chunks[a->chunk] + a->used;
    a->used += n;
    return items;
}

uint32_t items_flags(const Item *first, uint32_t n)
{
    uint32_t flags = 0;
    for (uint32_t i = 0; i < n; i++) flags |= first[i].flags;
    return flags;
}

void items_reset(ItemArena *a) { a->chunk = a->used = 0; }

void items_free(ItemArena *a)
{
    for (uint32_t i = 0; i < a->n_chunks; i++) free_chunk(a, i);
    xfree(a->chunks);
    memset(a, 0, sizeof *a);
}

/* ---- nodes ---- */

enum { FIRST_NODES = 1 << 9, MOST_DIRECT_BITS = 9, LEAST_BYTES = 4 << 20, BYTES_PER_STATE = 2 };

const MemoNode memo_nowhere = {.kind = NODE_UNKNOWN};

static HashedNode *node_behind(const Memo *m, uint32_t before, Packed content)
{
    return memo_behind(m, before, content.lo, content.hi);
}

/* The node behind a look at a state. */
static const MemoNode *look_at(const Memo *m, uint32_t number, Packed state)
{
    const MemoLook *look = &m->looks[number];
    if (!look->is_direct) {
        const HashedNode *found = node_behind(m, number, packed_and(state, look->fields));
        return found ? &found->node : &memo_nowhere;
    }
    uint64_t i = memo_index(look, state);
    return i < look->n ? &look->table[i] : &memo_nowhere;
}

MemoEnd memo_end(const Memo *m, MemoNode *first, Packed known, Packed state)
{
    MemoEnd end = {first, 0, known};
    for (const MemoNode *node = first; node->kind == NODE_FIELDS;) {
        end.last = (uint32_t)node->u.number;
        end.known = packed_or(end.known, memo_fields(m, end.last));
        node = look_at(m, end.last, state);
    }
    return end;
}

/* ---- keeping ---- */

static void memo_index_new(Memo *m, uint64_t n)
{
    m->n_index = n;
    m->index = big_resize(NULL, 0, n * sizeof *m->index);
}

void memo_init(Memo *m)
{
    memset(m, 0, sizeof *m);
    m->direct_bits = MOST_DIRECT_BITS;
    memo_index_new(m, FIRST_NODES);
    items_take(&m->items, FIRST_IN_ARENA);
}

static void free_tables(Memo *m)
{
    for (uint32_t i = 1; i <= m->n_numbers; i++) xfree(m->looks[i].table);
    m->table_bytes = 0;
    m->n_numbers = 0;
}

void memo_free(Memo *m)
{
    free_tables(m);
    items_free(&m->items);
    xfree(m->looks);
    big_free(m->index, m->n_index * sizeof *m->index);
}

/* Enters the node at a place of the arena into the index. */
static void memo_index_node(Memo *m, uint32_t place)
{
    const HashedNode *node = memo_indexed(m, place);
    uint64_t hash = memo_hash(node->node.before, node->content.lo, node->content.hi), i = hash & (m->n_index - 1);
    while (m->index[i]) i = (i + 1) & (m->n_index - 1);
    m->index[i] = (uint32_t)(hash >> (32 + PLACE_IN_ARENA)) << PLACE_IN_ARENA | place;
}

static void memo_index_grow(Memo *m)
{
    uint32_t *old = m->index;
    uint64_t n = m->n_index;
    memo_index_new(m, 2 * n);
    for (uint64_t i = 0; i < n; i++)
        if (old[i]) memo_index_node(m, old[i] & (MOST_IN_ARENA - 1));
    big_free(old, n * sizeof *old);
}

/* A new node that is found by hashing. It begins with a line of cache. */
static MemoNode *add_hashed(Memo *m, uint32_t before, Packed content)
{
    if (++m->count > m->n_index / 2) memo_index_grow(m);
    if (m->items.used % 2) items_take(&m->items, 1);
    HashedNode *node = (HashedNode *)(void *)items_take(&m->items, 1);
    *node = (HashedNode){{.kind = NODE_UNKNOWN, .before = before}, content};
    memo_index_node(m, m->items.chunk * CHUNK_ITEMS + m->items.used - 1);
    return &node->node;
}

static void table_reserve(Memo *m, MemoLook *look, uint32_t n)
{
    look->table = xrealloc(look->table, n * sizeof *look->table);
    memset(look->table + look->n, 0, (n - look->n) * sizeof *look->table);
    m->table_bytes += (n - look->n) * sizeof *look->table;
    look->n = n;
}

/* A new node behind a look at a state; valid until the next is made. */
static MemoNode *add_node(Memo *m, uint32_t number, Packed state)
{
    MemoLook *look = &m->looks[number];
    if (!look->is_direct) return add_hashed(m, number, packed_and(state, look->fields));
    uint32_t i = (uint32_t)memo_index(look, state);
    if (i >= look->n) table_reserve(m, look, i + i / 4 + 2);
    return &look->table[i];
}

/* Are these bits next to each other, and few enough for a table? */
static bool suit_table(const Memo *m, Packed fields)
{
    uint64_t bits = fields.hi ? fields.hi : fields.lo;
    if (packed_is_zero(fields) || (fields.lo && fields.hi)) return false;
    bits >>= lowest_bit(bits);
    return (bits & (bits + 1)) == 0 && bits < UINT64_C(1) << m->direct_bits;
}

void memo_set_fields(Memo *m, MemoNode *node, Packed fields)
{
    if (++m->n_numbers >= m->looks_capacity) {
        m->looks_capacity = 2 * m->looks_capacity + 64;
        m->looks = xrealloc(m->looks, m->looks_capacity * sizeof *m->looks);
    }
    MemoLook *look = &m->looks[m->n_numbers];
    *look = (MemoLook){.fields = fields, .in_hi = fields.hi != 0, .is_direct = suit_table(m, fields)};
    if (look->is_direct) look->shift = (uint8_t)lowest_bit(look->in_hi ? fields.hi : fields.lo);
    node->kind = NODE_FIELDS;
    node->u.number = m->n_numbers;
}

MemoNode *memo_root(const Memo *m, uint32_t before, Packed content)
{
    HashedNode *found = node_behind(m, before, content);
    return found ? &found->node : NULL;
}

MemoNode *memo_add_root(Memo *m, uint32_t before, Packed content, Packed fields)
{
    MemoNode *node = add_hashed(m, before, content);
    m->has_grown = true;
    memo_set_fields(m, node, fields);
    return node;
}

static void set_list(Memo *m, MemoNode *node, ItemList *list)
{
    Item *copy = items_take(&m->items, list->n);
    if (list->n) memcpy(copy, list->first, list->n * sizeof *copy);
    for (uint32_t i = 0; i < list->n; i++) {
        copy[i].flags &= (uint8_t)~ITEM_LOOSE;
        if (copy[i].kind == ITEM_OFFER && m->n_offers < UINT16_MAX) copy[i].u.offer = ++m->n_offers;
    }
    list->first = copy;
    list->flags &= ~(uint32_t)ITEM_LOOSE;
    node->kind = NODE_LIST;
    node->n = (uint16_t)list->n;
    node->flags = (uint8_t)list->flags;
    node->u.first = copy;
}

bool memo_keep(Memo *m, MemoEnd *end, Packed fields, Packed state, ItemList *list)
{
    Packed more = {fields.lo & ~end->known.lo, fields.hi & ~end->known.hi};
    if (list->n > CHUNK_ITEMS) return false;
    m->has_grown = true;
    MemoNode *node = end->last ? add_node(m, end->last, state) : end->first;
    if (!packed_is_zero(more)) {
        memo_set_fields(m, node, more);
        end->known = packed_or(end->known, more);
        node = add_node(m, (uint32_t)node->u.number, state);
    }
    set_list(m, node, list);
    return true;
}

static uint64_t hashed_bytes(const Memo *m)
{
    return (uint64_t)m->items.chunk * CHUNK_ITEMS * sizeof(Item) + m->n_index * sizeof *m->index;
}

bool memo_is_full(const Memo *m, uint64_t n_states)
{
    return hashed_bytes(m) + m->table_bytes >= LEAST_BYTES + n_states * BYTES_PER_STATE
           || m->items.chunk + 2 > MOST_IN_ARENA / CHUNK_ITEMS;
}

void memo_clear(Memo *m)
{
    /* Tables that take most of much memory are too sparse. */
    if (m->table_bytes > LEAST_BYTES / 2 && m->table_bytes > hashed_bytes(m) && m->direct_bits > 0) m->direct_bits--;
    free_tables(m);
    items_reset(&m->items);
    items_take(&m->items, FIRST_IN_ARENA);
    memset(m->index, 0, m->n_index * sizeof *m->index);
    m->count = 0;
    m->n_offers = 0;
}
