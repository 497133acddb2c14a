/* acceptance.c: accepting states and weak fairness; see acceptance.h. */
#include "acceptance.h"

static bool processes_accept;

static bool proctype_accepts(const Proctype *p)
{
    for (int i = 1; i < p->n_locations; i++)
        if (p->locations[i].flags & L_ACCEPT) return true;
    return false;
}

void acceptance_prepare(void)
{
    processes_accept = false;
    for (int i = 0; i < model.n_proctypes && !options.find_nonprogress; i++) {
        const Proctype *p = &model.proctypes[i];
        if (p->class_ != CLASS_NEVER && proctype_accepts(p)) processes_accept = true;
    }
}

bool acceptance_is_claims_only(void) { return options.use_claim && !processes_accept; }

bool state_has_accept_label(const State *s)
{
    const Header *header = state_header(s);
    if (header->owner) return false;
    if (options.use_claim && active_claim()->locations[header->claim].flags & L_ACCEPT) return true;
    for (int pid = 0; processes_accept && pid < state_n_processes(s); pid++)
        if (process_location(s, pid)->flags & L_ACCEPT) return true;
    return false;
}

bool state_is_accepting(const State *s)
{
    return options.fairness ? state_header(s)->fair == FAIR_CLOSED : state_has_accept_label(s);
}

/* ---- weak fairness ---- */

/* Is there a step of process `pid` (-1: of any), rendezvous counted or not? */
static bool has_step(const State *s, int pid, bool timeout, bool count_rendezvous)
{
    static State scratch;
    StepIterator it;
    Step step;
    StepResult found;
    StepContext saved = step_context;
    Fault saved_fault = fault;
    step_context.timeout = timeout;
    step_begin(&it, s, pid);
    do {
        fault = (Fault){0}; /* the iterator goes on only when a fault was dealt with */
        found = step_next(&it, s, &scratch, &step);
    } while (found == STEP_FAULT || (found == STEP_TAKEN && step.reply && !count_rendezvous));
    step_context = saved;
    fault = saved_fault;
    return found == STEP_TAKEN;
}

bool fairness_expects(const State *s, int pid)
{
    if (has_step(s, pid, false, false)) return true;
    return model.uses_timeout && has_step(s, pid, true, false) && !has_step(s, -1, false, true);
}

void fairness_follow(State *successor, unsigned from, const Move *move)
{
    Header *header = state_header(successor);
    unsigned n = (unsigned)state_n_processes(successor), copy = from == FAIR_CLOSED ? 0 : from;
    if (move->has_program && copy == (unsigned)move->program.pid + 1) copy++;
    if (move->has_program && move->program.reply && copy == (unsigned)move->program.reply_pid + 1) copy++;
    if (!header->owner) {
        if (copy == 0 && state_has_accept_label(successor)) copy = 1;
        while (copy >= 1 && copy <= n && !fairness_expects(successor, (int)copy - 1)) copy++;
        if (copy > n) copy = FAIR_CLOSED;
    }
    header->fair = (uint8_t)copy;
}
