"""`-e`: several never claims as one, which is violated by the runs that violate all of them.

The synchronous product of the claims. To accept, a run must pass accepting locations of each claim
again and again; they are awaited in turn, so the product has a copy (U0, U1, ...) of its states
for each claim. A claim that has been violated (it reached its end, or its assertion fails) stays so
and accepts from then on; when all have been, the product ends, which is a violation too.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product as combinations
from typing import NamedTuple

from hsfpy.automaton import Automaton, Transition
from hsfpy.claim_graph import ClaimEdge, ClaimGraph, ClaimNode, claim_graph
from hsfpy.diagnostics import Loc, PromelaError
from hsfpy.elements import Op
from hsfpy.ltl.automaton import Edge
from hsfpy.ltl.formula import TRUE, Formula, conj, props
from hsfpy.ltl.guards import FALSE_GUARD, Guards
from hsfpy.ltl.never import guard_text

DONE = -1  # where a claim is that has been violated
# Steps without effect; a selection stands for itself where none of its options can ever be taken.
SILENT = {Op.CONDITION, Op.ELSE, Op.GOTO, Op.DOT, Op.BREAK, Op.END, Op.IF, Op.DO}


class _State(NamedTuple):
    places: tuple[int, ...]  # by claim
    turn: int  # the claim whose acceptance is awaited

    @property
    def name(self) -> str:
        shown = (str(place) if place != DONE else "end" for place in self.places)
        return f"P_{'_'.join(shown)}_U{self.turn}"


def product_claim(claims: Sequence[Automaton], strict: bool = False) -> str:
    """The never claim of the product. As in SPIN, a claim without accept labels accepts everywhere if
    another one has some, unless `strict`."""
    for automaton in claims:
        _check(automaton)
    return _Product([claim_graph(automaton) for automaton in claims], strict).text()


def _check(automaton: Automaton) -> None:
    """Refuses claims whose steps are more than conditions."""
    failing = {i for i, node in enumerate(claim_graph(automaton).nodes) if node.fails}
    for location in automaton.locations:
        for t in location.transitions:
            inside = bool(t.atom & 2) and t.to not in failing
            if location.number not in failing and (t.element.op not in SILENT or inside):
                raise PromelaError(
                    f"claim {automaton.process.name} cannot be combined with others",
                    _loc(t),
                    "only claims made of conditions can: no assignments, no atomic sequences, no embedded C",
                )


def _loc(t: Transition) -> Loc:
    return t.element.stmt.span.loc if t.element.stmt is not None else Loc(t.element.file, t.element.line, 0)


class _Product:
    def __init__(self, graphs: list[ClaimGraph], strict: bool) -> None:
        self._graphs = graphs
        self._guards = Guards(list(dict.fromkeys(_atoms(graphs))))
        plain = [not _can_accept(graph) for graph in graphs]
        self._everywhere = [lacks and not strict and not all(plain) for lacks in plain]

    def text(self) -> str:
        """The product as Promela, in SPIN's layout."""
        start = _State(tuple(self._settled(i, graph.start) for i, graph in enumerate(self._graphs)), 0)
        states = {start: None}
        pending = [start]
        rows: dict[_State, dict[_State, int]] = {}
        for state in pending:
            rows[state] = {} if self._is_over(state) else self._moves(state)
            for target in rows[state]:
                if target not in states:
                    states[target] = None
                    pending.append(target)
        return self._written(start, rows)

    def _node(self, claim: int, place: int) -> ClaimNode:
        return self._graphs[claim].nodes[place]

    def _settled(self, claim: int, place: int) -> int:
        return DONE if self._node(claim, place).violates else place

    def _is_over(self, state: _State) -> bool:
        return all(place == DONE for place in state.places)

    def _accepts(self, claim: int, place: int) -> bool:
        return place == DONE or self._everywhere[claim] or self._node(claim, place).accepting

    def _moves(self, state: _State) -> dict[_State, int]:
        """Where the product can go from a state, and under which guard."""
        stay = [ClaimEdge(TRUE, DONE, "")]
        edges = [stay if place == DONE else self._node(i, place).edges for i, place in enumerate(state.places)]
        turn = state.turn
        if self._accepts(turn, state.places[turn]):
            turn = (turn + 1) % len(self._graphs)
        found: dict[_State, int] = {}
        for chosen in combinations(*edges):
            guard = self._guards.of_formula(_all(chosen))
            places = tuple(DONE if e.to == DONE else self._settled(i, e.to) for i, e in enumerate(chosen))
            target = _State(places, turn if any(place != DONE for place in places) else 0)
            if guard != FALSE_GUARD:
                found[target] = self._guards.disj(found.get(target, FALSE_GUARD), guard)
        return found

    def _written(self, start: _State, rows: dict[_State, dict[_State, int]]) -> str:
        lines = ["never Product {"]
        count = 0
        for turn in range(len(self._graphs)):
            lines.append(f"/* ============= U{turn} ============= */")
            for state, row in rows.items():
                if state.turn != turn or self._is_over(state):
                    continue
                if turn == 0 and self._accepts(0, state.places[0]):
                    lines.append(f"accept_{count}:")
                    count += 1
                lines += [f"{state.name}:", "\tdo"]
                lines += [f"\t:: {self._condition(guard)} -> goto {to.name}" for to, guard in row.items()]
                lines += ["\t:: false"] * (not row) + ["\tod;"]
        lines += [f"{state.name}:\n\tskip" for state in rows if self._is_over(state)]
        if self._is_over(start):
            lines = ["never Product {", f"{start.name}:", "\tskip"]
        return "\n".join([*lines, "}", ""])

    def _condition(self, guard: int) -> str:
        return f"({guard_text(Edge(self._guards.cubes(guard), 0))})"


def _all(edges: Sequence[ClaimEdge]) -> Formula:
    return conj(*(edge.condition for edge in edges))


def _atoms(graphs: list[ClaimGraph]) -> list[str]:
    return [text for graph in graphs for node in graph.nodes for edge in node.edges for text in props(edge.condition)]


def _can_accept(graph: ClaimGraph) -> bool:
    """Whether a claim has an accept label, or an end that can be reached."""
    found = {graph.start}
    work = [graph.start]
    for number in work:
        for edge in graph.nodes[number].edges:
            if edge.to not in found:
                found.add(edge.to)
                work.append(edge.to)
    return any(node.accepting for node in graph.nodes) or any(graph.nodes[i].violates for i in found)
