/* span_table.c: numbers for spans of words; see span_table.h.
 *
 * There are thousands to hundreds of thousands of spans where there are millions of states, so the
 * index may be half empty: it costs little, and short probes mean few mispredicted branches.
 */
#include "span_table.h"

#include <string.h>

/* Odd numbers drawn at random. */
uint64_t span_factors[N_SPAN_FACTORS] = {
    UINT64_C(0xA573942498A4A201), UINT64_C(0x5E6F33D199B1D245), UINT64_C(0xD452341F19D9DE2B),
    UINT64_C(0xAD36101FAF4EF617), UINT64_C(0x23A85C6403D4B041), UINT64_C(0xB58708926C65A6F1),
    UINT64_C(0x32E97956C6EEE6CF), UINT64_C(0xC5CD34A9C134D60B), UINT64_C(0x08B2695EB5BC964D),
    UINT64_C(0xF69D17D38A27C10F), UINT64_C(0x079699AF26A4228B), UINT64_C(0xFE17C557E956C115),
    UINT64_C(0x995C798E76F1F243), UINT64_C(0x80777B16B27919B5), UINT64_C(0x08D5F18731E515AD),
    UINT64_C(0xFEAF9C6755087E13), UINT64_C(0xC0BDBCF349DC1C1B), UINT64_C(0x40D08FC59D0F79CB),
    UINT64_C(0xA43D383B9D065091), UINT64_C(0x9297BC90C396BE2F), UINT64_C(0xB398C3DF3A4932CF),
    UINT64_C(0xB0C6DF973A67AFA7), UINT64_C(0x1061348CF1CAA529), UINT64_C(0x4AE7FCB14899BC3B),
    UINT64_C(0xFC00DF8D5EF64597), UINT64_C(0xA23B1BD71A085747), UINT64_C(0xD611FE751E6EA319),
    UINT64_C(0x141EEAEDCF46E97D), UINT64_C(0x492DCD32EF132821), UINT64_C(0xFEBCAA2FF7B1F611),
    UINT64_C(0x45B6665DD949DA2B), UINT64_C(0x7E0E5A3D684733A7), UINT64_C(0x91368EDBB71703A1),
    UINT64_C(0x136776BAB0AA5151), UINT64_C(0xFFE0D7E5B3556CE5), UINT64_C(0x455C3FB2012C82D3),
    UINT64_C(0x4898C373DB0C8A01), UINT64_C(0x2B1773DE9127F6ED), UINT64_C(0x93CDB86041068F6B),
    UINT64_C(0xA54897E8C77958B1), UINT64_C(0xA37B0CE52BC8ECE5), UINT64_C(0xCA2ADDFCBA0926A9),
    UINT64_C(0xCEF5E0BCF65BE2EF), UINT64_C(0xCD6A1FB0BFBEFC93), UINT64_C(0xF8B293AF47E3AE6F),
    UINT64_C(0x3B96792BBF830F97), UINT64_C(0x21BFF9A138C6D653), UINT64_C(0x193A7AB52374ED07),
    UINT64_C(0x31AD90D5EF3A5613), UINT64_C(0x4153031C9E703F59), UINT64_C(0xE1C7F52FB425ED21),
    UINT64_C(0xE04B03CA1C34B9A7), UINT64_C(0x9494011F935E7A1D), UINT64_C(0x4BBF47A36A2B37F9),
    UINT64_C(0x6EE00B1F5F8CC345), UINT64_C(0x4E7C61E1CFC9C653), UINT64_C(0xB52B711F3B9B2AFF),
    UINT64_C(0x39A99602871AE29B), UINT64_C(0x70AC5D7023662483), UINT64_C(0x16F355901B7182B5),
    UINT64_C(0xA4BAF46FB13706C1), UINT64_C(0xAC8212254F845DB5), UINT64_C(0xDA6BA63F55BDFBC1),
    UINT64_C(0xCD7A9781567D9FBF),
};

enum { FIRST_INDEX = 1 << 10, FIRST_WORDS = 1 << 11 };

void span_factors_draw(uint64_t seed)
{
    for (int i = 0; i < N_SPAN_FACTORS; i++)
        span_factors[i] = mix64(mix64(seed) + (uint64_t)(i + 1) * UINT64_C(0x9E3779B97F4A7C15)) | 1;
}

