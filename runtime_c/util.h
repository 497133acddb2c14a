/* util.h: memory that is counted, time, and giving up. */
#ifndef HSFPY_UTIL_H
#define HSFPY_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PREFETCH(p) __builtin_prefetch(p)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NEVER_INLINE __attribute__((noinline))
#define NORETURN __attribute__((noreturn))
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define LIKELY(x) (x)
#define UNLIKELY(x) (x)
#define PREFETCH(p) ((void)(p))
#define ALWAYS_INLINE inline
#define NEVER_INLINE
#define NORETURN
#define PRINTF_LIKE(text, first)
#endif

/* The same word, read by itself: what was just written in two halves cannot be read as a whole without waiting, and
 * compilers like to copy two words at once. */
static ALWAYS_INLINE uint64_t single_word(uint64_t word)
{
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+r"(word));
#endif
    return word;
}

/* Position of the lowest set bit; x must not be 0. */
static inline unsigned lowest_bit(uint64_t x)
{
#if defined(__GNUC__) || defined(__clang__)
    return (unsigned)__builtin_ctzll(x);
#else
    unsigned i = 0;
    while (!(x >> i & 1)) i++;
    return i;
#endif
}

/* Position of the highest set bit; x must not be 0. */
static inline unsigned highest_bit(uint64_t x)
{
#if defined(__GNUC__) || defined(__clang__)
    return 63 - (unsigned)__builtin_clzll(x);
#else
    unsigned bit = 0;
    while (x >>= 1) bit++;
    return bit;
#endif
}

/* A permutation of 64-bit words after which every bit depends on all (splitmix64's). */
static inline uint64_t mix64(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* The product of two words: its lower word, and in *high the upper one. */
static inline uint64_t multiply_wide(uint64_t a, uint64_t b, uint64_t *high)
{
#if defined(__SIZEOF_INT128__)
    __extension__ unsigned __int128 product = (__extension__(unsigned __int128) a) * b;
    *high = (uint64_t)(product >> 64);
#else
    uint64_t a_hi = a >> 32, b_hi = b >> 32, a_lo = a & UINT32_MAX, b_lo = b & UINT32_MAX;
    uint64_t low = a_lo * b_lo, mid = a_hi * b_lo + (low >> 32), other = a_lo * b_hi + (mid & UINT32_MAX);
    *high = a_hi * b_hi + (mid >> 32) + (other >> 32);
#endif
    return a * b;
}

/* These never return NULL: without memory, or beyond the memory limit, they call the handler
 * below. Everything they hand out is counted; release it with xfree. */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *text);
void xfree(void *p);

/* For large growing arrays: resizes a block of old_size bytes (0 with p == NULL); what is added is
 * zeroed. Big blocks lie on huge pages and are moved without copying where the system can. */
void *big_resize(void *p, size_t old_size, size_t size);
void big_free(void *p, size_t size);
/* A zeroed block of `size` bytes that will take the place of one of old_size: the limit counts only
 * what is added. The old one is given back piece by piece with big_discard, then with big_free. */
void *big_successor(size_t old_size, size_t size);
/* Says that bytes from .. to-1 of a large block will not be read again. */
void big_discard(void *p, size_t from, size_t to);

/* Bytes handed out and not yet released. */
size_t memory_in_use(void);
/* Sets the limit in bytes, 0 for none. */
void memory_set_limit(size_t limit);
size_t memory_limit(void);
/* May `more` further bytes be taken without passing the limit? */
bool memory_allows(size_t more);

/* Called, once, when an allocation of `wanted` bytes failed or would pass the limit (`over_limit`).
 * Must not return. During the call the limit is off. */
typedef void (*MemoryHandler)(size_t wanted, bool over_limit);
void memory_set_handler(MemoryHandler handler);

/* Seconds on a clock that never goes back. */
double seconds_now(void);

/* Sets what is to be done before `die` prints. */
void before_dying(void (*prepare)(void));

/* Prints "pan: error: ..." on standard error and exits with status 1. */
void die(const char *format, ...) NORETURN PRINTF_LIKE(1, 2);

#endif
