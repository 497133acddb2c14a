/* plain_set.c: states as they are; see plain_set.h. */
#include "plain_set.h"

#include <string.h>

#include "util.h"

enum { FIRST_SLOTS_PLAIN = 1 << 10, FIRST_BYTES = 1 << 16, PLACE_LOG2 = 40 };
#define PLACE_MASK ((UINT64_C(1) << PLACE_LOG2) - 1)

static uint64_t vector_hash(const unsigned char *v, uint32_t size)
{
    uint64_t hash = size;
    for (uint32_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, v + i, size - i < 8 ? size - i : 8);
        hash = mix64(hash ^ word) + i;
    }
    return hash;
}

static const unsigned char *vector_at(const PlainSet *p, uint32_t id)
{
    return p->bytes + 8 * (p->places[id] & PLACE_MASK);
}

static const Shape *shape_at(const PlainSet *p, uint32_t id)
{
    Header header;
    memcpy(&header, vector_at(p, id), sizeof header);
    return shape_by_id(header.shape);
}

void plain_set_init(PlainSet *p)
{
    memset(p, 0, sizeof *p);
    p->slots = FIRST_SLOTS_PLAIN;
    p->index = big_resize(NULL, 0, p->slots * sizeof *p->index);
}

void plain_set_free(PlainSet *p)
{
    big_free(p->bytes, p->bytes_capacity);
    big_free(p->places, p->places_capacity * sizeof *p->places);
    big_free(p->index, p->slots * sizeof *p->index);
}

/* Twice the slots; every state is entered anew. */
static void plain_index_grow(PlainSet *p)
{
    big_free(p->index, p->slots * sizeof *p->index);
    p->slots *= 2;
    p->index = big_resize(NULL, 0, p->slots * sizeof *p->index);
    for (uint32_t id = 0; id < p->count; id++) {
        uint64_t slot = vector_hash(vector_at(p, id), shape_at(p, id)->size) & (p->slots - 1);
        while (p->index[slot]) slot = (slot + 1) & (p->slots - 1);
        p->index[slot] = id + 1;
    }
}

static void plain_reserve(PlainSet *p, uint32_t size)
{
    if (p->count == UINT32_MAX - 1) die("too many states for this version (2^32)");
    if (p->count == p->places_capacity) {
        uint32_t n = p->count + p->count / 4 + 1024;
        p->places = big_resize(p->places, p->places_capacity * sizeof *p->places, n * sizeof *p->places);
        p->places_capacity = n;
    }
    if (p->n_bytes + size > p->bytes_capacity) {
        size_t n = p->bytes_capacity + p->bytes_capacity / 4 + size + FIRST_BYTES;
        p->bytes = big_resize(p->bytes, p->bytes_capacity, n);
        p->bytes_capacity = n;
    }
}

static uint32_t plain_add(PlainSet *p, const State *s, uint64_t hash, uint64_t slot)
{
    uint32_t size = (s->size + 7u) & ~7u;
    plain_reserve(p, size);
    memcpy(p->bytes + p->n_bytes, s->v, s->size);
    p->places[p->count] = p->n_bytes / 8 | (hash & ~PLACE_MASK);
    p->n_bytes += size;
    p->index[slot] = ++p->count;
    if (p->count > p->slots / 4 * 3) plain_index_grow(p);
    return p->count - 1;
}

uint32_t plain_set_number(PlainSet *p, const State *s)
{
    uint64_t hash = vector_hash(s->v, s->size), slot = hash & (p->slots - 1);
    for (uint32_t entry; (entry = p->index[slot]) != 0; slot = (slot + 1) & (p->slots - 1), p->conflicts++) {
        uint32_t id = entry - 1;
        if ((p->places[id] ^ hash) & ~PLACE_MASK) continue;
        if (shape_at(p, id)->size == s->size && memcmp(vector_at(p, id), s->v, s->size) == 0) return id;
    }
    return plain_add(p, s, hash, slot);
}

void plain_set_get(const PlainSet *p, uint32_t id, State *s)
{
    s->shape = shape_at(p, id);
    s->size = s->shape->size;
    state_reserve(s, s->size);
    memcpy(s->v, vector_at(p, id), s->size);
}

size_t plain_set_index_memory(const PlainSet *p) { return p->slots * sizeof *p->index + p->count * sizeof *p->places; }

size_t plain_set_memory(const PlainSet *p) { return p->n_bytes + plain_set_index_memory(p); }
