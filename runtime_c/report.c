/* report.c: everything the verifier says about a search, in SPIN's words and layout.
 *
 * Many programs parse this output, so its lines are a contract: order, tabs and number formats are
 * SPIN's, and what we have to say beyond SPIN is said in JSON. Whatever happens, the output ends
 * with `pan: elapsed time`; graphical clients wait for it.
 */
#include "report.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "claim_run.h"
#include "heuristic.h"
#include "options.h"
#include "progress.h"
#include "reach.h"
#include "replay.h"
#include "state_set.h"
#include "store_report.h"
#include "tallies.h"
#include "trail.h"
#include "util.h"

/* SPIN's bookkeeping per stored state, part of its "equivalent memory usage". */
enum { SPIN_STATE_OVERHEAD = 28, MEGABYTE = 1 << 20, STEPS_BETWEEN_LINES = 4096 };

Stats stats;
struct StateSet *search_set;

static struct {
    FILE *out;      /* where messages go: standard output unless that is for JSON */
    double begun;   /* on the clock of seconds_now */
    uint32_t steps; /* since SPIN's progress lines were thought of */
    uint64_t next_progress;
    long next_level; /* breadth-first: level of the next progress line */
    volatile sig_atomic_t stop_requested;
    const char *stopped_by; /* why the search was stopped, other than by an error */
    bool depth_told;
    bool time_told;
    bool unconfirmed;  /* an error did not show up again on replay */
    bool not_replayed; /* the model's C data forbids a replay */
    char *last_text;   /* of the error printed last */
    char *first_text;  /* of the first error, with its place and trail, for JSON */
    long first_depth;
    size_t first_length;
    char *first_trail;
} report;

/* SPIN measures in clock ticks; a finer value would print as 1e-05, which clients cannot read. */
static double report_seconds(void)
{
    double elapsed = report.begun > 0 ? seconds_now() - report.begun : 0;
    return (double)(long)(elapsed * 100) / 100;
}

static double megabytes(double bytes) { return bytes / MEGABYTE; }

static const char *embedded_text(int number)
{
    for (const EmbeddedText *e = model.embedded; e->text; e++)
        if (e->number == number) return e->text;
    return NULL;
}

void report_in_line(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", out);
        else
            putc(*text, out);
}

/* A statement in one line, embedded C in full. */
void report_statement(FILE *out, const char *text)
{
    int number, length;
    for (; *text; text++) {
        length = 0;
        const char *code = NULL;
        if (*text == '{' && sscanf(text, "{c_code%d}%n", &number, &length) == 1 && length > 0)
            code = embedded_text(number);
        if (code) {
            report_in_line(out, code);
            text += length - 1;
        } else if (*text == '\n') {
            fputs("\\n", out);
        } else {
            putc(*text, out);
        }
    }
}

/* ---- while the search runs ---- */

static void report_memory_exhausted(size_t wanted, bool over_limit)
{
    FILE *out = report.out;
    progress_clear();
    fputs(over_limit ? "pan: reached -DMEMLIM bound\n" : "pan: out of memory\n", out);
    fprintf(out, "\t%g bytes used\n", (double)memory_in_use());
    fprintf(out, "\t%g bytes more needed\n", (double)wanted);
    if (options.memory_limit) fprintf(out, "\t%g bytes limit\n", (double)options.memory_limit);
    report.stopped_by = "memory";
    stats.complete = false;
    exit(report_end());
}

void report_begin(void)
{
    report.out = options.json ? stderr : stdout;
    report.begun = seconds_now();
    report.next_progress = run_plan.progress_every;
    report.next_level = 10;
    memory_set_limit((size_t)options.memory_limit);
    memory_set_handler(report_memory_exhausted);
    progress_open();
    if (options.use_claim && model.n_claims > 1 && (options.algorithm == SEARCH_DFS || run_plan.claim_chosen))
        fprintf(report.out, "pan: ltl formula %s\n", active_claim()->name);
}

void report_request_stop(void) { report.stop_requested = 1; }

static void report_progress_line(void)
{
    double seconds = report_seconds();
    if (progress_replaces_lines()) return;
    progress_clear();
    fprintf(report.out, "Depth= %7ld States= %8.3g Transitions= %8.3g Memory= %9.3f\t", stats.max_depth,
            (double)stats.stored, (double)(stats.stored + stats.matched), megabytes((double)memory_in_use()));
    if (seconds > 0.01) fprintf(report.out, "t= %8.3g R= %7.0g", seconds, (double)stats.stored / seconds);
    putc('\n', report.out);
    fflush(report.out);
}