uint64_t span_sum(const uint64_t *words, uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += (uint32_t)words[i] * span_factor(2 * i);
        sum += (words[i] >> 32) * span_factor(2 * i + 1);
    }
    return sum;
}

/* ---- lengths ---- */

/* A long span has room for its length behind this mark: nothing begins there. */
enum { LONG_SPAN = 255 };

static void set_length(SpanTable *t, uint64_t at, uint32_t n)
{
    t->lengths[at] = (uint8_t)(n < LONG_SPAN ? n : LONG_SPAN);
    if (n >= LONG_SPAN) memcpy(&t->lengths[at + 1], &n, sizeof n);
}

static uint32_t length_at(const SpanTable *t, uint64_t at)
{
    uint32_t n = t->lengths[at];
    if (n == LONG_SPAN) memcpy(&n, &t->lengths[at + 1], sizeof n);
    return n;
}

/* ---- growing ---- */

static size_t span_index_bytes(const SpanTable *t) { return t->slots * sizeof *t->index; }

static void spans_reserve(SpanTable *t, uint64_t capacity)
{
    t->words = big_resize(t->words, t->capacity * sizeof *t->words, capacity * sizeof *t->words);
    t->lengths = big_resize(t->lengths, t->capacity, capacity);
    t->capacity = capacity;
}

static void index_put(SpanTable *t, uint32_t number, uint64_t hash)
{
    uint64_t slot = hash >> t->shift;
    while (t->index[slot]) slot = span_next_slot(t, slot);
    t->index[slot] = ((uint32_t)hash & ~t->mask) | number;
}

/* Makes the index anew, with more slots or more bits for numbers. */
static void index_rebuild(SpanTable *t, uint64_t slots)
{
    big_free(t->index, span_index_bytes(t));
    t->slots = slots;
    for (t->shift = 64; slots > 1; slots /= 2) t->shift--;
    t->index = big_resize(NULL, 0, span_index_bytes(t));
    t->room = t->slots / 2;
    for (uint64_t i = 1; i < t->n_words; i += length_at(t, i))
        index_put(t, (uint32_t)i, span_finish(span_sum(&t->words[i], length_at(t, i))));
}

static void make_room(SpanTable *t, uint32_t n)
{
    if (t->n_words + n > t->capacity) spans_reserve(t, t->capacity + n + t->capacity / (t->capacity < 1 << 19 ? 1 : 8));
    if (t->n_words > t->mask) {
        if (t->mask >> 30) die("too many different parts of states for this version (2^31 words)");
        t->mask = 2 * t->mask + 1;
        index_rebuild(t, t->slots);
    }
    if (t->count >= t->room) index_rebuild(t, 2 * t->slots);
}

void span_table_init(SpanTable *t)
{
    memset(t, 0, sizeof *t);
    t->n_words = 1;
    t->mask = FIRST_WORDS - 1;
    spans_reserve(t, FIRST_WORDS);
    index_rebuild(t, FIRST_INDEX);
}

void span_table_free(SpanTable *t)
{
    big_free(t->words, t->capacity * sizeof *t->words);
    big_free(t->lengths, t->capacity);
    big_free(t->index, span_index_bytes(t));
}

size_t span_table_memory(const SpanTable *t) { return t->n_words * (sizeof *t->words + 1) + span_index_bytes(t); }

size_t span_table_index_memory(const SpanTable *t) { return span_index_bytes(t); }

/* ---- looking up ---- */

uint32_t span_table_add(SpanTable *t, const uint64_t *words, uint32_t n, uint64_t hash)
{
    make_room(t, n);
    uint32_t number = (uint32_t)t->n_words;
    memcpy(&t->words[number], words, n * sizeof *words);
    set_length(t, number, n);
    t->n_words += n;
    t->count++;
    index_put(t, number, hash);
    return number;
}

uint32_t span_table_number(SpanTable *t, const uint64_t *words, uint32_t n, uint64_t hash)
{
    uint32_t number;
    for (uint64_t slot = hash >> t->shift; (number = span_candidate(t, slot, hash)) != 0;
         slot = span_next_slot(t, slot))
        if (number != NO_SPAN && length_at(t, number) == n && memcmp(&t->words[number], words, n * sizeof *words) == 0)
            return number;
    return span_table_add(t, words, n, hash);
}
