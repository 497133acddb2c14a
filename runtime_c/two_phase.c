/* two_phase.c: phase one of two-phase search; see two_phase.h.
 *
 * Going round in circles is noticed in two ways. If all states are stored, those of the running phase are marked.
 * With selective caching one earlier state is kept and compared with, a later one each time the number of steps
 * has doubled (Brent), so a phase needs no memory of its own. A circle is cut out of the list of steps, and the
 * process that closed it rests until the next phase.
 */
#include "two_phase.h"

#include <string.h>

#include "ample.h"
#include "claim_run.h"
#include "tallies.h"
#include "util.h"

typedef struct PhaseStep {
    uint32_t transition; /* index into model.transitions */
    int16_t pid;
} PhaseStep;

/* What is remembered of stored states: the process phase one left them by, plus one; 0: they end it. */
typedef uint16_t PhaseNote;
enum { NOTE_RUNNING = 1 << 15, FIRST_CHECK = 8 };

typedef struct PhaseList {
    uint32_t *ids; /* numbers of states */
    size_t n, capacity;
} PhaseList;

static struct {
    PhaseStep *steps; /* of all phases on the search's stack */
    size_t n_steps, steps_capacity;
    PhaseStore store; /* NULL: selective caching */
    PhaseNote *notes; /* by state number */
    size_t notes_capacity;
    PhaseList passed; /* all states of this phase, */
    PhaseList way;    /* and those without circles: one more than steps in its part of the list */
    uint8_t resting[MAX_PROCESSES + 1];
    int current; /* process that moved last */
    State next;
    State earlier;        /* selective: a state of this phase, */
    size_t earlier_steps; /* the length of the list then, */
    size_t n_since;       /* the number of steps since, */
    size_t check_after;   /* and after how many another one is kept */
} phase;

void phase_one_open(PhaseStore store)
{
    phase.n_steps = 0;
    phase.store = options.caches_all ? store : NULL;
    if (phase.notes) memset(phase.notes, 0, phase.notes_capacity * sizeof *phase.notes);
}

/* ---- the steps ---- */

size_t phase_one_mark(void) { return phase.n_steps; }

void phase_one_drop(size_t mark) { phase.n_steps = mark; }

long phase_one_length(size_t mark) { return (long)(phase.n_steps - mark) * (options.use_claim ? 2 : 1); }

static void phase_add_step(int pid, const Transition *t)
{
    if (phase.n_steps == phase.steps_capacity) {
        phase.steps_capacity = phase.steps_capacity ? 2 * phase.steps_capacity : 1024;
        phase.steps = xrealloc(phase.steps, phase.steps_capacity * sizeof *phase.steps);
    }
    phase.steps[phase.n_steps++] = (PhaseStep){(uint32_t)(t - model.transitions), (int16_t)pid};
}

void phase_one_write(Trail *t, long depth, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (options.use_claim) claim_run_leave_open(t, ++depth);
        trail_add(t, ++depth, phase.steps[i].pid, &model.transitions[phase.steps[i].transition]);
    }
}

/* The only step of a process. A fault makes it none: the search will meet it in phase two. */
static bool only_step(const State *s, int pid, Step *step)
{
    StepIterator it;
    Step other;
    step_begin(&it, s, pid);
    it.only_tests = true;
    bool single = step_next(&it, s, NULL, step) == STEP_TAKEN && step_next(&it, s, NULL, &other) == STEP_NONE;
    fault = (Fault){0};
    return single && !step->reply && !(step->transition->flags & T_ATOMIC);
}

static bool take_step(State *s, int pid, const Transition *t)
{
    state_copy(&phase.next, s);
    step_apply(&phase.next, pid, t);
    if (fault.text) {
        fault = (Fault){0};
        return false;
    }
    State swap = *s;
    *s = phase.next;
    phase.next = swap;
    phase_add_step(pid, t);
    stats.phase_one_steps++;
    if (COUNTS_STEPS) tally_transition(t);
    return true;
}

static bool move_process(State *s, int pid)
{
    Step step;
    return !phase.resting[pid] && ample_can_stand(s, pid) && only_step(s, pid, &step)
           && take_step(s, pid, step.transition);
}

/* Moves a deterministic process, if possible the one that moved last. */
static bool move_one(State *s)
{
    int n = state_n_processes(s);
    int from = phase.current < n ? phase.current : n - 1;
    for (int i = 0; i < n; i++) {
        int pid = (from + n - i) % n;
        if (!move_process(s, pid)) continue;
        phase.current = pid;
        return true;
    }
    return false;
}