static void report_progress_lines(void)
{
    report.steps = 0;
    if (options.algorithm == SEARCH_BFS && stats.max_depth >= report.next_level) {
        report.next_level = stats.max_depth / 10 * 10 + 10;
        report_progress_line();
    } else if (stats.stored >= report.next_progress) {
        report.next_progress = (stats.stored / run_plan.progress_every + 1) * run_plan.progress_every;
        report_progress_line();
    }
}

bool report_progress(long depth, const Front *front)
{
    double now = seconds_now();
    report.steps += progress_pace(now);
    if (report.steps >= STEPS_BETWEEN_LINES) report_progress_lines();
    progress_show(now, depth, front);
    if (report.stopped_by) return true;
    if (report.stop_requested) {
        progress_clear();
        fputs("Interrupted\n", report.out);
        report.stopped_by = "signal";
    } else if (options.time_limit > 0 && now - report.begun > options.time_limit) {
        progress_clear();
        fprintf(report.out, "Time limit of %6.3g minutes exceeded\n", options.time_limit / 60);
        report.stopped_by = "time";
    }
    return report.stopped_by != NULL;
}

void report_shorter_limit(long limit)
{
    report.depth_told = true; /* cutting paths is what -i is about */
    progress_clear();
    fprintf(report.out, "pan: reducing search depth to %ld\n", limit);
}

void report_depth_exceeded(void)
{
    if (report.depth_told) return;
    report.depth_told = true;
    progress_clear();
    fputs("error: max search depth too small\n", report.out);
}

/* ---- errors ---- */

/* Keeps what the JSON object says about the first error. */
static void report_remember(const char *text, long depth, size_t length, const char *trail)
{
    if (report.first_text) return;
    report.first_text = xstrdup(text);
    report.first_depth = depth;
    report.first_length = length;
    report.first_trail = trail ? xstrdup(trail) : NULL;
}

static void report_unconfirmed(const char *text, const Trail *t)
{
    fflush(stdout);
    if (model.has_c_code) { /* nothing can be said about C that runs differently each time */
        report.not_replayed = true;
        fputs("pan: not confirmed by replay: embedded C does something else when it runs again\n", run_plan.complaints);
        return;
    }
    fprintf(stderr, "pan: internal error: the trail of %zu steps does not end in \"%s\" when it is replayed\n", t->n,
            text);
    report.unconfirmed = true;
}

/* Runs the path to an error once more, if the model lets us: a replay does not reset C data outside
 * the state, and would disturb the search that goes on with it. */
static void report_confirm(ErrorKind kind, const char *text, const Trail *t)
{
    if (!model.c_data_outside) {
        if (!replay_confirms(kind, text, t)) report_unconfirmed(text, t);
    } else if (!report.not_replayed) {
        report.not_replayed = true;
        fflush(stdout);
        fputs("pan: not confirmed by replay: the model keeps C data outside the state\n", run_plan.complaints);
    }
}

/* SPIN does not repeat a text it printed last. */
static void report_error_line(const char *text, long depth)
{
    if (report.last_text && strcmp(report.last_text, text) == 0) return;
    xfree(report.last_text);
    report.last_text = xstrdup(text);
    fprintf(report.out, "pan:%" PRIu64 ": %s (at depth %ld)\n", stats.errors + 1, text, depth);
}

static void take_path(ErrorKind kind, PathWriter write_path, void *search, Trail *t)
{
    write_path(search, t);
    if (options.use_claim) claim_run_choose(t, kind);
}

/* Replays the path to an error and, once it is announced, writes it. False if that failed. */
static bool report_with_trail(ErrorKind kind, const char *text, long depth, PathWriter write_path, void *search)
{
    Trail t;
    char *name = NULL;
    bool ok;
    trail_init(&t);
    take_path(kind, write_path, search, &t);
    if (t.cycle_start >= 0) depth = t.cycle_start; /* a search may write a shorter way than it came */
    report_confirm(kind, text, &t);
    if (options.marks_late && is_plain_dfs() && dfs_can_batch()) reach_mark_path(kind, &t);
    report_error_line(text, depth);
    ok = trail_write(&t, report.out, &name);
    report_remember(text, depth, t.n, name);
    xfree(name);
    trail_free(&t);
    return ok;
}

