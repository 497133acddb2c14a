/* tell_search.c: lines about the search as it goes; see tell_search.h. */
#include "tell_search.h"

#include <stdio.h>

#include "search.h"
#include "state.h"
#include "steps.h"
#include "util.h"

ToldLevel told_level;

static struct {
    bool *on_stack;
    size_t capacity;
} told_states;

static const char *mover(ToldLevel at) { return at.kind & TOLD_CLAIM ? "claim" : "program"; }

/* With a claim, that is process 0 and all others move up. */
static int process_number(int pid) { return pid + (options.use_claim ? 1 : 0); }

/* Without a search for cycles, SPIN looks at accept labels in the initial state only. */
static const char *acceptance(ToldLevel at, const State *s)
{
    bool accepts = options.use_claim && active_claim()->locations[state_header(s)->claim].flags & L_ACCEPT;
    for (int pid = 0; pid < state_n_processes(s); pid++) accepts |= process_location(s, pid)->flags & L_ACCEPT;
    return at.depth == 0 && accepts ? "" : "non-";
}

static void tell_move(ToldLevel at, const State *s, int pid, const Transition *t, bool is_offer)
{
    int from = pid == CLAIM_PID ? state_header(s)->claim : state_process(s, pid)->pc;
    printf("%3ld: proc %d exec %u, %d to %u, %s %s %s %saccepting [tau=%d]\n", at.depth, process_number(pid),
           (unsigned)t->code, from, (unsigned)t->to, t->text, t->flags & T_ATOMIC ? "atomic" : "",
           is_offer ? "rendez-vous" : "", acceptance(at, s), at.kind);
    if (t->escape) printf("\t(escape to state %u)\n", (unsigned)t->to);
}

void tell_step(ToldLevel at, const State *s, int pid, const Transition *t) { tell_move(at, s, pid, t, false); }

void tell_down(ToldLevel at, const State *s, int only)
{
    bool has_claim = options.use_claim && state_header(s)->claim != 0;
    int first = state_n_processes(s) + has_claim - 1, last = process_number(0);
    if (options.reverse_processes != options.p_reversed) { /* -DP_REVERSE */
        last = first;
        first = process_number(0);
    }
    if (only != -1) first = last = process_number(only);
    if (at.kind & TOLD_CLAIM && at.kind & TOLD_INSIDE) first = last = 0;
    printf("%ld: Down - %s %saccepting [pids %d-%d]\n", at.depth, mover(at), acceptance(at, s), first, last);
}

void tell_up(ToldLevel at) { printf("%ld: Up - %s\n", at.depth, mover(at)); }

void tell_state(uint32_t number, bool is_new, bool is_explored)
{
    if (number >= told_states.capacity) {
        told_states.capacity = number + number / 2 + 1024;
        told_states.on_stack = xrealloc(told_states.on_stack, told_states.capacity * sizeof *told_states.on_stack);
    }
    bool *on_stack = &told_states.on_stack[number];
    if (is_new) *on_stack = false;
    printf("\t%s state %u\n", is_new ? "New" : *on_stack ? "Stack" : "Old", (unsigned)number);
    if (is_explored && !is_new)
        puts(options.bounds_switches ? "\t\tRevisit with other context switches"
                                     : "\t\tReVisiting (from smaller depth)");
    /* SPIN knows its stack only in some of its builds. */
    if (is_explored) *on_stack = options.circles_are_stuck;
}

void tell_leave(uint32_t number) { told_states.on_stack[number] = false; }

static ToldLevel middle_level(void) { return (ToldLevel){told_level.depth + 1, TOLD_INSIDE}; }

void tell_offer(const State *s, int pid, const Transition *send)
{
    tell_move(told_level, s, pid, send, true);
    tell_down(middle_level(), s, -1);
}

void tell_offer_end(void) { tell_up(middle_level()); }
