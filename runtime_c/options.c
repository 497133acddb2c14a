/* options.c: SPIN's command line, and our long options.
 *
 * Scripts and graphical clients written for SPIN call pan in ways SPIN never documented, so the
 * parsing rules are kept to the letter: only the character behind the dash is looked at, a value
 * is glued to it, options end at the first word without a dash and what follows is ignored.
 */
#include "options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "directives.h"
#include "search_options.h"
#include "store_options.h"
#include "util.h"

Options options;
RunPlan run_plan;

enum { HASH_SEEDS = 500, PROGRESS_EVERY = 1000000, DEFAULT_SEED = 12345, MAX_SWITCHES = 255 };

static void set_defaults(void)
{
    options.stop_at_error = 1;
    options.trail_suffix = "trail";
    options.seed = DEFAULT_SEED;
    options.weight = 50;
    store_options_defaults();
    options.claim = model.default_claim;
    run_plan.only_process = -1;
    run_plan.complaints = stderr;
    run_plan.progress_every = PROGRESS_EVERY;
}

/* ---- usage and help ---- */

static void usage_exit(void) NORETURN;

static void usage_exit(void)
{
    FILE *out = run_plan.complaints;
    run_plan.usage_shown = true;
    fprintf(out, "%s\nValid Options are:\n", PAN_VERSION);
    fputs(options.safety_only ? "\t-a,-l,-f  -> are disabled by -DSAFETY\n" : "\t-a  find acceptance cycles\n", out);
    fputs("\t-A  ignore assert() violations\n"
          "\t-b  consider it an error to exceed the depth-limit\n"
          "\t-cN stop at Nth error (defaults to -c1)\n"
          "\t-D  print state tables in dot-format and stop\n"
          "\t-d  print state tables and stop\n"
          "\t-e  create trails for all errors\n"
          "\t-E  ignore invalid end states\n",
          out);
    if (!options.safety_only) fputs("\t-f  add weak fairness (to -a or -l)\n", out);
    fputs("\t-GN use N Gigabytes for bitstate hash array\n"
          "\t-hash generate random hash functions (seed set with -RSn)\n"
          "\t-hN use different hash-seed N:0..499 (defaults to -h0)\n"
          "\t-i  search for shortest path to error\n"
          "\t-I  like -i, but approximate and faster\n"
          "\t-J  reverse eval order of nested unlesses\n"
          "\t-kN set N bits per state in bitstate searches (defaults to 3)\n"
          "\t-LN set scheduling restriction to N\n"
          "\t-MN use N Megabytes for bitstate hash array\n",
          out);
    if (!options.safety_only) fputs("\t-l  find non-progress cycles\n", out);
    fputs("\t-mN max depth N steps (default: no limit)\n", out);
    if (model.n_claims > 1)
        fputs("\t-N cn -- use the claim named cn\n"
              "\t-Nn   -- use claim number n\n",
              out);
    fputs("\t-n  no listing of unreached states\n"
          "\t-P1 create active processes in reverse order\n"
          "\t-p_permute randomize order in which processes are scheduled (see also -rhash)\n"
          "\t-p_randrot rotate the process scheduling order at random\n"
          "\t-p_reverse reverse order in which processes are scheduled (see also -rhash)\n"
          "\t-p_rotateN rotate by N the process scheduling order (see also -rhash)\n"
          "\t-QN set time-limit on execution of N minutes\n"
          "\t-q  require empty chans in valid end states\n"
          "\t-r  read and execute trail - can add -v,-n,-PN,-g,-C\n"
          "\t-r trailfilename  read and execute trail in file\n"
          "\t-rN read and execute N-th error trail\n"
          "\t-C  read and execute trail - columnated output (can add -v,-n)\n"
          "\t-r -PN read and execute trail - restrict trail output to proc N\n"
          "\t-g  read and execute trail + msc gui support\n"
          "\t-S  silent replay: only user defined printfs show\n"
          "\t-Rn run n times n: [1..100] using n different hash functions (bitstate)\n"
          "\t-RSn use randomization seed n\n"
          "\t-rhash choose one of these orders at random\n"
          "\t-T  create trail files in read-only mode\n"
          "\t-t_reverse  reverse order in which transitions are explored\n"
          "\t-tsuf replace .trail with .suf on trailfiles\n"
          "\t-V  print the version\n"
          "\t-v  verbose -- filenames in unreached state listing\n"
          "\t-wN bitstate array of 2^N bits; else accepted, the table of states grows by itself\n"
          "\t-x  do not overwrite an existing trail file\n"
          "\n\toptions -r, -C, -PN, -g, and -S can optionally be followed by\n"
          "\ta filename argument, as in '-r filename', naming the trailfile\n"
          "\tfor long options see --help\n",
          out);
    exit(1);
}

