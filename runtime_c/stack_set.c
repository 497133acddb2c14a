/* stack_set.c: see stack_set.h.
 *
 * Linear probing; what is removed is replaced by what follows it, so that no search ends too early. A mark is its
 * own hash: the table can grow without knowing more of a state than its mark.
 */
#include "stack_set.h"

#include <string.h>

#include "util.h"

enum { FIRST_PLACES = 1 << 10 };

static inline uint32_t mark_of(uint64_t key)
{
    key *= UINT64_C(0x9FB21C651E98DF25);
    key = (key ^ key >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    uint32_t mark = (uint32_t)(key >> 32);
    return mark ? mark : 1;
}

static inline uint64_t home_of(const StackSet *s, uint32_t mark) { return mark * s->n >> 32; }

static inline uint64_t next_place(const StackSet *s, uint64_t i) { return i + 1 == s->n ? 0 : i + 1; }

static void set_places(StackSet *s, uint64_t n)
{
    s->n = n;
    s->marks = xcalloc(n, sizeof *s->marks);
}

void stack_set_init(StackSet *s)
{
    set_places(s, FIRST_PLACES);
    s->count = 0;
}

void stack_set_free(StackSet *s) { xfree(s->marks); }

static void put_mark(StackSet *s, uint32_t mark)
{
    uint64_t i = home_of(s, mark);
    while (s->marks[i]) i = next_place(s, i);
    s->marks[i] = mark;
}

static void stack_set_grow(StackSet *s)
{
    uint32_t *old = s->marks;
    uint64_t n = s->n;
    set_places(s, n + n / 2);
    for (uint64_t i = 0; i < n; i++)
        if (old[i]) put_mark(s, old[i]);
    xfree(old);
}

void stack_set_add(StackSet *s, uint64_t key)
{
    if (UNLIKELY(++s->count > s->n / 4 * 3)) stack_set_grow(s);
    put_mark(s, mark_of(key));
}

/* The place of a mark, or the free one where it would be. */
static inline uint64_t place_of_mark(const StackSet *s, uint32_t mark)
{
    uint64_t i = home_of(s, mark);
    while (s->marks[i] && s->marks[i] != mark) i = next_place(s, i);
    return i;
}

bool stack_set_has(const StackSet *s, uint64_t key) { return s->marks[place_of_mark(s, mark_of(key))] != 0; }

/* May what stands at place i, whose home is `home`, move to a free place before it? */
static inline bool may_move(uint64_t home, uint64_t free, uint64_t i)
{
    return free <= i ? home <= free || home > i : home <= free && home > i;
}

void stack_set_remove(StackSet *s, uint64_t key)
{
    uint64_t free = place_of_mark(s, mark_of(key));
    if (!s->marks[free]) die("internal error: a state left the stack that was not on it");
    for (uint64_t i = next_place(s, free); s->marks[i]; i = next_place(s, i))
        if (may_move(home_of(s, s->marks[i]), free, i)) {
            s->marks[free] = s->marks[i];
            free = i;
        }
    s->marks[free] = 0;
    s->count--;
}

size_t stack_set_memory(const StackSet *s) { return s->n * sizeof *s->marks; }
