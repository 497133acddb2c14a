/* exclusive.c: ends of channels declared exclusive; see exclusive.h. */
#include "exclusive.h"

#include <stdio.h>

#include "state.h"

Exclusive exclusive;

static const char *process_name(const State *s, int pid)
{
    return pid < state_n_processes(s) ? model.proctypes[state_process_type(s, pid)].name : "a process that has ended";
}

static void tell_violation(const State *s, int id, int first, int pid, unsigned end)
{
    if (exclusive.told[id] & end || step_context.testing) return;
    exclusive.told[id] |= (uint8_t)end;
    printf("pan: %s assertion violated: access to chan <%s> (%d)\n", end == END_SEND ? "xs" : "xr",
           model.chan_kinds[s->shape->channel_kind[id - 1]].name, id - 1);
    printf("pan: by %s (proc %d) and by %s (proc %d)\n", process_name(s, first), first, process_name(s, pid), pid);
}

static void ask_end(const State *s, int id, int pid, unsigned end, uint8_t *user)
{
    if (*user == 0) *user = (uint8_t)(pid + 1);
    if (*user == pid + 1 || exclusive.is_unchecked) return;
    tell_violation(s, id, *user - 1, pid, end);
    raise_error("error, partial order reduction invalid");
}

void exclusive_ask(const State *s, int id, int pid, unsigned ends)
{
    ends &= exclusive.claimed[id];
    if (ends & END_SEND) ask_end(s, id, pid, END_SEND, &exclusive.senders[id]);
    if (ends & END_RECEIVE) ask_end(s, id, pid, END_RECEIVE, &exclusive.receivers[id]);
}

/* Rendezvous are never reduced, and a variable without a channel has no ends. */
void exclusive_claim(const State *s, int id, int pid, unsigned ends)
{
    if (!exclusive.is_on || id == 0 || channel_is_rendezvous(s, id)) return;
    exclusive.claimed[id] |= (uint8_t)ends;
    exclusive_ask(s, id, pid, ends);
}