static void help_exit(void)
{
    run_plan.usage_shown = true;
    puts("usage: ./pan [options]      verify the model this program was made from\n"
         "\n"
         "Search\n"
         "  --dfs                depth-first (default)\n"
         "  --bfs                breadth-first: shortest errors\n"
         "  --astar              A*: shortest errors, guided by an estimate\n"
         "  --bestfirst          greedy best-first: errors quickly\n"
         "  --weight=A           f = A g + (1-A) h, from 0 (best-first) to 1 (breadth-first)\n"
         "  --idastar            A* by iterative deepening; with --bitstate[=LOG2] in little\n"
         "                       memory, repeated with fresh hash functions by --runs=N\n"
         "  --heuristic=NAME     the estimate; --heuristic=help lists them\n"
         "  --h-and=max|sum      how conjunctions combine: lower bound, or better informed\n"
         "  --ties=deep|fifo|lifo  which of equally promising states comes first\n"
         "  --cost=steps|comm|FILE what a step costs: 1, only communication, or by table\n"
         "  --target=TRAIL       aim at the state this trail ends in (fsm, hamming)\n"
         "  --nested=improved|classic  depth-first search for cycles by the claim's components,\n"
         "                       or without them\n"
         "  --reduce=CONDITION   partial order reduction with this cycle condition: stack-, stack\n"
         "                       (depth-first), duplicate-, duplicate, static; for cycles stack, duplicate,\n"
         "                       static; off. Usual: stack- or, for cycles, stack; off in directed searches.\n"
         "                       two-phase (depth-first): one process as long as it has no choice\n"
         "  --cache=selective|all  which states two-phase search stores: those it expands, or all\n"
         "  --shortest      -i   depth-first, then ever shorter errors\n"
         "  --max-depth=N   -mN  do not search deeper than N steps (default: no limit)\n"
         "\n"
         "Property\n"
         "  --claim=NAME    -N NAME  use this never claim or ltl formula\n"
         "  --no-claim               use none\n"
         "  --acceptance    -a   find acceptance cycles; directed with --astar, --bestfirst, --bfs\n"
         "  --non-progress  -l   find non-progress cycles\n"
         "  --fairness      -f   only those that are weakly fair\n"
         "  --invariant=NAME     check ltl NAME { [] p } as an invariant instead of a claim\n"
         "  --no-assertions -A   ignore assertions\n"
         "  --no-end-states -E   ignore invalid end states\n"
         "  --strict-ends   -q   valid end states need empty channels\n"
         "\n"
         "Errors and trails\n"
         "  --errors=N      -cN  stop at the Nth error (default 1); 0: count them all\n"
         "  --all-errors    -e   write a trail for every error\n"
         "  --keep-trail    -x   do not overwrite a trail\n"
         "  --replay[=FILE] -r   run a trail and show its steps; with -C in columns\n"
         "\n"
         "States\n"
         "  --store=exact|plain|hc|bitstate  how states are kept: exactly and compressed (default), as\n"
         "                       whole vectors, as hashes, or as a few bits of an array. The last two may\n"
         "                       lose states, and the report says how many to expect (depth-first, IDA*)\n"
         "  --hash-bits=N        hashes of N bits, 16 to 64 (default)\n"
         "  --bitstate[=LOG2]    --store=bitstate with an array of 2^LOG2 bits; also -wN, or -MN\n"
         "                       megabytes, -GN gigabytes; -kN bits for each state (default 3)\n"
         "  --runs=N        -RN  repeat a bitstate search with fresh hash functions\n"
         "\n"
         "Limits\n"
         "  --memory=MB          stop when this much memory is used\n"
         "  --time=SECONDS       stop after this time\n"
         "\n"
         "Output\n"
         "  --json               one JSON object instead of the report\n"
         "  --no-unreached  -n   do not list unreached statements\n"
         "  --verbose       -v   list them also when the search was stopped\n"
         "  --tables        -d   print the automata; -D in dot format\n"
         "  --version       -V   print the version\n"
         "\n"
         "All options of SPIN's pan are accepted; -H lists them.");
    exit(0);
}

