/* store.c: what the ways of keeping states promise. */
#include "store.h"

#include "bit_array.h"

const char *store_name(StoreKind kind)
{
    static const char *const names[] = {"exact", "plain", "hc", "bitstate"};
    return names[kind];
}

uint64_t store_array_bytes(const StoreChoice *c)
{
    uint64_t bytes = c->array_megabytes ? c->array_megabytes << 20 : (UINT64_C(1) << c->array_log2) / 8;
    return bytes < BIT_BLOCK_BYTES ? BIT_BLOCK_BYTES : bytes;
}

/* e^-x without the mathematics library, which a script may not link. */
static double exp_minus(double x)
{
    double halved = x, e = 1, term = 1;
    int squarings = 0;
    if (x > 700) return 0;
    for (; halved > 0.5; halved /= 2) squarings++;
    for (int i = 1; i < 16; i++) e += term *= -halved / i;
    while (squarings-- > 0) e *= e;
    return e;
}

static double to_the(double base, int n)
{
    double product = 1;
    while (n-- > 0) product *= base;
    return product;
}

/* Probability that a bit is set when so many bits were thrown into a block. */
static double share_set(double thrown) { return 1 - exp_minus(thrown / BIT_BLOCK_BITS); }

/* Probability that all k bits of a new state are set already, when there are `load` states to a block on
 * average: their number in a block is Poisson distributed. */
static double taken_for_seen(int k, double load)
{
    enum { CROWDED = 500 }; /* so many are never far from their mean */
    double here = exp_minus(load), sum = 0;
    if (load > CROWDED) return to_the(share_set(k * load), k);
    for (int j = 1; j < 2 * CROWDED; j++) {
        here *= load / j;
        sum += here * to_the(share_set((double)k * j), k);
        if (j > load && here < 1e-18) break;
    }
    return sum;
}

/* The array fills while the search runs; Simpson's rule adds up the risks of all states on the way. */
static double bitstate_omissions(const StoreChoice *c, double n)
{
    enum { INTERVALS = 64 };
    double per_block = n / ((double)store_array_bytes(c) / BIT_BLOCK_BYTES), sum = 0;
    for (int i = 0; i <= INTERVALS; i++) {
        double risk = taken_for_seen(c->bits_per_state, per_block * i / INTERVALS);
        sum += (i == 0 || i == INTERVALS ? 1 : i & 1 ? 4 : 2) * (risk < 0.999 ? risk / (1 - risk) : 999);
    }
    return n * sum / (3 * INTERVALS);
}

double store_expected_omissions(const StoreChoice *c, double n)
{
    if (c->kind == STORE_HC) return n * n / 2 / to_the(2, c->hash_bits);
    return c->kind == STORE_BITSTATE ? bitstate_omissions(c, n) : 0;
}

double store_loss_probability(double expected) { return expected < 1e-5 ? expected : 1 - exp_minus(expected); }
