/* level_log.c: the lower part of a stack; see level_log.h.
 *
 * A record is: flags; which of the other parts there are; how much deeper than the level before, unless that is 1; the
 * ordinal; for reduction, who moved; the owner inside an atomic sequence; if it is known what is left to do, the number
 * of steps to be counted, and if some wait, how many words there are and four bytes of each, or six if these are not
 * enough; the bytes of the state that differ from those of the level before, from the first to the last in each word;
 * and last its length, so that the log can be read from both ends.
 */
#include "level_log.h"

#include <string.h>

#include "util.h"

enum RecordParts { HAS_OWNER = 1, HAS_AMPLE = 2, IS_KNOWN = 4, HAS_WAITING = 8, IS_FAR = 16, HAS_LO = 32, HAS_HI = 64 };
enum { NEAR_BYTES = 4, FAR_BYTES = WAITING_BITS / 8, IS_NEAR = 128 };
enum { LONGEST_LEVEL = 255 }; /* a byte tells its length */
_Static_assert(MOST_WAITING *FAR_BYTES + 50 < LONGEST_LEVEL, "all parts fit, and a word may be written at the end");

void level_log_free(LevelLog *log)
{
    xfree(log->bytes);
    memset(log, 0, sizeof *log);
}

/* Seven bits to a byte, the lowest first; the last byte has its highest bit clear. */
static unsigned char *write_level_number(unsigned char *to, uint32_t n)
{
    for (; n > 127; n >>= 7) *to++ = (unsigned char)((n & 127) | 128);
    *to++ = (unsigned char)n;
    return to;
}

static uint32_t level_number(const unsigned char **at)
{
    uint32_t n = 0;
    for (int shift = 0;; shift += 7) {
        unsigned byte = *(*at)++;
        n |= (byte & 127) << shift;
        if (byte < 128) return n;
    }
}

/* A word whose lowest byte comes first in memory. */
static inline uint64_t lowest_first(uint64_t word)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

/* The bytes of a word from the first to the last that is not 0: where they begin and how many there are, and these.
 * There are no branches, and eight bytes are written and read whatever counts of them. The word is not 0. */
static unsigned char *write_bytes(unsigned char *to, uint64_t word)
{
    unsigned first = lowest_bit(word) / 8, n = highest_bit(word) / 8 - first + 1;
    *to++ = (unsigned char)(first << 4 | n);
    word = lowest_first(word >> 8 * first);
    memcpy(to, &word, sizeof word);
    return to + n;
}

static uint64_t take_bytes(const unsigned char **at)
{
    unsigned head = *(*at)++, first = head >> 4, n = head & 15;
    uint64_t word;
    memcpy(&word, *at, sizeof word);
    *at += n;
    return (lowest_first(word) & UINT64_MAX >> (64 - 8 * n)) << 8 * first;
}

static void level_log_reserve(LevelLog *log)
{
    if (log->size + LONGEST_LEVEL <= log->capacity) return;
    log->capacity += log->capacity / 4 + (1 << 16);
    log->bytes = xrealloc(log->bytes, log->capacity);
}

static inline bool is_number(uint64_t word) { return (word & NUMBER_WORD) == NUMBER_WORD; }

/* Do four bytes tell all words? */
static bool are_near(LevelLog *log, const uint64_t *words, unsigned n)
{
    uint64_t differ = 0;
    for (unsigned i = 0; i < n; i++) {
        if (UNLIKELY(!log->upper) && !is_number(words[i])) log->upper = words[i] >> 32 << 32;
        differ |= words[i] ^ (is_number(words[i]) ? 0 : log->upper);
    }
    return differ >> 32 == 0;
}

static inline unsigned word_bytes(bool is_near) { return is_near ? NEAR_BYTES : FAR_BYTES; }

/* Eight bytes are written and read of each, since something follows. */
static unsigned char *write_words(unsigned char *to, const uint64_t *words, unsigned n, bool is_near)
{
    unsigned size = word_bytes(is_near);
    *to++ = (unsigned char)(n | (is_near ? IS_NEAR : 0));
    for (unsigned i = 0; i < n; i++, to += size) {
        uint64_t word = lowest_first(words[i]);
        memcpy(to, &word, sizeof word);
    }
    return to;
}

void level_log_words(const LoggedLevel *level, uint64_t *to)
{
    unsigned size = word_bytes(level->is_near);
    uint64_t mask = UINT64_MAX >> (64 - 8 * size);
    for (unsigned i = 0; i < level->n_waiting; i++) {
        uint64_t word;
        memcpy(&word, level->waiting + size * i, sizeof word);
        word = lowest_first(word) & mask;
        to[i] = word | (is_number(word) ? 0 : level->upper);
    }
}

