/* open_list.c: a bucket queue with two keys.
 *
 * Keys are path lengths and estimates: small integers, so arrays of buckets give constant time
 * for both operations. A drained bucket gives its memory back, because the front moves on.
 */
#include "open_list.h"

#include <string.h>

#include "util.h"

void open_list_init(OpenList *list, bool newest_first)
{
    memset(list, 0, sizeof *list);
    list->newest_first = newest_first;
}

void open_list_free(OpenList *list)
{
    for (uint32_t i = 0; i < list->n_rows; i++) {
        for (uint32_t j = 0; j < list->rows[i].n_buckets; j++) xfree(list->rows[i].buckets[j].entries);
        xfree(list->rows[i].buckets);
    }
    xfree(list->rows);
    open_list_init(list, list->newest_first);
}

static BucketRow *row_for(OpenList *list, uint32_t key)
{
    if (key >= list->n_rows) {
        uint32_t n = key + key / 2 + 64;
        list->rows = xrealloc(list->rows, n * sizeof *list->rows);
        memset(list->rows + list->n_rows, 0, (n - list->n_rows) * sizeof *list->rows);
        list->n_rows = n;
    }
    return &list->rows[key];
}

static Bucket *bucket_for(BucketRow *row, uint32_t tie)
{
    if (tie >= row->n_buckets) {
        uint32_t n = tie + tie / 2 + 1;
        row->buckets = xrealloc(row->buckets, n * sizeof *row->buckets);
        memset(row->buckets + row->n_buckets, 0, (n - row->n_buckets) * sizeof *row->buckets);
        row->n_buckets = n;
    }
    return &row->buckets[tie];
}

void open_list_push(OpenList *list, uint32_t key, uint32_t tie, OpenEntry entry)
{
    BucketRow *row = row_for(list, key);
    Bucket *b = bucket_for(row, tie);
    if (b->n == b->capacity) {
        b->capacity = b->capacity ? 2 * b->capacity : 16;
        b->entries = xrealloc(b->entries, b->capacity * sizeof *b->entries);
    }
    b->entries[b->n++] = entry;
    if (row->n++ == 0 || tie < row->lowest) row->lowest = tie;
    if (list->n++ == 0 || key < list->lowest) list->lowest = key;
}

static void bucket_clear(Bucket *b)
{
    xfree(b->entries);
    memset(b, 0, sizeof *b);
}

uint32_t open_list_key(OpenList *list)
{
    while (list->rows[list->lowest].n == 0) list->lowest++;
    return list->lowest;
}

bool open_list_pop(OpenList *list, OpenEntry *entry)
{
    if (list->n == 0) return false;
    BucketRow *row = &list->rows[open_list_key(list)];
    while (row->buckets[row->lowest].head == row->buckets[row->lowest].n) row->lowest++;
    Bucket *b = &row->buckets[row->lowest];
    *entry = list->newest_first ? b->entries[--b->n] : b->entries[b->head++];
    if (b->head == b->n) bucket_clear(b);
    row->n--;
    list->n--;
    return true;
}
