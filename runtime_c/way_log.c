/* way_log.c: see way_log.h.
 *
 * The first byte of a record has the ordinal in its low bits and the difference in its high ones.
 * What is too large for that follows, seven bits to a byte. States are expanded in their order, so
 * differences are small; only between levels, and where a rendezvous leads to, may one be negative.
 */
#include "way_log.h"

#include <string.h>

#include "util.h"

enum {
    ORDINAL_BITS = 5,
    LONG_ORDINAL = (1 << ORDINAL_BITS) - 1, /* and all beyond */
    LONG_DIFFERENCE = (1 << (8 - ORDINAL_BITS)) - 1,
    LONGEST_RECORD = 16,
    WAY_STRIDE = 256,
    FIRST_WAYS = 4096
};

void way_log_free(WayLog *log)
{
    big_free(log->bytes, log->capacity);
    xfree(log->marks);
    memset(log, 0, sizeof *log);
}

void way_log_clear(WayLog *log)
{
    log->n = log->n_marks = 0;
    log->end = (WayMark){0, 0};
}

static void grow_ways(WayLog *log)
{
    size_t capacity = log->capacity + (log->capacity < 1 << 24 ? log->capacity : log->capacity / 8) + FIRST_WAYS;
    log->bytes = big_resize(log->bytes, log->capacity, capacity);
    log->capacity = capacity;
}

static void add_mark(WayLog *log)
{
    if (log->n_marks == log->marks_capacity) {
        log->marks_capacity += log->marks_capacity / 4 + 64;
        log->marks = xrealloc(log->marks, log->marks_capacity * sizeof *log->marks);
    }
    log->marks[log->n_marks++] = log->end;
}

static void write_way_number(WayLog *log, uint64_t number)
{
    for (; number > 127; number >>= 7) log->bytes[log->end.at++] = (unsigned char)(number | 128);
    log->bytes[log->end.at++] = (unsigned char)number;
}

static uint64_t read_way_number(const WayLog *log, WayMark *mark)
{
    uint64_t number = 0;
    for (int shift = 0;; shift += 7) {
        unsigned byte = log->bytes[mark->at++];
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return number;
    }
}

/* Small numbers of either sign as small numbers. */
static uint64_t fold_sign(uint64_t difference) { return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0); }

static uint64_t unfold_sign(uint64_t folded) { return folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0); }

void way_log_add(WayLog *log, WayStep step)
{
    if (UNLIKELY(log->end.at + LONGEST_RECORD > log->capacity)) grow_ways(log);
    if (UNLIKELY(log->n % WAY_STRIDE == 0)) add_mark(log);
    uint64_t difference = step.from - log->end.from;
    unsigned high = difference < LONG_DIFFERENCE ? (unsigned)difference : LONG_DIFFERENCE;
    unsigned low = step.ordinal < LONG_ORDINAL ? step.ordinal : LONG_ORDINAL;
    log->bytes[log->end.at++] = (unsigned char)(high << ORDINAL_BITS | low);
    if (UNLIKELY(high == LONG_DIFFERENCE)) write_way_number(log, fold_sign(difference));
    if (UNLIKELY(low == LONG_ORDINAL)) write_way_number(log, step.ordinal);
    log->end.from = step.from;
    log->n++;
}

WayStep way_log_next(const WayLog *log, WayMark *mark)
{
    unsigned byte = log->bytes[mark->at++], high = byte >> ORDINAL_BITS, low = byte & LONG_ORDINAL;
    mark->from += high == LONG_DIFFERENCE ? unfold_sign(read_way_number(log, mark)) : high;
    return (WayStep){mark->from, low == LONG_ORDINAL ? (uint32_t)read_way_number(log, mark) : low};
}

WayStep way_log_get(const WayLog *log, uint64_t n)
{
    WayMark mark = log->marks[n / WAY_STRIDE];
    for (uint64_t i = n % WAY_STRIDE; i > 0; i--) way_log_next(log, &mark);
    return way_log_next(log, &mark);
}
