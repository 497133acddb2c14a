/* store_report.c: what the report says about how states were kept, in SPIN's words where it has some. */
#include "store_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "search.h"
#include "state_set.h"
#include "store.h"

enum { USUAL_W = 24 };

/* Of a new state: the probability that all runs before this one lost it. */
static double lost_before = 1;
static int runs_before;

/* IDA* meets its states again in every iteration, so their number says nothing about losses. */
static bool can_estimate(void) { return store_is_lossy(&options.store) && options.algorithm != SEARCH_IDASTAR; }

/* More than the states stored if a second search for cycles leaves its own marks. */
static double members(void) { return search_set ? (double)state_set_members(search_set) : (double)stats.stored; }

static double expected_omissions(void) { return store_expected_omissions(&options.store, members()); }

/* With what was never met because all ways to it lead through lost states. Of the transitions a share leads to
 * something new; where a lost state's did, that is lost with it, and so on. */
static double expected_losses(void)
{
    double matched = (double)stats.matched, stored = (double)stats.stored;
    if (stats.stored == 0) return 0;
    return expected_omissions() * (stored + matched) / (matched > stored / 1000 ? matched : stored / 1000);
}

static double share_lost(void)
{
    double lost = expected_omissions();
    return lost > 0 ? lost / (lost + members()) : 0;
}

/* SPIN's number for so many bits: 32 to 64 in steps of eight, as it was when there was a choice. */
static int compaction_number(int bits) { return bits <= 32 ? 0 : bits >= 64 ? 4 : (bits - 32) / 8; }

void store_report_title(void)
{
    if (options.store.kind == STORE_BITSTATE)
        puts("\nBit statespace search for:");
    else if (options.store.kind == STORE_HC)
        printf("\nHash-Compact %d search for:\n", compaction_number(options.store.hash_bits));
    else
        puts("\nFull statespace search for:");
}

static void report_bits(void)
{
    double lost = expected_omissions();
    printf("\nhash factor: %4g (best if > 100.)\n\n",
           8 * (double)store_array_bytes(&options.store) / (double)stats.stored);
    printf("bits set per state: %d (-k%d)\n", options.store.bits_per_state, options.store.bits_per_state);
    printf("estimated coverage: %.6g%% (%.3g states taken for others, %.3g with those behind them)\n",
           100 * (1 - share_lost()), lost, expected_losses());
    if (runs_before)
        printf("of all %d runs together: %.9g%%\n", runs_before + 1, 100 * (1 - lost_before * share_lost()));
}

static void report_compaction(void)
{
    double lost = expected_omissions();
    printf("hash compaction to %d bits: %.3g states expected to be taken for others, %.3g lost with those behind them; "
           "probability of any: %.3g\n",
           options.store.hash_bits, lost, expected_losses(), store_loss_probability(lost));
}

void store_report_figures(uint64_t conflicts)
{
    bool is_bits = can_estimate() && options.store.kind == STORE_BITSTATE;
    if (is_bits)
        report_bits();
    else
        printf("hash conflicts: %9.8g (resolved)\n", (double)conflicts);
    if (can_estimate() && !is_bits) report_compaction();
    putchar('\n');
}

void store_report_table(double bytes)
{
    const StoreChoice *store = &options.store;
    double array = (double)store_array_bytes(store) / (1 << 20);
    if (store->kind != STORE_BITSTATE)
        printf("%9.3f\tmemory used for hash table (-w%d)\n", bytes / (1 << 20), options.w ? options.w : USUAL_W);
    else if (store->array_megabytes)
        printf("%9.3f\tmemory used for hash array (-M%" PRIu64 ")\n", array, store->array_megabytes);
    else
        printf("%9.3f\tmemory used for hash array (-w%d)\n", array, store->array_log2);
}

void store_report_json(void)
{
    const StoreChoice *store = &options.store;
    printf("\"store\": \"%s\", ", store_name(store->kind));
    if (store->kind == STORE_HC) printf("\"hash_bits\": %d, ", store->hash_bits);
    if (store->kind == STORE_BITSTATE)
        printf("\"array_bits\": %" PRIu64 ", \"bits_per_state\": %d, ", 8 * store_array_bytes(store),
               store->bits_per_state);
    if (!can_estimate()) return;
    printf("\"expected_omissions\": %.6g, \"expected_losses\": %.6g, \"omission_probability\": %.6g, ",
           expected_omissions(), expected_losses(), store_loss_probability(expected_omissions()));
    if (runs_before)
        printf("\"runs\": %d, \"coverage_of_runs\": %.12g, ", runs_before + 1, 1 - lost_before * share_lost());
}

void store_next_run(void)
{
    lost_before *= share_lost();
    runs_before++;
    options.store.seed++;
}
