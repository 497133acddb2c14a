/* session.c: a model run step by step from outside; see session.h.
 *
 * Nothing here is about Promela: steps are found by steps.c and taken by follow.c, which the
 * verifier uses too. A library holds the verifier's global context (step_context, fault, options);
 * each call sets it up from its session, so sessions of one model may take turns.
 */
#include "session.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "follow.h"
#include "search.h"
#include "state.h"
#include "steps.h"
#include "util.h"

Options options;
Stats stats;

struct Session {
    State now;
    int claim;
    int offer;      /* channel of a rendezvous that is half done */
    int owner;      /* process with exclusive control, or -1 */
    bool timed_out; /* the steps listed last need time to pass */
};

/* ---- what happens inside a step ---- */

static struct {
    SessionNote *notes;
    int n_notes, notes_capacity;
    int *values;
    int n_values, values_capacity;
    char *output;
    size_t n_output, output_capacity;
    bool off; /* while steps are only looked for */
} record;

static void record_clear(void)
{
    record.n_notes = record.n_values = 0;
    record.n_output = 0;
    if (!record.output) record.output = xcalloc(1, record.output_capacity = 256);
    record.output[0] = '\0';
}

static SessionNote *record_note(int kind, int subject)
{
    if (record.n_notes == record.notes_capacity) {
        record.notes_capacity = record.notes_capacity ? 2 * record.notes_capacity : 16;
        record.notes = xrealloc(record.notes, (size_t)record.notes_capacity * sizeof *record.notes);
    }
    record.notes[record.n_notes] = (SessionNote){kind, subject, 0, record.n_values, NULL};
    return &record.notes[record.n_notes++];
}

static void record_value(SessionNote *note, int value)
{
    if (record.n_values == record.values_capacity) {
        record.values_capacity = record.values_capacity ? 2 * record.values_capacity : 64;
        record.values = xrealloc(record.values, (size_t)record.values_capacity * sizeof *record.values);
    }
    record.values[record.n_values++] = value;
    note->n++;
}

void note_message(int kind, int id, int n, const int *values)
{
    if (record.off) return;
    SessionNote *note = record_note(kind, id);
    for (int i = 0; i < n; i++) record_value(note, values[i]);
}

int note_slot(int kind, const State *s, int id, int slot)
{
    if (record.off || id < 1 || id > s->shape->n_channels) return 1;
    SessionNote *note = record_note(kind, id);
    int n = model.chan_kinds[s->shape->channel_kind[id - 1]].n_fields;
    for (int i = 0; i < n; i++) record_value(note, channel_field(s, id, slot, i));
    return 1;
}

void *note_variable(int variable, void *at)
{
    if (!record.off) record_note(NOTE_CHANNEL, variable);
    return at;
}

int note_element(int variable, int index)
{
    if (!record.off) record_note(NOTE_CHANNEL, variable);
    return index;
}

int note_narrow(int kind, int bits, int value)
{
    int kept = kind == VAR_SHORT ? (int16_t)value : bits < 32 ? value & ((1 << bits) - 1) : value;
    if (value != kept && !record.off) {
        SessionNote *note = record_note(NOTE_NARROW, kind);
        record_value(note, value);
        record_value(note, kept);
    }
    return value;
}

void note_run(int pid)
{
    if (!record.off) record_note(NOTE_RUN, pid);
}

int note_priority(int pid, int priority)
{
    if (!record.off) record_value(record_note(NOTE_PRIORITY, pid), priority);
    return priority;
}

int note_index(const char *name, int index, int length)
{
    if ((index < 0 || index >= length) && !record.off) {
        SessionNote *note = record_note(NOTE_INDEX, length);
        note->name = name;
        record_value(note, index);
    }
    return index;
}

/* The model's printf and printm, and the printf of embedded C. */
void print_text(const char *format, ...)
{
    va_list args;
    int n;
    if (record.off) return;
    va_start(args, format);
    n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0) return;
    if (record.n_output + (size_t)n + 1 > record.output_capacity) {
        record.output_capacity = 2 * (record.n_output + (size_t)n + 1);
        record.output = xrealloc(record.output, record.output_capacity);
    }
    record_note(NOTE_PRINT, (int)record.n_output);
    va_start(args, format);
    vsnprintf(record.output + record.n_output, (size_t)n + 1, format, args);
    va_end(args);
    record.n_output += (size_t)n;
}

/* ---- standard input ---- */

enum { STDIN_UNKNOWN = -2, STDIN_ENDED = -1 };

