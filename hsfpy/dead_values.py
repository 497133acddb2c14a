"""Values nobody will read: the verifier forgets them, so that states that differ in nothing else become one.

A local variable is *dead* at a location if no way from there reads it before it is replaced. A step that leads there
sets it to 0, so what is dead is always 0 and every state stands for all that differ in dead values only. A
variable that nothing in the whole model reads holds 0 all the time. Reading in order to compute a value that is dead
itself is no reading, unless whether that fails depends on it.

Whatever is looked at from outside (remote references, provided clauses, properties) counts as read everywhere.
Channels are left alone, and so are models with embedded C, which may look at anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import field

from hsfpy import nodes as n
from hsfpy.automaton import Automaton, System, Transition
from hsfpy.cdstep import DStepFlow
from hsfpy.elements import Element, Op
from hsfpy.initial import assigned_later
from hsfpy.records import dataclass
from hsfpy.value_use import NO_CELLS, Cell, Use, cells_below, cells_read, is_plain, use_of
from hsfpy.walk import expressions, subexpressions

_OBSERVERS = (n.ProcKind.NEVER, n.ProcKind.TRACE, n.ProcKind.NOTRACE)
Cells = frozenset[Cell]


@dataclass(slots=True)
class DeadValues:
    """The cells that are set to 0, in a fixed order."""

    after: dict[int, list[Cell]] = field(default_factory=dict)  # by statement
    at_start: dict[int, list[Cell]] = field(default_factory=dict)  # of a process, by proctype
    unread: list[Cell] = field(default_factory=list)  # globals nobody reads: always

    def unread_symbols(self) -> list[n.Symbol]:
        """The globals of which nothing is read."""
        symbols = dict.fromkeys(cell[0] for cell in self.unread)
        return [symbol for symbol in symbols if set(cells_below((symbol,))) <= set(self.unread)]


@dataclass(slots=True)
class ForgetOptions:
    resets: bool = False  # local variables where they are dead
    unread: bool = False  # variables that are never read
    loses_messages: bool = False  # a message that is lost ends a d_step


def find_dead_values(system: System, properties: Iterable[n.Expr], options: ForgetOptions) -> DeadValues:
    """Looks at the whole model; `properties` are those that are no claims."""
    if system.features.c_code or system.model.c_units or not (options.resets or options.unread):
        return DeadValues()
    return _Finder(system, properties, options).result()


class _Finder:
    def __init__(self, system: System, properties: Iterable[n.Expr], options: ForgetOptions) -> None:
        self.system = system
        self.options = options
        self.uses = {el.id: use_of(el) for automaton in system.automata for el in automaton.body.elements}
        self.outside = [*properties, *_looked_at(system)]
        self.pinned = frozenset(self.pinned_cells())
        self.order = {cell: i for i, cell in enumerate(self.all_cells())}
        self.unread = self.unread_cells() if options.unread else NO_CELLS

    def all_cells(self) -> Iterator[Cell]:
        owners = [self.system.model.symbols, *(a.process.variables for a in self.system.automata)]
        for symbols in owners:
            for symbol in symbols:
                yield from cells_below((symbol,))

    def pinned_cells(self) -> Iterator[Cell]:
        """What others look at: properties, provided clauses, remote references. Of initial values only globals: its
        own variables a process forgets after it has computed them all."""
        yield from cells_read(self.outside)
        yield from (cell for cell in cells_read(_initial_values(self.system)) if cell[0].context is None)
        statements = [el.stmt for a in self.system.automata for el in a.body.elements if el.stmt is not None]
        exprs = [e for stmt in statements for e in expressions(stmt)]
        for e in (e for outer in [*exprs, *self.outside] for e in subexpressions(outer)):
            if isinstance(e, n.RemoteVar):
                yield from cells_read([e.var])

    def can_forget(self, cell: Cell) -> bool:
        return is_plain(cell) and not cell[0].hidden and cell not in self.pinned

    def unread_cells(self) -> Cells:
        """Cells that nothing reads, or only in order to compute others of them."""
        needed = {cell for cell in self.order if not self.can_forget(cell)}
        size = -1
        while len(needed) > size:
            size = len(needed)
            for use in self.uses.values():
                needed |= use.reads | (use.passes if use.writes & needed else NO_CELLS)
        return frozenset(self.order) - needed

    def sorted(self, cells: Iterable[Cell]) -> list[Cell]:
        return sorted(cells, key=self.order.__getitem__)

    def result(self) -> DeadValues:
        found = DeadValues(unread=self.sorted(c for c in self.unread if c[0].context is None))
        after: dict[int, set[Cell]] = defaultdict(set)
        for automaton in self.system.automata:
            if automaton.process.kind in (n.ProcKind.TRACE, n.ProcKind.NOTRACE):
                continue
            self.forget_unread(automaton, after)
            if automaton.process.kind not in _OBSERVERS:
                own = frozenset(c for s in automaton.process.variables for c in cells_below((s,)))
                found.at_start[automaton.index] = self.sorted(self.forget_dead(automaton, own, after))
        found.after = {ident: self.sorted(cells) for ident, cells in after.items() if cells}
        return found

    def forget_unread(self, automaton: Automaton, after: dict[int, set[Cell]]) -> None:
        for el in automaton.body.elements:
            inside = DStepFlow(automaton.body, el).elements if el.op is Op.D_STEP else [el]
            for use in (self.uses[inner.id] for inner in inside):
                after[el.id] |= (use.writes - use.clears) & self.unread

    def forget_dead(self, automaton: Automaton, own: Cells, after: dict[int, set[Cell]]) -> Cells:
        """Fills in what is forgotten by steps; what a new process forgets is the answer."""
        mine = frozenset(filter(self.can_forget, own))
        values = _Liveness(automaton, self.uses, mine, self.unread, self.options)
        values.find()
        at_start, forgotten = values.forgotten()
        for ident, cells in forgotten.items():
            after[ident] |= cells
        return at_start


def _looked_at(system: System) -> Iterator[n.Expr]:
    """Expressions that are no part of statements."""
    for automaton in system.automata:
        if automaton.process.provided is not None:
            yield automaton.process.provided
    for block in system.model.ltls:
        yield block.formula


def _initial_values(system: System) -> Iterator[n.Expr]:
    symbols = [*system.model.symbols, *(s for a in system.automata for s in a.process.variables)]
    symbols += [fld for typedef in system.model.typedefs.values() for fld in typedef.fields]
    for symbol in symbols:
        if isinstance(symbol.init, n.Expr):
            yield symbol.init
        elif isinstance(symbol.init, list):
            yield from symbol.init


# ---------------------------------------------------------------- one process


class _Liveness:
    """Where the cells of a process are live, and what is not 0."""

    def __init__(
        self, automaton: Automaton, uses: dict[int, Use], mine: Cells, unread: Cells, options: ForgetOptions
    ) -> None:
        self.automaton = automaton
        self.uses = uses
        self.mine = mine
        self.unread = unread
        self.can_be_dead = mine | unread
        self.options = options
        self.live: dict[int, Cells] = defaultdict(frozenset)  # by location
        self.flows = {
            t.element.id: DStepFlow(automaton.body, t.element)
            for location in automaton.locations
            for t in location.transitions
            if t.element.op is Op.D_STEP
        }

    # ---- backwards: what is live

    def find(self) -> None:
        entering: dict[int, set[int]] = defaultdict(set)
        for location in self.automaton.locations:
            for t in location.transitions:
                entering[t.to].add(location.number)
        waiting = [location.number for location in self.automaton.locations]
        while waiting:
            number = waiting.pop()
            live = frozenset().union(*(self.before(t) for t in self.automaton.locations[number].transitions))
            if live != self.live[number]:
                self.live[number] = live
                waiting.extend(entering[number])

    def before(self, t: Transition) -> Cells:
        """What is live before a step, as far as is known."""
        after = self.live[t.to] if t.to else NO_CELLS
        flow = self.flows.get(t.element.id)
        if flow is None:
            return self.before_statement(self.uses[t.element.id], after)
        return self.before_d_step(flow, after)

    def before_statement(self, use: Use, after: Cells) -> Cells:
        passes = use.passes if use.writes & after or not use.writes <= self.can_be_dead else NO_CELLS
        return (after - use.replaces) | ((use.reads | passes) & self.mine)

    def before_d_step(self, flow: DStepFlow, at_end: Cells) -> Cells:
        live: dict[int, Cells] = {el.id: NO_CELLS for el in flow.elements}
        changed = True
        while changed:
            changed = False
            for el in reversed(flow.elements):
                before = self.before_inner(flow, el, live, at_end)
                changed |= before != live[el.id]
                live[el.id] = before
        first = flow.first()
        return live[first.id] if first is not None else at_end

    def before_inner(self, flow: DStepFlow, el: Element, live: dict[int, Cells], at_end: Cells) -> Cells:
        after = NO_CELLS
        for following in flow.successors(el):
            after |= live[following.id] if following is not None else at_end
        if self.options.loses_messages and el.op is Op.SEND:
            after |= at_end
        return self.before_statement(self.uses[el.id], after)

    # ---- forwards: what is not 0

    def forgotten(self) -> tuple[Cells, dict[int, Cells]]:
        """What is set to 0 when the process starts, and by each statement."""
        initial = self.initial_values()
        if not self.options.resets:
            return initial & self.unread, {}
        start = self.automaton.start
        at_start = initial & self.dead_at(start)
        values: dict[int, Cells] = defaultdict(frozenset, {start: initial - at_start})
        found: dict[int, Cells] = defaultdict(frozenset)
        dead = self.dead_after()
        waiting = [start]
        seen = {start}
        while waiting:
            number = waiting.pop()
            for t in self.automaton.locations[number].transitions:
                if not t.to:
                    continue
                there = self.values_after(t, values[number])
                forget = there & dead[t.element.id]
                found[t.element.id] |= forget
                if t.to not in seen or not (there - forget) <= values[t.to]:
                    seen.add(t.to)
                    values[t.to] |= there - forget
                    waiting.append(t.to)
        return at_start, found

    def initial_values(self) -> Cells:
        """What may not be 0 in a new process."""
        symbols = [s for s in self.automaton.process.variables if s.is_param or not assigned_later(s)]
        return frozenset(c for s in symbols for c in cells_below((s,)) if _may_begin_with_value(c)) & self.mine

    def dead_at(self, location: int) -> Cells:
        return self.mine - self.live[location]

    def dead_after(self) -> dict[int, Cells]:
        """By statement: what is dead wherever it leads."""
        found: dict[int, Cells] = defaultdict(lambda: self.mine)
        for location in self.automaton.locations:
            for t in location.transitions:
                lost = self.options.loses_messages and t.element.op in (Op.D_STEP, Op.SEND)
                found[t.element.id] &= NO_CELLS if lost or not t.to else self.dead_at(t.to)
        return found

    def values_after(self, t: Transition, before: Cells) -> Cells:
        flow = self.flows.get(t.element.id)
        if flow is None:
            use = self.uses[t.element.id]
            return ((before - use.clears) | (use.writes - use.clears)) & self.mine
        return before | (frozenset().union(*(self.uses[el.id].writes for el in flow.elements)) & self.mine)


def _may_begin_with_value(cell: Cell) -> bool:
    return cell[0].is_param or any(symbol.init is not None for symbol in cell) or cell[-1].struct is not None
