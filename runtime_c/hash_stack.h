/* hash_stack.h: the states on the stack of a search that has no numbers for states, by their hashes.
 *
 * They leave in the order opposite to that in which they came, so what is taken out of the table
 * was always put in last, and nothing behind it can have been put there because of it: its place is
 * simply emptied.
 */
#ifndef HSFPY_HASH_STACK_H
#define HSFPY_HASH_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HashStack {
    uint64_t *hashes; /* from the bottom of the stack */
    size_t n, capacity;
    uint64_t *table; /* the same, open addressing; 0: free */
    uint64_t slots;  /* a power of two */
} HashStack;

void hash_stack_init(HashStack *s);
void hash_stack_free(HashStack *s);
/* Hashes are not 0, and none is pushed twice. */
void hash_stack_push(HashStack *s, uint64_t hash);
void hash_stack_pop(HashStack *s);
bool hash_stack_contains(const HashStack *s, uint64_t hash);

#endif
