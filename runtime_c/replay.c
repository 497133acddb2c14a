/* replay.c: running a trail, to confirm an error and to show it (pan -r).
 *
 * A trail made by SPIN runs here as well as our own. Nothing of the search that found an error is
 * used to confirm it, except the model's guards and effects.
 */
#include "replay.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acceptance.h"
#include "follow.h"
#include "options.h"
#include "report.h"
#include "steps.h"
#include "trail.h"
#include "util.h"

/* ---- one step ---- */

/* `show`: values that nobody will read are kept. */
static void replay_start(State *s, bool show)
{
    step_context = (StepContext){.replaying = show};
    fault = (Fault){0};
    state_init(s);
    model_start(s);
    step_context.replaying = false;
    if (options.use_claim) state_header(s)->claim = active_claim()->start;
}

/* Two steps of the claim in a row: between them the program stuttered. */
static bool replay_stutters(const Trail *t, size_t i)
{
    if (i == 0 || t->steps[i].pid != CLAIM_PID || t->steps[i - 1].pid != CLAIM_PID) return false;
    return !(model.transitions[t->steps[i - 1].transition].flags & T_ATOMIC);
}

/* Takes step number i; `show`: the model's printf prints, and values that nobody will read are kept. A fault it raises
 * stays in `fault`. */
static FollowResult replay_trail_step(State *s, const Trail *t, size_t i, bool show)
{
    const TrailStep *step = &t->steps[i];
    bool goes_on = i + 1 < t->n && !show;
    step_context.stutter = replay_stutters(t, i);
    step_context.replaying = show;
    FollowResult result = (goes_on ? follow_past : follow_step)(s, step->pid, step->transition);
    step_context.stutter = step_context.replaying = false;
    return result;
}

size_t replay_steps(State *s, const Trail *t, StepVisitor visit, void *context)
{
    size_t i;
    for (i = 0; i < t->n && replay_trail_step(s, t, i, false) == FOLLOWED; i++)
        if (visit) visit(context, s, &t->steps[i]);
    return i;
}

/* ---- confirming errors ---- */

static bool replay_can_move(const State *s, bool timeout)
{
    StepIterator it;
    State next;
    Step step;
    StepResult result;
    state_init(&next);
    step_context.timeout = timeout;
    step_begin(&it, s, -1);
    while ((result = step_next(&it, s, &next, &step)) == STEP_FAULT) fault = (Fault){0};
    step_context.timeout = false;
    state_free(&next);
    return result == STEP_TAKEN;
}

static bool replay_is_blocked(const State *s)
{
    if (replay_can_move(s, false)) return false;
    return !model.uses_timeout || !replay_can_move(s, true);
}

static bool replay_ends_invalid(const State *s) { return !state_is_valid_end(s) && replay_is_blocked(s); }

static bool replay_claim_ended(const State *s) { return options.use_claim && claim_has_caught(state_header(s)->claim); }

/* What is seen of a cycle: where it begins, and what makes it accepting and fair. */
typedef struct CycleView {
    long depth;
    State start;
    bool accepting;
    bool excused[MAX_PROCESSES]; /* moved in it, or could not at some moment */
} CycleView;

static void replay_look_at_cycle(CycleView *view, const State *s)
{
    if (state_has_accept_label(s)) view->accepting = true;
    for (int pid = 0; options.fairness && pid < MAX_PROCESSES; pid++)
        if (!view->excused[pid]) view->excused[pid] = pid >= state_n_processes(s) || !fairness_expects(s, pid);
}

static void replay_note_cycle(void *context, const State *s, const TrailStep *step)
{
    CycleView *view = context;
    if (step->depth <= view->depth) state_copy(&view->start, s);
    if (view->depth < 0 || step->depth < view->depth) return;
    if (step->depth > view->depth && step->pid >= 0) view->excused[step->pid] = true;
    bool is_inside = model.transitions[step->transition].flags & T_ATOMIC;
    if (!step_context.offer && !is_inside) replay_look_at_cycle(view, s);
}

static bool replay_same_state(const State *a, const State *b)
{
    State bare_a, bare_b;
    state_init(&bare_a);
    state_init(&bare_b);
    const State *x = state_without_hidden(a, &bare_a), *y = state_without_hidden(b, &bare_b);
    bool same = x->size == y->size && memcmp(x->v, y->v, x->size) == 0;
    state_free(&bare_a);
    state_free(&bare_b);
    return same;
}

static bool replay_closes_cycle(const State *s, const CycleView *view)
{
    bool fair = true;
    for (int pid = 0; options.fairness && pid < MAX_PROCESSES; pid++) fair = fair && view->excused[pid];
    return fair && view->accepting && replay_same_state(s, &view->start);
}

