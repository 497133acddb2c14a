"""Automata that accept by a finite prefix, for languages that can be recognised in that way.

A property is one of safety if every violation of it shows in a finite prefix. The automaton of its
violations need not show that: `(c U a) && X [] ! a` is violated by prefixes alone, yet its negation has a
component that accepts by cycling. Such automata are replaced here by terminal ones, in which only
the sink accepts, so that a verifier can search for the prefix.

The closure of a property accepts a word if each of its prefixes can be continued to a word that
satisfies the property: in a pruned automaton of the property, any infinite run will do. The property
is one of safety if its closure shares no word with its negation. Then the violations are the
words that leave the closure: those under which the set of runs dies out.
"""

from __future__ import annotations

from hsfpy.ltl.graph import Arc, Graph
from hsfpy.ltl.guards import FALSE_GUARD, TRUE_GUARD, Guards

STATES = 40  # sets of states up to which runs are followed together


def closure(graph: Graph) -> Graph:
    """Return the pruned state-based graph with every run accepted."""
    return Graph(graph.guards, 1, graph.initial, [[arc._replace(marks=1) for arc in row] for row in graph.arcs])


def dying_prefixes(graph: Graph) -> Graph | None:
    """Return a terminal graph of the words under which no run of the graph goes on for ever, or
    None if it would be large."""
    number = {frozenset({graph.initial}): 0}
    pending = list(number)
    rows: list[list[Arc]] = []
    for states in pending:
        row = []
        for guard, targets in _letters(graph, states).items():
            if targets not in number:
                number[targets] = len(number)
                pending.append(targets)
            row.append(Arc(guard, 0, number[targets]))
        if len(number) > STATES:
            return None
        rows.append([Arc(TRUE_GUARD, 1, number[states])] if not states else row)
    return Graph(graph.guards, 1, 0, rows)


def _letters(graph: Graph, states: frozenset[int]) -> dict[int, frozenset[int]]:
    """Return guards that exclude each other, with the states reached under each of them."""
    arcs = [arc for state in sorted(states) for arc in graph.arcs[state]]
    split: dict[int, frozenset[int]] = {TRUE_GUARD: frozenset()}
    for arc in arcs:
        split = _refined(graph.guards, split, arc)
    by_targets: dict[frozenset[int], int] = {}
    for guard, targets in split.items():
        by_targets[targets] = graph.guards.disj(by_targets.get(targets, FALSE_GUARD), guard)
    return {guard: targets for targets, guard in by_targets.items()}


def _refined(guards: Guards, split: dict[int, frozenset[int]], arc: Arc) -> dict[int, frozenset[int]]:
    refined: dict[int, frozenset[int]] = {}
    for guard, targets in split.items():
        under, beside = guards.conj(guard, arc.guard), guards.minus(guard, arc.guard)
        if under != FALSE_GUARD:
            refined[under] = targets | {arc.target}
        if beside != FALSE_GUARD:
            refined[beside] = targets
    return refined
