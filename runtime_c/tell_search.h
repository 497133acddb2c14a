/* tell_search.h: the search as it goes, in SPIN's words (-DCHECK).
 *
 * Programs that draw state spaces read these lines (jSpin's SpinSpider). The directives are constants,
 * so a verifier compiled without them pays nothing. SPIN's -DVERBOSE and -DDEBUG say more about SPIN's
 * own workings; here they say as much as -DCHECK.
 */
#ifndef HSFPY_TELL_SEARCH_H
#define HSFPY_TELL_SEARCH_H

#include "model.h"

#if defined(CHECK) || defined(VERBOSE) || defined(DEBUG)
enum { TELLS_SEARCH = 1 };
#else
enum { TELLS_SEARCH = 0 };
#endif

/* What SPIN calls tau: the kind of a level. */
enum ToldKind {
    TOLD_TIMEOUT = 1,
    TOLD_REQUEST = 2,
    TOLD_CLAIM = 4,
    TOLD_INSIDE = 8, /* inside an atomic sequence or between the halves of a rendezvous */
    TOLD_CUT = 16,
    TOLD_STUTTER = 128
};

typedef struct ToldLevel {
    long depth;
    int kind;
} ToldLevel;

/* The level whose steps are looked for now; offers are shown below it. */
extern ToldLevel told_level;

/* Process `pid` of `s` takes a transition at a level. */
void tell_step(ToldLevel at, const State *s, int pid, const Transition *t);
/* The search enters a level with state `s`, in which only process `only` may move unless that is -1. */
void tell_down(ToldLevel at, const State *s, int only);
void tell_up(ToldLevel at);
/* The state of the level is stored under a number, or was met before. */
void tell_state(uint32_t number, bool is_new, bool is_explored);
/* The state leaves the search stack. */
void tell_leave(uint32_t number);
/* A rendezvous is offered in `s`, and no longer. */
void tell_offer(const State *s, int pid, const Transition *send);
void tell_offer_end(void);

#endif
