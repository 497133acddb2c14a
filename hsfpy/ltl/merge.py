"""Merging of states that no simulation relates, checked against the automaton of the negation.

Merging two states only adds words to the language. So the merged automaton is still right if and
only if it shares no word with an automaton of the negated formula, which is a search for a cycle
in their product. This finds what direct, delayed and fair simulation find, and more, at a
price that is bounded by `BUDGET`.
"""

from __future__ import annotations

from collections import deque

from hsfpy.ltl.graph import Arc, Graph, components
from hsfpy.ltl.guards import FALSE_GUARD

BUDGET = 400_000  # product states visited over all attempts of one formula


class _Budget:
    def __init__(self, states: int) -> None:
        self.states = states


def merge_by_language(graph: Graph, negation: Graph) -> Graph:
    """Return the state-based graph with states merged as long as its language stays the same."""
    budget = _Budget(BUDGET)
    first = 0
    while first < len(graph.arcs):
        second = first + 1
        while second < len(graph.arcs):
            merged = merge_pair(graph, first, second)
            if merged.size()[0] < graph.size()[0] and disjoint(merged, negation, budget):
                graph = merged
            else:
                second += 1
            if budget.states <= 0:
                return graph
        first += 1
    return graph


def merge_pair(graph: Graph, first: int, second: int) -> Graph:
    """Return the graph with two states made one, accepting if either was."""
    names = [first if s == second else s - (s > second) for s in range(len(graph.arcs))]
    marks = _mark(graph, first) | _mark(graph, second)
    merged = graph.relabel(names, len(graph.arcs) - 1)
    merged.arcs[first] = [arc._replace(marks=marks) for arc in merged.arcs[first]]
    return merged.relabel(list(range(len(merged.arcs))), len(merged.arcs))


def _mark(graph: Graph, state: int) -> int:
    return graph.arcs[state][0].marks if graph.arcs[state] else 0


def disjoint(left: Graph, right: Graph, budget: _Budget) -> bool:
    """Return whether no word is accepted by both one-mark graphs (False if the budget runs out)."""
    conj = left.guards.conj
    start = left.initial, right.initial
    numbers = {start: 0}
    successors: list[list[int]] = []
    flags: list[int] = []
    pending = deque([start])
    while pending:
        a, b = pending.popleft()
        flags.append(_mark(left, a) | _mark(right, b) << 1)
        row = []
        for arc in left.arcs[a]:
            for other in right.arcs[b]:
                if conj(arc.guard, other.guard) != FALSE_GUARD:
                    place = arc.target, other.target
                    if place not in numbers:
                        numbers[place] = len(numbers)
                        pending.append(place)
                    row.append(numbers[place])
        successors.append(row)
    budget.states -= len(numbers)
    if budget.states < 0:
        return False
    component = components(len(numbers), successors.__getitem__)
    seen: dict[int, int] = {}
    for state, row in enumerate(successors):
        home = component[state]
        if any(component[target] == home for target in row):
            seen[home] = seen.get(home, 0) | flags[state]
    return all(found != 3 for found in seen.values())


__all__ = ["Arc", "disjoint", "merge_by_language", "merge_pair"]
