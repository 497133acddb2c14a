/* replay.h: running a trail. */
#ifndef HSFPY_REPLAY_H
#define HSFPY_REPLAY_H

#include "search.h"

/* Does the trail, run from the initial state, end in the error it was written for? */
bool replay_confirms(ErrorKind kind, const char *text, const Trail *t);
/* pan -r: reads a trail and shows its steps and last state. Returns the exit status. */
int replay_show(void);

#endif