void level_log_push(LevelLog *log, const LoggedLevel *level, const uint64_t *words)
{
    level_log_reserve(log);
    if (UNLIKELY(log->n_outdated > log->n)) log->n_outdated = log->n;
    unsigned char *begin = log->bytes + log->size, *to = begin;
    Packed differ = packed_xor(level->state, log->top);
    long below = level->depth - log->top_depth;
    unsigned parts = (level->owner >= 0 ? HAS_OWNER : 0u) | (level->ample ? HAS_AMPLE : 0u)
                     | (level->is_known ? IS_KNOWN : 0u) | (level->n_waiting ? HAS_WAITING : 0u)
                     | (below != 1 ? IS_FAR : 0u) | (differ.lo ? HAS_LO : 0u) | (differ.hi ? HAS_HI : 0u);
    *to++ = level->flags;
    *to++ = (unsigned char)parts;
    if (parts & IS_FAR) to = write_level_number(to, (uint32_t)below);
    to = write_level_number(to, level->ordinal);
    if (parts & HAS_AMPLE) to = write_level_number(to, level->ample);
    if (parts & HAS_OWNER) *to++ = (unsigned char)level->owner;
    if (parts & IS_KNOWN) to = write_level_number(to, level->skipped);
    if (parts & HAS_WAITING) to = write_words(to, words, level->n_waiting, are_near(log, words, level->n_waiting));
    if (parts & HAS_LO) to = write_bytes(to, differ.lo);
    if (parts & HAS_HI) to = write_bytes(to, differ.hi);
    size_t length = (size_t)(to - begin) + 1;
    *to = (unsigned char)length;
    log->size += length;
    log->top = level->state;
    log->top_depth = level->depth;
    log->n++;
}

/* Reads a record. Its state and depth are told as what differs from the level before. Returns where it ends. */
static const unsigned char *read_record(const LevelLog *log, const unsigned char *at, LoggedLevel *level,
                                        Packed *differ, long *below)
{
    *level = (LoggedLevel){.owner = -1};
    level->flags = *at++;
    unsigned parts = *at++;
    *below = parts & IS_FAR ? (long)level_number(&at) : 1;
    level->ordinal = level_number(&at);
    if (parts & HAS_AMPLE) level->ample = level_number(&at);
    if (parts & HAS_OWNER) level->owner = *at++;
    level->is_known = parts & IS_KNOWN;
    if (level->is_known) level->skipped = level_number(&at);
    if (parts & HAS_WAITING) {
        level->is_near = *at & IS_NEAR;
        level->upper = level->is_near ? log->upper : 0;
        level->n_waiting = *at++ & (IS_NEAR - 1);
        level->waiting = at;
        at += word_bytes(level->is_near) * level->n_waiting;
    }
    differ->lo = parts & HAS_LO ? take_bytes(&at) : 0;
    differ->hi = parts & HAS_HI ? take_bytes(&at) : 0;
    return at + 1;
}

void level_log_pop(LevelLog *log, LoggedLevel *level)
{
    Packed differ;
    long below;
    log->size -= log->bytes[log->size - 1];
    read_record(log, log->bytes + log->size, level, &differ, &below);
    level->state = log->top;
    level->depth = log->top_depth;
    log->top = packed_xor(log->top, differ);
    log->top_depth -= below;
    log->n--;
    if (UNLIKELY(log->n < log->n_outdated)) logged_level_outdate(level);
}

void level_log_flag(LevelLog *log, uint8_t flags) { log->bytes[log->size - log->bytes[log->size - 1]] |= flags; }

void level_log_each(const LevelLog *log, void (*visit)(void *context, LoggedLevel *level), void *context)
{
    Packed state = {0, 0}, differ;
    long depth = 0, below;
    for (const unsigned char *at = log->bytes, *end = at + log->size; at < end;) {
        LoggedLevel level;
        at = read_record(log, at, &level, &differ, &below);
        level.state = state = packed_xor(state, differ);
        level.depth = depth += below;
        visit(context, &level);
    }
}

typedef struct LogRewriting {
    LevelLog to;
    void (*visit)(void *context, LoggedLevel *level, uint64_t *words);
    void *context;
    uint64_t n_outdated;
} LogRewriting;

static void rewrite_level(void *rewriting, LoggedLevel *level)
{
    LogRewriting *r = rewriting;
    uint64_t words[MOST_WAITING];
    if (r->to.n < r->n_outdated) logged_level_outdate(level);
    level_log_words(level, words);
    r->visit(r->context, level, words);
    level_log_push(&r->to, level, words);
}

void level_log_rewrite(LevelLog *log, void (*visit)(void *context, LoggedLevel *level, uint64_t *words), void *context)
{
    LogRewriting r = {.visit = visit, .context = context, .n_outdated = log->n_outdated};
    level_log_each(log, rewrite_level, &r);
    level_log_free(log);
    *log = r.to;
}
