/* vector_log.h: a vector that is changed in place and can be taken back step by step. */
#ifndef HSFPY_VECTOR_LOG_H
#define HSFPY_VECTOR_LOG_H

#include "state.h"

typedef struct LoggedWord {
    uint32_t at;
    uint32_t old;
} LoggedWord;

typedef struct VectorLog {
    LoggedWord *words;
    size_t n, capacity;
} VectorLog;

/* What one change needs to be taken back. */
typedef struct VectorMark {
    size_t from;   /* where its words begin in the log */
    uint32_t size; /* size of the vector before, if the whole of it was logged; else 0 */
} VectorMark;

void vector_log_free(VectorLog *log);
/* Logs how to get from `new` back to `old`. */
VectorMark vector_log_change(VectorLog *log, const State *old, const State *new);
/* Turns `s` back into what it was before the change, which must be the latest one in the log. */
void vector_log_undo(VectorLog *log, State *s, VectorMark mark);

#endif