static int stdin_ahead = STDIN_UNKNOWN; /* the next character, or one of these */

int stdin_ready(void)
{
    struct pollfd input = {.fd = 0, .events = POLLIN};
    unsigned char c;
    if (stdin_ahead == STDIN_UNKNOWN && poll(&input, 1, 0) > 0) stdin_ahead = read(0, &c, 1) == 1 ? c : STDIN_ENDED;
    return stdin_ahead >= 0;
}

int stdin_next(void)
{
    int c = stdin_ahead;
    stdin_ahead = STDIN_UNKNOWN;
    return c;
}

int session_stdin_ended(void) { return !stdin_ready() && stdin_ahead == STDIN_ENDED; }

/* ---- one call after the other ---- */

void session_set_unless_order(int outermost_first) { options.unless_outermost = outermost_first != 0; }

static void session_enter(Session *s, bool taking)
{
    options.use_claim = s->claim >= 0;
    options.claim_type = s->claim >= 0 ? s->claim : 0;
    step_context = (StepContext){.offer = s->offer, .replaying = taking};
    fault = (Fault){0};
    record.off = !taking;
    record_clear();
}

static void session_leave(Session *s, bool taken)
{
    if (taken) s->offer = step_context.offer;
    record.off = true;
}

void session_restart(Session *s)
{
    session_enter(s, true);
    step_context.offer = 0;
    model_start(&s->now);
    if (s->claim >= 0) state_header(&s->now)->claim = model.proctypes[s->claim].start;
    s->owner = -1;
    s->timed_out = false;
    session_leave(s, true);
}

Session *session_open(int claim)
{
    Session *s = xcalloc(1, sizeof *s);
    state_init(&s->now);
    s->claim = claim;
    session_restart(s);
    return s;
}

void session_close(Session *s)
{
    state_free(&s->now);
    xfree(s);
}

/* ---- finding steps ---- */

static int transition_index(const Transition *t) { return t ? (int)(t - model.transitions) : -1; }

static int session_list(Session *s, StepIterator *it, SessionStep *steps, int capacity)
{
    int n = 0;
    Step step, faulty = {0};
    StepResult result;
    it->only_tests = true; /* embedded C must not run before its step is taken */
    while ((result = step_next(it, &s->now, NULL, &step)) != STEP_NONE) {
        fault = (Fault){0};
        if (result == STEP_TAKEN && step.transition == faulty.transition && step.pid == faulty.pid) continue;
        faulty = result == STEP_FAULT ? step : (Step){0}; /* the iterator goes on with the same step */
        if (n < capacity)
            steps[n] = (SessionStep){step.pid, transition_index(step.transition), step.reply_pid,
                                     transition_index(step.reply), result == STEP_FAULT};
        n++;
    }
    return n;
}

static int session_list_of(Session *s, int only, bool timeout, SessionStep *steps, int capacity)
{
    StepIterator it;
    step_context.timeout = timeout;
    step_begin(&it, &s->now, only);
    return session_list(s, &it, steps, capacity);
}

int session_steps(Session *s, SessionStep *steps, int capacity, int *timeout)
{
    int n = 0;
    session_enter(s, false);
    if (s->owner >= 0 && s->owner < state_n_processes(&s->now))
        n = session_list_of(s, s->owner, false, steps, capacity);
    if (n == 0) n = session_list_of(s, -1, false, steps, capacity);
    s->timed_out = n == 0;
    if (s->timed_out && model.uses_timeout) n = session_list_of(s, -1, true, steps, capacity);
    *timeout = s->timed_out;
    session_leave(s, false);
    return n;
}

int session_claim_steps(Session *s, SessionStep *steps, int capacity)
{
    StepIterator it;
    int n = 0;
    session_enter(s, false);
    if (s->claim >= 0) {
        step_begin_claim(&it);
        n = session_list(s, &it, steps, capacity);
    }
    session_leave(s, false);
    return n;
}

/* ---- taking steps ---- */

static void session_apply(Session *s, int pid, const Transition *t)
{
    if (!(t->flags & (T_SKIP | T_ELSE))) model_guard(&s->now, pid, t); /* for its notes and faults */
    if (!fault.text) step_apply(&s->now, pid, t);
    s->owner = t->flags & T_ATOMIC ? pid : -1;
}

void session_take(Session *s, const SessionStep *step)
{
    session_enter(s, true);
    step_context.timeout = s->timed_out;
    session_apply(s, step->pid, &model.transitions[step->transition]);
    if (step->reply >= 0 && !fault.text) {
        session_apply(s, step->reply_pid, &model.transitions[step->reply]);
        step_context.offer = 0;
    }
    session_leave(s, true);
}

