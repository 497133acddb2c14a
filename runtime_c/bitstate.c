/* bitstate.c: bitstate hashing with universal hash functions.
 *
 * A vector x of 32-bit words hashes to the high bits of r_0 + sum r_i x_i modulo 2^64, with
 * random r: a strongly universal family (multilinear hashing), so that repeated runs with fresh r
 * lose independent sets of states.
 */
#include "bitstate.h"

#include <string.h>

#include "util.h"

enum { MAX_FUNCTIONS = 8 };

struct BitState {
    uint64_t *words;
    int log2_bits;
    int n_functions;
    uint64_t *factors[MAX_FUNCTIONS];
    uint32_t n_factors;
    uint64_t random;
};

/* splitmix64 */
static uint64_t next_random(uint64_t *state) { return mix64(*state += UINT64_C(0x9E3779B97F4A7C15)); }

static size_t array_bytes(const BitState *set) { return (size_t)1 << (set->log2_bits - 3); }

BitState *bitstate_new(int log2_bits, int n_bits, uint64_t seed)
{
    BitState *set = xcalloc(1, sizeof *set);
    set->log2_bits = log2_bits < 13 ? 13 : log2_bits;
    set->n_functions = n_bits > MAX_FUNCTIONS ? MAX_FUNCTIONS : n_bits;
    set->random = seed;
    set->words = xcalloc(array_bytes(set) / 8, 8);
    return set;
}

void bitstate_free(BitState *set)
{
    for (int i = 0; i < set->n_functions; i++) xfree(set->factors[i]);
    xfree(set->words);
    xfree(set);
}

void bitstate_clear(BitState *set) { memset(set->words, 0, array_bytes(set)); }

void bitstate_rehash(BitState *set, uint64_t seed)
{
    set->random = seed;
    set->n_factors = 0;
    bitstate_clear(set);
}

/* Longer vectors need more factors; those drawn already stay. */
static void draw_factors(BitState *set, uint32_t n)
{
    for (int f = 0; f < set->n_functions; f++) {
        set->factors[f] = xrealloc(set->factors[f], n * sizeof(uint64_t));
        for (uint32_t i = set->n_factors; i < n; i++) set->factors[f][i] = next_random(&set->random);
    }
    set->n_factors = n;
}

bool bitstate_insert(BitState *set, const State *s)
{
    const Word *words = (const Word *)(void *)s->v;
    uint32_t n = s->size / 4;
    bool is_new = false;
    if (n + 1 > set->n_factors) draw_factors(set, n + n / 2 + 2);
    for (int f = 0; f < set->n_functions; f++) {
        const uint64_t *r = set->factors[f];
        uint64_t sum = r[0];
        for (uint32_t i = 0; i < n; i++) sum += r[i + 1] * words[i];
        uint64_t bit = sum >> (64 - set->log2_bits);
        uint64_t mask = UINT64_C(1) << (bit & 63);
        is_new |= !(set->words[bit >> 6] & mask);
        set->words[bit >> 6] |= mask;
    }
    return is_new;
}

uint64_t bitstate_bits(const BitState *set) { return UINT64_C(1) << set->log2_bits; }
