/* way_log.h: how a breadth-first search came to each of its states, in one or two bytes.
 *
 * States are numbered in the order they were found. What is written down of a state is which
 * state it was reached from, as the difference to what the state before was reached from, and by which
 * of that state's steps. The states themselves are not: a way is found again by taking its steps.
 */
#ifndef HSFPY_WAY_LOG_H
#define HSFPY_WAY_LOG_H

#include <stddef.h>
#include <stdint.h>

/* The last step on the way to a state. */
typedef struct WayStep {
    uint64_t from;    /* number of the state before */
    uint32_t ordinal; /* of the step among those of that state, from 1 */
} WayStep;

/* Where a state's record begins, and what the state before was reached from. */
typedef struct WayMark {
    size_t at;
    uint64_t from;
} WayMark;

typedef struct WayLog {
    unsigned char *bytes;
    size_t capacity;
    uint64_t n;
    WayMark end;    /* of the record that comes next */
    WayMark *marks; /* of every so many'th */
    size_t n_marks, marks_capacity;
} WayLog;

/* An empty log is all zero. */
void way_log_free(WayLog *log);
/* Forgets all records, and keeps their memory for others. */
void way_log_clear(WayLog *log);
void way_log_add(WayLog *log, WayStep step);
/* The record of state number `n`. */
WayStep way_log_get(const WayLog *log, uint64_t n);
/* Reads one record after the other, beginning with a mark that is all zero. */
WayStep way_log_next(const WayLog *log, WayMark *mark);

#endif