/* A cycle is closed by a state that is on the stack. If hashes stand for states, it may have been another one. */
static bool closes_by_mistake(ErrorKind kind, const char *text, PathWriter write_path, void *search)
{
    if (kind != ERROR_CYCLE || !store_is_lossy(&options.store) || model.c_data_outside) return false;
    Trail t;
    trail_init(&t);
    take_path(kind, write_path, search, &t);
    bool is_real = replay_confirms(kind, text, &t);
    trail_free(&t);
    return !is_real;
}

bool report_error(ErrorKind kind, const char *text, long depth, PathWriter write_path, void *search)
{
    if (closes_by_mistake(kind, text, write_path, search)) return false;
    char *own_text = xstrdup(text); /* the path may be found by running steps that raise faults */
    bool wanted = options.every_error || options.shorten || (long)stats.errors + 1 == options.stop_at_error;
    bool written = true;
    progress_clear();
    if (wanted) {
        written = report_with_trail(kind, own_text, depth, write_path, search);
    } else {
        report_error_line(own_text, depth);
        report_remember(own_text, depth, 0, NULL);
    }
    stats.errors++;
    xfree(own_text);
    fflush(report.out);
    if (options.shorten) return !written;
    return !written || (options.stop_at_error && (long)stats.errors >= options.stop_at_error);
}

/* ---- the final report ---- */

static const char *claim_name(void) { return active_claim()->name; }

static void report_searched_for(void)
{
    store_report_title();
    if (model.trace >= 0)
        puts(model.proctypes[model.trace].class_ == CLASS_NOTRACE ? "\tnotrace assertion  \t+"
                                                                  : "\ttrace assertion    \t+");
    if (options.use_claim)
        printf("\tnever claim         \t+ (%s)\n", claim_name());
    else
        printf("\tnever claim         \t- (%s)\n", model.n_claims ? "not selected" : "none specified");
    printf("\tassertion violations\t%s\n", options.ignore_asserts ? "- (disabled by -A flag)"
                                           : options.use_claim    ? "+ (if within scope of claim)"
                                                                  : "+");
    if (options.safety_only)
        puts("\tcycle checks       \t- (disabled by -DSAFETY)");
    else if (options.find_acceptance || options.find_nonprogress)
        printf("\t%s \t+ (fairness %sabled)\n",
               options.find_nonprogress ? "non-progress cycles" : "acceptance   cycles",
               options.fairness ? "en" : "dis");
    else
        puts("\tacceptance   cycles \t- (not selected)");
    printf("\tinvalid end states\t%s\n\n", options.ignore_end_states ? "- (disabled by -E flag)"
                                           : options.use_claim       ? "- (disabled by never claim)"
                                                                     : "+");
}

/* The size of a state's vector as if variables stood close together, as in SPIN; in words of four bytes. */
static unsigned reported_vector(void) { return (stats.vector_size - model.globals_padding + 3) / 4 * 4; }

static void report_counts(void)
{
    printf("State-vector %u byte, depth reached %ld, errors: %" PRIu64 "\n", reported_vector(), stats.max_depth,
           stats.errors);
    double visited = (double)(stats.stored + stats.visited_again);
    printf("%9.8g states, stored", (double)stats.stored);
    if (stats.visited_again) printf(" (%g visited)", visited);
    putchar('\n');
    if (options.algorithm == SEARCH_BFS || options.algorithm == SEARCH_BEST_FIRST)
        printf("\t%8g nominal states (%s)\n", (double)stats.nominal,
               model.has_rendezvous ? "- rv and atomic" : "stored-atomic");
    printf("%9.8g states, matched\n", (double)stats.matched);
    printf("%9.8g transitions (= %s+matched)\n", visited + (double)stats.matched,
           stats.visited_again ? "visited" : "stored");
    printf("%9.8g atomic steps\n", (double)stats.atomic_steps);
    if (options.reduction == REDUCE_TWO_PHASE) printf("%9.8g steps in phase one\n", (double)stats.phase_one_steps);
    if (stats.lost_messages) printf("%g lost messages\n", (double)stats.lost_messages);
    store_report_figures(search_set ? state_set_conflicts(search_set) : stats.hash_conflicts);
}

static void report_memory_of_states(double states, double index, double plain)
{
    printf("%9.3f\tactual memory usage for states", megabytes(states));
    if (states > 0 && states < plain) {
        printf(" (compression: %.2f%%)\n", 100 * states / plain);
        printf("         \tstate-vector as stored = %.0f byte + %.0f byte overhead\n", states / (double)stats.stored,
               index / (double)stats.stored);
    } else {
        puts(states > 0 ? "" : " (less than 1k)");
    }
}

