"""Smaller automata for the same language: pruning, simulation, merging.

All passes take and return a `Graph`. With `state_based` the marks stay the same on all arcs of a
state, as a never claim needs them; without it, marks are free on each arc.
"""

from __future__ import annotations

from hsfpy.ltl.graph import Arc, Graph, members
from hsfpy.ltl.guards import FALSE_GUARD

# Simulation compares all pairs of states and of their arcs; larger graphs are only merged.
STATES = 400
ARCS = 5000


def prune(graph: Graph, mark_transient: bool = False) -> Graph:
    """Return the graph without states that are unreachable or on no accepting run.

    Marks outside accepting components decide nothing; they are set as `mark_transient` says on
    states without a cycle (on arcs between components), and cleared in rejecting components.
    """
    component = graph.components()
    some, _ = graph.inner_marks(component)
    accepting = {number for number, marks in some.items() if marks == graph.all_marks}
    living = set(accepting)
    # Components are numbered successors first, so one sweep in that order is enough.
    for state in sorted(range(len(component)), key=component.__getitem__):
        if any(component[arc.target] in living for arc in graph.arcs[state]):
            living.add(component[state])
    alive = [number in living for number in component]
    names = [-1] * len(alive)
    if not alive[graph.initial]:
        return Graph(graph.guards, graph.marks, 0, [[]])
    names[graph.initial] = 0
    reached = [graph.initial]
    for state in reached:
        for arc in graph.arcs[state]:
            if alive[arc.target] and names[arc.target] < 0:
                names[arc.target] = len(reached)
                reached.append(arc.target)
    pruned = graph.relabel(names, len(reached))
    outside = graph.all_marks if mark_transient else 0
    homes = [component[state] for state in reached]
    for state, arcs in enumerate(pruned.arcs):
        if homes[state] not in accepting:
            marks = outside if homes[state] not in some else 0
            pruned.arcs[state] = [arc._replace(marks=marks) for arc in arcs]
    return pruned.relabel(list(range(len(reached))), len(reached))


def clear_outside(graph: Graph) -> Graph:
    """Return the graph with no marks on arcs between components (for marks on arcs only)."""
    component = graph.components()
    for state, arcs in enumerate(graph.arcs):
        graph.arcs[state] = [
            arc if component[arc.target] == component[state] else arc._replace(marks=0) for arc in arcs
        ]
    return graph.relabel(list(range(len(graph.arcs))), len(graph.arcs))


def merge_equal(graph: Graph) -> Graph:
    """Return the graph with states of equal arcs merged, over and over: coarsest bisimulation."""
    while True:
        names: dict[frozenset[Arc], int] = {}
        new_name = []
        for state, arcs in enumerate(graph.arcs):
            # A loop counts as "to myself", so that two states that differ in it only are merged.
            signature = frozenset(arc._replace(target=-1) if arc.target == state else arc for arc in arcs)
            new_name.append(names.setdefault(signature, len(names)))
        if len(names) == len(graph.arcs):
            return graph
        graph = graph.relabel(new_name, len(names))


def simulation(graph: Graph, backward: bool = False) -> list[int]:
    """Return for each state the set (bit mask) of states that simulate it directly.

    A simulates B: for each arc of B and each letter on it, A has an arc with at least those marks
    to a state that simulates the target. Backward, arcs are followed against their direction and
    the initial state is only simulated by itself.
    """
    count = len(graph.arcs)
    arcs = _reversed(graph) if backward else graph.arcs
    flags = [_state_flags(graph, state) if backward else 0 for state in range(count)]
    cover = [_cover(graph, row) for row in arcs]
    implies = graph.guards.implies
    above = [
        sum(1 << s for s in range(count) if flags[s] == flag and implies(letters, cover[s]))
        for flag, letters in zip(flags, cover, strict=True)
    ]
    targets = [sum(1 << t for t in {arc.target for arc in row}) for row in arcs]
    # States are numbered breadth first: targets of arcs mostly later, those backward earlier.
    order = range(count) if backward else range(count - 1, -1, -1)
    changed = (1 << count) - 1
    while changed:
        before, changed = changed, 0
        for state in order:
            if not targets[state] & (before | changed):
                continue  # nothing below this state is simulated by fewer than at the last check
            for other in members(above[state] & ~(1 << state)):
                if not _matches(graph, above, arcs[state], arcs[other]):
                    above[state] &= ~(1 << other)
                    changed |= 1 << state
    return above


def _cover(graph: Graph, arcs: list[Arc]) -> int:
    """Return the letters under which some arc can be taken."""
    letters = FALSE_GUARD
    for arc in arcs:
        letters = graph.guards.disj(letters, arc.guard)
    return letters


def _state_flags(graph: Graph, state: int) -> int:
    marks = graph.arcs[state][0].marks if graph.arcs[state] else 0
    return marks << 1 | int(state == graph.initial)


def _reversed(graph: Graph) -> list[list[Arc]]:
    arcs: list[list[Arc]] = [[] for _ in graph.arcs]
    for state, row in enumerate(graph.arcs):
        for guard, marks, target in row:
            arcs[target].append(Arc(guard, marks, state))
    return arcs


def _matches(graph: Graph, above: list[int], below: list[Arc], arcs: list[Arc]) -> bool:
    guards = graph.guards
    for guard, marks, target in below:
        for other in arcs:
            if not marks & ~other.marks and above[target] >> other.target & 1:
                guard = guards.minus(guard, other.guard)
                if guard == FALSE_GUARD:
                    break
        if guard != FALSE_GUARD:
            return False
    return True


def quotient(graph: Graph, above: list[int]) -> tuple[Graph, list[int]]:
    """Return the graph with states merged that simulate each other, and the order of the rest."""
    names: list[int] = []
    kept: list[int] = []
    for state in range(len(graph.arcs)):
        twin = next((s for s in kept if above[state] >> s & 1 and above[s] >> state & 1), None)
        if twin is None:
            names.append(len(kept))
            kept.append(state)
        else:
            names.append(names[twin])
    order = [sum(1 << i for i, s in enumerate(kept) if above[state] >> s & 1) for state in kept]
    return graph.relabel(names, len(kept)), order


def drop_little_brothers(graph: Graph, above: list[int]) -> Graph:
    """Return the graph with each arc kept only for letters under which no better arc exists.

    Better: from the same state, with at least the same marks, to a state that simulates the
    target and is not it. `above` must be a partial order, or two arcs could remove each other.
    """
    guards = graph.guards
    for state, arcs in enumerate(graph.arcs):
        kept = []
        for arc in arcs:
            guard = arc.guard
            for other in arcs:
                if other is not arc and not arc.marks & ~other.marks and above[arc.target] >> other.target & 1:
                    guard = guards.minus(guard, other.guard)
            if guard != FALSE_GUARD:
                kept.append(arc._replace(guard=guard))
        graph.arcs[state] = kept
    return graph


def reduce(graph: Graph, state_based: bool) -> Graph:
    """Return the graph after all passes, repeated until none makes it smaller."""
    graph = merge_equal(prune(graph))
    states, arcs = graph.size()
    if states > STATES or arcs > ARCS:
        return graph
    variants = (False, True) if state_based else (False,)
    size = None
    while size != graph.size():
        size = graph.size()
        for mark_transient in variants:
            graph = prune(graph, mark_transient)
            if not state_based:
                graph = clear_outside(graph)
            graph = prune(drop_little_brothers(*quotient(graph, simulation(graph))), mark_transient)
            if state_based:
                graph, _ = quotient(graph, simulation(graph, backward=True))
    return prune(graph)
