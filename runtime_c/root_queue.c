/* root_queue.c: see root_queue.h. */
#include "root_queue.h"

#include <stddef.h>

void root_queue_free(RootQueue *q)
{
    for (RootChunk *chunk = q->first, *next; chunk; chunk = next) {
        next = chunk->next;
        xfree(chunk);
    }
    xfree(q->spare);
    *q = (RootQueue){0};
}

static void add_root_chunk(RootQueue *q)
{
    RootChunk *chunk = q->spare ? q->spare : xmalloc(sizeof *chunk);
    q->spare = NULL;
    chunk->next = NULL;
    if (q->last)
        q->last->next = chunk;
    else
        q->first = chunk;
    q->last = chunk;
    q->end = 0;
}

void root_queue_push(RootQueue *q, uint64_t root)
{
    if (UNLIKELY(!q->last || q->end == ROOTS_IN_CHUNK)) add_root_chunk(q);
    q->last->roots[q->end++] = root;
    q->n++;
}

static void drop_root_chunk(RootQueue *q)
{
    RootChunk *chunk = q->first;
    q->first = chunk->next;
    if (!q->first) q->last = NULL;
    q->begin = 0;
    xfree(q->spare);
    q->spare = chunk;
}

uint64_t root_queue_take(RootQueue *q)
{
    uint64_t root = q->first->roots[q->begin++];
    q->n--;
    if (UNLIKELY(q->begin == ROOTS_IN_CHUNK)) drop_root_chunk(q);
    return root;
}