/* How memory divides: the states themselves, their index, and what the search needs besides. */
static void report_memory(void)
{
    double total = (double)memory_in_use();
    double set = search_set ? (double)state_set_memory(search_set) : 0;
    double index = search_set ? (double)state_set_index_memory(search_set) : 0;
    double states = set - index, plain = (double)stats.stored * (reported_vector() + SPIN_STATE_OVERHEAD);
    double rest = total > set ? total - set : 0;
    puts("Stats on memory usage (in Megabytes):");
    printf("%9.3f\tequivalent memory usage for states (stored*(State-vector + overhead))\n", megabytes(plain));
    if (options.store.kind != STORE_BITSTATE) report_memory_of_states(states, index, plain);
    store_report_table(index);
    if (options.algorithm == SEARCH_BFS) {
        if (rest > MEGABYTE) printf("%9.3f\tother (queue and predecessors)\n", megabytes(rest));
    } else if (options.max_depth) {
        printf("%9.3f\tmemory used for DFS stack (-m%ld)\n", megabytes(rest), options.max_depth);
    } else {
        printf("%9.3f\tmemory used for DFS stack (no depth limit)\n", megabytes(rest));
    }
    printf("%9.3f\ttotal actual memory usage\n\n\n", megabytes(total));
}

/* ---- unreached statements ---- */

/* Jumps have no effect of their own and are not listed. */
static bool is_bare_jump(const Transition *t)
{
    return strcmp(t->text, ".(goto)") == 0 || strncmp(t->text, "goto :", 6) == 0;
}

/* Lists the statements at an unreached location. False if it is not to be counted. */
static bool report_unreached_location(const Proctype *p, int number)
{
    const Location *at = &p->locations[number];
    bool listed = false;
    for (int i = 0; i < at->count; i++) {
        const Transition *t = &model.transitions[at->first + (uint32_t)i];
        if (is_bare_jump(t)) return false;
        printf("\t%s:%u, state %d", model.files[at->file], (unsigned)at->table_line, number);
        if (*t->text) {
            fputs(", \"", stdout);
            report_statement(stdout, t->text);
            putchar('"');
        } else if (at->flags & L_END)
            printf(", -end state-");
        putchar('\n');
        listed = true;
    }
    return listed;
}

/* A selection counts as reached when what follows its last option is. */
static bool is_reached(const Proctype *p, int number)
{
    const Location *at = &p->locations[number];
    const Transition *last = at->count ? &model.transitions[at->first + at->count - 1u] : NULL;
    if (p->reached[number] || at->unreached_exempt) return true;
    return last && last->own != number && last->to && (p->reached[last->to] || p->locations[last->to].unreached_exempt);
}

static void report_unreached_in(const Proctype *p)
{
    int unreached = 0, n = p->n_locations - 1;
    if (p->class_ == CLASS_INIT)
        puts("unreached in init");
    else
        printf("unreached in %s %s\n", p->class_ == CLASS_ACTIVE || p->class_ == CLASS_PROCTYPE ? "proctype" : "claim",
               p->name);
    for (int i = 1; i <= n; i++)
        if (!is_reached(p, i) && report_unreached_location(p, i)) unreached++;
    printf("\t(%d of %d states)\n", unreached, n);
}

static void report_unreached(void)
{
    /* Automata that are no processes start with the search; SPIN leaves out claims that were not chosen. */
    if (options.use_claim) active_claim()->reached[active_claim()->start] = 1;
    if (model.trace >= 0) model.proctypes[model.trace].reached[model.proctypes[model.trace].start] = 1;
    for (int i = 0; i < model.n_proctypes; i++) {
        const Proctype *p = &model.proctypes[i];
        bool is_other_claim = run_plan.claim_by_name && i != options.claim_type;
        if (p->class_ == CLASS_NEVER && is_other_claim) continue;
        report_unreached_in(p);
    }
}

void report_time(void)
{
    report.time_told = true;
    double seconds = report_seconds();
    if (run_plan.sign_off) puts("--end of output--");
    printf("\npan: elapsed time %.3g seconds\n", seconds);
    if (seconds > 0.01) {
        printf("pan: rate %9.8g states/second\n", (double)stats.stored / seconds);
        if (options.verbose)
            printf("pan: avg transition delay %.5g usec\n", seconds / (double)(stats.stored + stats.matched));
    }
    fflush(stdout);
}

