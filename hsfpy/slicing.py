"""`spin -A`: what a model could do without, as far as its assertions and claims are concerned.

A statement matters if it sets something an assertion or a claim looks at, if it sets something such a
statement uses, or if it decides whether such a statement is reached. The last is meant strictly: whatever can
block or choose on the way to it matters, unless all ways come together again without anything that matters
in between. Channels that are handed around count as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hsfpy import nodes as n
from hsfpy.automaton import Automaton, System, Transition
from hsfpy.elements import Element, Op, is_true
from hsfpy.symbol_list import symbol_line, symbol_table
from hsfpy.text import element_text, flatten_args
from hsfpy.walk import expressions_of, subexpressions

_CLAIMS = (n.ProcKind.NEVER, n.ProcKind.TRACE, n.ProcKind.NOTRACE)
_SILENT = (Op.GOTO, Op.DOT, Op.BREAK, Op.PRINTF, Op.PRINTM)
_REPORTED = (Op.ASSIGN, Op.SEND, Op.RECEIVE, Op.CONDITION)
_NUMBERS = (n.Kind.BYTE, n.Kind.SHORT, n.Kind.INT, n.Kind.MTYPE)


def redundancies(model: n.Model, system: System) -> str:
    """SPIN's report: statements and variables that do not matter, and what else could be simpler."""
    processes = [a for a in system.automata if a.process.kind not in _CLAIMS]
    lines: list[str] = []
    if _has_criteria(model, system):
        lines += _Slice(model, system, processes).report()
    else:
        lines.append("spin: warning: no slice criteria found (no assertions and no claim)")
    lines += _predicates(model, processes) + _roles(processes)
    return "".join(f"{line}\n" for line in lines)


def _has_criteria(model: n.Model, system: System) -> bool:
    asserts = any(el.op is Op.ASSERT for a in system.automata for el in a.body.elements)
    return asserts or bool(system.claims()) or bool(model.ltls)


# ---------------------------------------------------------------- what a statement does with variables


def _inside(automaton: Automaton, el: Element) -> list[Element]:
    """The statements behind a transition: those of a d_step are many."""
    if el.op is not Op.D_STEP:
        return [el]
    assert el.body is not None and el.body.first is not None
    return [x for x in automaton.body.elements if x.d_step == el.body.first.d_step and x.op is not Op.D_STEP]


def _symbols(found: Iterable[n.Expr]) -> Iterator[n.Symbol]:
    for e in found:
        if isinstance(e, n.VarRef) and e.symbol is not None and not e.symbol.is_field:
            yield e.symbol


def _defined(stmt: n.Stmt | None) -> list[n.Symbol]:
    """The variables and channels a statement changes."""
    match stmt:
        case n.Assign():
            return list(_symbols([stmt.target]))
        case n.Send():
            return list(_symbols([stmt.chan]))
        case n.Receive():
            return list(_symbols([stmt.chan, *(arg for arg in flatten_args(stmt.args) if isinstance(arg, n.VarRef))]))
    return []


def _used(stmt: n.Stmt | None) -> list[n.Symbol]:
    """The variables and channels whose values decide what a statement does."""
    match stmt:
        case None:
            return []
        case n.Assign():
            return [*_index_symbols(stmt.target), *_symbols(subexpressions(stmt.value))]
        case n.Receive():
            into = [arg for arg in flatten_args(stmt.args) if isinstance(arg, n.VarRef)]
            read = [arg for arg in flatten_args(stmt.args) if not isinstance(arg, n.VarRef)]
            indices = [symbol for ref in into for symbol in _index_symbols(ref)]
            return [*_symbols(e for expr in [stmt.chan, *read] for e in subexpressions(expr)), *indices]
    return list(_symbols(expressions_of(stmt)))


def _index_symbols(ref: n.VarRef) -> list[n.Symbol]:
    """The variables in the indices of what is assigned to."""
    found = list(_symbols(subexpressions(ref.index))) if ref.index is not None else []
    return found + (_index_symbols(ref.field) if ref.field is not None else [])


def _runs(stmt: n.Stmt | None) -> list[n.Run]:
    return [e for e in expressions_of(stmt) if isinstance(e, n.Run)] if stmt is not None else []


def _looks_everywhere(stmt: n.Stmt | None) -> bool:
    """Does what a statement does depend on where all processes are?"""
    if stmt is None:
        return False
    kinds = (n.Timeout, n.Enabled, n.PcValue, n.NonProgress, n.RemoteLabel, n.RemoteVar)
    return any(
        isinstance(e, kinds) or (isinstance(e, n.VarRef) and e.name in ("_nr_pr", "_last"))
        for e in expressions_of(stmt)
    )


def _may_block(el: Element) -> bool:
    if el.op in (Op.ASSIGN, Op.ASSERT, *_SILENT) and not _runs(el.stmt):
        return False
    return not is_true(el) and el.op is not Op.ELSE


# ---------------------------------------------------------------- the slice