int session_move(Session *s, int pid, int transition)
{
    static const int results[] = {[FOLLOWED] = MOVED, [FOLLOW_BLOCKED] = MOVE_BLOCKED, [FOLLOW_UNKNOWN] = MOVE_UNKNOWN};
    FollowResult result;
    session_enter(s, true);
    result = follow_step(&s->now, pid, (uint32_t)transition);
    if (result == FOLLOWED) s->owner = model.transitions[transition].flags & T_ATOMIC ? pid : -1;
    if (model.transitions[transition].flags & T_ELSE) record_clear(); /* notes of other options' guards */
    session_leave(s, true);
    return results[result];
}

int session_offer(const Session *s) { return s->offer; }

static Transition single_statement(int proctype, int action)
{
    return (Transition){.proctype = (uint16_t)proctype, .action = (uint32_t)action};
}

int session_test(Session *s, int pid, int proctype, int action)
{
    Transition t = single_statement(proctype, action);
    int result;
    session_enter(s, true);
    result = model_guard(&s->now, pid, &t) != BLOCKED;
    session_leave(s, false);
    return result;
}

void session_do(Session *s, int pid, int proctype, int action)
{
    Transition t = single_statement(proctype, action);
    int offer = s->offer;
    session_enter(s, true);
    model_effect(&s->now, pid, &t);
    if (offer) step_context.offer = 0;
    session_leave(s, true);
}

void session_arrive(Session *s, int pid, int transition)
{
    const Transition *t = &model.transitions[transition];
    if (model.uses_last) state_header(&s->now)->last = (uint8_t)pid;
    state_process(&s->now, pid)->pc = t->to;
    s->owner = t->flags & T_ATOMIC ? pid : -1;
}

/* ---- asking ---- */

const char *session_fault(const Session *s)
{
    (void)s;
    return fault.text;
}

int session_n_notes(const Session *s)
{
    (void)s;
    return record.n_notes;
}

const SessionNote *session_notes(const Session *s)
{
    (void)s;
    return record.notes;
}

const int *session_values(const Session *s)
{
    (void)s;
    return record.values;
}

const char *session_output(const Session *s)
{
    (void)s;
    return record.output;
}

/* A session's own fields stand in front of the vector. */
typedef struct SavedSession {
    int32_t offer;
    int32_t owner;
} SavedSession;

int session_size(const Session *s) { return (int)(sizeof(SavedSession) + s->now.size); }

void session_save(const Session *s, unsigned char *out)
{
    SavedSession head = {s->offer, s->owner};
    memcpy(out, &head, sizeof head);
    memcpy(out + sizeof head, s->now.v, s->now.size);
}

void session_load(Session *s, const unsigned char *bytes, int size)
{
    SavedSession head;
    memcpy(&head, bytes, sizeof head);
    s->offer = head.offer;
    s->owner = head.owner;
    state_reserve(&s->now, (uint32_t)size);
    state_load(&s->now, bytes + sizeof head, (uint32_t)(size - (int)sizeof head));
}

int session_n_processes(const Session *s) { return state_n_processes(&s->now); }

int session_process_type(const Session *s, int pid) { return state_process_type(&s->now, pid); }

int session_location(const Session *s, int pid)
{
    return pid == CLAIM_PID ? state_header(&s->now)->claim : state_process(&s->now, pid)->pc;
}

int session_priority(const Session *s, int pid) { return state_process(&s->now, pid)->priority; }

int session_is_valid_end(const Session *s) { return state_is_valid_end(&s->now); }

int session_read(const Session *s, int pid, int *out)
{
    int type = pid < 0 ? -1 : state_process_type(&s->now, pid), n = 0;
    for (int i = 0; i < model.n_variables; i++)
        if (model.variables[i].proctype == type)
            for (uint32_t k = 0; k < model.variables[i].length; k++) out[n++] = model_read(&s->now, i, pid, k);
    return n;
}

int session_n_channels(const Session *s) { return s->now.shape->n_channels; }

int session_channel_kind(const Session *s, int id) { return s->now.shape->channel_kind[id - 1]; }

int session_channel(const Session *s, int id, int *out)
{
    int length = channel_length(&s->now, id), n_fields = model.chan_kinds[session_channel_kind(s, id)].n_fields;
    for (int slot = 0; slot < length; slot++)
        for (int i = 0; i < n_fields; i++) *out++ = channel_field(&s->now, id, slot, i);
    return length;
}
