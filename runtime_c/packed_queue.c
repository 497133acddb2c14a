/* packed_queue.c: see packed_queue.h. */
#include "packed_queue.h"

#include <stddef.h>

void packed_queue_free(PackedQueue *q)
{
    for (QueueChunk *chunk = q->first, *next; chunk; chunk = next) {
        next = chunk->next;
        xfree(chunk);
    }
    xfree(q->spare);
    *q = (PackedQueue){0};
}

static void add_chunk(PackedQueue *q)
{
    QueueChunk *chunk = q->spare ? q->spare : xmalloc(sizeof *chunk);
    q->spare = NULL;
    chunk->next = NULL;
    if (q->last)
        q->last->next = chunk;
    else
        q->first = chunk;
    q->last = chunk;
    q->end = 0;
}

void packed_queue_push(PackedQueue *q, Packed state)
{
    if (UNLIKELY(!q->last || q->end == WORDS_IN_CHUNK)) add_chunk(q);
    q->last->words[q->end++] = state.lo;
    if (q->words) q->last->words[q->end++] = state.hi;
    q->n++;
}

static void drop_chunk(PackedQueue *q)
{
    QueueChunk *chunk = q->first;
    q->first = chunk->next;
    if (!q->first) q->last = NULL;
    q->begin = 0;
    xfree(q->spare);
    q->spare = chunk;
}

Packed packed_queue_take(PackedQueue *q)
{
    Packed state = {q->first->words[q->begin++], 0};
    if (q->words) state.hi = q->first->words[q->begin++];
    q->n--;
    if (UNLIKELY(q->begin == WORDS_IN_CHUNK)) drop_chunk(q);
    return state;
}

void packed_queue_convert(PackedQueue *q, Packed (*convert)(void *context, Packed state), void *context,
                          bool needs_second)
{
    PackedQueue converted = {.words = q->words || needs_second};
    while (q->n) packed_queue_push(&converted, convert(context, packed_queue_take(q)));
    packed_queue_free(q);
    *q = converted;
}
