/* root_queue.h: states that wait for their turn, first come, first served. */
#ifndef HSFPY_ROOT_QUEUE_H
#define HSFPY_ROOT_QUEUE_H

#include <stdint.h>

#include "util.h"

enum { ROOTS_IN_CHUNK = 8190 };

typedef struct RootChunk {
    struct RootChunk *next;
    uint64_t roots[ROOTS_IN_CHUNK];
} RootChunk;

typedef struct RootQueue {
    RootChunk *first, *last;
    RootChunk *spare; /* one that was emptied, or NULL */
    uint64_t n;
    uint32_t begin; /* of what is left of the first chunk, */
    uint32_t end;   /* and of the free part of the last one */
} RootQueue;

/* An empty queue is all zero. */
void root_queue_free(RootQueue *q);
void root_queue_push(RootQueue *q, uint64_t root);
/* Takes the first one; there must be one. */
uint64_t root_queue_take(RootQueue *q);

/* The one behind `ahead` others, if it is easily found, else 0. */
static inline uint64_t root_queue_peek(const RootQueue *q, uint32_t ahead)
{
    uint32_t at = q->begin + ahead;
    if (UNLIKELY(ahead >= q->n || at >= ROOTS_IN_CHUNK)) return 0;
    return q->first->roots[at];
}

#endif
