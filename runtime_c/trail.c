/* trail.c: paths to errors, and the files they are kept in.
 *
 * A trail file is text, one `step:process:statement` per line, read by `spin -t` and by clients
 * that know nothing of hsfpy; so every detail follows SPIN: negative first fields are remarks
 * (-2 the claim's proctype, -4 merged statements, -1 the start of a cycle), and when there is a
 * claim it counts as process 0 and all others move up by one.
 */
#include "trail.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "chain.h"
#include "claim_run.h"
#include "util.h"

static const char *trail_program = "pan";
static int trails_made; /* or tried */

void trail_init(Trail *t)
{
    memset(t, 0, sizeof *t);
    t->cycle_start = -1;
}

void trail_free(Trail *t)
{
    xfree(t->steps);
    trail_init(t);
}

void trail_add(Trail *t, long depth, int pid, const Transition *transition)
{
    if (t->n == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 64;
        t->steps = xrealloc(t->steps, t->capacity * sizeof *t->steps);
    }
    t->steps[t->n++] = (TrailStep){depth, pid, (uint32_t)(transition - model.transitions)};
}

void trail_add_step(Trail *t, long depth, const Step *step)
{
    const Transition *last = step_last(step);
    trail_add(t, ++depth, step->pid, step->transition);
    if (step->reply) trail_add(t, ++depth, step->reply_pid, step->reply);
    for (uint16_t i = 0; i < step->n_chained; i++) {
        last = chain_next(last);
        if (options.use_claim) claim_run_leave_open(t, ++depth);
        trail_add(t, ++depth, step->reply ? step->reply_pid : step->pid, last);
    }
}

void trail_set_program(const char *argv0)
{
    const char *slash = strrchr(argv0, '/');
    trail_program = slash ? slash + 1 : argv0;
}

/* ---- names ---- */

static const char *model_file_name(void)
{
    const char *slash = strrchr(model.source, '/');
    return slash ? slash + 1 : model.source;
}

/* MODEL[NUMBER].SUFFIX; `plain` drops the part of MODEL from its first dot on. The caller frees. */
static char *trail_name(const char *suffix, int number, bool plain)
{
    const char *base = model_file_name();
    int length = (int)(plain ? strcspn(base, ".") : strlen(base));
    size_t size = strlen(base) + strlen(suffix) + strlen(trail_program) + 64;
    char *name = xmalloc(size), digits[64] = "";
    if (number) snprintf(digits, sizeof digits, "%d", number);
    if (options.trail_with_pid && !plain)
        snprintf(name, size, "%.*s_%s_%ld%s%s.%s", length, base, trail_program, (long)getpid(), number ? "_" : "",
                 digits, suffix);
    else
        snprintf(name, size, "%.*s%s.%s", length, base, digits, suffix);
    return name;
}

/* ---- writing ---- */

/* Opens the file for the next trail; its name goes to *name, also on failure. */
static int trail_create(char **name)
{
    int number = options.shorten ? 0 : options.every_error ? trails_made + 1 : trails_made;
    int flags = O_CREAT | O_WRONLY | O_TRUNC;
    mode_t mode = options.trail_read_only ? 0444 : 0666;
    int fd;
    trails_made++;
    if (options.keep_trail && !options.shorten) flags |= O_EXCL;
    *name = trail_name(options.trail_suffix, number, false);
    fd = open(*name, flags, mode);
    if (fd < 0 && strchr(model_file_name(), '.')) {
        xfree(*name);
        *name = trail_name(options.trail_suffix, number, true);
        fd = open(*name, flags, mode);
    }
    return fd;
}

/* Moves of a claim made from an ltl formula are left out: SPIN translates the formula itself, and
 * its claim has other statements. A replay then shows the program's part of the run. */
static bool names_claim_moves(void) { return options.use_claim && !active_claim()->translated; }

/* SPIN marks the trails of its -p_ options, because these reverse the creation of active processes
 * and so their numbers. Here only -P1 does that, and only then are the marks needed. */
static void trail_write_marks(FILE *out)
{
    bool is_rotated = options.process_order == ORDER_ROTATED;
    if (!options.reverse_creation) return;
    fprintf(out, "-5:%d:2\n", options.reverse_transitions);
    fprintf(out, "-6:%d:%d\n", !options.p_reversed && options.process_order <= ORDER_PERMUTED, options.p_reversed);
    fprintf(out, "-7:%d:%d\n", is_rotated, is_rotated ? options.rotation : 0);
    fprintf(out, "-8:%d:%u\n", options.process_order == ORDER_RANDOM_ROTATION, (unsigned)options.seed - trails_made);
}

