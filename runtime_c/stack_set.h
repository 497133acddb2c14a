/* stack_set.h: which states are on the stack of a depth-first search.
 *
 * Asked by the cycle conditions of partial order reduction. Of a state it keeps 32 bits of a hash, because stacks are
 * often as deep as half of all states. Two states that share them do no harm: a state that is wrongly taken
 * for one on the stack costs some reduction, never an error.
 */
#ifndef HSFPY_STACK_SET_H
#define HSFPY_STACK_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct StackSet {
    uint32_t *marks; /* open addressing, 0: free */
    uint64_t n;      /* how many places there are */
    uint64_t count;
} StackSet;

void stack_set_init(StackSet *s);
void stack_set_free(StackSet *s);
/* States are named by 64-bit keys, as in the set of all states. One that is added twice is removed twice. */
void stack_set_add(StackSet *s, uint64_t key);
void stack_set_remove(StackSet *s, uint64_t key);
bool stack_set_has(const StackSet *s, uint64_t key);
size_t stack_set_memory(const StackSet *s);

#endif
