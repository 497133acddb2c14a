/* Numbers of so many bits (the argument) go into a set and are found again, also after it has grown and was converted;
 * every third one is closed. Prints what went wrong. */
#include "packed_set.h"

#include <stdio.h>
#include <stdlib.h>

enum { MEMBERS = 200000 };

static uint32_t lo_bits, hi_bits;

static uint64_t low(uint64_t x, uint32_t bits) { return bits == 0 ? 0 : x & UINT64_MAX >> (64 - bits); }

/* Different numbers whose fields look like those of states: small values side by side. */
static Packed member(uint64_t i) { return (Packed){low(i % 512 | i / 512 << 20, lo_bits), low(i % 7 * 3, hi_bits)}; }

static Packed turned(void *unused, Packed state)
{
    (void)unused;
    return (Packed){state.lo ^ 1, state.hi};
}

static int failures;

static void expect(bool holds, const char *what, uint64_t i)
{
    if (holds) return;
    if (failures++ < 5) printf("%s: %llu\n", what, (unsigned long long)i);
}

static uint32_t *find(PackedSet *s, Packed state)
{
    PackedPlace place;
    packed_set_locate(s, state, &place);
    uint32_t *found = packed_set_find_at(s, s, &place);
    const uint32_t *seen;
    bool is_there = packed_set_look_at(s, s, &place, &seen);
    expect(is_there == (found != NULL) && (!found || seen == found), "two ways to look differ", state.lo);
    return found;
}

static void check(PackedSet *s, Packed (*name)(void *, Packed))
{
    for (uint64_t i = 0; i < MEMBERS; i++) {
        Packed state = name ? name(NULL, member(i)) : member(i);
        const uint32_t *head = find(s, state);
        expect(head != NULL, "is missing", i);
        if (head) expect((*head & ENTRY_OPEN) == (i % 3 != 0), "is not open or closed as it should be", i);
    }
}

static void count_member(void *n, Packed state)
{
    ++*(uint64_t *)n;
    expect(state.lo == low(state.lo, lo_bits) && state.hi == low(state.hi, hi_bits), "has too many bits", state.lo);
}

int main(int argc, char **argv)
{
    uint32_t bits = argc > 1 ? (uint32_t)atoi(argv[1]) : 64;
    PackedSet s;
    lo_bits = bits < 64 ? bits : 64;
    hi_bits = bits - lo_bits;
    packed_set_init(&s, lo_bits, hi_bits);
    s.opens = true;
    for (uint64_t i = 0; i < MEMBERS; i++) {
        expect(packed_set_add(&s, member(i)), "was there already", i);
        if (i % 3 == 0) packed_set_close(&s, member(i));
    }
    for (uint64_t i = 0; i < MEMBERS; i++) expect(!packed_set_add(&s, member(i)), "was forgotten", i);
    expect(find(&s, (Packed){low(UINT64_MAX, lo_bits), 0}) == NULL, "was never added", 0);
    check(&s, NULL);
    uint64_t n = 0;
    packed_set_each(&s, count_member, &n);
    expect(n == MEMBERS && s.count == MEMBERS, "members instead", n);
    packed_set_convert(&s, turned, NULL, lo_bits, hi_bits);
    check(&s, turned);
    packed_set_free(&s);
    return failures > 0;
}
