/* store.h: how the states that a search has seen are kept.
 *
 * Exactly, as trees whose parts are stored once (the usual way) or as plain vectors; or with losses: as
 * hashes of some bits (hash compaction), or as a few bits of an array each (bitstate). A search that
 * loses states may miss errors, but errors it finds are real: their trails are replayed.
 */
#ifndef HSFPY_STORE_H
#define HSFPY_STORE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum StoreKind { STORE_EXACT, STORE_PLAIN, STORE_HC, STORE_BITSTATE } StoreKind;

typedef struct StoreChoice {
    StoreKind kind;
    int hash_bits;            /* hash compaction: how many bits are kept of a state */
    int bits_per_state;       /* bitstate: -k */
    int array_log2;           /* bitstate: the array has 2^-w bits, */
    uint64_t array_megabytes; /* or, if this is not 0, -M or -G */
    int runs;                 /* -R, --runs: searches with fresh hash functions */
    bool random_hash;         /* -hash: hash functions by -RSn */
    uint64_t seed;            /* of the hash functions; 0: the usual ones */
} StoreChoice;

enum { LEAST_HASH_BITS = 16, MOST_HASH_BITS = 64 };

static inline bool store_is_lossy(const StoreChoice *c) { return c->kind == STORE_HC || c->kind == STORE_BITSTATE; }

const char *store_name(StoreKind kind);
/* The size of the array of bits, in bytes. */
uint64_t store_array_bytes(const StoreChoice *c);

/* How many states were probably taken for others when n were stored. States that can be reached only
 * through lost ones are not counted: nothing is known of them. */
double store_expected_omissions(const StoreChoice *c, double n);
/* Probability that at least one state was lost, when so many are expected to be. */
double store_loss_probability(double expected);

#endif
