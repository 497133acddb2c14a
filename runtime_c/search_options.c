/* search_options.c: choosing search, heuristic, weights and costs. */
#include "search_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heuristic.h"
#include "options.h"
#include "replay.h"
#include "search.h"
#include "store_options.h"
#include "tallies.h"
#include "trail.h"
#include "util.h"

static const char *heuristic_wanted, *invariant_wanted, *target_wanted;
static bool and_chosen, caching_chosen, reduction_chosen;

static const char *argument(const char *name, const char *option)
{
    size_t length = strlen(option);
    return strncmp(name, option, length) == 0 && name[length] == '=' ? name + length + 1 : NULL;
}

static void choose_weighted(int percent)
{
    options.algorithm = SEARCH_BEST_FIRST;
    options.weight = percent;
}

static bool read_algorithm(const char *name)
{
    if (strcmp(name, "astar") == 0)
        choose_weighted(50);
    else if (strcmp(name, "bestfirst") == 0)
        choose_weighted(0);
    else if (strcmp(name, "idastar") == 0)
        options.algorithm = SEARCH_IDASTAR;
    else
        return false;
    return true;
}

static void read_weight(const char *value)
{
    char *end;
    double alpha = strtod(value, &end);
    if (*end || end == value || !(alpha >= 0 && alpha <= 1))
        die("--weight needs a number from 0 (best-first) to 1 (breadth-first), not '%s'", value);
    choose_weighted((int)(alpha * 100 + 0.5));
}

static void read_combination(const char *value)
{
    if (strcmp(value, "sum") != 0 && strcmp(value, "max") != 0) die("--h-and is sum or max, not '%s'", value);
    heuristic_uses_sum = strcmp(value, "sum") == 0;
    and_chosen = true;
}

static void read_ties(const char *value)
{
    if (strcmp(value, "deep") == 0)
        options.ties = TIES_DEEP;
    else if (strcmp(value, "fifo") == 0)
        options.ties = TIES_FIFO;
    else if (strcmp(value, "lifo") == 0)
        options.ties = TIES_LIFO;
    else
        die("--ties is deep, fifo or lifo, not '%s'", value);
}

static void read_nested(const char *value)
{
    options.classic_nested = strcmp(value, "classic") == 0;
    if (!options.classic_nested && strcmp(value, "improved") != 0)
        die("--nested is classic or improved, not '%s'", value);
}

/* ---- partial order reduction ---- */

static const struct {
    const char *name;
    Reduction reduction;
} reductions[] = {{"off", REDUCE_OFF},
                  {"stack", REDUCE_STACK},
                  {"stack-", REDUCE_STACK_SAFETY},
                  {"duplicate", REDUCE_DUPLICATE},
                  {"duplicate-", REDUCE_DUPLICATE_SAFETY},
                  {"static", REDUCE_STATIC},
                  {"two-phase", REDUCE_TWO_PHASE},
                  {"none", REDUCE_UNSOUND}};

static void read_reduction(const char *value)
{
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
        if (strcmp(reductions[i].name, value) == 0) {
            options.reduction = reductions[i].reduction;
            reduction_chosen = true;
            return;
        }
    die("--reduce is off, stack, stack-, duplicate, duplicate-, static, two-phase or none, not '%s'", value);
}

static void read_caching(const char *value)
{
    options.caches_all = strcmp(value, "all") == 0;
    if (!options.caches_all && strcmp(value, "selective") != 0) die("--cache is all or selective, not '%s'", value);
    caching_chosen = true;
}

/* Why a cycle condition does not go with this search; NULL if it does. */
static const char *reduction_problem(void)
{
    bool is_safety = options.reduction == REDUCE_STACK_SAFETY || options.reduction == REDUCE_DUPLICATE_SAFETY;
    bool asks_stack = options.reduction == REDUCE_STACK || options.reduction == REDUCE_STACK_SAFETY;
    if (options.algorithm != SEARCH_DFS && options.reduction == REDUCE_TWO_PHASE)
        return "two-phase is a depth-first search: use static";
    if (looks_for_cycles() && options.fairness) return "reduction does not go with fairness (-f): use --reduce=off";
    if (looks_for_cycles() && is_safety)
        return "this condition holds for safety only, cycles may be missed: use static";
    if (options.algorithm == SEARCH_IDASTAR && options.store.kind == STORE_BITSTATE && asks_stack)
        return "with --bitstate states on the path are not known: use duplicate-";
    if (options.algorithm != SEARCH_DFS && options.algorithm != SEARCH_IDASTAR && asks_stack)
        return "only depth-first search has a stack: use duplicate- or static";
    if (options.algorithm != SEARCH_DFS && looks_for_cycles() && options.reduction != REDUCE_STATIC)
        return "directed search for cycles takes --reduce=static only";
    if (options.shorten) return "-i and -I look for short errors, which reduction may lose: use --reduce=off";
    return NULL;
}

