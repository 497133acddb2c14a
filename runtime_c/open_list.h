/* open_list.h: states waiting for expansion, by an integer key and a second one for ties. */
#ifndef HSFPY_OPEN_LIST_H
#define HSFPY_OPEN_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A state as it was when it was put in: if its length has changed since, the entry is stale. */
typedef struct OpenEntry {
    uint32_t id;
    uint32_t length;
} OpenEntry;

typedef struct Bucket {
    OpenEntry *entries;
    size_t head, n, capacity;
} Bucket;

/* All entries of one key, by tie. */
typedef struct BucketRow {
    Bucket *buckets;
    uint32_t n_buckets, lowest;
    size_t n;
} BucketRow;

typedef struct OpenList {
    BucketRow *rows;
    uint32_t n_rows, lowest;
    size_t n;
    bool newest_first; /* among equals: last in, first out */
} OpenList;

void open_list_init(OpenList *list, bool newest_first);
void open_list_free(OpenList *list);
void open_list_push(OpenList *list, uint32_t key, uint32_t tie, OpenEntry entry);
/* The smallest key; the list must not be empty. */
uint32_t open_list_key(OpenList *list);
/* Takes an entry with the smallest key and, among those, the smallest tie; false if empty. */
bool open_list_pop(OpenList *list, OpenEntry *entry);

#endif
