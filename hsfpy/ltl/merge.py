"""Merging of states that no simulation relates, checked against the automaton of the negation.

Merging two states only adds words to the language. So the merged automaton is still right if and
only if it shares no word with an automaton of the negated formula, which is a search for a cycle
in their product. This finds what direct, delayed and fair simulation find, and more, at a
price that is bounded by `BUDGET`.
"""

from __future__ import annotations

from hsfpy.ltl.graph import Arc, Graph, components
from hsfpy.ltl.guards import FALSE_GUARD

BUDGET = 2_000_000  # pairs of arcs looked at over all attempts of one formula: seconds at most
STATE_COST = 10  # what a state of the product costs, in pairs of arcs


class OutOfBudget(Exception):
    """The attempts so far cost what they may; what was merged until now stands."""


def merge_by_language(graph: Graph, negation: Graph) -> Graph:
    """Return the state-based graph with states merged as long as its language stays the same.

    States merged into another stay behind unreachable, so that numbers need not change.
    """
    checker = _Checker(negation)
    alive = list(range(len(graph.arcs)))
    try:
        for first in alive:
            for second in [state for state in alive if state > first]:
                merged = _merge_pair(graph, first, second)
                if checker.disjoint(merged):
                    graph = merged
                    alive.remove(second)
    except OutOfBudget:
        pass
    return graph


def share_no_word(graph: Graph, other: Graph) -> bool:
    """Return whether no word is accepted by both; raises OutOfBudget."""
    return _Checker(other).disjoint(graph)


def _merge_pair(graph: Graph, first: int, second: int) -> Graph:
    """Return the graph with the second state merged into the first, accepting if either was."""
    both = graph.arcs[first] + graph.arcs[second]
    marks = max((arc.marks for arc in both), default=0)
    rows = graph.arcs.copy()
    rows[first] = [arc._replace(marks=marks) for arc in both]
    rows[second] = []
    for state, row in enumerate(rows):
        if state == first or any(arc.target == second for arc in row):
            rows[state] = _redirected(graph, row, first, second)
    initial = first if graph.initial == second else graph.initial
    return Graph(graph.guards, graph.marks, initial, rows)


def _redirected(graph: Graph, row: list[Arc], first: int, second: int) -> list[Arc]:
    guard_of: dict[tuple[int, int], int] = {}
    for guard, marks, target in row:
        place = marks, first if target == second else target
        guard_of[place] = graph.guards.disj(guard_of.get(place, FALSE_GUARD), guard)
    return [Arc(guard, marks, target) for (marks, target), guard in guard_of.items()]


class _Checker:
    """Tells whether graphs share a word with one given graph, within a budget for all of them."""

    def __init__(self, negation: Graph) -> None:
        self._negation = negation
        self._left = BUDGET

    def disjoint(self, graph: Graph) -> bool:
        """Return whether no word is accepted by both."""
        numbers = {(graph.initial, self._negation.initial): 0}
        pending = list(numbers)
        rows: list[list[tuple[int, int]]] = []  # by product state: target and marks
        shift, conj = graph.marks, graph.guards.conj
        for a, b in pending:
            arcs, others = graph.arcs[a], self._negation.arcs[b]
            self._left -= STATE_COST + len(arcs) * len(others)
            if self._left < 0:
                raise OutOfBudget
            row = []
            for guard, marks, target in arcs:
                for other_guard, other_marks, other_target in others:
                    if conj(guard, other_guard) != FALSE_GUARD:
                        place = target, other_target
                        if place not in numbers:
                            numbers[place] = len(numbers)
                            pending.append(place)
                        row.append((numbers[place], marks | other_marks << shift))
            rows.append(row)
        return not _accepts(rows, (1 << shift + self._negation.marks) - 1)


def _accepts(rows: list[list[tuple[int, int]]], every: int) -> bool:
    """Return whether some component of the product has all the marks."""
    component = components(len(rows), lambda state: [target for target, _ in rows[state]])
    seen: dict[int, int] = {}
    for state, row in enumerate(rows):
        for target, marks in row:
            if component[target] == component[state]:
                seen[component[state]] = seen.get(component[state], 0) | marks
    return any(marks == every for marks in seen.values())
