/* level_log.h: the lower part of a depth-first search's stack, in some ten bytes for a level.
 *
 * Stacks are often as deep as half of all states. Of a level that is not at hand is kept how its state differs from the
 * one before, which of its steps was taken, and what is left to do there if words can tell that. Levels are put on top
 * and taken from the top.
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
    uint32_t ordinal;             /* of the step that was taken, from 1 */
    uint32_t ample;               /* who moved for all, and what that led to, in a form that suits the search */
    int16_t owner;                /* process inside an atomic sequence, or -1 */
    uint8_t flags;                /* six bits, as the search likes */
    bool is_known;                /* what is left to do is known: */
    uint8_t n_waiting;            /* words about steps that wait for their turn, */
    uint32_t skipped;             /* and steps after these that only have to be counted */
    const unsigned char *waiting; /* the words, as they are in the log: see level_log_words; */
    bool is_near;                 /* in four bytes, */
    uint64_t upper;               /* with this above them if they are addresses */
} LoggedLevel;

enum {
    MOST_WAITING = 32, /* words of a level, */
    WAITING_BITS = 48, /* and bits of a word, that can be logged */
    NUMBER_WORD = 7    /* words with these bits set are small numbers, others addresses with flags */
};

typedef struct LevelLog {
    unsigned char *bytes;
    size_t size, capacity;
    uint64_t n;
    Packed top;          /* state of the last level */
    long top_depth;      /* and its depth */
    uint64_t n_outdated; /* levels from the first one on whose words mean nothing any more */
    uint64_t upper;      /* what most addresses have in common: all but their lower four bytes; 0: not known yet */
} LevelLog;

/* An empty log is all zero. */
void level_log_free(LevelLog *log);
/* `words` are those about steps that wait. */
void level_log_push(LevelLog *log, const LoggedLevel *level, const uint64_t *words);
/* The words stay valid until something is put on top. */
void level_log_pop(LevelLog *log, LoggedLevel *level);
/* Writes the words of a level that was popped. */
void level_log_words(const LoggedLevel *level, uint64_t *to);
/* What words tell is not valid any more: nothing is known where there are some. */
static inline void logged_level_outdate(LoggedLevel *level)
{
    if (level->n_waiting) level->is_known = false;
    level->n_waiting = 0;
}
/* The same for all levels of a log. */
static inline void level_log_outdate(LevelLog *log) { log->n_outdated = log->n; }
/* Sets flags of the last level. */
void level_log_flag(LevelLog *log, uint8_t flags);
/* Calls `visit` for all levels, from the first to the last. */
void level_log_each(const LevelLog *log, void (*visit)(void *context, LoggedLevel *level), void *context);
/* The same; `visit` may replace states and words. */
void level_log_rewrite(LevelLog *log, void (*visit)(void *context, LoggedLevel *level, uint64_t *words), void *context);

#endif