static bool replay_shows(ErrorKind kind, const char *text, const State *s, const CycleView *cycle)
{
    switch (kind) {
    case ERROR_FAULT:
        /* That another option was executable too does not show in a single run. */
        if (strcmp(text, "non-determinism in D_proctype") == 0) return true;
        return fault.text && strcmp(fault.text, text) == 0;
    case ERROR_GUARD: return fault.text && strcmp(fault.text, text) == 0;
    case ERROR_END_STATE: return replay_ends_invalid(s);
    case ERROR_CLAIM_END: return replay_claim_ended(s);
    case ERROR_CYCLE: return replay_closes_cycle(s, cycle);
    case ERROR_ACCEPT_STUTTER: return replay_is_blocked(s) && state_has_accept_label(s);
    case ERROR_INVARIANT: return !model_invariant(s, options.invariant);
    case ERROR_DEPTH: return true;
    }
    return false;
}

/* Steps of a trail that must be executable. The guard that raised a fault may also be false. */
static bool replay_complete(ErrorKind kind, const Trail *t, size_t done)
{
    return done == t->n || (kind == ERROR_GUARD && done + 1 == t->n);
}

/* Embedded C that prints was heard when the search ran it. Returns what hush_end needs. */
static int hush_begin(void)
{
    fflush(stdout);
    int kept = dup(STDOUT_FILENO), nowhere = kept < 0 ? -1 : open("/dev/null", O_WRONLY);
    if (nowhere < 0) return kept;
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
    return kept;
}

static void hush_end(int kept)
{
    fflush(stdout);
    if (kept < 0) return;
    dup2(kept, STDOUT_FILENO);
    close(kept);
}

bool replay_confirms(ErrorKind kind, const char *text, const Trail *t)
{
    StepContext saved_context = step_context;
    Fault saved_fault = fault;
    CycleView cycle = {.depth = t->cycle_start};
    State s;
    bool confirmed, reorders = options.reorders, tells_search = options.tells_search;
    int heard = model.has_c_code ? hush_begin() : -1;
    options.reorders = options.tells_search = false; /* a replay draws no random numbers, and is not bounded */
    replay_start(&s, false);
    state_init(&cycle.start);
    state_copy(&cycle.start, &s);
    if (t->cycle_start == 0) replay_look_at_cycle(&cycle, &s);
    confirmed = replay_complete(kind, t, replay_steps(&s, t, replay_note_cycle, &cycle))
                && replay_shows(kind, text, &s, &cycle);
    state_free(&s);
    state_free(&cycle.start);
    if (model.has_c_code) hush_end(heard);
    options.reorders = reorders;
    options.tells_search = tells_search;
    step_context = saved_context;
    fault = saved_fault;
    return confirmed;
}

/* ---- pan -r: states ---- */

/* In trails and listings a claim is process 0 and all others move up. */
static int shown_pid(int pid) { return pid + (options.use_claim ? 1 : 0); }

static void show_message(const State *s, int channel, int slot)
{
    const ChanKind *kind = &model.chan_kinds[s->shape->channel_kind[channel - 1]];
    for (int i = 0; i < kind->n_fields; i++) {
        int value = channel_field(s, channel, slot, i), mtype = kind->fields[i].mtype;
        if (mtype >= 0 && value >= 1 && value <= model.mtypes[mtype].n)
            fputs(model.mtypes[mtype].names[value - 1], stdout);
        else
            printf("%d,", value);
    }
}

static void show_channel(const State *s, int channel)
{
    if (channel < 1 || channel > s->shape->n_channels) {
        printf("len 0:\tpan: bad qid %d\n", channel);
        return;
    }
    printf("len %d:\t", channel_length(s, channel));
    for (int slot = 0; slot < channel_length(s, channel); slot++) {
        fputs(" [", stdout);
        show_message(s, channel, slot);
        fputs("],", stdout);
    }
    putchar('\n');
}

static void show_element(const State *s, int pid, const Variable *v, const char *name, uint32_t index)
{
    static const char *const kinds[] = {"bit", "byte", "short", "int", "unsigned ", "mtype", "chan", "byte"};
    int value = model_read(s, (int)(v - model.variables), pid, index);
    char subscript[16] = "";
    if (v->is_array) snprintf(subscript, sizeof subscript, "[%u]", (unsigned)index);
    if (v->kind == VAR_CHAN) {
        printf("\tchan %s%s (=%d):\t", name, subscript, value);
        show_channel(s, value);
    } else {
        printf("\t%-6s %s%s:\t%d\n", kinds[v->kind], name, subscript, value);
    }
}

/* SPIN lists the names of mtype values among the globals, where they were declared. Shows those that stand before a
 * variable; returns the next one. */
static const Constant *show_constants(const Constant *next, int variable)
{
    for (; next && next->name && next->before <= variable; next++)
        printf("\tmtype  %s:\t%d\n", next->name, next->value);
    return next;
}

