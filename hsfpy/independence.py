"""Which statements may be taken first without losing anything: the static part of partial order reduction.

A statement is *safe* if no other process can notice or prevent it: everything it reads and writes belongs to its
process alone, or is never written. Unlike SPIN's classes (safety.py), which call every global variable shared,
this looks at who uses it. What a property looks at is a question of its own, because a run checks one property:
`watchers` tells by statement and by location which claims and invariants see a step.

Channel operations are safe at an end that only one process uses, found out here or declared by xr and xs
(`exclusive.h` checks what is declared). Whether a message is there, or room, is asked in each state: `conditions`.
Who else may start or end processes is asked there too (`ample.c`), where it matters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import field

from hsfpy import nodes as n
from hsfpy.automaton import Automaton, Location, System, Transition
from hsfpy.elements import Element, Op
from hsfpy.initial import assigned_later
from hsfpy.ltl.graph import components
from hsfpy.records import dataclass
from hsfpy.text import flatten_args
from hsfpy.walk import expressions_of, operands, subexpressions

_NO_PROCESS = (n.ProcKind.NEVER, n.ProcKind.TRACE, n.ProcKind.NOTRACE)
OUTSIDE = -1  # who evaluates another process's initialiser
UNWATCHED_SEND, UNWATCHED_RECEIVE = "unwatched send", "unwatched receive"
INVARIANTS = -1  # stands for all invariants among the watchers


@dataclass(frozen=True, slots=True)
class Condition:
    """What must be true of a channel so that others cannot change the outcome of a statement."""

    chan: n.VarRef
    test: str  # nempty, nfull, empty, full; or that no trace automaton watches this end


@dataclass(slots=True)
class EndUses:
    """The ends of channels a proctype may ever use: by names that always mean the same channel, or any."""

    names: list[tuple[n.VarRef, bool]] = field(default_factory=list)  # True: the sending end
    any: set[bool] = field(default_factory=set)


@dataclass(slots=True)
class Independence:
    """What is known of a model's statements, by their ids, and of its locations."""

    safe: set[int] = field(default_factory=set)
    conditions: dict[int, list[Condition]] = field(default_factory=dict)
    numbers_matter: bool = True  # pids or numbers of channels are more than names
    watchers: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))  # by statement
    labels: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))  # by location number
    shared_locations: set[int] = field(default_factory=set)  # numbers other processes look for
    uses: dict[int, EndUses] = field(default_factory=dict)  # by proctype


@dataclass(slots=True)
class Users:
    """Proctype numbers by what they do with a variable or channel."""

    readers: set[int] = field(default_factory=set)
    writers: set[int] = field(default_factory=set)
    senders: set[int] = field(default_factory=set)
    receivers: set[int] = field(default_factory=set)
    lookers: set[int] = field(default_factory=set)  # do something when a channel operation is not possible
    escapes: bool = False  # a channel that is also known by other names
    ordered: bool = True  # sent to at the end, received from at the front


def find_independence(
    system: System, invariants: Iterable[n.Expr] = (), unread: Iterable[n.Symbol] = ()
) -> Independence:
    """Looks at the whole model. `unread` variables have no value that anybody could notice."""
    f = system.features
    if f.enabled or f.pc_value or f.last or f.priority or f.provided:
        return Independence()
    return _Analysis(system, invariants, unread).result()


