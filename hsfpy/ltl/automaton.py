"""The finished Büchi automaton of a formula: what a never claim is written from."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from hsfpy.ltl.graph import Arc, Graph, components
from hsfpy.ltl.guards import FALSE_GUARD, TRUE_GUARD, Cube, Guards
from hsfpy.records import dataclass

SINK = "accept_all"  # SPIN's name for it
NEGATE = 3  # how many times longer than its negation a guard must be to be written as that
Letter = AbstractSet[str]  # texts of the atoms that hold


@dataclass(frozen=True, slots=True)
class Edge:
    """A condition on the model's state, and where the claim goes under it.

    The condition is a disjunction of conjunctions of literals (text, sign), `((),)` for true; with
    `negated`, which is chosen where it is shorter, it is the negation of that.
    """

    guard: tuple[Cube, ...]
    target: int
    negated: bool = False

    def allows(self, letter: Letter) -> bool:
        """Return whether the edge can be taken where exactly these atoms hold."""
        found = any(all((text in letter) == sign for text, sign in cube) for cube in self.guard)
        return found != self.negated


@dataclass(frozen=True, slots=True)
class State:
    name: str  # label in the never claim
    accepting: bool
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Automaton:
    """A state-based Büchi automaton; state 0 is usually initial, `accept_all` the last."""

    states: tuple[State, ...]
    initial: int
    atoms: tuple[str, ...]

    @property
    def sink(self) -> int | None:
        """The state from which everything is accepted, if there is one; it is not initial."""
        return next((i for i, state in enumerate(self.states) if state.name == SINK), None)

    @property
    def is_terminal(self) -> bool:
        """Whether only the sink accepts: then a finite prefix proves every violation."""
        component = self._components()
        return all(
            i == self.sink or not any(component[edge.target] == component[i] for edge in state.edges)
            for i, state in enumerate(self.states)
            if state.accepting
        )

    @property
    def is_weak(self) -> bool:
        """Whether no cycle mixes accepting and other states: one search finds accepting cycles."""
        component = self._components()
        return all(
            state.accepting == self.states[edge.target].accepting
            for i, state in enumerate(self.states)
            for edge in state.edges
            if component[edge.target] == component[i]
        )

    @property
    def is_deterministic(self) -> bool:
        """Whether no letter lets a state choose between two edges."""
        guards = Guards(self.atoms)
        for state in self.states:
            taken = FALSE_GUARD
            for edge in state.edges:
                guard = guards.of_cubes(edge.guard, edge.negated)
                if guards.conj(taken, guard) != FALSE_GUARD:
                    return False
                taken = guards.disj(taken, guard)
        return True

    def _components(self) -> list[int]:
        return components(len(self.states), lambda i: [edge.target for edge in self.states[i].edges])

    def accepts_word(self, prefix: Sequence[Letter], cycle: Sequence[Letter]) -> bool:
        """Return whether the infinite word prefix.cycle.cycle... is accepted."""
        if not cycle:
            raise ValueError("the repeated part of an infinite word is not empty")
        reached = {self.initial}
        for letter in prefix:
            reached = {edge.target for i in reached for edge in self.states[i].edges if edge.allows(letter)}
        # Nodes of the product with the cycle are numbered state * length + position.
        length = len(cycle)

        def successors(node: int) -> list[int]:
            state, position = divmod(node, length)
            after = (position + 1) % length
            edges = self.states[state].edges
            return [edge.target * length + after for edge in edges if edge.allows(cycle[position])]

        seen = {state * length for state in reached}
        pending = sorted(seen)
        for node in pending:
            for target in successors(node):
                if target not in seen:
                    seen.add(target)
                    pending.append(target)
        component = components(len(self.states) * length, lambda node: successors(node) if node in seen else [])
        return any(
            self.states[node // length].accepting
            and any(component[target] == component[node] for target in successors(node))
            for node in seen
        )


def finish(graph: Graph) -> Automaton:
    """Return the automaton of a pruned state-based graph, states named as SPIN names them."""
    sink = _find_sink(graph)
    order = _breadth_first(graph)
    if sink is not None:
        # Last, as SPIN has it; where it is the initial state too (`true`), also first.
        order = [state for state in order if state != sink or state == graph.initial] + [sink]
    place = {state: i for i, state in enumerate(order)}
    states = []
    for i, state in enumerate(order):
        arcs = graph.arcs[state]
        accepting = bool(arcs and arcs[0].marks)
        name = SINK if state == sink and i == place[state] else _name(i, accepting)
        edges = [_edge(graph.guards, arc.guard, place[arc.target]) for arc in arcs]
        # The sink first: taking that edge ends the search, so it is tried before the others.
        edges.sort(key=lambda edge: (order[edge.target] != sink, edge.target))
        states.append(State(name, accepting, tuple(edges)))
    return Automaton(tuple(states), 0, graph.guards.atoms)


def _edge(guards: Guards, guard: int, target: int) -> Edge:
    opposite = guards.neg(guard)
    if guards.cube_count(guard) <= NEGATE * max(1, guards.cube_count(opposite)):
        return Edge(_sorted(guards.cubes(guard)), target)
    return Edge(_sorted(guards.cubes(opposite)), target, negated=True)


def _sorted(cubes: tuple[Cube, ...]) -> tuple[Cube, ...]:
    """Return the cubes in the order of their texts, which is easier on the reader."""
    return tuple(sorted(tuple(sorted(cube)) for cube in cubes))


def _name(index: int, accepting: bool) -> str:
    if index == 0:
        return "accept_init" if accepting else "T0_init"
    return f"{'accept' if accepting else 'T0'}_S{index}"


def _find_sink(graph: Graph) -> int | None:
    for state, arcs in enumerate(graph.arcs):
        if arcs == [Arc(TRUE_GUARD, 1, state)]:
            return state
    return None


def _breadth_first(graph: Graph) -> list[int]:
    found = {graph.initial: None}
    pending = list(found)
    for state in pending:
        for arc in graph.arcs[state]:
            if arc.target not in found:
                found[arc.target] = None
                pending.append(arc.target)
    return pending