/* The variables of a process, or the globals (proctype -1); fields below the name of the whole struct, as in SPIN. */
static void show_variables(const State *s, int pid, int proctype)
{
    const char *inside = "";
    size_t inside_length = 0;
    const Constant *next = proctype < 0 ? model.constants : NULL;
    for (int i = 0; i < model.n_variables; i++) {
        next = show_constants(next, i);
        const Variable *v = &model.variables[i];
        const char *dot = strrchr(v->name, '.'), *name = dot ? dot + 1 : v->name;
        size_t length = dot ? strcspn(v->name, "[.") : 0;
        if (v->proctype != proctype || v->hidden) continue;
        if (length && (length != inside_length || strncmp(inside, v->name, length) != 0))
            printf("\t(struct %.*s)\n", (int)length, v->name);
        inside = v->name;
        inside_length = length;
        for (uint32_t k = 0; k < v->length; k++) show_element(s, pid, v, name, k);
    }
    show_constants(next, INT_MAX);
}

/* SPIN also gives processes a heading that have labels but no variables. */
static bool has_heading(int proctype)
{
    const Proctype *p = &model.proctypes[proctype];
    for (int i = 0; i < model.n_variables; i++)
        if (model.variables[i].proctype == proctype && !model.variables[i].hidden) return true;
    for (int i = 1; i < p->n_locations; i++)
        if (p->locations[i].label) return true;
    return false;
}

static void show_all_variables(const State *s)
{
    puts("global vars:");
    show_variables(s, -1, -1);
    for (int pid = 0; pid < state_n_processes(s); pid++) {
        int type = state_process_type(s, pid);
        if (!has_heading(type)) continue;
        printf("local vars proc %d (%s):\n", shown_pid(pid), model.proctypes[type].name);
        show_variables(s, pid, type);
    }
}

static void show_statement(const Transition *t)
{
    putchar('[');
    report_statement(stdout, t->text);
    puts("]");
}

static void show_process(const State *s, long depth, int pid)
{
    const Proctype *p = follow_proctype(s, pid);
    int number = follow_location(s, pid);
    const Location *at = &p->locations[number];
    printf("%3ld:\tproc %d (%s)  %s:%u (state %2d)%s\n", depth, shown_pid(pid), p->name, model.source,
           (unsigned)at->table_line, number, at->flags & L_END ? "" : " (invalid end state)");
    for (uint32_t i = at->first; i < at->first + at->count; i++) {
        fputs("\t\t", stdout);
        report_statement(stdout, model.transitions[i].text);
        putchar('\n');
    }
}

static void show_end(const State *s, long depth)
{
    int first = options.use_claim ? CLAIM_PID : 0, n = state_n_processes(s);
    printf("spin: trail ends after %ld steps\n", depth);
    if (run_plan.only_process >= 0) {
        int pid = run_plan.only_process - shown_pid(0);
        if (follow_has_process(s, pid)) show_process(s, depth, pid);
        return;
    }
    printf("#processes %d:\n", n - first);
    for (int pid = first; pid < n; pid++) show_process(s, depth, pid);
    show_all_variables(s);
}

/* ---- pan -r: steps ---- */

/* Where two states of one channel first differ; -1 if they agree. */
static int changed_slot(const State *a, const State *b, int channel)
{
    const ChanKind *kind = &model.chan_kinds[a->shape->channel_kind[channel - 1]];
    int la = channel_length(a, channel), lb = channel_length(b, channel), n = la < lb ? la : lb;
    for (int slot = 0; slot < n; slot++)
        for (int i = 0; i < kind->n_fields; i++)
            if (channel_field(a, channel, slot, i) != channel_field(b, channel, slot, i)) return slot;
    return la == lb ? -1 : n;
}

static void show_place(const Proctype *p, const TrailStep *step, int number)
{
    printf("%3ld:\tproc %2d (%s) %s:%u (state %d)\t", step->depth, shown_pid(step->pid), p->name, model.source,
           (unsigned)p->locations[number].table_line, number);
}

/* -g: the message a send or receive moved. */
static void show_values(const Proctype *p, const TrailStep *step, int number, const State *before, const State *after)
{
    int n = before->shape->n_channels < after->shape->n_channels ? before->shape->n_channels : after->shape->n_channels;
    for (int channel = 1; channel <= n; channel++) {
        int slot = changed_slot(before, after, channel);
        bool sent = channel_length(after, channel) > channel_length(before, channel);
        const State *has_message = sent ? after : before;
        if (slot < 0) continue;
        show_place(p, step, number);
        printf("[values: %d%c", channel, sent ? '!' : '?');
        for (int i = 0; i < model.chan_kinds[before->shape->channel_kind[channel - 1]].n_fields; i++)
            printf("%s%d", i ? "," : "", channel_field(has_message, channel, slot, i));
        puts("]");
    }
}

