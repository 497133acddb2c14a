/* vector_diff.h: where two vectors of the same shape differ. */
#ifndef HSFPY_VECTOR_DIFF_H
#define HSFPY_VECTOR_DIFF_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Vectors are compared in pairs of words. */
static inline uint64_t words_at(const unsigned char *v, uint32_t pair)
{
    uint64_t words;
    memcpy(&words, v + 8 * (size_t)pair, sizeof words);
    return words;
}

/* Do eight pairs agree? Mostly they do. */
static inline bool block_agrees(const unsigned char *a, const unsigned char *b)
{
#if defined(__SSE2__)
    const __m128i *x = (const __m128i *)(const void *)a, *y = (const __m128i *)(const void *)b;
    __m128i d0 = _mm_xor_si128(_mm_loadu_si128(x), _mm_loadu_si128(y));
    __m128i d1 = _mm_xor_si128(_mm_loadu_si128(x + 1), _mm_loadu_si128(y + 1));
    __m128i d2 = _mm_xor_si128(_mm_loadu_si128(x + 2), _mm_loadu_si128(y + 2));
    __m128i d3 = _mm_xor_si128(_mm_loadu_si128(x + 3), _mm_loadu_si128(y + 3));
    __m128i d = _mm_or_si128(_mm_or_si128(d0, d1), _mm_or_si128(d2, d3));
    return _mm_movemask_epi8(_mm_cmpeq_epi8(d, _mm_setzero_si128())) == 0xffff;
#else
    return memcmp(a, b, 64) == 0;
#endif
}

/* In which of the pairs from .. from+63 (at most up to `to`) do the vectors differ? One bit each. */
static inline uint64_t changed_pairs(const unsigned char *a, const unsigned char *b, uint32_t from, uint32_t to)
{
    uint64_t changed = 0;
    uint32_t n = to - from < 64 ? to - from : 64, i = 0;
    a += 8 * (size_t)from;
    b += 8 * (size_t)from;
    for (; i + 8 <= n; i += 8) {
        if (block_agrees(a + 8 * (size_t)i, b + 8 * (size_t)i)) continue;
        for (uint32_t k = i; k < i + 8; k++) changed |= (uint64_t)(words_at(a, k) != words_at(b, k)) << k;
    }
    for (; i < n; i++) changed |= (uint64_t)(words_at(a, i) != words_at(b, i)) << i;
    return changed;
}

#endif
