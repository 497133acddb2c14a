/* packed_queue.h: states that wait for their turn, first come, first served. */
#ifndef HSFPY_PACKED_QUEUE_H
#define HSFPY_PACKED_QUEUE_H

#include "packed.h"
#include "util.h"

enum { WORDS_IN_CHUNK = 8190 }; /* an even number */

typedef struct QueueChunk {
    struct QueueChunk *next;
    uint64_t words[WORDS_IN_CHUNK];
} QueueChunk;

typedef struct PackedQueue {
    QueueChunk *first, *last;
    QueueChunk *spare;   /* one that was emptied, for the next time one is needed */
    uint32_t begin, end; /* of what is used, in the first and in the last chunk, */
    uint32_t words;      /* in so many words for a state, less one */
    uint64_t n;
} PackedQueue;

/* An empty queue is all zero. */
void packed_queue_free(PackedQueue *q);
void packed_queue_push(PackedQueue *q, Packed state);
Packed packed_queue_take(PackedQueue *q);
/* Replaces every state by another one, which may need a second word. */
void packed_queue_convert(PackedQueue *q, Packed (*convert)(void *context, Packed state), void *context,
                          bool needs_second);

/* The state that is `ahead` places behind the first one, if that is in the same chunk. */
static inline bool packed_queue_peek(const PackedQueue *q, uint32_t ahead, Packed *state)
{
    uint32_t at = q->begin + (ahead << q->words);
    if (ahead >= q->n || at >= WORDS_IN_CHUNK) return false;
    *state = (Packed){q->first->words[at], q->words ? q->first->words[at + 1] : 0};
    return true;
}

#endif
