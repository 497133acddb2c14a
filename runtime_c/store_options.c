/* store_options.c: choosing how states are kept. */
#include "store_options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "search.h"
#include "util.h"

enum {
    USUAL_ARRAY_LOG2 = 27,   /* SPIN's */
    IDASTAR_ARRAY_LOG2 = 28, /* its iterations use the array again and again */
    MOST_ARRAY_LOG2 = 45,
    MOST_RUNS = 100,
    RANDOM_SEEDS = 1 << 10 /* behind those of -hN */
};

static struct {
    const char *directive; /* that asks for a store, or NULL */
    bool by_option;        /* --store or --bitstate does */
    bool bits, size, runs; /* -k; -M or -G; -R or --runs was given */
    bool hash_bits;        /* --hash-bits */
} asked;

void store_options_defaults(void)
{
    options.store = (StoreChoice){.hash_bits = MOST_HASH_BITS, .bits_per_state = 3, .runs = 1};
}

void store_directive(const char *directive, StoreKind kind)
{
    asked.directive = directive;
    options.store.kind = kind;
}

/* ---- reading ---- */

static void read_bits_per_state(const char *word)
{
    options.store.bits_per_state = atoi(word + 2);
    asked.bits = true;
    if (options.store.bits_per_state > 0) return;
    fputs("warning: using -k1 as minimal usable value\n", run_plan.complaints);
    options.store.bits_per_state = 1;
}

static void read_array_size(const char *word)
{
    long size = atol(word + 2);
    if (size > 0) options.store.array_megabytes = (uint64_t)size << (word[1] == 'G' ? 10 : 0);
    asked.size = true;
}

static void read_runs(const char *text)
{
    int runs = atoi(text);
    options.store.runs = runs < 1 ? 1 : runs > MOST_RUNS ? MOST_RUNS : runs;
    asked.runs = true;
}

bool store_letter_read(const char *word)
{
    switch (word[1]) {
    case 'k': read_bits_per_state(word); return true;
    case 'M':
    case 'G': read_array_size(word); return true;
    case 'R': read_runs(word + 2); return true;
    default: return false;
    }
}

static void choose_store(const char *name)
{
    for (StoreKind kind = STORE_EXACT; kind <= STORE_BITSTATE; kind++)
        if (strcmp(store_name(kind), name) == 0) {
            options.store.kind = kind;
            asked.by_option = true;
            return;
        }
    die("--store is exact, plain, hc or bitstate, not '%s'", name);
}

static int number_within(const char *option, const char *text, int least, int most)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || value < least || value > most)
        die("--%s is a number from %d to %d, not '%s'", option, least, most, text);
    return (int)value;
}

bool store_option_read(const char *name)
{
    enum { LEAST_ARRAY_LOG2 = 13, LOG2_ASKED = 40 };
    if (strncmp(name, "store=", 6) == 0) {
        choose_store(name + 6);
    } else if (strncmp(name, "hash-bits=", 10) == 0) {
        options.store.hash_bits = number_within("hash-bits", name + 10, LEAST_HASH_BITS, MOST_HASH_BITS);
        asked.hash_bits = true;
    } else if (strcmp(name, "bitstate") == 0) {
        choose_store("bitstate");
    } else if (strncmp(name, "bitstate=", 9) == 0) {
        choose_store("bitstate");
        options.store.array_log2 = number_within("bitstate", name + 9, LEAST_ARRAY_LOG2, LOG2_ASKED);
    } else if (strncmp(name, "runs=", 5) == 0) {
        read_runs(name + 5);
    } else {
        return false;
    }
    return true;
}

/* ---- when all options are known ---- */

/* Why the store does not go with the search; NULL if it does. */
static const char *store_problem(void)
{
    bool is_bitstate = options.store.kind == STORE_BITSTATE;
    if (!store_is_lossy(&options.store)) return NULL;
    if (options.algorithm == SEARCH_BEST_FIRST || (options.algorithm == SEARCH_BFS && !bfs_is_plain()))
        return "this search takes states out of the store again, so they must be kept whole";
    if (is_bitstate && (options.shorten || options.bounds_switches || options.tells_search))
        return "-i, -I, -L and -DCHECK need numbers for states, which bits of an array do not give";
    if (is_bitstate && options.caches_all)
        return "--cache=all needs numbers for states, which bits of an array do not give";
    return NULL;
}

static void warn_of_idle_options(void)
{
    FILE *out = run_plan.complaints;
    if (options.store.kind == STORE_BITSTATE) return;
    if (asked.size) fputs("-M and -G affect only -DBITSTATE\n", out);
    if (asked.bits) fputs("pan: warning: -k is for bitstate searches (--store=bitstate)\n", out);
    if (asked.runs) fputs("pan: warning: -R repeats bitstate searches (--store=bitstate)\n", out);
    options.store.runs = 1;
}

static void settle_array(StoreChoice *store)
{
    bool is_idastar = options.algorithm == SEARCH_IDASTAR;
    if (!store->array_log2) store->array_log2 = options.w;
    if (!store->array_log2) store->array_log2 = is_idastar ? IDASTAR_ARRAY_LOG2 : USUAL_ARRAY_LOG2;
    if (store->array_log2 > MOST_ARRAY_LOG2) store->array_log2 = MOST_ARRAY_LOG2;
    if (!is_idastar || !store->array_megabytes) return;
    for (store->array_log2 = 23; store->array_megabytes >> (store->array_log2 - 22);) store->array_log2++;
    store->array_megabytes = 0; /* its array is a power of two */
}

void store_options_finish(void)
{
    StoreChoice *store = &options.store;
    if (run_plan.mode != RUN_SEARCH) return;
    if (asked.hash_bits && store->kind != STORE_HC) die("--hash-bits is for hash compaction: add --store=hc");
    const char *problem = store_problem();
    if (problem && asked.by_option) die("--store=%s: %s: use --store=exact", store_name(store->kind), problem);
    if (problem) {
        fprintf(run_plan.complaints, "pan: warning: %s: %s: they are stored exactly\n", asked.directive, problem);
        store->kind = STORE_EXACT;
    }
    warn_of_idle_options();
    if (store->kind == STORE_BITSTATE) settle_array(store);
    if (store_is_lossy(store))
        store->seed = store->random_hash ? RANDOM_SEEDS + options.seed : (uint64_t)options.hash_number;
}