static void trail_write_text(FILE *out, const Trail *t)
{
    bool with_claim = names_claim_moves();
    int shift = with_claim ? 1 : 0;
    bool in_cycle = t->cycle_start < 0;
    if (with_claim) fprintf(out, "-2:%d:-2\n", options.claim_type);
    trail_write_marks(out);
    for (size_t i = 0; i < t->n; i++) {
        const TrailStep *step = &t->steps[i];
        if (!in_cycle && step->depth > t->cycle_start) {
            fputs("-1:-1:-1\n", out);
            in_cycle = true;
        }
        if (step->pid == CLAIM_PID && !with_claim) continue;
        fprintf(out, "%ld:%d:%u\n", step->depth, step->pid + shift, (unsigned)model.transitions[step->transition].id);
    }
}

bool trail_write(const Trail *t, FILE *out, char **name)
{
    int fd = trail_create(name);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    bool ok;
    if (!file) {
        fprintf(out, "pan: cannot create %s\n", *name);
        perror("cause");
        xfree(*name);
        *name = NULL;
        return true;
    }
    trail_write_text(file, t);
    ok = !ferror(file);
    if (fclose(file) != 0) ok = false;
    if (ok)
        fprintf(out, "pan: wrote %s\n", *name);
    else
        fprintf(out, "pan: error writing trailfile %s: %s\n", *name, strerror(errno));
    return ok;
}

/* ---- reading ---- */

/* Opens the trail of this model; complains as SPIN does if there is not exactly one. */
static FILE *trail_open_default(int number)
{
    char *names[2] = {trail_name("trail", number, false), trail_name("trail", number, true)};
    bool there[2] = {access(names[0], R_OK) == 0, access(names[1], R_OK) == 0};
    bool same = strcmp(names[0], names[1]) == 0;
    FILE *in = NULL;
    int n = there[0] + (there[1] && !same);
    if (n == 1) {
        in = fopen(names[there[0] ? 0 : 1], "r");
    } else {
        printf("error: there are %d trail files:\n", n);
        if (n == 2) printf("trail1: %s\ntrail2: %s\n", names[0], names[1]);
        puts("pan: rm or mv all except one");
    }
    xfree(names[0]);
    xfree(names[1]);
    return in;
}

/* For each statement number some transition that has it, NULL if there is none; *n of them. */
static const Transition **transitions_by_id(size_t *n)
{
    const Transition **by_id;
    *n = 0;
    for (int i = 0; i < model.n_transitions; i++)
        if (model.transitions[i].id >= *n) *n = model.transitions[i].id + (size_t)1;
    by_id = xcalloc(*n, sizeof *by_id);
    /* Backwards, so that in a very large model its own statements stand before those of :np_:. */
    for (int i = model.n_transitions - 1; i >= 0; i--) by_id[model.transitions[i].id] = &model.transitions[i];
    return by_id;
}

static void trail_read_remark(Trail *t, TrailHead *head, long kind, long value, long other)
{
    if (kind == -1)
        t->cycle_start = t->n ? t->steps[t->n - 1].depth : 0;
    else if (kind == -2)
        head->claim = (int)value;
    else if (kind == -4)
        head->merged = true;
    else if (kind == -5) /* SPIN's 2 stands for any of its -p_ options, which reverse it too */
        head->reversed_creation = other & 2;
}

static bool trail_read_lines(FILE *in, Trail *t, TrailHead *head)
{
    size_t n;
    const Transition **by_id = transitions_by_id(&n);
    long depth, pid, id;
    bool ok = true;
    while (ok && fscanf(in, "%ld:%ld:%ld\n", &depth, &pid, &id) == 3) {
        if (depth < 0) {
            trail_read_remark(t, head, depth, pid, id);
        } else if (id < 0 || (size_t)id >= n || !by_id[id]) {
            printf("pan: error: step %ld of the trail: this model has no statement number %ld\n", depth, id);
            ok = false;
        } else {
            trail_add(t, depth, (int)pid - (head->claim >= 0 ? 1 : 0), by_id[id]);
        }
    }
    xfree(by_id);
    return ok;
}

bool trail_read(Trail *t, TrailHead *head, const char *name, int number)
{
    FILE *in = name ? fopen(name, "r") : trail_open_default(number);
    bool ok;
    *head = (TrailHead){.claim = -1};
    if (!in) {
        if (name) printf("pan: cannot find %s\n", name);
        return false;
    }
    ok = trail_read_lines(in, t, head);
    fclose(in);
    return ok;
}
