/* directives.c: SPIN's compile-time directives.
 *
 * Every directive SPIN knows is accepted. Those that choose something we have act as there, those that
 * spare memory or limit sizes are not needed, and the rest say so when a search begins.
 *
 * In this file #ifdef selects behaviour: directives arrive no other way.
 */
#include "directives.h"

#include <string.h>

#include "exclusive.h"
#include "options.h"
#include "store_options.h"
#include "tell_search.h"

/* SPIN has two names for some. */
#if defined(REVERSE) && !defined(P_REVERSE)
#define P_REVERSE
#endif
#if defined(RANDOMIZE) && !defined(T_RAND)
#define T_RAND RANDOMIZE
#endif
#if defined(RHASH) && !defined(PERMUTED)
#define PERMUTED
#endif

#define DIRECTIVE_TEXT(x) #x
#define DIRECTIVE_VALUE(x) DIRECTIVE_TEXT(x)

static const char *const directives_seen[] = {
#ifdef BITSTATE
    "-DBITSTATE",
#endif
#ifdef BFS_PAR
    "-DBFS_PAR",
#endif
#ifdef NOVSZ
    "-DNOVSZ",
#endif
#ifdef RHASH
    "-DRHASH",
#endif
#ifdef PERMUTED
    "-DPERMUTED",
#endif
#ifdef P_REVERSE
    "-DP_REVERSE",
#endif
#ifdef T_REVERSE
    "-DT_REVERSE",
#endif
#ifdef T_RAND
    "-DT_RAND=" DIRECTIVE_VALUE(T_RAND),
#endif
#ifdef P_RAND
    "-DP_RAND=" DIRECTIVE_VALUE(P_RAND),
#endif
#ifdef BCS
    "-DBCS",
#endif
#ifdef BFS
    "-DBFS",
#endif
#ifdef MEMLIM
    "-DMEMLIM=" DIRECTIVE_VALUE(MEMLIM),
#endif
#ifdef MEMCNT
    "-DMEMCNT=" DIRECTIVE_VALUE(MEMCNT),
#endif
#ifdef NOCLAIM
    "-DNOCLAIM",
#endif
#ifdef SAFETY
    "-DSAFETY",
#endif
#ifdef NOFAIR
    "-DNOFAIR",
#endif
#ifdef NFAIR
    "-DNFAIR=" DIRECTIVE_VALUE(NFAIR),
#endif
#ifdef NOREDUCE
    "-DNOREDUCE",
#endif
#ifdef XUSAFE
    "-DXUSAFE",
#endif
#ifdef NP
    "-DNP",
#endif
#ifdef PEG
    "-DPEG",
#endif
#ifdef VAR_RANGES
    "-DVAR_RANGES",
#endif
#ifdef NSUCC
    "-DNSUCC",
#endif
#ifdef HC
    "-DHC",
#endif
#ifdef HC0
    "-DHC0",
#endif
#ifdef HC1
    "-DHC1",
#endif
#ifdef HC2
    "-DHC2",
#endif
#ifdef HC3
    "-DHC3",
#endif
#ifdef HC4
    "-DHC4",
#endif
#ifdef CHECK
    "-DCHECK",
#endif
#ifdef CTL
    "-DCTL",
#endif
#ifdef TRIX
    "-DTRIX",
#endif
#ifdef NIBIS
    "-DNIBIS",
#endif
#ifdef NOBOUNDCHECK
    "-DNOBOUNDCHECK",
#endif
#ifdef NOSTUTTER
    "-DNOSTUTTER",
#endif
#ifdef REACH
    "-DREACH",
#endif
#ifdef PRINTF
    "-DPRINTF",
#endif
#ifdef COLLAPSE
    "-DCOLLAPSE",
#endif
#ifdef MA
    "-DMA=" DIRECTIVE_VALUE(MA),
#endif
#ifdef SVDUMP
    "-DSVDUMP",
#endif
#ifdef VECTORSZ
    "-DVECTORSZ=" DIRECTIVE_VALUE(VECTORSZ),
#endif
#ifdef VERBOSE
    "-DVERBOSE",
#endif
#ifdef SDUMP
    "-DSDUMP",
#endif
#ifdef NCORE
    "-DNCORE=" DIRECTIVE_VALUE(NCORE),
#endif
#ifdef VMAX
    "-DVMAX=" DIRECTIVE_VALUE(VMAX),
#endif
#ifdef PMAX
    "-DPMAX=" DIRECTIVE_VALUE(PMAX),
#endif
#ifdef QMAX
    "-DQMAX=" DIRECTIVE_VALUE(QMAX),
#endif
#ifdef PUTPID
    "-DPUTPID",
#endif
#ifdef FREQ
    "-DFREQ=" DIRECTIVE_VALUE(FREQ),
#endif
    NULL};

