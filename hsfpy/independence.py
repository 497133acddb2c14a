"""Which statements may be taken first without losing anything: the static part of partial order reduction.

A statement is *safe* if no other process can notice or prevent it: everything it reads and writes belongs to its
process alone, or is never written. What a property looks at belongs to nobody. Unlike SPIN's classes (safety.py),
which call every global variable shared, this looks at who uses it.

Channel operations are safe at an end that only one process uses; whether a message is there, or room, is asked at
run time (`ample.c`), as is who else may start or end processes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hsfpy import nodes as n
from hsfpy.automaton import Automaton, Location, System
from hsfpy.elements import Element, Op
from hsfpy.ltl.graph import components
from hsfpy.text import flatten_args
from hsfpy.walk import expressions_of, subexpressions

OUTSIDE = -1  # who reads for a claim, an invariant or another process's initialiser


@dataclass(slots=True)
class Users:
    """Proctype numbers by what they do with a variable or channel."""

    readers: set[int] = field(default_factory=set)
    writers: set[int] = field(default_factory=set)
    senders: set[int] = field(default_factory=set)
    receivers: set[int] = field(default_factory=set)
    testers: set[int] = field(default_factory=set)  # look at a channel without taking from it
    escapes: bool = False  # a channel that is also known by other names
    ordered: bool = True  # sent to at the end, received from at the front


def safe_elements(system: System, invariants: Iterable[n.Expr] = ()) -> set[int]:
    """The ids of all safe elements."""
    f = system.features
    if f.enabled or f.pc_value or f.last or f.priority or f.provided:
        return set()
    if any(a.process.kind in (n.ProcKind.TRACE, n.ProcKind.NOTRACE) for a in system.automata):
        return set()
    return _Analysis(system, invariants).safe()


class _Analysis:
    def __init__(self, system: System, invariants: Iterable[n.Expr]) -> None:
        self.system = system
        self.users: dict[int, Users] = defaultdict(Users)  # by id of the symbol
        self.remote: set[str] = set()  # proctypes whose insides are looked at from outside
        self.counts_processes = False  # _nr_pr is read
        self.blind_tests = False  # a channel is tested whose name says nothing
        for automaton in system.automata:
            self.note_process(automaton)
        for formula in invariants:
            self.note_reads(subexpressions(formula), OUTSIDE)
        self.single = single_processes(system)

    # ---- who uses what

    def note_process(self, automaton: Automaton) -> None:
        who = OUTSIDE if automaton.process.kind is n.ProcKind.NEVER else automaton.index
        for el in automaton.body.elements:
            if el.stmt is not None:
                self.note_statement(el.stmt, who)
        for symbol in automaton.process.variables:
            if isinstance(symbol.init, n.Expr):  # evaluated by whoever starts the process
                self.note_reads(subexpressions(symbol.init), OUTSIDE)
        for location in automaton.locations:
            self.note_else(location, who)

    def note_statement(self, stmt: n.Stmt, who: int) -> None:
        match stmt:
            case n.Assign():
                self.users[id(stmt.target.symbol)].writers.add(who)
            case n.Send():
                users = self.users[id(stmt.chan.symbol)]
                users.senders.add(who)
                users.ordered &= not stmt.sorted
                self.note_escapes(flatten_args(stmt.args))
            case n.Receive():
                users = self.users[id(stmt.chan.symbol)]
                users.receivers.add(who)
                users.ordered &= not stmt.random
                for arg in flatten_args(stmt.args):
                    if isinstance(arg, n.VarRef):
                        self.users[id(arg.symbol)].writers.add(who)
        if isinstance(stmt, n.Assign):
            self.note_escapes([stmt.value])
        self.note_reads(expressions_of(stmt), who)

    def note_escapes(self, values: Iterable[n.Expr]) -> None:
        """Channels that are given away as values."""
        for value in values:
            for e in subexpressions(value):
                if isinstance(e, n.VarRef) and e.symbol is not None and e.symbol.kind is n.Kind.CHAN:
                    self.users[id(e.symbol)].escapes = True

    def note_reads(self, found: Iterator[n.Expr], who: int) -> None:
        for e in found:
            match e:
                case n.VarRef():
                    self.users[id(e.symbol)].readers.add(who)
                    self.counts_processes |= e.symbol is None and e.name == "_nr_pr"
                case n.Len() | n.ChanTest() | n.Poll():
                    self.note_test(e.chan, who)
                case n.Run():
                    self.note_escapes(e.args)
                case n.RemoteLabel() | n.RemoteVar():
                    self.remote.add(e.proctype)

    def note_test(self, chan: n.VarRef, who: int) -> None:
        self.users[id(chan.symbol)].testers.add(who)
        self.blind_tests |= not self.is_plain(chan)

    def note_else(self, location: Location, who: int) -> None:
        """An else looks at the channels its neighbours wait for."""
        if not any(t.element.op is Op.ELSE for t in location.transitions):
            return
        for t in location.transitions:
            if isinstance(t.element.stmt, n.Send | n.Receive):
                self.note_test(t.element.stmt.chan, who)

    # ---- what belongs to one process

    def is_plain(self, chan: n.VarRef) -> bool:
        """Does this name always mean the same channel, declared with it?"""
        symbol = chan.symbol
        return (
            chan.field is None
            and symbol is not None
            and not symbol.is_array
            and isinstance(symbol.init, n.ChanInit)
            and not self.users[id(symbol)].writers
        )

    def is_own(self, users: set[int], who: int) -> bool:
        return users <= {who} and who in self.single

    def owns_variable(self, symbol: n.Symbol, who: int) -> bool:
        """May process `who` use a variable as if it were its own?"""
        if symbol.context is not None or symbol.is_field:
            return True
        if self.system.features.c_code:
            return False
        users = self.users[id(symbol)]
        return not users.writers or self.is_own(users.readers | users.writers, who)

    def owns_end(self, chan: n.VarRef, who: int, send: bool) -> bool:
        """Is process `who` alone at this end of a channel that nobody tests?"""
        symbol = chan.symbol
        if symbol is None or self.system.features.c_code:
            return False
        users = self.users[id(symbol)]
        if not users.ordered or not users.testers <= {who} or users.escapes or not self.is_plain(chan):
            return False
        if symbol.context is not None:
            return True
        return self.is_own(users.senders if send else users.receivers, who)

    # ---- safe statements

    def safe(self) -> set[int]:
        found: set[int] = set()
        for automaton in self.system.automata:
            process = automaton.process
            if process.kind is n.ProcKind.NEVER or process.name in self.remote:
                continue
            found.update(el.id for el in automaton.body.elements if self.is_safe(el, automaton))
        return found

    def is_safe(self, el: Element, automaton: Automaton) -> bool:
        who = automaton.index
        if el.op is Op.D_STEP:
            return self.is_safe_d_step(el, automaton)
        if el.op in (Op.C_CODE, Op.SET_PRIORITY) or el.subs:
            return False
        if el.op is Op.END:
            return not self.counts_processes
        stmt = el.stmt
        if stmt is None:
            return True
        if isinstance(stmt, n.Send | n.Receive) and not self.owns_end(stmt.chan, who, isinstance(stmt, n.Send)):
            return False
        return all(self.is_safe_expression(e, who) for e in expressions_of(stmt))

    def is_safe_d_step(self, d_step: Element, automaton: Automaton) -> bool:
        """Nothing in it may depend on anybody, channels included."""
        assert d_step.body is not None and d_step.body.first is not None
        first = d_step.body.first.d_step
        inside = [el for el in automaton.body.elements if el.d_step == first]
        return bool(inside) and all(el.subs or self.is_safe_inside(el, automaton) for el in inside)

    def is_safe_inside(self, el: Element, automaton: Automaton) -> bool:
        if el.op is Op.END or isinstance(el.stmt, n.Send | n.Receive):
            return False
        return self.is_safe(el, automaton)

    def is_safe_expression(self, e: n.Expr, who: int) -> bool:
        match e:
            case n.VarRef():
                if e.symbol is None:
                    return e.name in ("_pid", "_")
                return e.symbol.kind is n.Kind.CHAN or self.owns_variable(e.symbol, who)
            case n.Run():
                return not self.counts_processes
            case n.Len() | n.ChanTest() | n.Poll() | n.Enabled() | n.PcValue() | n.NonProgress() | n.GetPriority():
                return False
            case n.RemoteLabel() | n.RemoteVar() | n.CExpr():
                return False
            case _:
                return True


# ---- how many processes of a type there can be


def single_processes(system: System) -> set[int]:
    """Proctypes of which at most one process ever exists."""
    sites = _run_sites(system)
    single = {
        a.index
        for a in system.automata
        if a.process.kind is n.ProcKind.INIT or (a.process.active == 1 and not sites[a.process.name])
    }
    while True:
        more = {
            a.index
            for a in system.automata
            if a.index not in single and a.process.active == 0 and _runs_once(sites[a.process.name], single)
        }
        if not more:
            return single
        single |= more


def _run_sites(system: System) -> dict[str, list[tuple[int, bool]]]:
    """Where each proctype is started: by whom, and whether again and again."""
    sites: dict[str, list[tuple[int, bool]]] = defaultdict(list)
    for automaton in system.automata:
        targets = [[t.to for t in location.transitions] for location in automaton.locations]
        component = components(len(targets), lambda i, rows=targets: rows[i])  # type: ignore[misc]
        repeated = {
            t.element.id
            for i, location in enumerate(automaton.locations)
            for t in location.transitions
            if component[i] == component[t.to]
        }
        for el in automaton.body.elements:
            if el.stmt is None:
                continue
            for e in expressions_of(el.stmt):
                if isinstance(e, n.Run):
                    sites[e.name].append((automaton.index, el.id in repeated or el.d_step >= 0))
    return sites


def _runs_once(sites: list[tuple[int, bool]], single: set[int]) -> bool:
    return len(sites) == 1 and sites[0][0] in single and not sites[0][1]