class _Slice:
    """Which statements and variables matter, found by going on until nothing new comes."""

    def __init__(self, model: n.Model, system: System, processes: list[Automaton]) -> None:
        self.model = model
        self.system = system
        self.processes = processes
        self.variables: set[int] = set()  # ids of the symbols that matter
        self.elements: set[int] = set()  # ids of the statements that matter
        self.everything = system.features.c_code or system.features.provided or system.features.priority
        self.edges = {a.index: _reachable(a) for a in processes}
        self.regions = {a.index: list(_regions(self.edges[a.index])) for a in processes}
        self.loose = {id(symbol) for symbol in self._channels_handed_around()}
        self._start()
        while self._grow():
            pass

    def _channels_handed_around(self) -> Iterator[n.Symbol]:
        for automaton in self.processes:
            yield from (s for s in automaton.process.variables if s.is_param and s.kind is n.Kind.CHAN)
            for el in automaton.body.elements:
                values: list[n.Expr] = [arg for run in _runs(el.stmt) for arg in run.args]
                if isinstance(el.stmt, n.Send | n.Receive):
                    values += flatten_args(el.stmt.args)
                elif isinstance(el.stmt, n.Assign):
                    values += [el.stmt.target, el.stmt.value]
                for value in values:
                    yield from (s for s in _symbols(subexpressions(value)) if s.kind is n.Kind.CHAN)

    def _start(self) -> None:
        """Assertions, claims and formulas are what it is all about."""
        for automaton in self.system.automata:
            is_claim = automaton.process.kind in _CLAIMS
            for el in automaton.body.elements:
                if is_claim:
                    self._need(_used(el.stmt))
                    self._need(_defined(el.stmt))  # a trace names channels
                    self.everything |= _looks_everywhere(el.stmt)
                elif el.op is Op.ASSERT:
                    self._keep(el)
        for block in self.model.ltls:
            found = list(subexpressions(block.formula))
            self._need(_symbols(found))
            self.everything |= _looks_everywhere(n.ExprStmt(block.span, block.formula))

    def _need(self, symbols: Iterable[n.Symbol]) -> None:
        for symbol in symbols:
            self.variables.add(id(symbol))
            if id(symbol) in self.loose:
                self.variables |= self.loose
            if isinstance(symbol.init, n.Expr):
                self.variables.update(id(s) for s in _symbols(subexpressions(symbol.init)))

    def _keep(self, el: Element) -> None:
        self.elements.add(el.id)
        self._need(_used(el.stmt))
        if isinstance(el.stmt, n.Receive):
            self._need(_defined(el.stmt))  # a message needs variables to go to
        self.everything |= _looks_everywhere(el.stmt)

    def _grow(self) -> bool:
        before = len(self.variables), len(self.elements)
        needed = {a.process.name for a in self.processes if any(el.id in self.elements for el in a.body.elements)}
        for automaton in self.processes:
            for el in automaton.body.elements:
                if el.id not in self.elements and self._matters(el, needed):
                    self._keep(el)
            self._decide(automaton)
        return (len(self.variables), len(self.elements)) != before

    def _matters(self, el: Element, needed: set[str]) -> bool:
        if any(id(symbol) in self.variables for symbol in _defined(el.stmt)):
            return True
        for run in _runs(el.stmt):
            started = self.system.by_name(run.name)
            params = started.process.params if started is not None else []
            if run.name in needed or any(id(param) in self.variables for param in params):
                return True
        return False

    def _decide(self, automaton: Automaton) -> None:
        """Keeps what chooses or blocks on the way to what is kept."""
        edges = self.edges[automaton.index]
        kept = {
            at
            for at, out in edges.items()
            for t in out
            if any(x.id in self.elements for x in _inside(automaton, t.element))
        }
        passed = {at for region in self.regions[automaton.index] if not region & kept for at in region}
        for at in _leading_to(kept, edges) - passed:
            for t in edges[at]:
                for el in _inside(automaton, t.element):
                    if _may_block(el) and el.id not in self.elements:
                        self._keep(el)

    # ---- the report

    def report(self) -> list[str]:
        lines = [] if self.everything else [*self._statements(), *self._variables()]
        return lines or ["spin: no redundancies found (for given property)"]

    def _statements(self) -> Iterator[str]:
        for automaton in self.processes:
            told = False
            for at in _depth_first(automaton, self.edges[automaton.index]):
                for el in (x for t in self.edges[automaton.index][at] for x in _inside(automaton, t.element)):
                    if el.id in self.elements or el.op not in _REPORTED or is_true(el):
                        continue
                    if not told:
                        yield f"spin: redundant in proctype {automaton.process.name} (for given property):"
                    told = True
                    yield f"      {el.file}:{el.line} (state {el.number})\t[{element_text(el)}]"

    def _variables(self) -> Iterator[str]:
        told = False
        for entry in symbol_table(self.model).entries:
            symbol = entry.symbol
            if symbol is None or symbol.is_field or symbol.struct is not None or id(symbol) in self.variables:
                continue
            if not told:
                yield "spin: redundant vars (for given property):"
            told = True
            yield "\t" + symbol_line(entry, self.model, number_params=False)


