/* order.c: permuted, rotated and random orders; see order.h.
 *
 * The same seed gives the same search as in SPIN, which draws from the C library's rand(). The
 * generator is therefore the additive one of the GNU C library, and numbers are drawn where SPIN
 * draws them: one seed per state, from which its permutation follows again and again.
 */
#include "order.h"

#include "search.h"
#include "steps.h"

/* ---- the generator ---- */

enum { RANDOM_DEGREE = 31, RANDOM_LAG = 3, RANDOM_WARM_UP = 310 };

static struct {
    uint32_t words[RANDOM_DEGREE];
    int front, rear;
} generator;

static uint32_t random_next(void)
{
    uint32_t sum = generator.words[generator.front] += generator.words[generator.rear];
    generator.front = (generator.front + 1) % RANDOM_DEGREE;
    generator.rear = (generator.rear + 1) % RANDOM_DEGREE;
    return sum >> 1;
}

/* The first words follow a multiplicative generator modulo 2^31 - 1. */
static void random_seed(uint32_t seed)
{
    int32_t word = (int32_t)(seed ? seed : 1);
    for (int i = 0; i < RANDOM_DEGREE; i++) {
        generator.words[i] = (uint32_t)word;
        int64_t next = 16807 * (int64_t)word % INT32_MAX;
        word = (int32_t)(next < 0 ? next + INT32_MAX : next);
    }
    generator.front = RANDOM_LAG;
    generator.rear = 0;
    for (int i = 0; i < RANDOM_WARM_UP; i++) (void)random_next();
}

static int random_below(int n) { return (int)(random_next() % (uint32_t)n); }

void order_start(void)
{
    bool by_directive = options.random_processes || options.random_transitions;
    random_seed(options.seed_given || by_directive ? options.seed + (uint32_t)options.hash_number : 1);
}

void order_choose(uint32_t seed)
{
    random_seed(seed);
    options.permutes = true;
    switch (random_below(5)) {
    case 0: options.process_order = ORDER_PERMUTED; break;
    case 1: options.p_reversed = true; break;
    case 2: options.process_order = ORDER_RANDOM_ROTATION; break;
    case 3:
        options.process_order = ORDER_ROTATED;
        options.rotation = random_below(3);
        break;
    default: break;
    }
    if (random_below(2) == 0) options.reverse_transitions = true;
}

/* ---- processes ---- */

static uint8_t permutation[MAX_PROCESSES];

/* As many exchanges as there are processes, the claim among them, of two of the program's. */
static void permute(uint32_t seed, int n)
{
    random_seed(seed);
    for (int i = 0; i < n; i++) permutation[i] = (uint8_t)i;
    if (n + options.use_claim <= 1) return;
    for (int i = 0; i < n + options.use_claim; i++) {
        int a = random_below(n), b = random_below(n);
        uint8_t swap = permutation[a];
        permutation[a] = permutation[b];
        permutation[b] = swap;
    }
}

/* The number the order of a state follows from; one is drawn for any of the orders. */
static uint32_t draw_order(int n)
{
    uint32_t drawn = options.process_order != ORDER_USUAL || options.p_reversed ? random_next() : 0;
    switch (options.process_order) {
    case ORDER_RANDOM_ROTATION: return n > 1 ? 1 + (uint32_t)random_below(n - 1) : 0;
    case ORDER_ROTATED: return (uint32_t)options.rotation;
    case ORDER_PERMUTED:
    case ORDER_USUAL: break;
    }
    return drawn;
}

static int process_at(const OrderMark *mark, int n)
{
    if (n == 0) return 0;
    if (options.process_order == ORDER_USUAL) return mark->index;
    if (options.process_order != ORDER_PERMUTED) return (int)((mark->index + mark->seed) % (uint32_t)n);
    return permutation[mark->index];
}

static void advance_index(OrderMark *mark, int n, int by)
{
    if (n == 0) return;
    if (!options.reverse_processes) by = n - by % n;
    mark->index = (uint8_t)((mark->index + by) % n);
}

static int leave_out(OrderMark *mark, const State *s, int pid)
{
    return mark->left > 0 && pid + 1 == mark->skip ? order_next(mark, s) : pid;
}

int order_begin(OrderMark *mark, const State *s, int only, int except)
{
    int n = state_n_processes(s);
    /* Without a claim, only a state that is tried once more lets time pass: its order stays. */
    bool again = step_context.timeout && !options.use_claim;
    if (!again) mark->seed = draw_order(n);
    if (options.process_order == ORDER_PERMUTED && !again) permute(mark->seed, n);
    mark->index = (uint8_t)(options.reverse_processes || n == 0 ? 0 : n - 1);
    mark->left = (uint8_t)(only >= 0 ? 1 : n);
    mark->skip = (uint8_t)(except + 1);
    if (only >= 0) return only;
    if (options.random_processes && n > 1) advance_index(mark, n, random_below(n) + 1);
    return leave_out(mark, s, process_at(mark, n));
}

int order_next(OrderMark *mark, const State *s)
{
    int n = state_n_processes(s);
    if (options.process_order == ORDER_PERMUTED) permute(mark->seed, n);
    if (--mark->left == 0) return 0;
    advance_index(mark, n, 1);
    return leave_out(mark, s, process_at(mark, n));
}

/* ---- transitions ---- */

/* Escapes and else have their place, so locations with one keep their order. */
static bool has_fixed_order(const Location *at)
{
    for (uint32_t i = at->first; i < at->first + at->count; i++)
        if (model.transitions[i].escape || model.transitions[i].flags & T_ELSE) return true;
    return false;
}

void order_enter(OrderMark *mark, const Location *at)
{
    mark->first = 0;
    if (options.random_transitions && at->count > 0 && !has_fixed_order(at))
        mark->first = (uint16_t)random_below(at->count);
}
