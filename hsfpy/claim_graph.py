"""The structure of never claims: strongly connected components and what they mean for a search.

The classes are those of Edelkamp, Lafuente and Leue, "Directed explicit model checking with
HSF-SPIN" (2001), section 4.1: "We call an SCC accepting if at least one of its states is accepting,
and non-accepting (N-SCC) otherwise. We call an accepting SCC fully accepting (F-SCC) if all of its
cycles contain at least one accepting state. We call an accepting SCC partially accepting (P-SCC)
if there is at least one cycle that does not contain an accepting state." And: "A special case
occurs if the never claim has an endstate. If this state is reached the never claim is said to be
violated; a bad sequence is found. We indicate the presence of endstates with the letter S."

A location on no cycle is an SCC too. Where it is accepting, the letter of the definition would call
it F, because all of its no cycles are accepting; here it is N: searches ask the class about cycles
only, and estimates should lead to where there are some. (The paper's Table 2 counts in the same way:
`accept_all: skip` adds S to a claim but no F.)

All of this speaks of the claim's own labels. In SPIN, accept labels of processes count as well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from enum import IntEnum

from hsfpy import nodes as n
from hsfpy.automaton import Automaton, Transition
from hsfpy.claims import state_atom
from hsfpy.elements import Op, is_true
from hsfpy.ltl.automaton import Automaton as FormulaAutomaton
from hsfpy.ltl.automaton import Edge
from hsfpy.ltl.formula import FALSE, TRUE, Formula, conj, disj, neg, prop, props
from hsfpy.ltl.graph import components
from hsfpy.ltl.guards import FALSE_GUARD, TRUE_GUARD, Guards
from hsfpy.records import dataclass

UNREACHABLE = 0xFFFF  # distance from where no violation can come


class ClaimClass(IntEnum):
    """Values of `enum ClaimClass` in model.h."""

    N = 0
    F = 1
    P = 2


@dataclass(slots=True)
class ClaimEdge:
    condition: Formula  # over texts of expressions; when the claim can move so
    to: int
    label: str


@dataclass(slots=True)
class ClaimNode:
    accepting: bool
    end: bool  # reaching it is a violation ("end state in claim reached")
    edges: list[ClaimEdge]
    name: str = ""
    assertion: str = ""  # one that stands here and may fail
    fails: bool = False  # it does fail whenever the claim gets here

    @property
    def violates(self) -> bool:
        """Whether being here is a violation."""
        return self.end or self.fails


@dataclass(slots=True)
class ClaimGraph:
    """A claim as a graph of locations."""

    start: int
    nodes: list[ClaimNode]


@dataclass(slots=True)
class ClaimLocation:
    """A row of the table in model.h."""

    component: int
    class_: ClaimClass
    accepting: bool
    universal: bool
    distance: int


@dataclass(slots=True)
class ClaimAnalysis:
    graph: ClaimGraph
    locations: list[ClaimLocation]  # by location number
    is_safety: bool
    reachable: list[int]  # locations, in the order a breadth-first walk meets them

    def components(self) -> list[list[int]]:
        """The reachable locations by component, first met first."""
        found: dict[int, list[int]] = {}
        for number in self.reachable:
            found.setdefault(self.locations[number].component, []).append(number)
        return list(found.values())

    def has_cycle(self, members: list[int]) -> bool:
        """Whether a component holds a cycle at all."""
        return any(edge.to in members for number in members for edge in self.graph.nodes[number].edges)

    def violations(self) -> list[int]:
        """Reachable locations where the claim is violated: end states, and assertions that must fail."""
        return [i for i in self.reachable if self.graph.nodes[i].violates]

    def letters(self) -> str:
        """The claim's classes as Table 2 of the paper writes them: S, N, P, F as far as present.

        Violating locations, and the step before them that SPIN writes as `accept_all: skip`, are
        endstates in the paper's sense and count as S alone.
        """
        ends = set(self.violations())
        classes = {
            self.locations[members[0]].class_
            for members in self.components()
            if self.has_cycle(members) or not (set(members) <= ends or self._only_leads_to(members, ends))
        }
        found = ["S"] if ends else []
        found += [name for name in "NPF" if ClaimClass[name] in classes]
        return "+".join(found)

    def _only_leads_to(self, members: list[int], ends: set[int]) -> bool:
        nodes = [self.graph.nodes[number] for number in members]
        return all(node.accepting and edge.to in ends for node in nodes for edge in node.edges)


# ---------------------------------------------------------------- from an automaton


def until_violated(graph: ClaimGraph) -> ClaimGraph:
    """The graph without what follows a violation, which is how a reader sees a claim. (A verifier that
    goes on after errors, or is told to ignore assertions, does get there; its tables are complete.)"""
    return ClaimGraph(graph.start, [replace(node, edges=[] if node.violates else node.edges) for node in graph.nodes])


def claim_graph(automaton: Automaton) -> ClaimGraph:
    """The graph of a lowered claim; transitions that can never be taken are left out."""
    nodes = []
    for location in automaton.locations:
        asserts = [t.text for t in location.transitions if t.element.op is Op.ASSERT]
        edges = _edges(location.transitions)
        nodes.append(ClaimNode(location.accept, location.end, edges, location.label or "", "".join(asserts[:1])))
    for number in _failing(automaton):
        nodes[number].fails = True
    return ClaimGraph(automaton.start, nodes)


def _failing(automaton: Automaton) -> list[int]:
    """The locations where nothing can happen but that an assertion fails. In claims of formulas that
    is the second step of `atomic { (p) -> assert(!(p)) }`, by which SPIN and hsfpy show a violation."""
    into: dict[int, list[Transition]] = {}
    for location in automaton.locations:
        for t in location.transitions:
            into.setdefault(t.to, []).append(t)
    found = []
    for location in automaton.locations:
        stmts = [t.element.stmt for t in location.transitions]
        if len(stmts) == 1 and isinstance(stmts[0], n.Assert) and location.number != automaton.start:
            holds = expression_formula(stmts[0].expr)
            before = into.get(location.number, [])
            if holds is FALSE or all(t.atom & 2 and _excludes(_condition(t), holds) for t in before):
                found.append(location.number)
    return found


def _excludes(one: Formula, other: Formula) -> bool:
    both = conj(one, other)
    return Guards(props(both)).of_formula(both) == FALSE_GUARD


def formula_graph(automaton: FormulaAutomaton) -> ClaimGraph:
    """The graph of a translated formula; the claim is violated at once where it would reach its sink."""
    nodes = []
    for i, state in enumerate(automaton.states):
        if i == automaton.sink:
            nodes.append(ClaimNode(False, True, [], state.name))
            continue
        edges = [ClaimEdge(_edge_formula(edge), edge.target, _edge_text(edge)) for edge in state.edges]
        nodes.append(ClaimNode(state.accepting, False, edges, state.name))
    return ClaimGraph(automaton.initial, nodes)


def _edge_text(edge: Edge) -> str:
    """The condition of an edge for readers."""

    def literal(text: str, sign: bool) -> str:
        shown = text if text.isidentifier() else f"({text})"
        return shown if sign else f"!{shown}"

    cubes = [" && ".join(literal(text, sign) for text, sign in cube) or "1" for cube in edge.guard]
    if len(cubes) > 1:
        cubes = [f"({cube})" if " && " in cube else cube for cube in cubes]
    text = " || ".join(cubes)
    return f"!({text})" if edge.negated else text


def _edge_formula(edge: Edge) -> Formula:
    cubes = [conj(*(prop(text) if sign else neg(prop(text)) for text, sign in cube)) for cube in edge.guard]
    return neg(disj(*cubes)) if edge.negated else disj(*cubes)


def _edges(transitions: list[Transition]) -> list[ClaimEdge]:
    conditions = [_condition(t) for t in transitions]
    found = []
    for t, condition in zip(transitions, conditions, strict=True):
        others = [c for u, c in zip(transitions, conditions, strict=True) if _goes_before(u, t)]
        condition = conj(condition, *map(neg, others))
        if condition is not FALSE:
            found.append(ClaimEdge(condition, t.to, t.text))
    return found


def _goes_before(one: Transition, other: Transition) -> bool:
    """Whether `other` waits until `one` cannot be taken: escapes before all, else behind all."""
    if one.escape != other.escape:
        return bool(one.escape)
    return other.element.op is Op.ELSE and one.element.op is not Op.ELSE


def _condition(t: Transition) -> Formula:
    el = t.element
    if t.code == 0 and (el.subs or el.body is not None):
        return FALSE  # a selection without options
    if el.op is Op.CONDITION and isinstance(el.stmt, n.ExprStmt) and not is_true(el):
        return expression_formula(el.stmt.expr)
    if el.op is Op.D_STEP:
        return prop(f"d_step {el.id}")  # whatever it begins with
    return TRUE


_OPPOSITE = {"!=": "==", ">=": "<", "<=": ">"}


def expression_formula(e: n.Expr) -> Formula:
    """The boolean structure of a state expression over the texts of what it is made of."""
    match e:
        case n.Const():
            return TRUE if e.value else FALSE
        case n.Unary(op="!"):
            return neg(expression_formula(e.operand))
        case n.Binary(op="&&"):
            return conj(expression_formula(e.left), expression_formula(e.right))
        case n.Binary(op="||"):
            return disj(expression_formula(e.left), expression_formula(e.right))
        case n.Binary(op="!=" | ">=" | "<="):
            return neg(state_atom(n.Binary(e.span, _OPPOSITE[e.op], e.left, e.right)))
        case _:
            return state_atom(e)


# ---------------------------------------------------------------- analysis


def analyse(graph: ClaimGraph) -> ClaimAnalysis:
    """Components, classes and distances of a claim."""
    count = len(graph.nodes)
    targets = [[edge.to for edge in node.edges] for node in graph.nodes]
    found = components(count, lambda number: targets[number])
    classes = _classes(graph, targets, found)
    universal = _universal(graph)
    distances = _distances(graph, targets, [classes[found[i]] for i in range(count)])
    reachable = _reachable(graph.start, targets)
    # Tarjan's numbers come successors first; from the start onwards is easier on the reader.
    order = {number: i for i, number in enumerate(dict.fromkeys(found[i] for i in [*reachable, *range(count)]))}
    locations = [
        ClaimLocation(order[found[i]], classes[found[i]], node.accepting, i in universal, distances[i])
        for i, node in enumerate(graph.nodes)
    ]
    return ClaimAnalysis(graph, locations, _is_safety(locations, reachable), reachable)


def _classes(graph: ClaimGraph, targets: list[list[int]], component: list[int]) -> dict[int, ClaimClass]:
    """The class of each component."""
    classes = dict.fromkeys(component, ClaimClass.N)

    def inside(number: int) -> list[int]:
        return [to for to in targets[number] if component[to] == component[number]]

    for number, node in enumerate(graph.nodes):
        if node.accepting and inside(number):
            classes[component[number]] = ClaimClass.F
    # Without accepting locations, what is left of a component has a cycle if and only if it is P.
    rest = [[] if node.accepting else inside(i) for i, node in enumerate(graph.nodes)]
    without = components(len(rest), lambda number: [to for to in rest[number] if not graph.nodes[to].accepting])
    for number, node in enumerate(graph.nodes):
        on_cycle = any(without[to] == without[number] and not graph.nodes[to].accepting for to in rest[number])
        if on_cycle and not node.accepting and classes[component[number]] is ClaimClass.F:
            classes[component[number]] = ClaimClass.P
    return classes


def _reachable(start: int, targets: list[list[int]]) -> list[int]:
    found = {start: None}
    work = [start]
    for number in work:
        for to in targets[number]:
            if to not in found:
                found[to] = None
                work.append(to)
    return work


def _distances(graph: ClaimGraph, targets: list[list[int]], classes: list[ClaimClass]) -> list[int]:
    """For each location the least number of claim steps to where a violation can show: an accepting
    location on a cycle, an end state, or an assertion that may fail."""
    before: list[list[int]] = [[] for _ in targets]
    for number, row in enumerate(targets):
        for to in row:
            before[to].append(number)
    distances = [UNREACHABLE] * len(targets)
    work: deque[int] = deque()
    for number, node in enumerate(graph.nodes):
        on_cycle = node.accepting and classes[number] is not ClaimClass.N
        if on_cycle or node.end or node.assertion:
            distances[number] = 0
            work.append(number)
    while work:
        number = work.popleft()
        for other in before[number]:
            if distances[other] == UNREACHABLE:
                distances[other] = distances[number] + 1
                work.append(other)
    return distances


def _universal(graph: ClaimGraph) -> set[int]:
    """The locations from which every continuation of the program is accepted.

    The claim chooses its move knowing the program's state, so a location has a sure move into a
    set if the conditions of its moves into the set are true together. It wins if it can pass
    accepting locations for ever, or reach an end state: a Büchi game, by its usual fixed point.
    """
    nodes = graph.nodes
    guards = Guards(props(conj(*(prop(text) for text in _atoms(graph)))))

    def sure(number: int, wanted: Callable[[int], bool]) -> bool:
        found = FALSE_GUARD
        for edge in nodes[number].edges:
            if wanted(edge.to):
                found = guards.disj(found, guards.of_formula(edge.condition))
        return found == TRUE_GUARD

    winning = set(range(len(nodes)))
    while True:
        reached: set[int] = {i for i, node in enumerate(nodes) if node.end}
        reached |= {i for i in winning if nodes[i].accepting and sure(i, winning.__contains__)}
        grown = True
        while grown:
            more = {i for i in winning - reached if sure(i, reached.__contains__)}
            grown = bool(more)
            reached |= more
        if reached == winning:
            return winning
        winning = reached


def _atoms(graph: ClaimGraph) -> list[str]:
    return list(dict.fromkeys(text for node in graph.nodes for edge in node.edges for text in props(edge.condition)))


def _is_safety(locations: list[ClaimLocation], reachable: list[int]) -> bool:
    """Whether a finite prefix of a run shows every violation of the claim.

    So it is if accepting cycles pass universal locations only: the claim is violated if and only
    if it can reach a universal location, an end state or a failing assertion, and that is seen
    when it gets there. It is exact as long as every finite run counts as one that stutters
    for ever in its last state, which SPIN takes for granted with a claim (unless compiled with
    NOSTUTTER): then a prefix that reaches a universal location has a continuation, which is
    accepted; in a finite state space it ends in a cycle, and under weak fairness one can be
    chosen that is fair. A deadlocked program needs no exception, its continuation is to
    stutter. Only a loop inside an atomic sequence has no claim steps to go on with; there the
    prefix is still a violation, while a search for cycles would not see one.
    """
    return all(
        row.universal
        for row in (locations[number] for number in reachable)
        if row.accepting and row.class_ is not ClaimClass.N
    )