static void show_step(const TrailStep *step, const Transition *t, const State *before, const State *after)
{
    static int last_claim_location = -1;
    const Proctype *p = follow_proctype(before, step->pid);
    int number = follow_location(before, step->pid), pid = shown_pid(step->pid);
    if (run_plan.only_process >= 0 && pid != run_plan.only_process) return;
    if (options.verbose) {
        printf("%3ld: proc %2d (%s)  %s:%u (state %d) trans {%u,%u} [%s]\n", step->depth, pid, p->name, model.source,
               (unsigned)p->locations[number].table_line, number, (unsigned)t->id, (unsigned)t->code, t->text);
        show_all_variables(after);
        return;
    }
    if (step->pid == CLAIM_PID && number != last_claim_location) {
        printf("MSC: ~G %u\n", (unsigned)p->locations[number].table_line);
        last_claim_location = number;
    }
    if (options.no_unreached || (run_plan.silent && !run_plan.columns)) return;
    if (run_plan.columns) {
        printf("%ld: ", step->depth);
        for (int i = 0; i < pid; i++) fputs("\t\t", stdout);
        printf("%s(%d):", p->name, pid);
        show_statement(t);
        return;
    }
    if (run_plan.show_values) show_values(p, step, number, before, after);
    show_place(p, step, number);
    show_statement(t);
}

static void show_unknown(const State *s, const TrailStep *step)
{
    unsigned id = (unsigned)model.transitions[step->transition].id;
    if (!follow_has_process(s, step->pid)) {
        printf("pan: Error, proc %d invalid pid transition %u\n", shown_pid(step->pid), id);
        return;
    }
    const Proctype *p = follow_proctype(s, step->pid);
    const Location *at = &p->locations[follow_location(s, step->pid)];
    printf("pan: Error, proc %d type %d state %d: transition %u not found\n", shown_pid(step->pid),
           (int)(p - model.proctypes), follow_location(s, step->pid), id);
    puts("pan: list of possible transitions in this process:");
    for (uint32_t i = at->first; i < at->first + at->count; i++)
        printf("\tt_id %u -- case %u, [%s]\n", (unsigned)model.transitions[i].id, (unsigned)model.transitions[i].code,
               model.transitions[i].text);
}

/* Runs step `i` and shows it. False if the trail cannot go on. */
static bool show_next(State *s, State *before, const Trail *t, size_t i)
{
    const TrailStep *step = &t->steps[i];
    const Transition *transition
        = follow_has_process(s, step->pid) ? follow_find(s, step->pid, step->transition) : NULL;
    FollowResult result;
    if (t->cycle_start >= 0 && step->depth > t->cycle_start && (i == 0 || step[-1].depth <= t->cycle_start))
        puts("<<<<<START OF CYCLE>>>>>");
    state_copy(before, s);
    result = replay_trail_step(s, t, i, true);
    if (fault.text) {
        printf("pan:1: %s (at depth %ld)\n", fault.text, step->depth);
        state_copy(s, before); /* the failing process is shown where it failed */
        return false;
    }
    if (result == FOLLOWED)
        show_step(step, transition, before, s);
    else if (result == FOLLOW_UNKNOWN)
        show_unknown(s, step);
    else if (options.verbose)
        puts("pan: error, next transition UNEXECUTABLE on replay");
    return result == FOLLOWED;
}

/* The trail says which claim it was made with. */
static void use_claim_of(const TrailHead *head)
{
    options.use_claim = false;
    for (int i = 0; i < model.n_claims; i++)
        if (model.claims[i] == head->claim) {
            options.use_claim = true;
            options.claim = i;
        }
    if (head->claim == model.nonprogress_claim) options.use_claim = options.find_nonprogress = true;
    if (options.use_claim) options.claim_type = head->claim;
    if (options.use_claim && model.n_claims > 1) printf("pan: ltl formula %s\n", model.proctypes[head->claim].name);
}

int replay_show(void)
{
    Trail t;
    TrailHead head;
    State s, before;
    size_t i = 0;
    trail_init(&t);
    if (!trail_read(&t, &head, run_plan.trail_file, run_plan.trail_number)) return EXIT_FAILURE;
    use_claim_of(&head);
    options.reverse_creation |= head.reversed_creation;
    replay_start(&s, true);
    state_init(&before);
    while (i < t.n && show_next(&s, &before, &t, i)) i++;
    show_end(&s, i < t.n ? t.steps[i].depth : t.n ? t.steps[t.n - 1].depth : 0);
    state_free(&s);
    state_free(&before);
    trail_free(&t);
    return EXIT_SUCCESS;
}