/* ---- one-letter options ---- */

static void bad_option(const char *word)
{
    fprintf(run_plan.complaints, "saw option -%c\n", word[1]);
    usage_exit();
}

static bool starts_with(const char *word, const char *prefix) { return strncmp(word, prefix, strlen(prefix)) == 0; }

/* The word behind the current one if it is not an option; it is then used up. */
static const char *take_word(int argc, char **argv, int *at)
{
    if (*at + 1 < argc && argv[*at + 1][0] != '-') return argv[++*at];
    return NULL;
}

static void read_replay(int argc, char **argv, int *at)
{
    const char *word = argv[*at], *file;
    run_plan.mode = RUN_REPLAY;
    if (isdigit((unsigned char)word[2]) && word[1] != 'P') {
        run_plan.trail_number = atoi(word + 2);
    } else {
        file = take_word(argc, argv, at);
        if (file) run_plan.trail_file = file;
    }
}

static void choose_claim_by_name(const char *name)
{
    for (int i = 0; i < model.n_claims; i++)
        if (strcmp(model.proctypes[model.claims[i]].name, name) == 0) {
            options.claim = i;
            run_plan.claim_by_name = run_plan.claim_chosen = true;
            return;
        }
    printf("pan: error: cannot find claim '%s'\n", name);
    exit(1);
}

static void choose_claim(int argc, char **argv, int *at)
{
    const char *word = argv[*at], *name = NULL;
    if (!isdigit((unsigned char)word[2])) name = isalpha((unsigned char)word[2]) ? word + 2 : take_word(argc, argv, at);
    if (model.n_claims <= 1) {
        fprintf(stderr, "warning: %s defined, -N ignored\n", model.n_claims ? "only one claim" : "no claims");
    } else if (name) {
        choose_claim_by_name(name);
    } else if (isdigit((unsigned char)word[2])) {
        options.claim = atoi(word + 2);
        run_plan.claim_chosen = true;
        if (options.claim >= model.n_claims)
            die("non-existing claim %d (claims are numbered from 0 to %d)", options.claim, model.n_claims - 1);
    }
}

/* -p_permute and its like; the last one counts. */
static void read_process_order(const char *word)
{
    ProcessOrder order = ORDER_USUAL;
    bool reversed = starts_with(word, "-p_reverse"), known = reversed || starts_with(word, "-p_normal");
    if (starts_with(word, "-p_permute")) {
        order = ORDER_PERMUTED;
    } else if (starts_with(word, "-p_rotate")) {
        order = ORDER_ROTATED;
        options.rotation = isdigit((unsigned char)word[9]) ? atoi(word + 9) : 1;
    } else if (starts_with(word, "-p_randrot")) {
        order = ORDER_RANDOM_ROTATION;
    } else if (!known) {
        fprintf(run_plan.complaints, "invalid option '%s' -- ignored\n", word);
        return;
    }
    options.permutes = true;
    options.process_order = order;
    options.p_reversed = reversed;
}

static void read_hash(const char *word)
{
    if (starts_with(word, "-hash")) {
        options.store.random_hash = true;
        return;
    }
    if (!isdigit((unsigned char)word[2])) usage_exit();
    options.hash_number = atoi(word + 2) % HASH_SEEDS;
}

/* -rhash: some order, by the seed of -RSn if that came before, else by the time of day. */
static void read_random_order(void)
{
    if (!options.seed_given) options.seed = (uint32_t)time(NULL);
    order_choose(options.seed++);
    options.seed_given = true;
}

