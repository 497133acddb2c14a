/* Levels go onto a log, are rewritten and come back: what waits at them is near each other, far, small numbers, or
 * nothing. Prints what went wrong. */
#include "level_log.h"

#include <stdio.h>
#include <string.h>

enum { LEVELS = 20000 };

static int failures;

static void expect(bool holds, const char *what, uint64_t i)
{
    if (!holds && failures++ < 5) printf("%s: level %llu\n", what, (unsigned long long)i);
}

/* Word number k of level number i. Every seventh level has an address far from the others. */
static uint64_t word_of(uint64_t i, unsigned k)
{
    if ((i + k) % 5 == 0) return (i % 11 == 3 && k == 1 ? UINT64_C(1) << 40 : i + k) << 3 | NUMBER_WORD;
    uint64_t upper = i % 7 == 6 && k == 0 ? UINT64_C(0x5555) : UINT64_C(0x7f12);
    return upper << 32 | (i * 7919 + k * 64) % 0x3ffffff << 5 | (i + k) % 2 * 2;
}

static LoggedLevel level_of(uint64_t i)
{
    LoggedLevel level = {.state = {i * UINT64_C(0x9E3779B97F4A7C15) >> i % 40, i % 3 ? i : 0},
                         .depth = (long)(2 * i + i % 4 / 3),
                         .ordinal = (uint32_t)(i % 300 + 1),
                         .ample = i % 13 ? 0 : (uint32_t)i,
                         .owner = (int16_t)(i % 17 ? -1 : i % 200),
                         .flags = i % 64,
                         .is_known = i % 4 != 0,
                         .skipped = i % 4 != 0 ? (uint32_t)(i % 1000) : 0};
    if (level.is_known) level.n_waiting = (uint8_t)(i % (MOST_WAITING + 1));
    return level;
}

static void push(LevelLog *log, uint64_t i)
{
    uint64_t words[MOST_WAITING];
    LoggedLevel level = level_of(i);
    for (unsigned k = 0; k < level.n_waiting; k++) words[k] = word_of(i, k);
    level_log_push(log, &level, words);
}

/* Words had `added` added to them. */
static void compare(const LoggedLevel *level, uint64_t i, uint64_t added)
{
    LoggedLevel wanted = level_of(i);
    uint64_t words[MOST_WAITING];
    expect(packed_equal(level->state, wanted.state) && level->depth == wanted.depth, "another state or depth", i);
    expect(level->ordinal == wanted.ordinal && level->ample == wanted.ample && level->owner == wanted.owner, "who", i);
    expect(level->flags == wanted.flags && level->is_known == wanted.is_known, "flags", i);
    expect(level->skipped == wanted.skipped && level->n_waiting == wanted.n_waiting, "how many wait", i);
    level_log_words(level, words);
    for (unsigned k = 0; k < level->n_waiting; k++) expect(words[k] == word_of(i, k) + added, "what waits", i);
}

static void compare_next(void *next, LoggedLevel *level) { compare(level, (*(uint64_t *)next)++, 0); }

static void add_eight(void *unused, LoggedLevel *level, uint64_t *words)
{
    (void)unused;
    for (unsigned k = 0; k < level->n_waiting; k++) words[k] += 8;
}

int main(void)
{
    LevelLog log = {0};
    LoggedLevel level;
    uint64_t next = 0;
    for (uint64_t i = 0; i < LEVELS; i++) push(&log, i);
    level_log_each(&log, compare_next, &next);
    expect(next == LEVELS && log.n == LEVELS, "levels instead", next);
    for (uint64_t i = LEVELS; i-- > LEVELS / 2;) {
        level_log_pop(&log, &level);
        compare(&level, i, 0);
    }
    level_log_rewrite(&log, add_eight, NULL);
    for (uint64_t i = LEVELS / 2; i-- > 0;) {
        level_log_pop(&log, &level);
        compare(&level, i, 8);
    }
    expect(log.n == 0 && log.size == 0, "left", log.n);
    level_log_free(&log);
    return failures > 0;
}
