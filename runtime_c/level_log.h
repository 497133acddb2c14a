/* level_log.h: the lower part of a depth-first search's stack, in some eight bytes for a level.
 *
 * Stacks are often as deep as half of all states. Of a level that is not at hand is kept how its state differs from the
 * one before, and which of its steps was taken. Levels are put on top and taken from the top.
 */
#ifndef HSFPY_LEVEL_LOG_H
#define HSFPY_LEVEL_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packed.h"

typedef struct LoggedLevel {
    Packed state;
    long depth;
    uint32_t ordinal; /* of the step that was taken, from 1 */
    uint32_t ample;   /* who moved for all, and what that led to, in a form that suits the search */
    uint32_t skipped; /* if it is closed: steps that only have to be counted */
    int16_t owner;    /* process inside an atomic sequence, or -1 */
    uint8_t flags;    /* six bits, as the search likes */
    bool is_closed;   /* no step is left that leads to something new */
} LoggedLevel;

typedef struct LevelLog {
    unsigned char *bytes;
    size_t size, capacity;
    uint64_t n;
    Packed top;     /* state of the last level */
    long top_depth; /* and its depth */
} LevelLog;

/* An empty log is all zero. */
void level_log_free(LevelLog *log);
void level_log_push(LevelLog *log, const LoggedLevel *level);
void level_log_pop(LevelLog *log, LoggedLevel *level);
/* Sets flags of the last level. */
void level_log_flag(LevelLog *log, uint8_t flags);
/* Calls `visit` for all levels, from the first to the last. */
void level_log_each(const LevelLog *log, void (*visit)(void *context, LoggedLevel *level), void *context);
/* The same; `visit` may replace the states. */
void level_log_rewrite(LevelLog *log, void (*visit)(void *context, LoggedLevel *level), void *context);

#endif