static void read_switch_bound(const char *word)
{
    options.bounds_switches = true;
    options.max_switches = atoi(word + 2);
    if (options.max_switches > MAX_SWITCHES) {
        fprintf(run_plan.complaints, "warning: using max bound (%d)\n", MAX_SWITCHES);
        options.max_switches = MAX_SWITCHES;
    }
}

static void read_liveness(char letter)
{
    if (options.safety_only) bad_option(letter == 'a' ? "-a" : letter == 'l' ? "-l" : "-f");
    if (letter == 'a')
        options.find_acceptance = true;
    else if (letter == 'l')
        options.find_nonprogress = true;
    else
        options.fairness = true;
}

/* Options that choose what to check and how far to go. */
static bool read_search_option(const char *word)
{
    switch (word[1]) {
    case 'a':
    case 'l':
    case 'f': read_liveness(word[1]); break;
    case 'A': options.ignore_asserts = true; break;
    case 'b': options.depth_is_error = true; break;
    case 'c': options.stop_at_error = atoi(word + 2); break;
    case 'e':
        options.every_error = true;
        options.stop_at_error = 0;
        break;
    case 'E': options.ignore_end_states = true; break;
    case 'h': read_hash(word); break;
    case 'I': options.shorten = 2; break;
    case 'i':
        if (starts_with(word, "-i_reverse"))
            options.reverse_creation = true;
        else
            options.shorten = 1;
        break;
    case 'J': options.unless_outermost = true; break;
    case 'L': read_switch_bound(word); break;
    case 'm':
        options.max_depth = atol(word + 2);
        if (options.max_depth <= 0) usage_exit();
        break;
    case 'p': read_process_order(word); break;
    case 'Q': options.time_limit = 60.0 * atoi(word + 2); break;
    case 'q': options.strict_ends = true; break;
    case 'w':
        options.w = atoi(word + 2);
        if (options.w <= 1) usage_exit();
        break;
    default: return false;
    }
    return true;
}

/* Options about output and trail files. */
static bool read_output_option(const char *word)
{
    switch (word[1]) {
    case 'D': run_plan.dot = true; /* fall through */
    case 'd':
        run_plan.mode = RUN_TABLES;
        run_plan.tables++;
        break;
    case 'n': options.no_unreached = true; break;
    case 'T':
        if (!isdigit((unsigned char)word[2]))
            options.trail_read_only = true;
        else
            options.reverse_transitions = atoi(word + 2) != 0;
        break;
    case 't':
        if (starts_with(word, "-t_reverse"))
            options.reverse_transitions = true;
        else if (word[2])
            options.trail_suffix = word + 2;
        break;
    case 'V': run_plan.mode = RUN_VERSION; break;
    case 'v': options.verbose = true; break;
    case 'X': run_plan.complaints = stdout; break;
    case 'x': options.keep_trail = true; break;
    case 'Y': run_plan.sign_off = true; break;
    default: return false;
    }
    return true;
}

/* Options of multi-core searches. */
static bool read_idle_option(const char *word)
{
    switch (word[1]) {
    case 'u':
        fputs("pan: warning: -u is ignored: searches run on one core in this version\n", run_plan.complaints);
        return true;
    case 'z': return true;
    default: return false;
    }
}

static void read_p_option(int argc, char **argv, int *at)
{
    const char *word = argv[*at];
    if (run_plan.mode != RUN_REPLAY && isdigit((unsigned char)word[2])) {
        int value = atoi(word + 2);
        if (value > 1) fputs("pan: bad option -P[01], ignored\n", run_plan.complaints);
        if (value <= 1) options.reverse_creation = value == 1;
        return;
    }
    run_plan.only_process = atoi(word + 2);
    read_replay(argc, argv, at);
}

static void read_r_option(int argc, char **argv, int *at)
{
    const char *word = argv[*at];
    if (starts_with(word, "-RS")) {
        options.seed = (uint32_t)atoi(word + 3);
        options.seed_given = true;
    } else if (word[1] == 'R') {
        store_letter_read(word);
    } else if (starts_with(word, "-rhash"))
        read_random_order();
    else
        read_replay(argc, argv, at);
}

