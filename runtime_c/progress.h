/* progress.h: when a running search looks up, and the line it keeps on a terminal meanwhile. */
#ifndef HSFPY_PROGRESS_H
#define HSFPY_PROGRESS_H

#include "search.h"

/* Decides whether there is a terminal to write to; starts the clock. */
void progress_open(void);
/* Is the line shown where messages go, so that SPIN's progress lines would say the same again? */
bool progress_replaces_lines(void);

/* Sets the countdown for the next look, by the time the last steps took. Returns how many steps these were. */
uint32_t progress_pace(double now);
/* Writes the line anew if it is time to. */
void progress_show(double now, long depth, const Front *front);
/* Takes the line away, for whatever is printed next. */
void progress_clear(void);

#endif