# ---------------------------------------------------------------- graphs


def _reachable(automaton: Automaton) -> dict[int, list[Transition]]:
    """The steps from every location that can be reached."""
    edges: dict[int, list[Transition]] = {}
    stack = [automaton.start]
    while stack:
        at = stack.pop()
        if at not in edges:
            edges[at] = [t for t in automaton.locations[at].transitions if t.to or t.element.op is Op.END]
            stack += [t.to for t in edges[at] if t.to]
            stack += [start for t in edges[at] for start in t.escapes]
    return edges


def _depth_first(automaton: Automaton, edges: dict[int, list[Transition]]) -> Iterator[int]:
    seen: set[int] = set()
    stack = [automaton.start]
    while stack:
        at = stack.pop()
        if at in edges and at not in seen:
            seen.add(at)
            yield at
            stack += [t.to for t in edges[at]]


def _leading_to(goals: set[int], edges: dict[int, list[Transition]]) -> set[int]:
    """The locations from which one of the goals can be reached, the goals included."""
    back: dict[int, set[int]] = {}
    for at, out in edges.items():
        for t in out:
            back.setdefault(t.to, set()).add(at)
    found: set[int] = set()
    stack = list(goals)
    while stack:
        at = stack.pop()
        if at not in found:
            found.add(at)
            stack += back.get(at, ())
    return found


def _regions(edges: dict[int, list[Transition]]) -> Iterator[set[int]]:
    """Choices whose ways all come together again, whatever happens: none blocks and none goes in circles."""
    for at, out in edges.items():
        if len(out) < 2 or any(t.escapes for t in out):
            continue
        found = [_region(edges, at, meeting) for meeting in edges if meeting != at]
        closed = [region for region in found if region is not None]
        if closed:
            yield min(closed, key=len)


def _region(edges: dict[int, list[Transition]], start: int, end: int) -> set[int] | None:
    """The locations from `start` up to `end`, if every way leads there and none can stop or repeat."""
    done: set[int] = set()
    open_ways: set[int] = set()

    def leads(at: int) -> bool:
        if at == end or at in done:
            return True
        if at in open_ways or at not in edges or not edges[at] or not _always_goes_on(edges[at]):
            return False
        open_ways.add(at)
        fine = all(t.to and leads(t.to) for t in edges[at])
        open_ways.discard(at)
        done.add(at)
        return fine

    return done if leads(start) else None


def _always_goes_on(out: list[Transition]) -> bool:
    if any(t.escapes or t.element.op in (Op.END, Op.ASSERT, Op.C_CODE, Op.SEND, Op.RECEIVE) for t in out):
        return False
    if any(t.element.op is Op.D_STEP for t in out):
        return False
    return any(t.element.op is Op.ELSE or not _may_block(t.element) for t in out)


# ---------------------------------------------------------------- other advice


def _predicates(model: n.Model, processes: list[Automaton]) -> list[str]:
    """Numbers that only conditions look at: what they say could be said with fewer values."""
    in_conditions: set[int] = set()
    elsewhere: set[int] = set()
    for automaton in processes:
        for el in automaton.body.elements:
            into = in_conditions if el.op is Op.CONDITION else elsewhere
            into.update(id(symbol) for symbol in _used(el.stmt))
    only = in_conditions - elsewhere
    listed = [
        "\t" + symbol_line(entry, model, number_params=False)
        for entry in symbol_table(model).entries
        if entry.symbol is not None and id(entry.symbol) in only and entry.symbol.kind in _NUMBERS
    ]
    return ["spin: consider using predicate abstraction to replace:", *listed] if listed else []


_ADVICE = (
    ("source", ("consider merging the code of", "each source process into the code of its target")),
    ("sink", ("consider merging the code of", "each sink process into the code of its source")),
    ("buffer", ("avoid buffer processes",)),
)


def _roles(processes: list[Automaton]) -> list[str]:
    """Processes that do nothing but send, receive, or both."""
    lines: list[str] = []
    found: set[str] = set()
    for automaton in processes:
        role = _role(automaton)
        if role is not None:
            found.add(role)
            name = automaton.process.name
            does = "mimics a buffer" if role == "buffer" else f"defines a {role} process"
            lines.append(f"spin: proctype {name} {does}")
    for role, advice in _ADVICE:
        if role in found:
            lines.append(f"\tto reduce complexity, {advice[0]}")
            lines += [f"\t{line}" for line in advice[1:]]
    return lines


def _role(automaton: Automaton) -> str | None:
    ops = {el.op for el in automaton.body.elements}
    if ops & {Op.ASSIGN, Op.CONDITION, Op.ELSE, Op.SET_PRIORITY}:
        return None
    sends, receives = Op.SEND in ops, Op.RECEIVE in ops
    return "buffer" if sends and receives else "source" if sends else "sink" if receives else None