static void read_letter(int argc, char **argv, int *at)
{
    const char *word = argv[*at];
    if (read_search_option(word) || read_output_option(word) || read_idle_option(word)) return;
    switch (word[1]) {
    case 'C':
        run_plan.columns = true;
        read_replay(argc, argv, at);
        break;
    case 'g':
        run_plan.show_values = true;
        read_replay(argc, argv, at);
        break;
    case 'S':
        run_plan.silent = true;
        read_replay(argc, argv, at);
        break;
    case 'k':
    case 'M':
    case 'G': store_letter_read(word); break;
    case 'N': choose_claim(argc, argv, at); break;
    case 'P': read_p_option(argc, argv, at); break;
    case 'R':
    case 'r': read_r_option(argc, argv, at); break;
    default: bad_option(word);
    }
}

/* ---- long options ---- */

/* Long options that say the same as a short one; those ending in '=' hand their value on. */
static const struct {
    const char *name, *letter;
} long_synonyms[] = {
    {"all-errors", "-e"}, {"dot", "-D"},           {"errors=", "-c"},       {"keep-trail", "-x"},
    {"max-depth=", "-m"}, {"no-assertions", "-A"}, {"no-end-states", "-E"}, {"no-unreached", "-n"},
    {"replay", "-r"},     {"shortest", "-i"},      {"strict-ends", "-q"},   {"tables", "-d"},
    {"verbose", "-v"},    {"version", "-V"},       {"acceptance", "-a"},    {"non-progress", "-l"},
    {"fairness", "-f"},
};

/* Settings the design has but this version has not. */
static const char *const long_planned[] = {"distance", "improve", "symmetry"};

static const char *value_of(const char *name, const char *option)
{
    size_t length = strlen(option);
    return strncmp(name, option, length) == 0 && name[length] == '=' ? name + length + 1 : NULL;
}

static double positive_number(const char *option, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || !(value > 0)) die("--%s needs a positive number, not '%s'", option, text);
    return value;
}

static bool read_long_synonym(const char *name)
{
    for (size_t i = 0; i < sizeof long_synonyms / sizeof *long_synonyms; i++) {
        const char *known = long_synonyms[i].name;
        size_t length = strlen(known);
        bool takes_value = known[length - 1] == '=';
        char word[64];
        char *argv[1] = {word};
        int at = 0;
        if (takes_value ? strncmp(name, known, length) != 0 : strcmp(name, known) != 0) continue;
        snprintf(word, sizeof word, "%s%s", long_synonyms[i].letter, takes_value ? name + length : "");
        if (takes_value && !isdigit((unsigned char)name[length])) die("--%s needs a number", name);
        read_letter(1, argv, &at);
        return true;
    }
    return false;
}

static bool read_long_value(const char *name)
{
    const char *value;
    if ((value = value_of(name, "memory")))
        options.memory_limit = (long)(positive_number("memory", value) * 1048576);
    else if ((value = value_of(name, "time")))
        options.time_limit = positive_number("time", value);
    else if ((value = value_of(name, "claim")))
        choose_claim_by_name(value);
    else if ((value = value_of(name, "replay"))) {
        run_plan.mode = RUN_REPLAY;
        run_plan.trail_file = value;
    } else
        return false;
    return true;
}

static void reject_long(const char *name)
{
    size_t length = strcspn(name, "=");
    for (size_t i = 0; i < sizeof long_planned / sizeof *long_planned; i++)
        if (strlen(long_planned[i]) == length && strncmp(long_planned[i], name, length) == 0)
            die("--%.*s is not in this version", (int)length, name);
    fprintf(run_plan.complaints, "pan: error: unknown option --%s\n", name);
    usage_exit();
}

static void read_long(const char *name)
{
    if (strcmp(name, "help") == 0)
        help_exit();
    else if (strcmp(name, "dfs") == 0)
        options.algorithm = SEARCH_DFS;
    else if (strcmp(name, "bfs") == 0)
        options.algorithm = SEARCH_BFS;
    else if (strcmp(name, "json") == 0)
        options.json = 1;
    else if (strcmp(name, "no-claim") == 0)
        options.use_claim = false;
    else if (!read_long_synonym(name) && !read_long_value(name) && !search_option_read(name)
             && !store_option_read(name))
        reject_long(name);
}