/* The reduction that goes without saying, as in SPIN. Directed searches are for short errors, which it may lose;
 * and it does not go with everything. */
static Reduction usual_reduction(void)
{
    bool is_bounded = options.bounds_switches || options.shorten || options.tells_search;
    if (options.no_reduction || is_bounded || (looks_for_cycles() && options.fairness)) return REDUCE_OFF;
    if (options.algorithm == SEARCH_DFS) return looks_for_cycles() ? REDUCE_STACK : REDUCE_STACK_SAFETY;
    if (store_is_lossy(&options.store)) return REDUCE_OFF; /* the general search keeps whole states */
    return options.usual_bfs && !looks_for_cycles() ? REDUCE_DUPLICATE_SAFETY : REDUCE_OFF;
}

static void warn_of_claim(void)
{
    const Proctype *claim = active_claim();
    if (options.find_nonprogress || claim->translated || options.algorithm != SEARCH_DFS) return;
    fputs("warning: for p.o. reduction to be valid the never claim must be stutter-invariant\n"
          "(never claims generated from LTL formulae are stutter-invariant)\n",
          options.json ? run_plan.complaints : stdout);
}

static void check_reduction(void)
{
    if (caching_chosen && options.reduction != REDUCE_TWO_PHASE)
        die("--cache says what two-phase search stores: add --reduce=two-phase");
    if (!reduction_chosen) options.reduction = usual_reduction();
    if (options.reduction == REDUCE_OFF) return;
    const char *problem = reduction_problem();
    if (problem) die("--reduce: %s", problem);
    if (options.use_claim && active_claim()->stutter_sensitive) {
        fputs("warning: the formula has X: partial order reduction is switched off\n", run_plan.complaints);
        options.reduction = REDUCE_OFF;
    } else if (options.reduction == REDUCE_UNSOUND) {
        fputs("warning: without a cycle condition (--reduce=none) errors may be missed\n", run_plan.complaints);
    } else if (options.use_claim && run_plan.mode == RUN_SEARCH) {
        warn_of_claim();
    }
}

/* Statements are merged as in SPIN, unless hsfpy was given -o3. Not where every step counts: in searches for short
 * errors and in those that tell what they do; and --reduce=off means that all states are seen. */
static void settle_merging(void)
{
    bool counts
        = options.shorten || options.bounds_switches || options.tells_search || COUNTS_STEPS || COUNTS_SUCCESSORS;
    bool sees_all = reduction_chosen && options.reduction == REDUCE_OFF;
    bool sees_repeats = options.use_claim && active_claim()->stutter_sensitive;
    options.merges = model.merges && options.algorithm == SEARCH_DFS && options.reduction != REDUCE_TWO_PHASE && !counts
                     && !sees_all && !sees_repeats;
}

static bool read_value_option(const char *name)
{
    const char *value;
    if ((value = argument(name, "heuristic")))
        heuristic_wanted = value;
    else if ((value = argument(name, "weight")))
        read_weight(value);
    else if ((value = argument(name, "h-and")))
        read_combination(value);
    else if ((value = argument(name, "reduce")))
        read_reduction(value);
    else if ((value = argument(name, "cache")))
        read_caching(value);
    else if ((value = argument(name, "nested")))
        read_nested(value);
    else if ((value = argument(name, "ties")))
        read_ties(value);
    else if ((value = argument(name, "cost")))
        cost_model_select(value) ? (void)0 : die("--cost=%s: not steps, not comm, and no such file", value);
    else if ((value = argument(name, "target")))
        target_wanted = value;
    else if ((value = argument(name, "invariant")))
        invariant_wanted = value;
    else
        return false;
    return true;
}

