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

enum { FIRST_NODES = 1 << 8 };

static MemoNode *node_behind(const Memo *m, uint32_t before, Packed content)
{
    return memo_behind(m, before, content.lo, content.hi);
}

MemoEnd memo_end(const Memo *m, MemoNode *first, Packed known, Packed state)
{
    MemoEnd end = {first, 0, {0, 0}, known};
    for (const MemoNode *node = first; node->kind == NODE_FIELDS;) {
        end.last = (uint32_t)node->u.number;
        end.fields = m->fields[end.last];
        end.known = packed_or(end.known, end.fields);
        node = node_behind(m, end.last, packed_and(state, end.fields));
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
    nodes_new(m, FIRST_NODES);
}

void memo_free(Memo *m)
{
    items_free(&m->items);
    xfree(m->fields);
    xfree(m->nodes);
}

static void nodes_grow(Memo *m)
{
    MemoNode *old = m->nodes;
    uint64_t n = m->n_nodes;
    nodes_new(m, 2 * n);
    for (uint64_t i = 0; i < n; i++)
        if (old[i].kind != NODE_UNKNOWN) *node_behind(m, old[i].before, old[i].content) = old[i];
    xfree(old);
}

/* A new node behind another one; valid until the next is made. */
static MemoNode *add_node(Memo *m, uint32_t before, Packed content)
{
    if (++m->count > m->n_nodes / 8 * 5) nodes_grow(m);
    MemoNode *node = node_behind(m, before, content);
    node->before = before;
    node->content = content;
    return node;
}

void memo_set_fields(Memo *m, MemoNode *node, Packed fields)
{
    if (++m->n_numbers >= m->fields_capacity) {
        m->fields_capacity = 2 * m->fields_capacity + 64;
        m->fields = xrealloc(m->fields, m->fields_capacity * sizeof *m->fields);
    }
    node->kind = NODE_FIELDS;
    node->u.number = m->n_numbers;
    m->fields[m->n_numbers] = fields;
}

MemoNode *memo_root(const Memo *m, uint32_t before, Packed content)
{
    MemoNode *node = node_behind(m, before, content);
    return node->kind == NODE_UNKNOWN ? NULL : node;
}

MemoNode *memo_add_root(Memo *m, uint32_t before, Packed content, Packed fields)
{
    MemoNode *node = add_node(m, before, content);
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
    MemoNode *node = end->last ? add_node(m, end->last, packed_and(state, end->fields)) : end->first;
    if (!packed_is_zero(more)) {
        memo_set_fields(m, node, more);
        end->known = packed_or(end->known, more);
        node = add_node(m, (uint32_t)node->u.number, packed_and(state, more));
    }
    set_list(m, node, list);
    return true;
}

bool memo_is_full(const Memo *m, uint64_t n_states)
{
    enum { LEAST_BYTES = 4 << 20, BYTES_PER_STATE = 2 };
    return (uint64_t)m->items.chunk * CHUNK_ITEMS * sizeof(Item) + m->count * sizeof(MemoNode)
           >= LEAST_BYTES + n_states * BYTES_PER_STATE;
}

void memo_clear(Memo *m)
{
    items_reset(&m->items);
    memset(m->nodes, 0, m->n_nodes * sizeof *m->nodes);
    m->count = 0;
    m->n_numbers = m->n_offers = 0;
}