/* ---- all together ---- */

static void check_liveness(void)
{
    FILE *out = run_plan.complaints;
    if (options.fairness && !options.find_acceptance && !options.find_nonprogress) {
        fputs("error: -f requires the use of -a or -l\n", out);
        usage_exit();
    }
    if (options.find_acceptance && !model.has_accept) {
        fputs("warning: no accept labels are defined, so option -a has no effect (ignored)\n", out);
        options.find_acceptance = false;
    }
    if (run_plan.mode != RUN_SEARCH || !looks_for_cycles()) return;
    if (options.algorithm == SEARCH_IDASTAR)
        die("--idastar does not look for cycles: use --astar or depth-first search");
    if (options.algorithm != SEARCH_DFS && options.fairness)
        die("-f needs depth-first search: estimates say nothing about fair cycles");
}

/* Non-progress is a claim of its own, which takes the place of the model's. */
static void choose_claim_type(void)
{
    if (options.find_nonprogress) options.use_claim = true;
    if (options.use_claim)
        options.claim_type = options.find_nonprogress ? model.nonprogress_claim : model.claims[options.claim];
}

static void print_warnings(void)
{
    FILE *out = run_plan.complaints;
    if (options.shorten && options.trail_read_only) {
        options.trail_read_only = false;
        fputs("warning: -T ignored when -i or -I is used\n", out);
    }
    if (run_plan.mode != RUN_SEARCH || !options.use_claim || !model.has_accept || looks_for_cycles()) return;
    if (options.algorithm == SEARCH_DFS)
        fputs("warning: never claim + accept labels requires -a flag to fully verify\n", out);
    else if (options.verbose)
        fputs("warning: verification in BFS mode is restricted to safety properties\n", out);
}

/* Only a depth-first search follows other orders. */
static void keep_usual_order(void)
{
    if (options.process_order != ORDER_USUAL || options.p_reversed || options.random_processes
        || options.random_transitions)
        fputs("pan: warning: processes and transitions are reordered in depth-first searches only\n",
              run_plan.complaints);
    options.process_order = ORDER_USUAL;
    options.p_reversed = options.random_processes = options.random_transitions = false;
}

/* What the order of the search follows from all options together. */
static void settle_order(void)
{
    if (run_plan.mode != RUN_SEARCH) return;
    if (options.bounds_switches && (!is_plain_dfs() || options.reduction != REDUCE_OFF))
        die("context switches are bounded (-L, -DBCS) only in depth-first searches for safety errors without "
            "reduction");
    if (options.algorithm != SEARCH_DFS) keep_usual_order();
    if (options.bounds_switches && options.random_processes) die("cannot combine -DBCS and -DP_RAND");
    if (options.tells_search && (!is_plain_dfs() || options.reduction != REDUCE_OFF)) {
        fputs("pan: warning: -DCHECK shows only depth-first searches for safety errors without reduction\n",
              run_plan.complaints);
        options.tells_search = false;
    }
    if (options.p_reversed) options.reverse_processes = !options.reverse_processes;
    options.reorders = options.process_order != ORDER_USUAL || options.random_processes || options.random_transitions
                       || options.bounds_switches;
    options.reorders_transitions
        = options.unless_outermost || options.reverse_transitions || options.random_transitions;
}

void options_read(int argc, char **argv)
{
    set_defaults();
    directives_read();
    for (int at = 1; at < argc && argv[at][0] == '-'; at++) {
        if (argv[at][1] == '-' && argv[at][2])
            read_long(argv[at] + 2);
        else
            read_letter(argc, argv, &at);
    }
    check_liveness();
    choose_claim_type();
    settle_order();
    search_options_finish();
    options.marks_late = options.verbose && !options.no_unreached && options.algorithm == SEARCH_DFS
                         && options.reduction != REDUCE_TWO_PHASE;
    print_warnings();
}
