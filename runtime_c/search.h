/* search.h: what the searches share: options, statistics, the path to an error. */
#ifndef HSFPY_SEARCH_H
#define HSFPY_SEARCH_H

#include <stdio.h>

#include "model.h"
#include "order.h"
#include "state.h"
#include "store.h"
#include "util.h"

typedef enum Algorithm { SEARCH_DFS, SEARCH_BFS, SEARCH_BEST_FIRST, SEARCH_IDASTAR } Algorithm;

/* Partial order reduction: off, or the cycle condition (STTT 4). The _SAFETY ones are enough where no cycles
 * are looked for; without one (REDUCE_UNSOUND) errors may be missed. */
typedef enum Reduction {
    REDUCE_OFF,
    REDUCE_STACK,
    REDUCE_STACK_SAFETY,
    REDUCE_DUPLICATE,
    REDUCE_DUPLICATE_SAFETY,
    REDUCE_STATIC,
    REDUCE_TWO_PHASE, /* no cycle condition is needed (two_phase.h) */
    REDUCE_UNSOUND
} Reduction;

typedef enum TieBreak { TIES_DEEP, TIES_FIFO, TIES_LIFO } TieBreak;

struct Heuristic;

/* All choices of a run; options.c fills it from directives, then from the command line. */
typedef struct Options {
    Algorithm algorithm;
    long max_depth;                    /* -m; 0: no limit */
    bool depth_is_error;               /* -b */
    long stop_at_error;                /* -c: stop at the Nth error; 0: never */
    bool every_error;                  /* -e */
    bool ignore_asserts;               /* -A */
    bool ignore_end_states;            /* -E */
    bool strict_ends;                  /* -q: channels must be empty in an end state */
    bool no_unreached;                 /* -n */
    bool verbose;                      /* -v */
    bool marks_late;                   /* statements count as reached when SPIN says so (reach.h) */
    int shorten;                       /* -i: 1, -I: 2, else 0 */
    bool use_claim;                    /* a never claim exists and is not switched off (-DNOCLAIM) */
    int claim;                         /* index into model.claims */
    int claim_type;                    /* its proctype; with -l, that of the non-progress claim */
    bool find_acceptance;              /* -a */
    bool find_nonprogress;             /* -l */
    bool fairness;                     /* -f */
    bool classic_nested;               /* --nested=classic: the claim's components are not used */
    bool no_stutter;                   /* -DNOSTUTTER: when the program has ended, the claim does not go on */
    bool safety_only;                  /* -DSAFETY: no cycle checks */
    long memory_limit;                 /* bytes, 0: none */
    double time_limit;                 /* seconds, 0: none */
    const char *trail_suffix;          /* -t: default "trail" */
    bool keep_trail;                   /* -x: do not overwrite */
    bool trail_with_pid;               /* -DPUTPID */
    bool trail_read_only;              /* -T */
    bool reverse_processes;            /* -p_reverse, -DP_REVERSE: process 0 first */
    bool reverse_transitions;          /* -t_reverse, -T1, -DT_REVERSE */
    bool unless_outermost;             /* -J */
    bool permutes;                     /* -DPERMUTED, or an option that needs it in SPIN */
    bool p_reversed;                   /* -p_reverse */
    ProcessOrder process_order;        /* -p_permute, -p_rotateN, -p_randrot */
    int rotation;                      /* of -p_rotateN */
    bool random_processes;             /* -DP_RAND */
    bool random_transitions;           /* -DT_RAND */
    bool reorders;                     /* order.h has a say in the order of processes */
    bool reorders_transitions;         /* transitions are not taken in their usual order */
    bool reverse_creation;             /* -P1, -i_reverse: active processes start last to first */
    uint32_t seed;                     /* -RSn */
    bool seed_given;                   /* -RSn or -rhash */
    int hash_number;                   /* -hN */
    bool bounds_switches;              /* -LN, -DBCS: context switches are limited */
    int max_switches;                  /* -LN */
    bool circles_are_stuck;            /* running in circles counts as being stuck, as in most of SPIN's builds */
    int w;                             /* -w: of bitstate searches, else only reported; 0: not given */
    int json;                          /* --json */
    bool print_output;                 /* -DPRINTF */
    bool notes_values;                 /* -DVAR_RANGES */
    bool tells_search;                 /* -DCHECK, in searches that can be shown */
    const struct Heuristic *heuristic; /* of directed searches */
    Reduction reduction;               /* --reduce */
    bool merges;                       /* statements are merged (chain.h) */
    bool caches_all;                   /* --cache=all: two-phase search stores the states of phase one too */
    bool no_reduction;                 /* -DNOREDUCE: none unless --reduce asks for it */
    bool usual_bfs;                    /* -DBFS: breadth-first as in SPIN, with reduction */
    int weight;                        /* alpha in percent: f = alpha g + (1 - alpha) h */
    TieBreak ties;
    bool check_invariant;
    int invariant; /* index into model.invariants */
    State target;  /* end state of --target's trail; v is NULL if none */
    StoreChoice store;
} Options;

typedef struct Stats {
    uint64_t stored; /* different states */
    uint64_t matched;
    uint64_t visited_again; /* states the second search for cycles came to */
    uint64_t transitions;   /* visited + matched, as SPIN counts */
    uint64_t atomic_steps;
    uint64_t nominal; /* breadth-first: stored without states inside atomic sequences */
    uint64_t errors;
    uint64_t truncated; /* paths cut by -m */
    uint64_t lost_messages;
    long max_depth;       /* "depth reached" */
    uint32_t vector_size; /* largest vector seen */
    uint64_t hash_conflicts;
    bool complete; /* the search ended by itself */
    double seconds;
    uint64_t expanded;        /* directed searches: states whose successors were made */
    uint64_t generated;       /* successors made */
    uint64_t phase_one_steps; /* two-phase search */
    uint64_t reopened;        /* states expanded again on a shorter path */
    int h_min, h_max;         /* range of estimates seen */
    uint64_t iterations;      /* IDA* */
    bool is_shortest;         /* the error found is provably a shortest one of its kind */
    uint64_t cost;            /* of the first error found */
} Stats;