static void report_at_exit(void)
{
    if (run_plan.mode == RUN_SEARCH && !report.time_told && !run_plan.usage_shown && !options.json) report_time();
}

void report_open(void) { atexit(report_at_exit); }

static const char *search_name(void)
{
    switch (options.algorithm) {
    case SEARCH_DFS: return "dfs";
    case SEARCH_BFS: return "bfs";
    case SEARCH_IDASTAR: return "idastar";
    case SEARCH_BEST_FIRST: break;
    }
    return options.weight == 50 ? "astar" : options.weight == 0 ? "bestfirst" : "weighted";
}

static bool is_directed_search(void)
{
    return options.algorithm == SEARCH_BEST_FIRST || options.algorithm == SEARCH_IDASTAR;
}

static void report_search_name(void)
{
    const char *h = options.heuristic ? options.heuristic->name : "none";
    const char *mark = heuristic_uses_sum ? ", sums" : "";
    if (options.algorithm == SEARCH_BFS) puts("\t+ Breadth-First Search");
    if (options.algorithm == SEARCH_IDASTAR)
        printf("\t+ IDA* Search (h=%s%s)%s\n", h, mark,
               options.store.kind == STORE_BITSTATE ? ", bitstate hashing" : "");
    if (options.algorithm != SEARCH_BEST_FIRST) return;
    if (options.weight == 50)
        printf("\t+ A* Search (h=%s%s)\n", h, mark);
    else if (options.weight == 0)
        printf("\t+ Best-First Search (h=%s%s)\n", h, mark);
    else
        printf("\t+ Weighted A* Search (alpha %.2f, h=%s%s)\n", options.weight / 100.0, h, mark);
}

static void report_reduction(void)
{
    bool is_said = options.reduction == REDUCE_TWO_PHASE;
    if (options.reduction != REDUCE_OFF && !is_said) puts("\t+ Partial Order Reduction");
}

/* What a directed search guarantees about the error it found. */
static void report_guarantee(void)
{
    if (!stats.errors) return;
    if (stats.is_shortest)
        printf("%9zu steps: a shortest error of its kind%s\n", report.first_length,
               strcmp(cost_model_name(), "steps") ? " by cost" : "");
    else
        printf("%9zu steps; shorter errors may exist%s\n", report.first_length,
               store_is_lossy(&options.store)    ? " (lossy hashing)"
               : options.reduction != REDUCE_OFF ? " (partial order reduction)"
                                                 : "");
}

static void report_directed(void)
{
    if (options.algorithm == SEARCH_DFS) return;
    printf("%9.8g states, expanded\n%9.8g states, generated\n%9.8g states, reopened\n", (double)stats.expanded,
           (double)stats.generated, (double)stats.reopened);
    if (options.algorithm == SEARCH_IDASTAR) printf("%9.8g iterations\n", (double)stats.iterations);
    if (is_directed_search() && stats.h_min <= stats.h_max)
        printf("estimates from %d to %d\n", stats.h_min, stats.h_max);
    report_guarantee();
    putchar('\n');
}

const char *invariant_error_text(void)
{
    static char text[1100];
    snprintf(text, sizeof text, "invariant violated %.1000s", model.invariants[options.invariant].text);
    return text;
}

static void report_two_phase(void)
{
    if (options.reduction != REDUCE_TWO_PHASE) return;
    printf("\t+ Two-Phase Partial Order Reduction (%s)\n",
           options.caches_all ? "all states are stored" : "states of phase one are not stored");
}

static void report_order(void)
{
    static const char *const orders[] = {NULL, "Permuted", "Rotated", "RandRotated"};
    if (options.permutes) puts("\t+ Process Scheduling Permutation");
    if (options.reverse_processes != options.p_reversed) puts("\t+ Reverse Depth-First Search Order");
    if (options.reverse_transitions) puts("\t+ Reverse Transition Ordering");
    if (options.random_transitions) puts("\t+ Randomized Transition Ordering");
    if (options.random_processes) puts("\t+ Randomized Process Ordering");
    if (options.bounds_switches) printf("\t+ Scheduling Restriction (-L%d)\n", options.max_switches);
    if (options.process_order == ORDER_ROTATED)
        printf("\t+ Rotated %d\n", options.rotation);
    else if (options.process_order != ORDER_USUAL)
        printf("\t+ %s\n", orders[options.process_order]);
    if (options.p_reversed) puts("\t+ Reversed");
}