/* ---- selective caching ---- */

static void keep_earlier(const State *s)
{
    state_copy(&phase.earlier, s);
    phase.earlier_steps = phase.n_steps;
    phase.n_since = 0;
}

static void look_for_circle(const State *s)
{
    bool is_circle = s->size == phase.earlier.size && memcmp(s->v, phase.earlier.v, s->size) == 0;
    if (is_circle) {
        phase.resting[phase.current] = true;
        phase.n_steps = phase.earlier_steps;
        phase.check_after = FIRST_CHECK;
        phase.n_since = 0;
    } else if (++phase.n_since == phase.check_after) {
        phase.check_after *= 2;
        keep_earlier(s);
    }
}

static void run_selective(State *s)
{
    phase.check_after = FIRST_CHECK;
    keep_earlier(s);
    while (move_one(s)) look_for_circle(s);
}

/* ---- all states stored ---- */

static PhaseNote *note_of(uint32_t id)
{
    if (id >= phase.notes_capacity) {
        size_t n = (size_t)id + id / 2 + 1024;
        phase.notes = xrealloc(phase.notes, n * sizeof *phase.notes);
        memset(phase.notes + phase.notes_capacity, 0, (n - phase.notes_capacity) * sizeof *phase.notes);
        phase.notes_capacity = n;
    }
    return &phase.notes[id];
}

static uint32_t store_counted(const State *s, bool *is_new)
{
    uint32_t id = (uint32_t)phase.store(s, is_new);
    stats.stored += *is_new;
    return id;
}

static void phase_list_add(PhaseList *list, uint32_t id)
{
    if (list->n == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 1024;
        list->ids = xrealloc(list->ids, list->capacity * sizeof *list->ids);
    }
    list->ids[list->n++] = id;
}

/* From a state of an earlier phase to where that one ended. */
static void follow_notes(State *s, uint32_t id)
{
    bool is_new;
    PhaseNote note;
    while ((note = *note_of(id)) != 0) {
        Step step;
        if (!only_step(s, note - 1, &step) || !take_step(s, note - 1, step.transition))
            die("internal error: phase one cannot be repeated");
        id = (uint32_t)phase.store(s, &is_new);
    }
}

/* The phase comes to state `id` once more: whoever moved last rests. If it is on the way to here, the circle is
 * cut out; its states keep their notes, which lead back to `id`. */
static void come_back(uint32_t id, size_t first_step)
{
    size_t i = phase.way.n;
    phase.resting[phase.current] = true;
    while (i > 0 && phase.way.ids[i - 1] != id) i--;
    if (i == 0) {
        phase_list_add(&phase.way, id);
        return;
    }
    phase.way.n = i;
    phase.n_steps = first_step + i - 1;
}

/* Comes to a state of the phase; false if an earlier phase passed it, whose notes tell the rest. */
static bool arrive(const State *s, size_t first_step, uint32_t *id)
{
    bool is_new;
    *id = store_counted(s, &is_new);
    if (*note_of(*id) & NOTE_RUNNING) {
        come_back(*id, first_step);
        return true;
    }
    phase_list_add(&phase.way, *id);
    if (!is_new) return false;
    phase_list_add(&phase.passed, *id);
    *note_of(*id) = NOTE_RUNNING;
    return true;
}

static void run_all(State *s)
{
    size_t first_step = phase.n_steps;
    uint32_t id;
    bool goes_on = arrive(s, first_step, &id);
    while (goes_on) {
        *note_of(id) = NOTE_RUNNING; /* where it ends, nothing more is noted */
        if (!move_one(s)) break;
        *note_of(id) = (PhaseNote)(NOTE_RUNNING | (phase.current + 1));
        goes_on = arrive(s, first_step, &id);
    }
    for (size_t i = 0; i < phase.passed.n; i++) *note_of(phase.passed.ids[i]) &= (PhaseNote)~NOTE_RUNNING;
    if (!goes_on) follow_notes(s, id);
}

void phase_one_run(State *s)
{
    memset(phase.resting, 0, sizeof phase.resting);
    phase.current = state_n_processes(s) - 1;
    phase.way.n = phase.passed.n = 0;
    phase.store ? run_all(s) : run_selective(s);
}
