"""Statement merging: which steps SPIN takes together with the one before them.

A step that touches nothing shared and cannot block need not be a step of its own. SPIN's default
trails name only the first statement of such a chain, so whoever follows them must know the chains.
SPIN decides by a graph of single statements, explored from its latest node to its first; where
chains run in circles the order decides where they end, so the order here is SPIN's.
"""

from __future__ import annotations

from dataclasses import field

from hsfpy import nodes as n
from hsfpy.elements import GROUPS, Body, Element, Op, Seq, Status
from hsfpy.records import dataclass
from hsfpy.safety import SafetyClasses
from hsfpy.walk import expressions_of

_BLOCKING = (Op.CONDITION, Op.RECEIVE, Op.SEND)
_NEVER_MERGED = frozenset(
    (Op.ATOMIC, Op.BLOCK, Op.IF, Op.DO, Op.UNLESS, Op.D_STEP, Op.ELSE, Op.END, Op.C_CODE, Op.SET_PRIORITY, *_BLOCKING)
)


@dataclass(slots=True, eq=False)
class _Edge:
    """A step from one statement to another; an escape has no statement."""

    element: Element | None
    to: int
    alone: bool = True  # no edge was added to the same node before it


@dataclass(slots=True)
class _Node:
    edges: list[_Edge] = field(default_factory=list)  # in SPIN's order: latest first


class _Graph:
    """The statements of one process, by state number."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.nodes: dict[int, _Node] = {}  # in the order they were made
        self.done: set[int] = set()
        self.add_sequence(body.seq)

    def node(self, number: int) -> _Node:
        if number not in self.nodes:
            self.nodes[number] = _Node()
        return self.nodes[number]

    def add_edge(self, start: int, to: int, element: Element | None) -> None:
        edges = self.node(start).edges
        edges.insert(0, _Edge(element, to, alone=not edges))
        self.node(to)

    def add_sequence(self, seq: Seq) -> None:
        el = seq.first
        while el is not None:
            if el.id not in self.done:
                self.done.add(el.id)
                self.add_element(el)
            if el is seq.last:
                return
            el = el.next

    def add_element(self, el: Element) -> None:
        from hsfpy.lower import hunt_start

        if el.op is Op.UNLESS:
            self.add_sequence(el.subs[0])
        elif el.subs:
            for sub in el.subs:
                assert sub.first is not None
                first = hunt_start(sub.first)
                if not _is_false(first) or first.escapes:
                    self.add_edge(el.number, first.number, el)
            for sub in el.subs:
                self.add_sequence(sub)
        elif el.op in GROUPS:
            assert el.body is not None and el.body.first is not None and el.body.last is not None
            el.body.last.next = el.next
            self.add_edge(el.number, hunt_start(el.body.first).number, el)
            self.add_sequence(el.body)
        else:
            self.add_simple(el)

    def add_simple(self, el: Element) -> None:
        from hsfpy.lower import hunt, hunt_start

        following = self.body.target(el) if el.op is Op.GOTO else el.next
        to = hunt(self.body, following, el.status).number if following is not None else 0
        self.add_edge(el.number, to, el)
        if el.op in (Op.GOTO, Op.DOT):
            return
        for escape in el.escapes:
            assert escape.first is not None
            self.add_edge(el.number, hunt_start(escape.first).number, None)
            self.add_sequence(escape)

    def first_edge(self, number: int) -> _Edge | None:
        node = self.nodes.get(number)
        return node.edges[0] if node is not None and node.edges else None

    def edges(self) -> list[_Edge]:
        """All edges, from the node made last to the first one."""
        return [edge for node in reversed(self.nodes.values()) for edge in node.edges]


def _is_false(el: Element) -> bool:
    stmt = el.stmt
    return isinstance(stmt, n.ExprStmt) and isinstance(stmt.expr, n.Const) and stmt.expr.value == 0


class _Merger:
    def __init__(self, body: Body, classes: SafetyClasses, has_rendezvous: bool) -> None:
        self.graph = _Graph(body)
        self.body = body
        self.classes = classes
        self.has_rendezvous = has_rendezvous
        self.labelled = {lab.element.id for lab in body.labels}
        self.ends: dict[int, int] = {}  # statement id -> state number behind its chain
        self.single: dict[int, int] = {}  # the same for a step that could be merged but has no successor
        self.under_way: list[_Edge] = []

    def merges(self) -> dict[int, int]:
        for edge in self.graph.edges():
            el = edge.element
            if el is None or el.id in self.ends or not self.eligible(edge):
                continue
            if self.eligible(self.graph.first_edge(edge.to)):
                self.chain(edge)
            else:
                self.single[el.id] = edge.to
        starts = [self.start(edge) for edge in self.graph.edges()]
        return self.ends | {ident: end for ident, end in starts if end}

    def eligible(self, edge: _Edge | None) -> bool:
        """Can this step be taken right after another one?"""
        el = edge.element if edge is not None else None
        if edge is None or el is None or not edge.alone or el.op in _NEVER_MERGED or el.id in self.labelled:
            return False
        return self.is_quiet(el)

    def is_quiet(self, el: Element) -> bool:
        """Does nobody else notice whether this step is taken now or later?"""
        if el.escapes or el.status & Status.REMOTE:
            return False
        if el.status & (Status.ATOM | Status.LAST):
            return True
        return not self.classes.is_global(el, None)

    def chain(self, edge: _Edge | None) -> int:
        """Where the chain that begins with this step ends; 0 if it is none."""
        el = edge.element if edge is not None else None
        if edge is None or el is None:
            return 0
        if el.id in self.ends:
            return self.ends[el.id]
        if not self.eligible(edge) or edge in self.under_way:
            return 0
        self.under_way.append(edge)
        self.ends[el.id] = self.chain(self.graph.first_edge(edge.to)) or edge.to
        self.under_way.pop()
        return self.ends[el.id]

    def start(self, edge: _Edge) -> tuple[int, int]:
        """A step that can block begins a chain if what follows is one."""
        el = edge.element
        if el is None or el.id in self.ends or not edge.alone or not self.can_start(el) or not self.is_quiet(el):
            return (0, 0)
        following = self.graph.first_edge(edge.to)
        if following is None or following.element is None:
            return (0, 0)
        ident = following.element.id
        return (el.id, self.ends.get(ident) or self.single.get(ident, 0))

    def can_start(self, el: Element) -> bool:
        """A rendezvous gives up exclusive control, and a new process may have a higher priority."""
        if el.op is Op.CONDITION:
            return el.stmt is None or not any(isinstance(e, n.Run) for e in expressions_of(el.stmt))
        return el.op is Op.RECEIVE or (el.op is Op.SEND and not self.has_rendezvous)


def find_merges(body: Body, classes: SafetyClasses, has_rendezvous: bool) -> dict[int, int]:
    """By statement id: the state number at which a process stands after the statement and all that is
    merged with it. Statements that are steps of their own are left out. To be called before
    the tables of a process are filled, which changes what elements say about themselves."""
    return _Merger(body, classes, has_rendezvous).merges()
