/* util.c: memory that is counted, time, and giving up.
 *
 * The verifier allocates few, large, growing arrays; so counting may ask the C library for the
 * true size of each block, which costs nothing per state and needs no header of our own.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mremap */
#endif
#include "util.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#if defined(__APPLE__)
#include <malloc/malloc.h>
#elif defined(__FreeBSD__)
#include <malloc_np.h>
#else
#include <malloc.h>
#endif

/* Blocks from 4 MB on are made of huge pages where the system has them. They begin on one, so that they can be moved
 * without copying. */
enum { HUGE_PAGE = 2 << 20, HUGE_FROM = 4 << 20 };
enum { OWN_MAPPING_FROM = 256 << 10 };

static struct {
    size_t used;
    size_t limit;
    MemoryHandler handler;
} memory;

static size_t block_size(void *p)
{
    if (!p) return 0;
#if defined(__APPLE__)
    return malloc_size(p);
#else
    return malloc_usable_size(p);
#endif
}

/* The handler runs without a limit, since reporting itself needs some memory. */
static void memory_fail(size_t wanted, bool over_limit)
{
    MemoryHandler handler = memory.handler;
    memory.limit = 0;
    memory.handler = NULL;
    if (handler) handler(wanted, over_limit);
    die("out of memory (%zu bytes wanted, %zu in use)", wanted, memory.used);
}

static void memory_claim(size_t more)
{
    if (!memory_allows(more)) memory_fail(more, true);
}

static void *memory_count(void *p, size_t wanted)
{
    if (!p) memory_fail(wanted, false);
    memory.used += block_size(p);
    return p;
}

void *xmalloc(size_t size)
{
    memory_claim(size);
    return memory_count(malloc(size ? size : 1), size);
}

void *xcalloc(size_t count, size_t size)
{
    memory_claim(count * size);
    return memory_count(calloc(count ? count : 1, size ? size : 1), count * size);
}

void *xrealloc(void *p, size_t size)
{
    size_t before = block_size(p);
    if (size > before) memory_claim(size - before);
    p = realloc(p, size ? size : 1);
    if (!p) memory_fail(size, false);
    memory.used = memory.used - before + block_size(p);
    return p;
}

char *xstrdup(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(xmalloc(size), text, size);
}

void xfree(void *p)
{
    memory.used -= block_size(p);
    free(p);
}

#ifdef __linux__

/* An address range of `size` bytes that begins on a huge page. */
static void *range_reserve(size_t size)
{
    unsigned char *p = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t before;
    if (p == MAP_FAILED) return NULL;
    before = -(uintptr_t)p & (HUGE_PAGE - 1);
    if (before) munmap(p, before);
    munmap(p + before + size, HUGE_PAGE - before);
    (void)madvise(p + before, size, MADV_HUGEPAGE);
    return p + before;
}

/* Moving between aligned ranges keeps the huge pages whole; plain mremap would split them. */
static void *range_move(void *old, size_t old_size, void *p)
{
    void *moved = mremap(old, old_size, old_size, MREMAP_MAYMOVE | MREMAP_FIXED, p);
    return moved == MAP_FAILED ? NULL : moved;
}

static void range_release(void *p, size_t size) { munmap(p, size); }

static void range_discard(void *p, size_t size) { (void)madvise(p, size, MADV_DONTNEED); }

#else

static void *range_reserve(size_t size) { return calloc(1, size); }

static void *range_move(void *old, size_t old_size, void *p)
{
    memcpy(p, old, old_size);
    free(old);
    return p;
}

static void range_release(void *p, size_t size)
{
    (void)size;
    free(p);
}

static void range_discard(void *p, size_t size)
{
    (void)p;
    (void)size;
}

#endif

static size_t big_round(size_t size)
{
    return size < HUGE_FROM ? size : (size + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
}

static void *big_resize_small(void *p, size_t old_size, size_t size)
{
    p = xrealloc(p, size);
    if (size > old_size) memset((unsigned char *)p + old_size, 0, size - old_size);
    return p;
}

void *big_resize(void *p, size_t old_size, size_t size)
{
    size_t before = big_round(old_size), after = big_round(size);
    void *q;
    if (after < HUGE_FROM && before < HUGE_FROM) return big_resize_small(p, old_size, size);
    if (before == after) return p;
    memory_claim(after > before ? after - before : 0);
    q = range_reserve(after);
    if (q && before >= HUGE_FROM) q = range_move(p, before, q);
    if (!q) memory_fail(size, false);
    if (before < HUGE_FROM) {
        memcpy(q, p, old_size);
        xfree(p);
        before = 0;
    }
    memory.used += after - before;
    return q;
}

void big_free(void *p, size_t size)
{
    if (big_round(size) < HUGE_FROM) {
        xfree(p);
        return;
    }
    range_release(p, big_round(size));
    memory.used -= big_round(size);
}

void *big_successor(size_t old_size, size_t size)
{
    size_t before = big_round(old_size), after = big_round(size);
    void *p;
    memory_claim(after > before ? after - before : 0);
    if (after < HUGE_FROM) return memory_count(calloc(1, after), after);
    p = range_reserve(after);
    if (!p) memory_fail(size, false);
    memory.used += after;
    return p;
}

/* Only whole huge pages are given back: parts of them would be split. */
void big_discard(void *p, size_t from, size_t to)
{
    size_t first = (from + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1), end = to & ~(size_t)(HUGE_PAGE - 1);
    if (first < end) range_discard((unsigned char *)p + first, end - first);
}

size_t memory_in_use(void) { return memory.used; }

/* By itself the C library keeps ever larger blocks for later when they are freed, up to 32 MB, and the
 * process would be larger than what is counted. */
static void return_freed_blocks(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, OWN_MAPPING_FROM);
#endif
}

void memory_set_limit(size_t limit)
{
    memory.limit = limit;
    return_freed_blocks();
}

size_t memory_limit(void) { return memory.limit; }

bool memory_allows(size_t more)
{
    return memory.limit == 0 || (memory.used <= memory.limit && more <= memory.limit - memory.used);
}

void memory_set_handler(MemoryHandler handler) { memory.handler = handler; }

double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void (*prepare_to_die)(void);

void before_dying(void (*prepare)(void)) { prepare_to_die = prepare; }

void die(const char *format, ...)
{
    va_list arguments;
    if (prepare_to_die) prepare_to_die();
    fflush(stdout);
    fputs("pan: error: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}