class _Analysis:
    def __init__(self, system: System, invariants: Iterable[n.Expr], unread: Iterable[n.Symbol]) -> None:
        self.system = system
        self.invariants = list(invariants)
        self.unread = {id(symbol) for symbol in unread}
        self.processes = [a for a in system.automata if a.process.kind not in _NO_PROCESS]
        self.single = single_processes(system)
        self.users: dict[int, Users] = defaultdict(Users)  # by id of the symbol
        self.remote_labels: set[int] = set()  # location numbers that processes look for in others
        self.remote_variables: set[int] = set()  # symbols
        self.counts_processes = False  # a process reads _nr_pr
        self.blind_senders = self.blind_receivers = False  # lookers at channels whose name says nothing
        self.traced = self.traced_channels()
        for automaton in self.processes:
            self.note_process(automaton)
        for automaton in self.processes:
            self.note_all_channels(automaton)

    # ---- who uses what

    def note_process(self, automaton: Automaton) -> None:
        for el in automaton.body.elements:
            if el.stmt is not None:
                self.note_statement(el.stmt, automaton.index)
        for symbol in automaton.process.variables:
            for value in _initial_values(symbol):  # evaluated by whoever starts the process
                self.note_reads(subexpressions(value), OUTSIDE)

    def note_all_channels(self, automaton: Automaton) -> None:
        urgent = _urgent_elements(automaton)
        for el in automaton.body.elements:
            if el.stmt is not None:
                self.note_channels(el.stmt, automaton.index, el.id in urgent or el.d_step >= 0)

    def note_statement(self, stmt: n.Stmt, who: int) -> None:
        for symbol in _written(stmt):
            self.users[id(symbol)].writers.add(who)
        match stmt:
            case n.Send():
                self.users[id(stmt.chan.symbol)].ordered &= not stmt.sorted
                self.note_escapes(flatten_args(stmt.args))
            case n.Receive():
                self.users[id(stmt.chan.symbol)].ordered &= not stmt.random
            case n.Assign():
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
                case n.Run():
                    self.note_escapes(e.args)
                case n.RemoteLabel():
                    self.remote_labels.add(_label_number(self.system, e))
                case n.RemoteVar():
                    self.remote_variables.add(id(e.var.symbol))

    def note_channels(self, stmt: n.Stmt, who: int, is_urgent: bool) -> None:
        """Sends, receives and tests. A test that must come true sees no more than a receive or send does."""
        if isinstance(stmt, n.Send | n.Receive):
            self.note_use(stmt.chan, who, isinstance(stmt, n.Send), is_urgent)
        plain = _conjuncts(stmt.expr) if isinstance(stmt, n.ExprStmt) else []
        for e in expressions_of(stmt):
            match e:
                case n.Len():
                    self.note_use(e.chan, who, False, True)
                    self.note_use(e.chan, who, True, True)
                case n.Poll():
                    self.users[id(e.chan.symbol)].ordered &= not e.random
                    self.note_use(e.chan, who, False, is_urgent or e not in plain)
                case n.ChanTest():
                    self.note_use(e.chan, who, e.test in ("nfull", "empty"), is_urgent or e not in plain)

    def note_use(self, chan: n.VarRef, who: int, send: bool, looks: bool) -> None:
        users = self.users[id(chan.symbol)]
        (users.senders if send else users.receivers).add(who)
        if looks:
            self.note_looker(chan, who, send)

    def note_looker(self, chan: n.VarRef, who: int, send: bool) -> None:
        self.users[id(chan.symbol)].lookers.add(who)
        if not self.is_plain(chan):
            self.blind_senders |= send
            self.blind_receivers |= not send

    def traced_channels(self) -> set[int] | None:
        """The channels a trace automaton watches; None if there is none."""
        traces = [a for a in self.system.automata if a.process.kind in (n.ProcKind.TRACE, n.ProcKind.NOTRACE)]
        stmts = [el.stmt for a in traces for el in a.body.elements if isinstance(el.stmt, n.Send | n.Receive)]
        return {id(stmt.chan.symbol) for stmt in stmts} if traces else None

    # ---- what belongs to one process

    def is_plain(self, chan: n.VarRef) -> bool:
        """Does this name always mean the same channel, declared with it, which has no other name?"""
        symbol = chan.symbol
        if chan.field is not None or symbol is None or symbol.is_array or not isinstance(symbol.init, n.ChanInit):
            return False
        return not self.users[id(symbol)].writers and not self.users[id(symbol)].escapes

    def is_own(self, users: set[int], who: int) -> bool:
        return users <= {who} and who in self.single

    def owns_variable(self, symbol: n.Symbol, who: int) -> bool:
        """May process `who` use a variable as if it were its own?"""
        if symbol.context is not None or symbol.is_field or symbol.local or id(symbol) in self.unread:
            return True
        if self.system.features.c_code:
            return False
        users = self.users[id(symbol)]
        return not users.writers or self.is_own(users.readers | users.writers, who)

    def owned_end(self, chan: n.VarRef, who: int, send: bool) -> str | None:
        """Why process `who` is alone at this end of a channel: "" if that is plain to see, or xr, xs if it is
        declared. None if it is not. Nobody else may look at what is not there."""
        symbol = chan.symbol
        if symbol is None or self.system.features.c_code:
            return None
        users = self.users[id(symbol)]
        if not users.ordered:
            return None
        if self.is_plain(chan) and users.lookers <= {who}:
            if symbol.context is not None or self.is_own(users.senders if send else users.receivers, who):
                return ""
        return self.declared_end(chan, symbol, who, send)

    def declared_end(self, chan: n.VarRef, symbol: n.Symbol, who: int, send: bool) -> str | None:
        """What is declared is checked in the search, but for those who look at what is not there."""
        declared = symbol.exclusive_send if send else symbol.exclusive_read
        users = self.users[id(symbol)]
        if not declared or chan.field is not None or symbol.is_array or assigned_later(symbol) or users.writers:
            return None
        blind = self.blind_receivers if send else self.blind_senders
        if blind or not users.lookers <= {who}:
            return None
        return "xs" if send else "xr"

    def trace_conditions(self, stmt: n.Stmt) -> list[Condition] | None:
        """A trace automaton may watch a channel; which one a name means is known in a state."""
        if self.traced is None or not isinstance(stmt, n.Send | n.Receive):
            return []
        if self.is_plain(stmt.chan):
            return None if id(stmt.chan.symbol) in self.traced else []
        return [Condition(stmt.chan, UNWATCHED_SEND if isinstance(stmt, n.Send) else UNWATCHED_RECEIVE)]

    def end_uses(self, automaton: Automaton) -> EndUses:
        found = EndUses()
        seen: set[tuple[int, bool]] = set()
        for el in automaton.body.elements:
            for chan, answers in _channel_uses(el.stmt) if el.stmt is not None else []:
                is_operation = isinstance(el.stmt, n.Send | n.Receive) and chan is el.stmt.chan
                for send in [end for end, _ in answers] if is_operation else [False, True]:
                    self.note_end(found, seen, chan, send)
        return found

    def note_end(self, found: EndUses, seen: set[tuple[int, bool]], chan: n.VarRef, send: bool) -> None:
        symbol = chan.symbol
        if symbol is None or chan.field is not None or symbol.is_array or self.users[id(symbol)].writers:
            found.any.add(send)
        elif assigned_later(symbol) or self.system.features.c_code:
            found.any.add(send)
        elif (id(symbol), send) not in seen:
            seen.add((id(symbol), send))
            found.names.append((chan, send))

    # ---- safe statements

    def result(self) -> Independence:
        found = Independence(numbers_matter=self.numbers_matter(), shared_locations=self.remote_labels)
        found.uses = {automaton.index: self.end_uses(automaton) for automaton in self.processes}
        self.note_watchers(found)
        found.conditions = self.all_conditions(found, None)
        found.safe = set(found.conditions)
        for watcher in sorted({w for some in [*found.watchers.values(), *found.labels.values()] for w in some}):
            seen = self.all_conditions(found, watcher)
            for ident, conditions in found.conditions.items():
                if seen.get(ident) != conditions:
                    found.watchers[ident].add(watcher)
        return found

    def all_conditions(self, found: Independence, watcher: int | None) -> dict[int, list[Condition]]:
        """The conditions of all safe statements, if this property is checked."""
        lookers = {key: set(users.lookers) for key, users in self.users.items()}
        blind = self.blind_senders, self.blind_receivers
        safe: dict[int, list[Condition]] = {}
        is_new = True
        while is_new:
            safe.clear()
            for automaton in self.processes:
                for el in automaton.body.elements:
                    conditions = self.conditions(el, automaton)
                    if conditions is not None:
                        safe[el.id] = conditions
            is_new = self.note_interrupted(_Noticed(found, set(safe), watcher))
        for key, users in self.users.items():
            users.lookers = lookers.get(key, set())
        self.blind_senders, self.blind_receivers = blind
        return safe

    def conditions(self, el: Element, automaton: Automaton) -> list[Condition] | None:
        """When a statement is safe; None: never."""
        who, stmt = automaton.index, el.stmt
        if el.op is Op.D_STEP:
            return [] if self.is_safe_d_step(el, automaton) else None
        if el.op in (Op.C_CODE, Op.SET_PRIORITY) or el.subs:
            return None
        if el.op is Op.END:
            return None if self.counts_processes else []
        if stmt is None:
            return []
        if any(id(symbol) in self.remote_variables for symbol in _written(stmt)):
            return None
        if not all(self.is_safe_expression(e, who) for e in expressions_of(stmt)):
            return None
        return self.channel_conditions(stmt, who)

    def channel_conditions(self, stmt: n.Stmt, who: int) -> list[Condition] | None:
        found = self.trace_conditions(stmt)
        if found is None:
            return None
        for chan, answers in _channel_uses(stmt):
            ends = {send: self.owned_end(chan, who, send) for send in (False, True)}
            if ends[False] == "" and ends[True] == "":
                continue  # nobody else has a hand in it
            for send, test in answers:
                if ends[send] is not None:
                    found.append(Condition(chan, test))
                    break
            else:
                return None
        return found

    def is_safe_d_step(self, d_step: Element, automaton: Automaton) -> bool:
        """Nothing in it may depend on anybody, channels included."""
        assert d_step.body is not None and d_step.body.first is not None
        first = d_step.body.first.d_step
        inside = [el for el in automaton.body.elements if el.d_step == first]
        return bool(inside) and all(el.subs or self.is_safe_inside(el, automaton) for el in inside)

    def is_safe_inside(self, el: Element, automaton: Automaton) -> bool:
        return el.op is not Op.END and self.conditions(el, automaton) == []

    def is_safe_expression(self, e: n.Expr, who: int) -> bool:
        match e:
            case n.VarRef():
                if e.symbol is None:
                    return e.name in ("_pid", "_")
                return e.symbol.kind is n.Kind.CHAN and self.is_constant(e.symbol) or self.owns_variable(e.symbol, who)
            case n.Run():
                return not self.counts_processes and self.starts_alike(e.name)
            case n.Enabled() | n.PcValue() | n.NonProgress() | n.GetPriority():
                return False
            case n.RemoteLabel() | n.RemoteVar() | n.CExpr():
                return False
            case _:
                return True

    def is_constant(self, symbol: n.Symbol) -> bool:
        return not self.users[id(symbol)].writers and not self.system.features.c_code

    def starts_alike(self, name: str) -> bool:
        """Does a process begin with the same values whenever it is started?"""
        started = self.system.by_name(name)
        if started is None:
            return False
        values = [value for symbol in started.process.variables for value in _initial_values(symbol)]
        inside = [e for value in values for e in subexpressions(value)]
        return all(self.is_safe_expression(e, OUTSIDE) and not isinstance(e, _TESTS) for e in inside)

    # ---- atomic sequences that are interrupted

    def note_interrupted(self, noticed: _Noticed) -> bool:
        """A channel operation in the middle of an atomic sequence may have to wait, and then others see what the
        sequence did before. If that matters to them, whoever makes it wait or go on is noticed. True if something
        new was found."""
        before = sum(len(users.lookers) for users in self.users.values()), self.blind_senders, self.blind_receivers
        for automaton in self.processes:
            for location in _interrupted_locations(automaton, noticed):
                for t in location.transitions:
                    for chan, answers in _channel_uses(t.element.stmt) if t.element.stmt else []:
                        for send, _ in answers:
                            self.note_looker(chan, automaton.index, send)
        return before != (
            sum(len(users.lookers) for users in self.users.values()), self.blind_senders, self.blind_receivers
        )  # fmt: skip

    # ---- what is more than a name

    def numbers_matter(self) -> bool:
        """Would anybody notice if processes had other pids, or their channels other numbers?"""
        f = self.system.features
        if f.remote or f.c_code:
            return True
        started = {e.name for a in self.processes for e in _all_expressions(a) if isinstance(e, n.Run)}
        for automaton in self.processes:
            if automaton.process.name in started and self.knows_numbers(automaton):
                return True
            for el in automaton.body.elements:
                if el.stmt is not None and _uses_value_of_run(el.stmt):
                    return True
        return False

    def knows_numbers(self, automaton: Automaton) -> bool:
        if any(isinstance(e, n.VarRef) and e.symbol is None and e.name == "_pid" for e in _all_expressions(automaton)):
            return True
        made = [symbol for symbol in automaton.process.variables if isinstance(symbol.init, n.ChanInit)]
        return any(self.users[id(symbol)].escapes for symbol in made) and _channels_are_numbers(self.system)

    # ---- what properties see

    def note_watchers(self, found: Independence) -> None:
        for claim in self.system.claims():
            seen = _Seen(self.system)
            for e in _all_expressions(claim):
                seen.note(e)
            self.note_watcher(found, claim.index, seen)
        seen = _Seen(self.system)
        for formula in self.invariants:
            for e in subexpressions(formula):
                seen.note(e)
        self.note_watcher(found, INVARIANTS, seen)

    def note_watcher(self, found: Independence, watcher: int, seen: _Seen) -> None:
        for number in seen.labels:
            found.labels[number].add(watcher)
        for automaton in self.processes:
            d_steps: dict[int, int] = {}
            for el in automaton.body.elements:
                if el.op is Op.D_STEP and el.body is not None and el.body.first is not None:
                    d_steps[el.body.first.d_step] = el.id
            for el in automaton.body.elements:
                if self.is_seen(el, seen):
                    found.watchers[el.id].add(watcher)
                    if el.d_step in d_steps:
                        found.watchers[d_steps[el.d_step]].add(watcher)

    def is_seen(self, el: Element, seen: _Seen) -> bool:
        if el.op is Op.END:
            return seen.processes
        if el.stmt is None:
            return False
        if seen.processes and any(isinstance(e, n.Run) for e in expressions_of(el.stmt)):
            return True
        for symbol in _written(el.stmt):
            if id(symbol) in seen.variables or (seen.embedded and symbol.context is None):
                return True
        if not isinstance(el.stmt, n.Send | n.Receive) or not seen.channels:
            return False
        chan = el.stmt.chan
        if id(chan.symbol) in {id(other.symbol) for other in seen.channels}:
            return True
        return not self.is_plain(chan) or not all(self.is_plain(other) for other in seen.channels)


