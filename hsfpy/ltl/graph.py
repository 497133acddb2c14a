"""The automaton while it is being built: numbered states, edges with a guard and acceptance marks.

Marks are bits, `marks` of them: a run is accepted if it takes edges of each mark infinitely often.
A state-based Büchi automaton is the case of one mark that all edges of a state share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hsfpy.ltl.guards import Guards
from hsfpy.records import dataclass


class Arc(NamedTuple):
    guard: int
    marks: int
    target: int


@dataclass(slots=True)
class Graph:
    guards: Guards
    marks: int  # how many acceptance marks there are
    initial: int
    arcs: list[list[Arc]]  # by state

    @property
    def all_marks(self) -> int:
        return (1 << self.marks) - 1

    def size(self) -> tuple[int, int]:
        """Return the numbers of states and arcs: what every reduction tries to make smaller."""
        return len(self.arcs), sum(map(len, self.arcs))

    def components(self) -> list[int]:
        """Return the number of each state's strongly connected component, successors first."""
        return components(len(self.arcs), lambda state: [arc.target for arc in self.arcs[state]])

    def inner_marks(self, component: list[int]) -> tuple[dict[int, int], dict[int, int]]:
        """Return by component the marks found on some and on every arc inside; if it has any."""
        some: dict[int, int] = {}
        every: dict[int, int] = {}
        for state, arcs in enumerate(self.arcs):
            number = component[state]
            for arc in arcs:
                if component[arc.target] == number:
                    some[number] = some.get(number, 0) | arc.marks
                    every[number] = every.get(number, self.all_marks) & arc.marks
        return some, every

    def relabel(self, new_name: list[int], count: int) -> Graph:
        """Return the graph with states renamed; states given one name are merged, -1 is dropped."""
        merged: list[dict[tuple[int, int], int]] = [{} for _ in range(count)]
        for state, arcs in enumerate(self.arcs):
            if new_name[state] < 0:
                continue
            row = merged[new_name[state]]
            for guard, marks, target in arcs:
                if new_name[target] >= 0:
                    place = marks, new_name[target]
                    row[place] = self.guards.disj(row.get(place, 0), guard)
        arcs_of = [[Arc(guard, marks, target) for (marks, target), guard in row.items()] for row in merged]
        return Graph(self.guards, self.marks, new_name[self.initial], arcs_of)


def members(mask: int) -> list[int]:
    """Return the numbers in a set given as a bit mask, ascending."""
    members = []
    while mask:
        low = mask & -mask
        members.append(low.bit_length() - 1)
        mask ^= low
    return members


def components(count: int, successors: Callable[[int], list[int]]) -> list[int]:
    """Return each node's strongly connected component, numbered so that successors come first.

    Tarjan's algorithm with its own stack: claims can be deeper than Python's recursion limit.
    """
    component = [-1] * count
    order = [-1] * count
    low = [0] * count
    path: list[int] = []
    clock = found = 0
    for root in range(count):
        if order[root] >= 0:
            continue
        order[root] = low[root] = clock
        clock += 1
        path.append(root)
        work = [(root, iter(successors(root)))]
        while work:
            node, pending = work[-1]
            for target in pending:
                if order[target] < 0:
                    order[target] = low[target] = clock
                    clock += 1
                    path.append(target)
                    work.append((target, iter(successors(target))))
                    break
                if component[target] < 0:
                    low[node] = min(low[node], order[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    while component[node] < 0:
                        component[path.pop()] = found
                    found += 1
    return component
