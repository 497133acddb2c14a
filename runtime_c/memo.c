/* memo.c: lists of steps by what they depend on; see memo.h. */
#include "memo.h"

#include <string.h>

#include "util.h"

/* ---- items ---- */

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
            a->chunks[a->n_chunks++] = xmalloc(CHUNK_ITEMS * sizeof **a->chunks);
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
    for (uint32_t i = 0; i < a->n_chunks; i++) xfree(a->chunks[i]);
    xfree(a->chunks);
    memset(a, 0, sizeof *a);
}

/* ---- nodes ---- */

enum { FIRST_NODES = 1 << 8, MOST_DIRECT_BITS = 9, LEAST_BYTES = 4 << 20, BYTES_PER_STATE = 2 };

const MemoNode memo_nowhere = {.kind = NODE_UNKNOWN};

static HashedNode *node_behind(const Memo *m, uint32_t before, Packed content)
{
    return memo_behind(m, before, content.lo, content.hi);
}

/* The node behind a look at a state. */
static const MemoNode *look_at(const Memo *m, uint32_t number, Packed state)
{
    const MemoLook *look = &m->looks[number];
    if (!look->is_direct) return &node_behind(m, number, packed_and(state, look->fields))->node;
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

static void nodes_new(Memo *m, uint64_t n)
{
    m->n_nodes = n;
    m->nodes = xcalloc(n, sizeof *m->nodes);
}

void memo_init(Memo *m)
{
    memset(m, 0, sizeof *m);
    m->direct_bits = MOST_DIRECT_BITS;
    nodes_new(m, FIRST_NODES);
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
    xfree(m->nodes);
}

static void nodes_grow(Memo *m)
{
    HashedNode *old = m->nodes;
    uint64_t n = m->n_nodes;
    nodes_new(m, 2 * n);
    for (uint64_t i = 0; i < n; i++)
        if (old[i].node.kind != NODE_UNKNOWN) *node_behind(m, old[i].node.before, old[i].content) = old[i];
    xfree(old);
}

/* A new node that is found by hashing; valid until the next is made. */
static MemoNode *add_hashed(Memo *m, uint32_t before, Packed content)
{
    if (++m->count > m->n_nodes / 8 * 5) nodes_grow(m);
    HashedNode *found = node_behind(m, before, content);
    found->node.before = before;
    found->content = content;
    return &found->node;
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
    MemoNode *node = &node_behind(m, before, content)->node;
    return node->kind == NODE_UNKNOWN ? NULL : node;
}

MemoNode *memo_add_root(Memo *m, uint32_t before, Packed content, Packed fields)
{
    MemoNode *node = add_hashed(m, before, content);
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
    return (uint64_t)m->items.chunk * CHUNK_ITEMS * sizeof(Item) + m->count * sizeof(HashedNode);
}

bool memo_is_full(const Memo *m, uint64_t n_states)
{
    return hashed_bytes(m) + m->table_bytes >= LEAST_BYTES + n_states * BYTES_PER_STATE;
}

void memo_clear(Memo *m)
{
    /* Tables that take most of much memory are too sparse. */
    if (m->table_bytes > LEAST_BYTES / 2 && m->table_bytes > hashed_bytes(m) && m->direct_bits > 0) m->direct_bits--;
    free_tables(m);
    items_reset(&m->items);
    memset(m->nodes, 0, m->n_nodes * sizeof *m->nodes);
    m->count = 0;
    m->n_offers = 0;
}
