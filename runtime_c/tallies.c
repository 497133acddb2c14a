/* tallies.c: the counts SPIN's directives -DPEG, -DNSUCC and -DVAR_RANGES ask for. */
#include "tallies.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "search.h"
#include "util.h"

/* Jumps and else have the same two numbers everywhere, and so no place of their own. */
enum { LAST_SHARED_CODE = 2 };

enum { MAX_SUCCESSORS = 512, MAX_VALUE = 255 };

/* The small values a variable had. SPIN lists the variable set first last. */
typedef struct ValueSet {
    const char *name;
    bool has[MAX_VALUE + 1];
    struct ValueSet *next;
} ValueSet;

static struct {
    uint64_t *executed;       /* by the number of the statement's C case (`tr` of pan -d) */
    const Transition **shown; /* a statement that has this number */
    unsigned n_codes;
    uint64_t successors[MAX_SUCCESSORS]; /* by number: how many states have so many */
    ValueSet *values;
} tallies;

/* ---- -DPEG ---- */

static void tallies_reserve(void)
{
    for (int i = 0; i < model.n_transitions; i++)
        if (model.transitions[i].code >= tallies.n_codes) tallies.n_codes = model.transitions[i].code + 1u;
    tallies.executed = xcalloc(tallies.n_codes, sizeof *tallies.executed);
    tallies.shown = xcalloc(tallies.n_codes, sizeof *tallies.shown);
    for (int i = 0; i < model.n_transitions; i++) {
        const Transition *t = &model.transitions[i];
        const Transition **shown = &tallies.shown[t->code];
        /* Statements may share a number; SPIN names the place of the one it saw last. */
        if (!*shown || t->id >= (*shown)->id) *shown = t;
    }
}

void tally_transition(const Transition *t)
{
    if (!tallies.executed) tallies_reserve();
    tallies.executed[t->code]++;
}

void tally_step(const Step *step, bool offer_counted)
{
    if (!step->reply || !offer_counted) tally_transition(step->transition);
    if (step->reply) tally_transition(step->reply);
}

void tally_move(MoveIterator *it, const Move *move, bool offer_counted)
{
    if (move->claim && !it->claim_counted) tally_transition(move->claim);
    it->claim_counted = true;
    if (move->has_program) tally_step(&move->program, offer_counted);
}

static void print_executed(void)
{
    puts("\nPeg Counts (transitions executed):");
    for (unsigned code = 1; code < tallies.n_codes; code++) {
        if (!tallies.executed[code]) continue;
        const Transition *t = tallies.shown[code];
        const Location *at = &model.proctypes[t->proctype].locations[t->own];
        bool is_shared = code <= LAST_SHARED_CODE;
        printf("%5" PRIu64 "\ttrans %4u %s:%u\n", tallies.executed[code], code,
               is_shared ? "(jumps)" : model.files[at->file], is_shared ? 0 : (unsigned)at->line);
    }
}

/* ---- -DNSUCC ---- */

void tally_successors(unsigned n) { tallies.successors[n < MAX_SUCCESSORS ? n : MAX_SUCCESSORS - 1]++; }

static void print_successors(void)
{
    double total = 0, sum = 0, none = (double)tallies.successors[0];
    puts("Successor counts:");
    for (int i = 0; i < MAX_SUCCESSORS; i++) {
        total += (double)tallies.successors[i];
        sum += i * (double)tallies.successors[i];
    }
    for (int i = 0; i < MAX_SUCCESSORS; i++)
        if (tallies.successors[i])
            printf("%3d\t%10" PRIu64 "\t(%.4g %% of total)\n", i, tallies.successors[i],
                   100.0 * (double)tallies.successors[i] / total);
    if (total > none) printf("mean %.4g (without 0: %.4g)\n", sum / total, sum / (total - none));
}

/* ---- -DVAR_RANGES ---- */

void tally_value(const char *name, int value)
{
    ValueSet *set = tallies.values;
    if (value < 0 || value > MAX_VALUE) return;
    while (set && strcmp(set->name, name) != 0) set = set->next;
    if (!set) {
        set = xcalloc(1, sizeof *set);
        set->name = name;
        set->next = tallies.values;
        tallies.values = set;
    }
    set->has[value] = true;
}

/* Values as intervals, in SPIN's punctuation: one that reaches the end has no comma behind it. */
static void print_intervals(const bool *has)
{
    for (int from = 0; from <= MAX_VALUE; from++) {
        int to = from;
        if (!has[from]) continue;
        while (to < MAX_VALUE && has[to + 1]) to++;
        printf(to > from ? "%d-%d" : "%d", from, to);
        if (to < MAX_VALUE) fputs(", ", stdout);
        from = to;
    }
    putchar('\n');
}

static void print_values(void)
{
    puts("\nValues assigned within interval [0..255]:");
    for (const ValueSet *set = tallies.values; set; set = set->next) {
        printf("\t%s\t: ", set->name);
        print_intervals(set->has);
    }
}

void tallies_print(void)
{
    if (COUNTS_STEPS) print_executed();
    if (options.notes_values) print_values();
    if (COUNTS_SUCCESSORS && is_plain_dfs()) print_successors();
}
