/* hash_stack.c: the states on a stack; see hash_stack.h. */
#include "hash_stack.h"

#include <string.h>

#include "util.h"

enum { FIRST_STACK_SLOTS = 1 << 10 };

/* Where a hash is, or would be put. */
static uint64_t stack_slot(const HashStack *s, uint64_t hash)
{
    uint64_t slot = mix64(hash) & (s->slots - 1);
    while (s->table[slot] && s->table[slot] != hash) slot = (slot + 1) & (s->slots - 1);
    return slot;
}

/* Makes an empty table and puts everything in, in the order it came. */
static void make_stack_table(HashStack *s, uint64_t slots)
{
    s->slots = slots;
    s->table = big_resize(NULL, 0, slots * sizeof *s->table);
    for (size_t i = 0; i < s->n; i++) s->table[stack_slot(s, s->hashes[i])] = s->hashes[i];
}

void hash_stack_init(HashStack *s)
{
    memset(s, 0, sizeof *s);
    make_stack_table(s, FIRST_STACK_SLOTS);
}

void hash_stack_free(HashStack *s)
{
    xfree(s->hashes);
    big_free(s->table, s->slots * sizeof *s->table);
    memset(s, 0, sizeof *s);
}

void hash_stack_push(HashStack *s, uint64_t hash)
{
    if (s->n == s->capacity) {
        s->capacity = s->capacity + s->capacity / 2 + 64;
        s->hashes = xrealloc(s->hashes, s->capacity * sizeof *s->hashes);
    }
    if (2 * s->n >= s->slots) {
        big_free(s->table, s->slots * sizeof *s->table);
        make_stack_table(s, 2 * s->slots);
    }
    s->hashes[s->n++] = hash;
    s->table[stack_slot(s, hash)] = hash;
}

void hash_stack_pop(HashStack *s) { s->table[stack_slot(s, s->hashes[--s->n])] = 0; }

bool hash_stack_contains(const HashStack *s, uint64_t hash) { return s->table[stack_slot(s, hash)] != 0; }
