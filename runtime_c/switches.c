/* switches.c: what states know about context switches; see switches.h.
 *
 * One byte per state for the number of switches and for being on the stack, and a set of processes,
 * as many bytes as the largest process number needs.
 */
#include "switches.h"

#include <string.h>

#include "search.h"
#include "util.h"

static struct {
    uint8_t *fewest;
    bool *on_stack;
    uint8_t *reached_by; /* width bytes per state: a bit per process */
    size_t width, capacity;
} switches;

static void reserve_states(uint32_t id)
{
    if (id < switches.capacity) return;
    switches.capacity = id + id / 2 + 1024;
    switches.fewest = xrealloc(switches.fewest, switches.capacity);
    switches.on_stack = xrealloc(switches.on_stack, switches.capacity * sizeof *switches.on_stack);
    switches.reached_by = xrealloc(switches.reached_by, switches.capacity * switches.width);
}

/* Makes the sets wide enough for a process. */
static void reserve_process(int pid)
{
    size_t width = (size_t)pid / 8 + 1, old = switches.width;
    if (width <= old) return;
    uint8_t *sets = xcalloc(switches.capacity ? switches.capacity : 1, width);
    for (size_t i = 0; i < switches.capacity; i++)
        if (old) memcpy(sets + i * width, switches.reached_by + i * old, old);
    xfree(switches.reached_by);
    switches.reached_by = sets;
    switches.width = width;
}

static bool is_better_way(const Switches *way, uint32_t id, bool is_new)
{
    uint8_t *by = switches.reached_by + id * switches.width, bit = (uint8_t)(1u << (way->last % 8));
    if (is_new || way->count < switches.fewest[id]) {
        memset(by, 0, switches.width);
        switches.fewest[id] = way->count;
    } else if (way->count > switches.fewest[id] || by[way->last / 8] & bit) {
        return false;
    }
    by[way->last / 8] |= bit;
    return true;
}

bool switches_visit(Switches *way, uint32_t id, bool is_new)
{
    reserve_process(way->last);
    reserve_states(id);
    if (is_new) switches.on_stack[id] = false;
    if (switches.on_stack[id]) return false;
    way->leads_on = true;
    if (!is_better_way(way, id, is_new)) return false;
    switches.on_stack[id] = options.circles_are_stuck;
    return true;
}

void switches_leave(uint32_t id) { switches.on_stack[id] = false; }
