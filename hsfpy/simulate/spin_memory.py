"""What SPIN's simulator remembers besides the state, because its output depends on it.

It numbers channels when they are first looked at, not when they are made, and never uses a number
again; and it prints a variable after a step only if the step set it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hsfpy import nodes as n
from hsfpy.elements import Element
from hsfpy.layout import holds_channels
from hsfpy.simulate.session import Session, leaf_count
from hsfpy.text import flatten_args
from hsfpy.walk import expressions_of, subexpressions


@dataclass(slots=True)
class Leaf:
    """One value of a variable, with the name SPIN prints it under."""

    name: str
    symbol: n.Symbol  # of the value itself; in a struct, its field
    at: int  # position among the values of its process, or of the globals
    index: int = 0  # inside its own array


def leaves_of(symbol: n.Symbol, name: str, at: int) -> list[Leaf]:
    """All values of a variable, fields of structs by their full name."""
    out: list[Leaf] = []
    for i in range(symbol.length):
        own = f"{name}[{i}]" if symbol.is_array else name
        if symbol.struct is None:
            out.append(Leaf(own, symbol, at, i))
            at += 1
            continue
        for fld in symbol.struct.fields:
            out += leaves_of(fld, f"{own}.{fld.name}", at)
            at += leaf_count(fld)
    return out


@dataclass(slots=True)
class Variable:
    """A variable with all its values."""

    symbol: n.Symbol
    leaves: list[Leaf]


@dataclass(slots=True)
class Owner:
    """The variables of a process, or the globals."""

    variables: list[Variable]
    set_at: dict[int, int] = field(default_factory=dict)  # by id of the symbol: step that last set it
    raw: list[int] = field(default_factory=list)  # values when last looked at
    first_raw: list[int] = field(default_factory=list)  # those it began with
    unseen: list[Variable] = field(default_factory=list)  # structs with channels that were not used yet


def owner_of(symbols: list[n.Symbol]) -> Owner:
    """The variables of a process, or the globals, with nothing remembered yet."""
    at = 0
    variables: list[Variable] = []
    for symbol in symbols:
        variables.append(Variable(symbol, leaves_of(symbol, symbol.name, at)))
        at += leaf_count(symbol)
    return Owner(variables)


class SpinMemory:
    """Follows a session from its first state on."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.model = session.machine.model
        self.queues: dict[int, int] = {}  # channel -> SPIN's number
        self.n_queues = 0
        self.queue_set_at: dict[int, int] = {}  # channel -> step that last used it
        self.depth = 0  # number of the step under way
        self.seen: set[int] = set()  # numbers of the globals SPIN has looked at
        self.globals = owner_of(self.model.symbols)
        self.globals.raw = session.raw(None)
        self.first_raw = self.globals.raw
        self.processes: list[Owner] = []
        self.n_created = 0
        for pid in range(session.n_processes):
            self.create(pid)

    # ---- processes and channels

    def create(self, pid: int) -> None:
        """A process has appeared."""
        del self.processes[pid:]
        owner = owner_of(self.session.process(pid).process.variables)
        owner.set_at = {id(variable.symbol): self.depth for variable in owner.variables}
        owner.raw = self.session.raw(pid)
        self.processes.append(owner)
        self.n_created += 1
        owner.first_raw = owner.raw
        for variable in owner.variables:
            self._look_at_initialiser(variable.symbol)
            if variable.symbol.struct is None:
                self._number(variable, owner.raw)
            elif holds_channels(variable.symbol):
                owner.unseen.append(variable)

    def look_at_locals(self, pid: int, el: Element) -> None:
        """A statement is executed: structs of its process that it uses for the first time come to be."""
        owner = self.processes[pid] if 0 <= pid < len(self.processes) else None
        if owner is None or not owner.unseen or el.stmt is None:
            return
        used = {id(e.symbol) for e in expressions_of(el.stmt) if isinstance(e, n.VarRef)}
        for variable in [v for v in owner.unseen if id(v.symbol) in used]:
            self.look_at_local(owner, variable)

    def look_at_local(self, owner: Owner, variable: Variable) -> None:
        """The channels of a local struct get their numbers when it is first used or printed."""
        if variable in owner.unseen:
            owner.unseen.remove(variable)
            self._number(variable, owner.first_raw)

    def _look_at_initialiser(self, symbol: n.Symbol) -> None:
        """What a new process computes its variables from is looked at."""
        if not isinstance(symbol.init, n.Expr) or symbol.init_runs:
            return
        for e in subexpressions(symbol.init):
            if isinstance(e, n.VarRef) and e.symbol is not None and e.symbol.context is None:
                self.look_at(self.model.symbols.index(e.symbol))

    def look_at(self, variable: int) -> None:
        """A global variable with channels was used for the first time: its channels get their numbers."""
        if variable not in self.seen:
            self.seen.add(variable)
            self._number(self.globals.variables[variable], self.first_raw)

    def _number(self, variable: Variable, raw: list[int]) -> None:
        for leaf in variable.leaves:
            if isinstance(leaf.symbol.init, n.ChanInit) and raw[leaf.at]:
                self.n_queues += 1
                self.queues[raw[leaf.at]] = self.n_queues
                self.queue_set_at[raw[leaf.at]] = self.depth

    def look_at_all(self, variable: Variable) -> None:
        """SPIN initialises a struct also when it prints it."""
        if holds_channels(variable.symbol) and variable.symbol.context is None:
            self.look_at(self.globals.variables.index(variable))

    def queue(self, channel: int) -> int:
        return self.queues.get(channel, channel)

    def is_seen(self, variable: Variable) -> bool:
        """Has SPIN's simulator looked at this channel variable?"""
        return variable.symbol.context is not None or self.globals.variables.index(variable) in self.seen

    def forget(self) -> None:
        """Processes may have ended, and their channels with them."""
        del self.processes[self.session.n_processes :]
        for channel in [c for c in self.queues if c > self.session.n_channels]:
            del self.queues[channel]

    # ---- who was set

    def after(self, pid: int, el: Element) -> None:
        """A statement was executed: globals count as set if they changed, locals if they were assigned."""
        now = self.session.raw(None)
        if now != self.globals.raw:
            for variable in self.globals.variables:
                if any(now[leaf.at] != self.globals.raw[leaf.at] for leaf in variable.leaves):
                    self.globals.set_at[id(variable.symbol)] = self.depth
            self.globals.raw = now
        self.forget()
        if 0 <= pid < len(self.processes):
            for symbol in assigned(el):
                if symbol.context is not None:
                    self.processes[pid].set_at[id(symbol)] = self.depth


def assigned(el: Element) -> list[n.Symbol]:
    """The variables a statement gives a value; structs are left out, as SPIN does."""
    stmt = el.stmt
    if isinstance(stmt, n.Assign):
        refs: list[n.Expr] = [stmt.target]
    elif isinstance(stmt, n.Receive):
        refs = flatten_args(stmt.args)
    else:
        return []
    return [ref.symbol for ref in refs if isinstance(ref, n.VarRef) and ref.symbol is not None and ref.field is None]