class _Seen:
    """What a property looks at."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.variables: set[int] = set()
        self.channels: list[n.VarRef] = []
        self.labels: set[int] = set()
        self.processes = False  # how many there are, or which
        self.embedded = False

    def note(self, e: n.Expr) -> None:
        match e:
            case n.VarRef():
                self.variables.add(id(e.symbol))
                self.processes |= e.symbol is None and e.name == "_nr_pr"
            case n.Len() | n.ChanTest() | n.Poll():
                self.channels.append(e.chan)
            case n.RemoteLabel():
                self.labels.add(_label_number(self.system, e))
                self.processes = True
            case n.RemoteVar():
                self.variables.add(id(e.var.symbol))
                self.processes = True
            case n.CExpr():
                self.embedded = True


# ---- statements and expressions

_TESTS = (n.Len, n.ChanTest, n.Poll)


def _channel_uses(stmt: n.Stmt) -> list[tuple[n.VarRef, list[tuple[bool, str]]]]:
    """The channels of a statement, each with what makes the outcome sure for whoever is alone at the sending end
    (True) or the receiving end (False)."""
    found: list[tuple[n.VarRef, list[tuple[bool, str]]]] = []
    if isinstance(stmt, n.Send):
        found.append((stmt.chan, [(True, "nfull")]))
    elif isinstance(stmt, n.Receive):
        found.append((stmt.chan, [(False, "nempty")]))
    for e in expressions_of(stmt):
        match e:
            case n.Len():
                found.append((e.chan, []))
            case n.ChanTest() if e.test in ("nfull", "full"):
                found.append((e.chan, [(True, "nfull"), (False, "full")]))
            case n.ChanTest() | n.Poll():
                found.append((e.chan, [(False, "nempty"), (True, "empty")]))
    return found


def _written(stmt: n.Stmt) -> list[n.Symbol]:
    """The variables a statement sets."""
    if isinstance(stmt, n.Assign):
        return [stmt.target.symbol] if stmt.target.symbol is not None else []
    if isinstance(stmt, n.Receive):
        args = flatten_args(stmt.args)
        return [arg.symbol for arg in args if isinstance(arg, n.VarRef) and arg.symbol is not None]
    return []


def _conjuncts(e: n.Expr) -> list[n.Expr]:
    """The parts of a condition that must all be true."""
    if isinstance(e, n.Binary) and e.op == "&&":
        return _conjuncts(e.left) + _conjuncts(e.right)
    return [e]


def _initial_values(symbol: n.Symbol) -> list[n.Expr]:
    if isinstance(symbol.init, n.Expr):
        return [symbol.init]
    return symbol.init if isinstance(symbol.init, list) else []


def _all_expressions(automaton: Automaton) -> Iterator[n.Expr]:
    for el in automaton.body.elements:
        if el.stmt is not None:
            yield from expressions_of(el.stmt)
    for symbol in automaton.process.variables:
        for value in _initial_values(symbol):
            yield from subexpressions(value)


def _channels_are_numbers(system: System) -> bool:
    """Are channels sent in messages, printed, counted with or kept in other variables?"""
    symbols = [*system.model.symbols, *(symbol for a in system.automata for symbol in a.process.variables)]
    for typedef in system.model.typedefs.values():
        symbols += typedef.fields
    inits = [symbol.init for symbol in symbols if isinstance(symbol.init, n.ChanInit)]
    if system.features.sorted_send or any(fld.kind is n.Kind.CHAN for init in inits for fld in init.fields):
        return True
    return any(_mixes_channels(system, el.stmt) for a in system.automata for el in a.body.elements if el.stmt)


def _is_channel(e: n.Expr | None) -> bool:
    if not isinstance(e, n.VarRef):
        return False
    while e.field is not None:
        e = e.field
    return e.symbol is not None and e.symbol.kind is n.Kind.CHAN


def _mixes_channels(system: System, stmt: n.Stmt) -> bool:
    if isinstance(stmt, n.Assign) and _is_channel(stmt.target) != _is_channel(stmt.value):
        return True
    if isinstance(stmt, n.Printf | n.Printm | n.Receive) and any(_is_channel(arg) for arg in _arguments(stmt)):
        return True
    for e in expressions_of(stmt):
        if isinstance(e, n.Binary | n.Unary | n.Conditional) and any(_is_channel(part) for part in operands(e)):
            return True
        if isinstance(e, n.Run):
            started = system.by_name(e.name)
            kinds = [symbol.kind is n.Kind.CHAN for symbol in started.process.params] if started else []
            if [_is_channel(arg) for arg in e.args] != kinds:
                return True
    return False


def _arguments(stmt: n.Printf | n.Printm | n.Receive) -> list[n.Expr]:
    return [stmt.arg] if isinstance(stmt, n.Printm) else flatten_args(stmt.args)


def _uses_value_of_run(stmt: n.Stmt) -> bool:
    alone = stmt.expr if isinstance(stmt, n.ExprStmt) else None
    return any(isinstance(e, n.Run) and e is not alone for e in expressions_of(stmt))


def _label_number(system: System, e: n.RemoteLabel) -> int:
    target = system.by_name(e.proctype)
    labels = target.body.labels if target is not None else []
    return next((label.element.number for label in labels if label.name == e.label), 0)


# ---- locations


def _urgent_elements(automaton: Automaton) -> set[int]:
    """Statements whose being blocked has consequences: beside an else, and escapes."""
    found: set[int] = set()
    for location in automaton.locations:
        has_else = any(t.element.op is Op.ELSE for t in location.transitions)
        found.update(t.element.id for t in location.transitions if has_else or t.escape)
    return found


@dataclass(slots=True)
class _Noticed:
    """Which steps another process or a property may notice."""

    found: Independence
    safe: set[int]
    watcher: int | None  # the property that is checked

    def step(self, location: Location, t: Transition) -> bool:
        if t.element.id not in self.safe or self.watcher in self.found.watchers.get(t.element.id, ()):
            return True
        if location.accept or location.progress or location.number in self.found.shared_locations:
            return True
        return self.watcher in self.found.labels.get(location.number, ())


def _interrupted_locations(automaton: Automaton, noticed: _Noticed) -> list[Location]:
    """Locations inside atomic sequences that have done something others may notice."""
    interrupted: set[int] = set()
    changed = True
    while changed:
        changed = False
        for location in automaton.locations:
            for t in location.transitions:
                is_seen = location.number in interrupted or noticed.step(location, t)
                if t.atom & 2 and is_seen and t.to not in interrupted:
                    interrupted.add(t.to)
                    changed = True
    return [automaton.locations[number] for number in sorted(interrupted)]


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


def restarts_processes(system: System) -> bool:
    """May the same statement start processes again and again?"""
    return any(repeated for sites in _run_sites(system).values() for _, repeated in sites)


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
