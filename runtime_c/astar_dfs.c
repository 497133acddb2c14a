/* astar_dfs.c: directed search for accepting cycles (HSF 4.3).
 *
 * The general search goes through the components of the claim that accept nothing. In the others the
 * improved nested depth-first search looks for a cycle; where it leaves the component, the states go
 * back to the open list. From a cycle it finds only an accepting state is taken: A* towards that state
 * finds a shortest way to it, and a shortest cycle through it.
 */
#include "acceptance.h"
#include "best_first.h"
#include "nested_dfs.h"
#include "util.h"

static const NestedHost astar_host
    = {best_first_reached, best_first_add, best_first_write_way, best_first_write_short_way, best_first_write_cycle};

static bool take_accepting(const State *s, uint32_t id, long depth)
{
    static bool is_open;
    if (active_claim()->claim[state_header(s)->claim].class_ == CLAIM_N) return false;
    if (!is_open) nested_dfs_open(best_first_set(), &astar_host);
    is_open = true;
    if (nested_dfs_from(s, id, depth)) best_first_stop();
    return true;
}

void search_astar_dfs(void)
{
    acceptance_prepare();
    if (!acceptance_is_claims_only())
        die("directed search for cycles needs a never claim or -l, and accept labels in the claim only: "
            "use depth-first search");
    best_first_run(take_accepting);
}
