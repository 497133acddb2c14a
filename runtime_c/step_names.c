/* step_names.c: see step_names.h. */
#include "step_names.h"

#include <string.h>

#include "util.h"

StepName *step_names;

static struct {
    uint32_t *index; /* open addressing; names plus one */
    uint32_t n, n_index, capacity;
    uint32_t *recent; /* by transition: name plus one; 0: none */
} named;

/* There are few different faults. */
static struct {
    Fault *items;
    uint32_t n, capacity;
} faults;

static bool same_fault(const Fault *a, const Fault *b)
{
    return a->text == b->text && a->fatal == b->fatal && a->chained == b->chained;
}

uint16_t fault_number(const Fault *f)
{
    if (!f->text) return 0;
    for (uint32_t i = 0; i < faults.n; i++)
        if (same_fault(&faults.items[i], f)) return (uint16_t)(i + 1);
    if (faults.n == UINT16_MAX) die("too many different run-time errors for this version (65535)");
    if (faults.n == faults.capacity) {
        faults.capacity = 2 * faults.capacity + 16;
        faults.items = xrealloc(faults.items, faults.capacity * sizeof *faults.items);
    }
    faults.items[faults.n++] = *f;
    return (uint16_t)faults.n;
}

Fault numbered_fault(uint16_t number) { return faults.items[number - 1]; }

static uint32_t place_of_name(const StepName *s)
{
    uint64_t h = mix64(s->transition | (uint64_t)s->reply << 32);
    h = mix64(h + (uint16_t)s->pid + ((uint64_t)(uint16_t)s->reply_pid << 16) + ((uint64_t)s->fault << 32)
              + s->is_step);
    return (uint32_t)h & (named.n_index - 1);
}

static bool same_name(const StepName *a, const StepName *b)
{
    return a->transition == b->transition && a->reply == b->reply && a->pid == b->pid && a->reply_pid == b->reply_pid
           && a->fault == b->fault && a->is_step == b->is_step;
}

static void index_names(uint32_t n_index)
{
    xfree(named.index);
    named.n_index = n_index;
    named.index = xcalloc(n_index, sizeof *named.index);
    for (uint32_t i = 0; i < named.n; i++) {
        uint32_t place = place_of_name(&step_names[i]);
        while (named.index[place]) place = (place + 1) & (n_index - 1);
        named.index[place] = i + 1;
    }
}

static uint32_t find_name(const StepName *like)
{
    if (2 * (named.n + 1) > named.n_index) index_names(named.n_index ? 2 * named.n_index : 64);
    uint32_t place = place_of_name(like), found;
    for (; (found = named.index[place]) != 0; place = (place + 1) & (named.n_index - 1))
        if (same_name(&step_names[found - 1], like)) return found - 1;
    if (named.n == named.capacity) {
        named.capacity = 2 * named.capacity + 32;
        step_names = xrealloc(step_names, named.capacity * sizeof *step_names);
    }
    step_names[named.n] = *like;
    named.index[place] = ++named.n;
    return named.n - 1;
}

/* Is it the same step as the one with this transition that was named last? */
static bool is_recent(const StepName *like)
{
    if (UNLIKELY(!named.recent)) named.recent = xcalloc((size_t)model.n_transitions, sizeof *named.recent);
    uint32_t recent = named.recent[like->transition];
    return recent && same_name(&step_names[recent - 1], like);
}

uint32_t step_name(const StepName *like)
{
    if (UNLIKELY(!is_recent(like))) named.recent[like->transition] = find_name(like) + 1;
    return named.recent[like->transition] - 1;
}