extern Options options;
extern Stats stats;

static inline bool looks_for_cycles(void) { return options.find_acceptance || options.find_nonprogress; }

/* Is this the search of dfs.c, SPIN's own, step by step? */
static inline bool is_plain_dfs(void)
{
    return options.algorithm == SEARCH_DFS && !looks_for_cycles() && options.reduction != REDUCE_TWO_PHASE;
}

/* The never claim of this run, if options.use_claim. */
static inline const Proctype *active_claim(void) { return &model.proctypes[options.claim_type]; }

/* Is the program caught when the claim stands here? At the claim's end; and, in searches for finite runs, where the
 * claim accepts whatever follows. Depth-first search leaves the latter to -a, as SPIN does. */
static inline bool claim_has_caught(uint16_t location)
{
    const Proctype *claim = active_claim();
    if (claim->locations[location].flags & L_END) return true;
    return options.algorithm != SEARCH_DFS && claim->claim[location].universal;
}

/* One line of a trail. */
typedef struct TrailStep {
    long depth;          /* SPIN's step number, from 1 */
    int pid;             /* CLAIM_PID for the claim */
    uint32_t transition; /* index into model.transitions */
} TrailStep;

typedef struct Trail {
    TrailStep *steps;
    size_t n;
    size_t capacity;
    long cycle_start; /* steps with depth > cycle_start belong to the cycle; -1: no cycle */
} Trail;

void trail_init(Trail *t);
void trail_free(Trail *t);
void trail_add(Trail *t, long depth, int pid, const Transition *transition);

/* How an error looks in the end, so that a replay can confirm it. */
typedef enum ErrorKind {
    ERROR_FAULT,          /* a fault raised by the last step (assertion, run-time error, trace) */
    ERROR_END_STATE,      /* invalid end state after the last step */
    ERROR_CLAIM_END,      /* the claim reached its end state */
    ERROR_CYCLE,          /* acceptance or non-progress cycle */
    ERROR_ACCEPT_STUTTER, /* blocked for good at an accept label */
    ERROR_DEPTH,          /* depth limit reached (-b) */
    ERROR_GUARD,          /* a fault raised while testing the guard of the last step */
    ERROR_INVARIANT       /* the invariant is false after the last step */
} ErrorKind;

/* Writes the path from the initial state to the current error into `t`. */
typedef void (*PathWriter)(void *search, Trail *t);

/* Counts and prints an error (`pan:K: TEXT (at depth N)`), replays and writes its trail when
 * the options ask for one. Returns true when the search has to stop now. In report.c. */
bool report_error(ErrorKind kind, const char *text, long depth, PathWriter write_path, void *search);

/* Where a search stands that has more to tell than its depth. */
typedef struct Front {
    const char *measure; /* what it goes by: "f", "h" or "bound"; NULL: nothing */
    uint64_t key;        /* how much of that */
    bool has_open;
    uint64_t open; /* states that wait to be expanded */
} Front;

/* To be asked at every step of a search; progress.c sets how many steps there are between two looks. */
extern uint32_t progress_countdown;
static inline bool progress_is_due(void) { return UNLIKELY(--progress_countdown == 0); }

/* Called by a search when progress is due: progress lines, limits, interrupts. `front` may be NULL.
 * Returns true when the search has to stop now. In report.c. */
bool report_progress(long depth, const Front *front);
/* "invariant violated (EXPR)" for the invariant that is checked. */
const char *invariant_error_text(void);
/* "pan: reducing search depth to N" (-i, -I). */
void report_shorter_limit(long limit);
/* The set of the running search, for its memory figures; set by the search, read by report.c. */
struct StateSet;
extern struct StateSet *search_set;
/* "error: max search depth too small", once. */
void report_depth_exceeded(void);

/* The searches. Each returns when done; stats tells how it went. */
void search_dfs(void);
void search_dfs_batch(void); /* the same, faster, if dfs_can_batch() */
bool dfs_can_batch(void);
void search_best_first(void); /* breadth-first, A*, weighted and greedy search */
void search_bfs_batch(void);  /* breadth-first, faster, if bfs_can_batch() */
bool bfs_can_batch(void);
/* Could it, without reduction and merging? */
bool bfs_is_plain(void);
void search_idastar(void);
void search_nested_dfs(void); /* acceptance and non-progress cycles */
void search_astar_dfs(void);  /* the same, directed */

/* The depth SPIN reports for a fault raised by a step that begins at `depth` and is `length` steps
 * long: that of its last step, but one more for trace assertions. */
long fault_depth(const char *text, long depth, int length);

/* Is this state a valid end state (all processes at end locations; -q: channels empty)? */
bool state_is_valid_end(const State *s);

/* Does a process stand at a progress label? As in SPIN, only asked when cycles are looked for. */
bool state_makes_progress(const State *s);

/* Applies the steps of a trail from the initial state; used to confirm errors and by pan -r.
 * `visit` (may be NULL) is called after each step. Returns the number of steps that could be
 * executed; `s` is the state reached. In replay.c. */
typedef void (*StepVisitor)(void *context, const State *s, const TrailStep *step);
size_t replay_steps(State *s, const Trail *t, StepVisitor visit, void *context);

#endif
