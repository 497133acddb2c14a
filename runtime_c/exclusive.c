/* exclusive.c: ends of channels declared exclusive; see exclusive.h. */
#include "exclusive.h"

#include <stdio.h>

#include "state.h"

enum { SEVERAL = MAX_PROCESSES + 1 };

Exclusive exclusive;

static void tell_violation(const State *s, int id, int first, int pid, unsigned end)
{
    const Proctype *types = model.proctypes;
    if (exclusive.told[id] & end || step_context.testing) return;
    exclusive.told[id] |= (uint8_t)end;
    printf("pan: %s assertion violated: access to chan <%s> (%d)\n", end == END_SEND ? "xs" : "xr",
           model.chan_kinds[s->shape->channel_kind[id - 1]].name, id - 1);
    printf("pan: by %s (proc %d) and by %s (proc %d)\n", types[state_process_type(s, first)].name, first,
           types[state_process_type(s, pid)].name, pid);
}

static void ask_end(const State *s, int id, int pid, unsigned end)
{
    unsigned declared = exclusive.declared[id][end == END_SEND];
    if (declared == 0 || declared == (unsigned)pid + 1) return;
    for (int other = 0; other < state_n_processes(s); other++)
        if (other != pid && model_claims_end(s, other, id, end)) {
            tell_violation(s, id, other, pid, end);
            raise_error("error, partial order reduction invalid");
            return;
        }
}

void exclusive_ask(const State *s, int id, int pid, unsigned ends)
{
    touched.others = true; /* what others declare, now and later */
    if (ends & END_SEND) ask_end(s, id, pid, END_SEND);
    if (ends & END_RECEIVE) ask_end(s, id, pid, END_RECEIVE);
}

/* Rendezvous are never reduced, and a variable without a channel has no ends. */
void exclusive_claim(const State *s, int id, int pid, unsigned end)
{
    uint16_t *declared = &exclusive.declared[id][end == END_SEND];
    if (!exclusive.is_on || id == 0 || channel_is_rendezvous(s, id)) return;
    *declared = (uint16_t)(*declared == 0 || *declared == pid + 1 ? pid + 1 : SEVERAL);
    exclusive_use(s, id, pid, end);
}
