/* open_list.c: a bucket queue.
 *
 * Keys are path lengths: small integers that grow slowly, so an array of buckets gives constant
 * time for both operations. A bucket is a queue in a growing array; once drained, its memory is
 * given back, because breadth-first search never returns to it.
 */
#include "open_list.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

void open_list_init(OpenList *list) { memset(list, 0, sizeof *list); }

void open_list_free(OpenList *list)
{
    for (uint32_t i = 0; i < list->n_buckets; i++) xfree(list->buckets[i].ids);
    xfree(list->buckets);
    open_list_init(list);
}

static Bucket *bucket_for(OpenList *list, uint32_t key)
{
    if (key >= list->n_buckets) {
        uint32_t n = key + key / 2 + 64;
        list->buckets = xrealloc(list->buckets, n * sizeof *list->buckets);
        memset(list->buckets + list->n_buckets, 0, (n - list->n_buckets) * sizeof *list->buckets);
        list->n_buckets = n;
    }
    return &list->buckets[key];
}

void open_list_push(OpenList *list, uint32_t key, uint32_t id)
{
    Bucket *b = bucket_for(list, key);
    if (b->n == b->capacity) {
        b->capacity = b->capacity ? 2 * b->capacity : 64;
        b->ids = xrealloc(b->ids, b->capacity * sizeof *b->ids);
    }
    b->ids[b->n++] = id;
    list->n++;
    if (key < list->lowest) list->lowest = key;
}

bool open_list_pop(OpenList *list, uint32_t *key, uint32_t *id)
{
    if (list->n == 0) return false;
    Bucket *b = &list->buckets[list->lowest];
    while (b->head == b->n) {
        xfree(b->ids);
        memset(b, 0, sizeof *b);
        b = &list->buckets[++list->lowest];
    }
    *key = list->lowest;
    *id = b->ids[b->head++];
    list->n--;
    return true;
}

size_t open_list_memory(const OpenList *list)
{
    size_t bytes = list->n_buckets * sizeof *list->buckets;
    for (uint32_t i = 0; i < list->n_buckets; i++) bytes += list->buckets[i].capacity * sizeof(uint32_t);
    return bytes;
}
