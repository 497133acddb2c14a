"""Sticky locations: where a process must not move alone, so that nobody is put off for ever (STTT 4.1, C3 static).

A cycle of global states takes every process round cycles of its own graph, so it is enough that each of these has a
sticky location. Not all need one: a cycle that takes messages out of a channel can go on only if another one puts
messages in, and it is enough to break that one. The same holds for an int that is only counted up and down: it
would take more steps than there are states to wrap around.

What is used up and what is made is a *resource*. Those chosen are never used up and made on cycles of one component of
a graph; so a global cycle that has no sticky location, and therefore uses something up, cannot make anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import field

from hsfpy import nodes as n
from hsfpy.automaton import Automaton, System, Transition
from hsfpy.elements import Element, Op
from hsfpy.independence import restarts_processes
from hsfpy.ltl.graph import components
from hsfpy.records import dataclass
from hsfpy.text import flatten_args
from hsfpy.walk import expressions_of

Resource = tuple[int, bool]  # the symbol's place in the model, and for variables whether counting up uses it


@dataclass(slots=True)
class _Effects:
    """What a step does with resources."""

    uses: set[Resource] = field(default_factory=set)
    makes: set[Resource] = field(default_factory=set)


def sticky_locations(system: System, unread: Iterable[n.Symbol] = ()) -> dict[int, set[int]]:
    """Location numbers by proctype. `unread` variables are no part of a state, so they do not tell rounds apart."""
    counted = _Counted(system, unread)
    graphs = [_Graph(a, counted) for a in system.automata if a.process.kind not in _NO_PROCESS]
    resources = sorted({r for graph in graphs for e in graph.effects.values() for r in e.uses})
    chosen: set[Resource] = set()
    if not restarts_processes(system):
        for resource in resources:
            if all(graph.keeps_apart(chosen | {resource}) for graph in graphs):
                chosen.add(resource)
    return {graph.automaton.index: graph.sticky(chosen) for graph in graphs}


_NO_PROCESS = (n.ProcKind.NEVER, n.ProcKind.TRACE, n.ProcKind.NOTRACE)


class _Graph:
    def __init__(self, automaton: Automaton, counted: _Counted) -> None:
        self.automaton = automaton
        targets = [[t.to for t in location.transitions] for location in automaton.locations]
        self.component = components(len(targets), lambda i: targets[i])
        self.effects = {id(t): counted.effects(automaton, t) for _, t in self.inner_transitions()}

    def inner_transitions(self) -> Iterator[tuple[int, Transition]]:
        """Those that may lie on a cycle, each with its location."""
        for location in self.automaton.locations:
            for t in location.transitions:
                if t.element.op is not Op.END and self.component[location.number] == self.component[t.to]:
                    yield location.number, t

    def keeps_apart(self, chosen: set[Resource]) -> bool:
        """Is nothing used up in a component that makes something?"""
        using: set[int] = set()
        making: set[int] = set()
        for number, t in self.inner_transitions():
            effects = self.effects[id(t)]
            if effects.uses & chosen:
                using.add(self.component[number])
            if effects.makes & chosen:
                making.add(self.component[number])
        return not using & making

    def sticky(self, chosen: set[Resource]) -> set[int]:
        """Where a walk through the graph comes back to where it is; steps that use something up are not taken."""
        edges: dict[int, list[int]] = defaultdict(list)
        for number, t in self.inner_transitions():
            if not self.effects[id(t)].uses & chosen:
                edges[number].append(t.to)
        found: set[int] = set()
        is_open: set[int] = set()
        done: set[int] = set()
        for start in sorted(edges):
            self.walk(start, edges, found, is_open, done)
        return found

    def walk(self, start: int, edges: dict[int, list[int]], found: set[int], is_open: set[int], done: set[int]) -> None:
        if start in done:
            return
        stack = [(start, iter(edges[start]))]
        is_open.add(start)
        while stack:
            at, rest = stack[-1]
            to = next(rest, None)
            if to is None:
                stack.pop()
                is_open.discard(at)
                done.add(at)
            elif to in is_open:
                found.add(at)
            elif to not in done:
                is_open.add(to)
                stack.append((to, iter(edges[to])))


class _Counted:
    """Which variables are only counted up and down, and which channels have one name."""

    def __init__(self, system: System, unread: Iterable[n.Symbol]) -> None:
        self.hidden: set[int] = {id(symbol) for symbol in unread}  # or set in other ways, or known by other names
        self.hidden.update(id(symbol) for symbol in system.model.symbols if symbol.hidden)
        for automaton in system.automata:
            for el in automaton.body.elements:
                if el.stmt is not None:
                    self.note(el.stmt)
        self.is_usable = not system.features.c_code
        self.places = {id(symbol): i for i, symbol in enumerate(system.model.symbols)}

    def place(self, ref: n.VarRef) -> int:
        return self.places[id(ref.symbol)]

    def note(self, stmt: n.Stmt) -> None:
        if isinstance(stmt, n.Assign) and _count(stmt) is None:
            self.hidden.add(id(stmt.target.symbol))
        if isinstance(stmt, n.Receive):
            self.hidden.update(id(arg.symbol) for arg in flatten_args(stmt.args) if isinstance(arg, n.VarRef))
        own = stmt.chan if isinstance(stmt, n.Send | n.Receive) else None
        tested = {id(e.chan) for e in expressions_of(stmt) if isinstance(e, n.Len | n.ChanTest | n.Poll)}
        for e in expressions_of(stmt):  # a channel used as a value
            if isinstance(e, n.VarRef) and e is not own and id(e) not in tested and e.symbol is not None:
                if e.symbol.kind is n.Kind.CHAN:
                    self.hidden.add(id(e.symbol))

    def effects(self, automaton: Automaton, t: Transition) -> _Effects:
        found = _Effects()
        if not self.is_usable:
            return found
        if t.element.op is not Op.D_STEP:
            self.add(found, t.element)
            return found
        assert t.element.body is not None and t.element.body.first is not None
        for el in automaton.body.elements:  # what it may do, it may also leave undone
            if el.d_step == t.element.body.first.d_step:
                inside = _Effects()
                self.add(inside, el)
                found.makes |= inside.makes | {(symbol, not up) for symbol, up in inside.uses}
        return found

    def add(self, found: _Effects, el: Element) -> None:
        stmt = el.stmt
        if isinstance(stmt, n.Send) and self.is_channel(stmt.chan):
            found.makes.add((self.place(stmt.chan), False))
        elif isinstance(stmt, n.Receive) and not stmt.copy and self.is_channel(stmt.chan):
            found.uses.add((self.place(stmt.chan), False))
        elif isinstance(stmt, n.Assign) and id(stmt.target.symbol) not in self.hidden:
            up = _count(stmt)
            if up is not None:
                found.uses.add((self.place(stmt.target), up))
                found.makes.add((self.place(stmt.target), not up))

    def is_channel(self, chan: n.VarRef) -> bool:
        symbol = chan.symbol
        if symbol is None or chan.field is not None or symbol.is_array or id(symbol) in self.hidden:
            return False
        return symbol.context is None and isinstance(symbol.init, n.ChanInit) and symbol.init.capacity > 0


def _count(stmt: n.Assign) -> bool | None:
    """Is a plain int counted up (True), or down (False)? None: neither."""
    target, value = stmt.target, stmt.value
    if target.symbol is None or target.symbol.kind is not n.Kind.INT or target.symbol.is_array or target.field:
        return None
    if target.symbol.context is not None or not isinstance(value, n.Binary) or value.op not in ("+", "-"):
        return None
    if not isinstance(value.left, n.VarRef) or value.left.symbol is not target.symbol:
        return None
    if not isinstance(value.right, n.Const) or value.right.value != 1:
        return None
    return value.op == "+"