bool search_option_read(const char *name) { return read_algorithm(name) || read_value_option(name); }

/* ---- when all options are known ---- */

static bool is_directed(void) { return options.algorithm == SEARCH_BEST_FIRST || options.algorithm == SEARCH_IDASTAR; }

static void load_target(void)
{
    Trail trail;
    TrailHead head;
    trail_init(&trail);
    if (!trail_read(&trail, &head, target_wanted, 0)) die("--target=%s: cannot read this trail", target_wanted);
    if (head.reversed_creation != options.reverse_creation)
        die("--target=%s: this trail was made %s -P1, which numbers processes differently", target_wanted,
            head.reversed_creation ? "with" : "without");
    model_start(&options.target);
    size_t done = replay_steps(&options.target, &trail, NULL, NULL);
    fault = (Fault){0};
    if (done < trail.n) die("--target=%s: step %zu of the trail does not fit this model", target_wanted, done + 1);
    trail_free(&trail);
}

static int invariant_named(const char *name)
{
    for (int i = 0; i < model.n_invariants; i++)
        if (strcmp(model.invariants[i].name, name) == 0) return i;
    return -1;
}

static bool wants_heuristic(const char *name) { return heuristic_wanted && strcmp(heuristic_wanted, name) == 0; }

/* The claim made of ltl { [] p } is an invariant: a directed search need not run it beside the program. As
 * with any claim, end states are not looked at. */
static int invariant_of_claim(void)
{
    bool fits = !heuristic_wanted || wants_heuristic("invariant") || wants_heuristic("formula");
    if (!is_directed() || !options.use_claim || looks_for_cycles() || !fits) return -1;
    int found = invariant_named(active_claim()->name);
    if (found >= 0) options.ignore_end_states = true;
    return found;
}

static void choose_invariant(void)
{
    int chosen = invariant_named(invariant_wanted ? invariant_wanted : "");
    if (chosen < 0 && invariant_wanted)
        die("--invariant=%s: no ltl block of the form [] p has this name", invariant_wanted);
    if (chosen < 0) chosen = invariant_of_claim();
    if (chosen < 0 && wants_heuristic("invariant") && model.n_invariants > 0) chosen = 0;
    options.check_invariant = chosen >= 0;
    options.invariant = chosen >= 0 ? chosen : 0;
    if (chosen >= 0 && model.invariants[chosen].name[0]) options.use_claim = false;
}

static void choose_heuristic(void)
{
    if (heuristic_wanted && strcmp(heuristic_wanted, "help") == 0) {
        heuristic_print_list();
        run_plan.usage_shown = true;
        exit(0);
    }
    if (!is_directed()) {
        if (heuristic_wanted) die("--heuristic needs a directed search: --astar, --bestfirst, --idastar or --weight");
        return;
    }
    options.heuristic = heuristic_wanted ? heuristic_find(heuristic_wanted) : heuristic_default();
    if (!options.heuristic)
        die("--heuristic=%s: there is no such heuristic; --heuristic=help lists them", heuristic_wanted);
    const char *problem = options.heuristic->prepare();
    if (problem) die("--heuristic=%s: %s", options.heuristic->name, problem);
}

static void refuse_combinations(void)
{
    if (options.algorithm == SEARCH_BFS && store_is_lossy(&options.store) && !bfs_can_batch())
        die("--store=%s: breadth-first search with reduction keeps states whole: use --reduce=off, or --store=exact",
            store_name(options.store.kind));
    if (options.algorithm == SEARCH_IDASTAR && options.stop_at_error != 1)
        die("--idastar stops at the first error: its iterations meet others again and again");
    if (options.algorithm == SEARCH_IDASTAR && options.use_claim)
        die("--idastar does not take never claims: use --astar, or --no-claim");
}

void search_options_finish(void)
{
    /* A lower bound where the shortest error is wanted, better guidance where any will do. */
    if (!and_chosen) heuristic_uses_sum = options.algorithm == SEARCH_BEST_FIRST && options.weight < 50;
    if (target_wanted) load_target();
    choose_invariant();
    choose_heuristic();
    store_options_finish();
    check_reduction();
    settle_merging();
    refuse_combinations();
}
