/* vector_log.c: undo logs of state vectors.
 *
 * A step changes two or three words of a vector, so the log holds single words; only when a
 * process comes or goes is the vector logged whole.
 */
#include "vector_log.h"

#include "util.h"

static void log_reserve(VectorLog *log, size_t more)
{
    if (log->n + more <= log->capacity) return;
    log->capacity = 2 * log->capacity + more + 1024;
    log->words = xrealloc(log->words, log->capacity * sizeof *log->words);
}

VectorMark vector_log_change(VectorLog *log, const State *old, const State *new)
{
    VectorMark mark = {log->n, 0};
    const Word *before = (const Word *)(void *)old->v;
    const Word *after = (const Word *)(void *)new->v;
    uint32_t n = old->size / 4;
    log_reserve(log, n);
    LoggedWord *next = log->words + log->n;
    if (old->shape == new->shape) {
        for (uint32_t i = 0; i < n; i += 2) { /* sizes are multiples of 8 */
            if (before[i] == after[i] && before[i + 1] == after[i + 1]) continue;
            if (before[i] != after[i]) *next++ = (LoggedWord){i, before[i]};
            if (before[i + 1] != after[i + 1]) *next++ = (LoggedWord){i + 1, before[i + 1]};
        }
    } else {
        mark.size = old->size;
        for (uint32_t i = 0; i < n; i++) *next++ = (LoggedWord){i, before[i]};
    }
    log->n = (size_t)(next - log->words);
    return mark;
}

void vector_log_undo(VectorLog *log, State *s, VectorMark mark)
{
    if (mark.size) {
        state_reserve(s, mark.size);
        s->size = mark.size;
    }
    Word *words = (Word *)(void *)s->v;
    for (size_t i = mark.from; i < log->n; i++) words[log->words[i].at] = log->words[i].old;
    log->n = mark.from;
    if (mark.size) s->shape = shape_by_id(state_header(s)->shape);
}

void vector_log_free(VectorLog *log) { xfree(log->words); }
