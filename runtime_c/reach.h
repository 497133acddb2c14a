/* reach.h: what counts as reached when a search stops at an error.
 *
 * SPIN marks a statement when it tries it, whether it is executable or not, and the two ends of a step when it comes
 * back from where the step led. In a search that ends by itself it makes no difference when the ends are marked.
 * After an error the unreached statements are listed only with -v: then depth-first searches mark as SPIN does
 * (options.marks_late). Iterators (steps.h) mark what they try; this is for searches that do not use them.
 */
#ifndef HSFPY_REACH_H
#define HSFPY_REACH_H

#include "search.h"

/* Everything was tried that process `only` could try in this state: a process, CLAIM_PID or ALL_PROCESSES. */
void reach_mark_tried(const State *s, int only);
/* The same for the states on the way to an error: what was tried there before the step that was taken. */
void reach_mark_path(ErrorKind kind, const Trail *t);

#endif