/* What SPIN would do and this version does not. */
static const char *const directives_idle[] = {
#ifdef BFS_PAR
    "-DBFS_PAR: searches run on one core in this version",
#endif
#if defined(NCORE) && NCORE > 1
    "-DNCORE: searches run on one core in this version",
#endif
#ifdef L_BOUND
    "-DL_BOUND: this version does not bound the length of cycles",
#endif
#if defined(W_XPT) || defined(R_XPT)
    "-DW_XPT and -DR_XPT: there are no checkpoints in this version",
#endif
#if defined(SVDUMP) || defined(SDUMP)
    "-DSVDUMP and -DSDUMP: states are not written out, for their layout is not SPIN's",
#endif
    NULL};

void directives_print(FILE *out)
{
    fputs("cc -o pan ", out);
    for (int i = 0; directives_seen[i]; i++) fprintf(out, "%s ", directives_seen[i]);
    fputs("pan.c", out);
}

void directives_warn(FILE *out)
{
    for (int i = 0; directives_idle[i]; i++) fprintf(out, "pan: warning: %s\n", directives_idle[i]);
}

static bool compiled_with(const char *directive)
{
    for (int i = 0; directives_seen[i]; i++)
        if (strcmp(directives_seen[i], directive) == 0) return true;
    return false;
}

static void read_numbers(void)
{
#ifdef P_RAND
    options.random_processes = true;
    if ((P_RAND) > 0) options.seed = (uint32_t)(P_RAND);
#endif
#ifdef T_RAND
    options.random_transitions = true;
    if ((T_RAND) > 0) options.seed = (uint32_t)(T_RAND);
#endif
#ifdef MEMCNT
    options.memory_limit = 1L << ((MEMCNT) < 20 ? 20 : (MEMCNT) > 50 ? 50 : (MEMCNT));
#endif
#ifdef MEMLIM
    options.memory_limit = (long)(MEMLIM) << 20;
#endif
#ifdef FREQ
    run_plan.progress_every = (uint64_t)(FREQ);
#endif
}

/* In SPIN 6.5 all of -DHC and -DHC0 to -DHC4 keep 64 bits. */
static void read_store(void)
{
    static const char *const names[] = {"-DHC0", "-DHC1", "-DHC2", "-DHC3", "-DHC4", "-DHC"};
    for (int i = 0; i < 6; i++)
        if (compiled_with(names[i])) store_directive(names[i], STORE_HC);
    if (compiled_with("-DBITSTATE")) store_directive("-DBITSTATE", STORE_BITSTATE);
}

void directives_read(void)
{
    bool breadth_first = compiled_with("-DBFS") || compiled_with("-DBFS_PAR");
    options.algorithm = breadth_first ? SEARCH_BFS : SEARCH_DFS;
    options.safety_only = breadth_first || compiled_with("-DSAFETY");
    options.use_claim = model.n_claims > 0 && !compiled_with("-DNOCLAIM");
    options.no_stutter = compiled_with("-DNOSTUTTER");
    options.trail_with_pid = compiled_with("-DPUTPID");
    options.print_output = compiled_with("-DPRINTF");
    options.tells_search = TELLS_SEARCH;
    options.notes_values = compiled_with("-DVAR_RANGES");
    options.reverse_processes = compiled_with("-DP_REVERSE");
    options.reverse_transitions = compiled_with("-DT_REVERSE");
    options.permutes = compiled_with("-DPERMUTED");
    options.bounds_switches = compiled_with("-DBCS");
    options.no_reduction = compiled_with("-DNOREDUCE");
    options.usual_bfs = compiled_with("-DBFS");
    exclusive.is_unchecked = compiled_with("-DXUSAFE");
    options.circles_are_stuck = !(compiled_with("-DSAFETY") && compiled_with("-DNOREDUCE"));
    read_numbers();
    read_store();
}
