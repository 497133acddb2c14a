/* trail.h: trail files, in SPIN's format. */
#ifndef HSFPY_TRAIL_H
#define HSFPY_TRAIL_H

#include "search.h"
#include "steps.h"

/* What the head of a trail file says. */
typedef struct TrailHead {
    int claim;              /* proctype number of the never claim, -1 if none was used */
    bool merged;            /* statements were merged */
    bool reversed_creation; /* active processes were started from last to first */
} TrailHead;

/* Adds a step of the program that begins at `depth`, with what follows it in its chain: there the claim's steps are
 * left open (claim_run.h). */
void trail_add_step(Trail *t, long depth, const Step *step);

/* The name the program was called by: part of the file name under -DPUTPID. */
void trail_set_program(const char *argv0);

/* Writes MODEL.trail (or what the options make of that name) into the current directory and tells
 * so on `out`; *name is its name, which the caller frees, or NULL if it could not be created. False
 * if the file could not be filled: the disk is full, and going on is pointless. */
bool trail_write(const Trail *t, FILE *out, char **name);

/* Reads trail number `number` (0: the one without a number) of this model, or the file `name` if
 * that is not NULL. On failure prints what is wrong, in SPIN's words, and returns false. */
bool trail_read(Trail *t, TrailHead *head, const char *name, int number);

#endif
