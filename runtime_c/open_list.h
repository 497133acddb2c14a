/* open_list.h: states waiting for expansion, in buckets by an integer key, first in first out. */
#ifndef HSFPY_OPEN_LIST_H
#define HSFPY_OPEN_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Bucket {
    uint32_t *ids;
    size_t head, n, capacity;
} Bucket;

typedef struct OpenList {
    Bucket *buckets;
    uint32_t n_buckets;
    uint32_t lowest; /* no bucket below holds anything */
    size_t n;
} OpenList;

void open_list_init(OpenList *list);
void open_list_free(OpenList *list);
void open_list_push(OpenList *list, uint32_t key, uint32_t id);
/* Takes an id with the smallest key; false if empty. */
bool open_list_pop(OpenList *list, uint32_t *key, uint32_t *id);
size_t open_list_memory(const OpenList *list);

#endif