void report_run(int run)
{
    if (!options.json) {
        printf("Run %d:\n", run);
        report_counts();
    }
    stats.stored = stats.matched = stats.visited_again = stats.atomic_steps = stats.truncated = 0;
    stats.expanded = stats.generated = stats.phase_one_steps = stats.lost_messages = 0;
    report.next_progress = run_plan.progress_every;
}

static void report_text(void)
{
    printf("\n(%s)\n", PAN_VERSION);
    if (!stats.complete) puts("Warning: Search not completed");
    report_search_name();
    report_reduction();
    report_two_phase();
    report_order();
    report_searched_for();
    report_counts();
    report_directed();
    report_memory();
    if ((stats.complete || options.verbose) && !options.no_unreached) report_unreached();
    tallies_print();
    report_time();
}

/* ---- JSON ---- */

static void json_text(const char *text)
{
    if (!text) {
        fputs("null", stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < ' ')
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void json_string_field(const char *name, const char *text)
{
    printf("\"%s\": ", name);
    json_text(text);
    fputs(", ", stdout);
}

/* A search that was cut short or may have lost states proves nothing, even without an error. */
static const char *report_verdict(void)
{
    if (stats.errors) return "error";
    bool is_partial = stats.truncated || options.bounds_switches || store_is_lossy(&options.store);
    return stats.complete && !is_partial ? "no error" : "incomplete";
}

static void json_error_fields(void)
{
    json_string_field("error", report.first_text);
    if (report.first_text) printf("\"depth\": %ld, ", report.first_depth);
    if (report.first_text) printf("\"length\": %zu, ", report.first_length);
    json_string_field("trail", report.first_trail);
    if (report.first_trail) printf("\"confirmed\": %s, ", report.unconfirmed || report.not_replayed ? "false" : "true");
}

static void json_directed_fields(void)
{
    bool proven = stats.errors > 0 && stats.is_shortest;
    printf("\"optimal\": %s, \"expanded\": %" PRIu64 ", \"generated\": %" PRIu64 ", \"reopened\": %" PRIu64 ", ",
           proven ? "true" : "false", stats.expanded, stats.generated, stats.reopened);
    if (stats.errors) printf("\"cost\": %" PRIu64 ", ", stats.cost);
    if (is_directed_search() && stats.h_min <= stats.h_max)
        printf("\"h_min\": %d, \"h_max\": %d, ", stats.h_min, stats.h_max);
    else if (is_directed_search()) /* nothing but states from which no error can be reached */
        fputs("\"h_min\": null, \"h_max\": null, ", stdout);
}

static void report_json(void)
{
    putchar('{');
    json_string_field("tool", "hsfpy");
    json_string_field("model", model.source);
    json_string_field("search", search_name());
    json_string_field("heuristic", is_directed_search() ? options.heuristic->name : NULL);
    json_string_field("claim", options.use_claim ? claim_name() : NULL);
    json_string_field("verdict", report_verdict());
    json_string_field("stopped_by", report.stopped_by);
    printf("\"complete\": %s, \"errors\": %" PRIu64 ", ", stats.complete ? "true" : "false", stats.errors);
    json_error_fields();
    printf("\"stored\": %" PRIu64 ", \"matched\": %" PRIu64 ", \"transitions\": %" PRIu64 ", \"atomic_steps\": %" PRIu64
           ", ",
           stats.stored, stats.matched, stats.stored + stats.matched, stats.atomic_steps);
    printf("\"truncated\": %" PRIu64 ", \"depth_reached\": %ld, \"vector_bytes\": %u, ", stats.truncated,
           stats.max_depth, reported_vector());
    if (options.reduction == REDUCE_TWO_PHASE) printf("\"phase_one_steps\": %" PRIu64 ", ", stats.phase_one_steps);
    store_report_json();
    json_directed_fields();
    printf("\"memory_bytes\": %zu, \"seconds\": %.6f}\n", memory_in_use(), seconds_now() - report.begun);
    fflush(stdout);
}

int report_end(void)
{
    progress_clear();
    stats.seconds = seconds_now() - report.begun;
    stats.transitions = stats.stored + stats.matched;
    if (options.json)
        report_json();
    else
        report_text();
    return report.unconfirmed ? EXIT_INTERNAL_ERROR : EXIT_SUCCESS;
}
