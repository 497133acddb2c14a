"""Formula-based estimates (HSF Table 3) as C text.

For a formula f, `until(f)` is an expression for H_f, the number of steps until f holds, and
`until_not(f)` for its dual. What is counted must move by one per step to be a lower bound: which
variables and channels do is found out here, by looking at every statement that changes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from functools import reduce

from hsfpy import nodes as n
from hsfpy.automaton import Automaton, System
from hsfpy.cexpr import ExprWriter, c_string, is_tested
from hsfpy.elements import Element, Op
from hsfpy.records import dataclass
from hsfpy.text import element_text, expr_text, flatten_args, leaf_symbol
from hsfpy.walk import expressions_of

UNREACHABLE = "UNREACHABLE"


@dataclass(slots=True)
class AssertRow:
    proctype: int
    location: int
    comment: str
    distance: str


@dataclass(slots=True)
class BlockingRow:
    """Steps until a statement is not executable; in a claim, until it is."""

    action: int
    comment: str
    distance: str


@dataclass(slots=True)
class InvariantRow:
    name: str
    text: str
    holds: str
    distance: str


@dataclass(slots=True)
class Estimates:
    asserts: list[AssertRow] = field(default_factory=list)
    blocking: list[BlockingRow] = field(default_factory=list)
    invariants: list[InvariantRow] = field(default_factory=list)
    claims: list[BlockingRow] = field(default_factory=list)  # until the condition holds


@dataclass(slots=True)
class StepAnalysis:
    """What one step can change."""

    changed: set[int] = field(default_factory=set)  # ids of symbols that any statement gives a value
    unit_variables: set[int] = field(default_factory=set)  # those that move by at most one
    queues_by_one: bool = True
    single: bool = True  # no step makes several changes at once
    uses_run: bool = False


def analyse_steps(system: System) -> StepAnalysis:
    """Looks at all statements for how far a single step moves things."""
    result = StepAnalysis()
    jumping: set[int] = set()
    for automaton in system.automata:
        for el in automaton.body.elements:
            _note_changes(el, jumping, result)
    if system.features.c_code:
        result.single = result.queues_by_one = False
    else:
        result.unit_variables = result.changed - jumping
    result.changed |= jumping
    return result


def _note_changes(el: Element, jumping: set[int], result: StepAnalysis) -> None:
    in_d_step = el.d_step >= 0
    stmt = el.stmt
    if stmt is not None and any(isinstance(e, n.Run) for e in expressions_of(stmt)):
        result.uses_run = True
    match stmt:
        case n.Assign():
            symbol = leaf_symbol(stmt.target)
            result.changed.add(id(symbol))
            if in_d_step or not _is_unit_step(stmt) or symbol is None or symbol.is_array:
                jumping.add(id(symbol))
        case n.Receive():
            for arg in flatten_args(stmt.args):
                if isinstance(arg, n.VarRef):
                    jumping.add(id(leaf_symbol(arg)))
            result.queues_by_one &= not in_d_step
        case n.Send():
            result.queues_by_one &= not in_d_step and not stmt.sorted


def _is_unit_step(stmt: n.Assign) -> bool:
    """`x = x + 1` and `x = x - 1`"""
    value = stmt.value
    if not isinstance(value, n.Binary) or value.op not in "+-" or not isinstance(value.left, n.VarRef):
        return False
    same = value.left.symbol is stmt.target.symbol and value.left.field is None and stmt.target.field is None
    return same and isinstance(value.right, n.Const) and abs(value.right.value) == 1


_INT_RANGE = (-(2**31), 2**31 - 1)


def _range_of(symbol: n.Symbol) -> tuple[int, int, int]:
    """Least and greatest value of a variable, and the modulus it wraps around with."""
    match symbol.kind:
        case n.Kind.INT:
            return (*_INT_RANGE, 2**32)
        case n.Kind.SHORT:
            return (-(2**15), 2**15 - 1, 2**16)
        case n.Kind.BIT:
            return (0, 1, 2)
        case n.Kind.UNSIGNED:
            return (0, 2**symbol.nbits - 1, 2**symbol.nbits)
        case _:
            return (0, 255, 256)


_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _conjuncts(e: n.Expr) -> list[n.Expr]:
    if isinstance(e, n.Binary) and e.op == "&&":
        return _conjuncts(e.left) + _conjuncts(e.right)
    return [e]


class EstimateWriter:
    """H and its dual for formulas seen from one process (None: from outside)."""

    def __init__(self, system: System, writer: ExprWriter, steps: StepAnalysis) -> None:
        self.system = system
        self.writer = writer
        self.steps = steps

    def until(self, e: n.Expr) -> str:
        """H_e: steps until e is true."""
        match e:
            case n.Const():
                return "0" if e.value else UNREACHABLE
            case n.Unary(op="!"):
                return self.until_not(e.operand)
            case n.Binary(op="&&"):
                return self.until_all(_conjuncts(e))
            case n.Binary(op="||"):
                return f"h_min({self.until(e.left)}, {self.until(e.right)})"
            case n.Binary() if e.op in _NEGATED:
                return self.relation(e.op, e.left, e.right)
            case n.ChanTest():
                return self.chan_test(e)
            case n.Poll():
                return self.poll(e)
            case n.RemoteLabel():
                return self.at_label(e)
            case n.Timeout():
                return "0"
            case _:
                return f"h_holds({self.writer.expr(e)})"

    def until_all(self, terms: list[n.Expr]) -> str:
        """H of a conjunction. Every process goes its own way, so the distances of different ones add up."""
        alone: dict[int, str] = {}
        combined: list[str] = []
        for term in terms:
            if isinstance(term, n.RemoteLabel) and isinstance(term.pid, n.Const) and term.pid.value not in alone:
                alone[term.pid.value] = self.at_label(term)
            else:
                combined.append(self.until(term))
        if alone:
            combined.append(reduce(lambda a, b: f"h_sum({a}, {b})", alone.values()))
        return reduce(lambda a, b: f"h_and({a}, {b})", combined)

    def until_not(self, e: n.Expr) -> str:
        """The dual: steps until e is false."""
        match e:
            case n.Const():
                return UNREACHABLE if e.value else "0"
            case n.Unary(op="!"):
                return self.until(e.operand)
            case n.Binary(op="&&"):
                return f"h_min({self.until_not(e.left)}, {self.until_not(e.right)})"
            case n.Binary(op="||"):
                return f"h_and({self.until_not(e.left)}, {self.until_not(e.right)})"
            case n.Binary() if e.op in _NEGATED:
                return self.relation(_NEGATED[e.op], e.left, e.right)
            case n.ChanTest():
                opposite = {"full": "nfull", "nfull": "full", "empty": "nempty", "nempty": "empty"}[e.test]
                return self.chan_test(n.ChanTest(e.span, opposite, e.chan))
            case n.Timeout():
                return "0"
            case _:
                return f"h_holds(!({self.writer.expr(e)}))"

    # ---- atoms

    def is_fixed(self, e: n.Expr | None) -> bool:
        """Does an expression have the same value for good? With another index or another channel in a
        variable, the next step may find quite another place."""
        match e:
            case None | n.Const():
                return True
            case n.VarRef():
                own = e.name == "_pid" if e.symbol is None else id(e.symbol) not in self.steps.changed
                return own and self.is_fixed(e.index) and self.is_fixed(e.field)
            case n.Unary():
                return self.is_fixed(e.operand)
            case n.Binary():
                return self.is_fixed(e.left) and self.is_fixed(e.right)
            case n.EvalArg():
                return self.is_fixed(e.expr)
            case _:
                return False

    def counts(self, chan: n.VarRef) -> bool:
        """May the messages in a channel be counted, one for each step?"""
        return self.steps.queues_by_one and self.is_fixed(chan)

    def range_of(self, e: n.Expr) -> tuple[int, int, int] | None:
        """The range of something that moves by one per step; None if it may jump."""
        if isinstance(e, n.Len):
            return (*_INT_RANGE, 0) if self.counts(e.chan) else None
        symbol = leaf_symbol(e) if isinstance(e, n.VarRef) else None
        return _range_of(symbol) if symbol is not None and id(symbol) in self.steps.unit_variables else None

    def relation(self, op: str, left: n.Expr, right: n.Expr) -> str:
        """0 or 1; the gap where one side moves by one and the other is constant."""
        a, b = self.writer.expr(left), self.writer.expr(right)
        plain = f"h_holds({a} {op} {b})"
        if isinstance(left, n.Const) and not isinstance(right, n.Const):
            flipped = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
            return self.relation(flipped.get(op, op), right, left)
        span = self.range_of(left)
        if span is None or not isinstance(right, n.Const) or op == "!=":
            return plain
        low, high, modulus = span
        k = right.value
        wanted = {"==": (k, k), ">=": (k, high), ">": (k + 1, high), "<=": (low, k), "<": (low, k - 1)}[op]
        return f"h_range({a}, {max(low, wanted[0])}L, {min(high, wanted[1])}L, {modulus})"

    def chan_test(self, e: n.ChanTest) -> str:
        chan = self.writer.var(e.chan)
        if self.counts(e.chan):
            if e.test == "full":
                return f"h_range(channel_length(s, {chan}), channel_capacity(s, {chan}), {_INT_RANGE[1]}L, 0)"
            if e.test == "empty":
                return f"h_range(channel_length(s, {chan}), 0, 0, 0)"
        return f"h_holds({self.writer.expr(e)})"

    def poll(self, e: n.Poll) -> str:
        args = flatten_args(e.args)
        tested = [arg for arg in args if is_tested(arg)]
        if e.random or not tested or not self.counts(e.chan) or not all(map(self.is_fixed, tested)):
            return f"h_holds({self.writer.expr(e)})"
        flags = ", ".join("true" if is_tested(arg) else "false" for arg in args)
        values = ", ".join(self.writer.expr(arg) if is_tested(arg) else "0" for arg in args)
        chan = self.writer.var(e.chan)
        return f"h_head(s, {chan}, {len(args)}, (const bool[]){{{flags}}}, (const int[]){{{values}}})"

    def at_label(self, e: n.RemoteLabel) -> str:
        target = self.system.by_name(e.proctype)
        assert target is not None
        return f"h_location(s, {self.writer.remote_pid(e)}, {target.index}, {self.writer.label_number(e)})"

    # ---- when is a statement not executable?

    def until_blocked(self, el: Element) -> str | None:
        """Steps until a statement is not executable; None if it always is."""
        stmt = el.stmt
        match stmt:
            case n.ExprStmt() if not isinstance(stmt.expr, n.Run | n.Const):
                return self.until_not(stmt.expr)
            case n.ExprStmt() if isinstance(stmt.expr, n.Const) and stmt.expr.value == 0:
                return "0"
            case n.Send():
                chan = self.writer.var(stmt.chan)
                full = self.chan_test(n.ChanTest(stmt.span, "full", stmt.chan))
                return f"(channel_capacity(s, {chan}) == 0 ? 0 : {full})"
            case n.Receive():
                return self.receive_blocked(stmt)
        return "0" if el.op is Op.END else None

    def receive_blocked(self, stmt: n.Receive) -> str:
        chan = self.writer.var(stmt.chan)
        args = flatten_args(stmt.args)
        if not any(is_tested(arg) for arg in args):
            empty = self.chan_test(n.ChanTest(stmt.span, "empty", stmt.chan))
            return f"(channel_capacity(s, {chan}) == 0 ? 0 : {empty})"
        poll = n.Poll(stmt.span, stmt.chan, stmt.args, stmt.random)
        return f"(channel_capacity(s, {chan}) == 0 ? 0 : h_holds(!({self.writer.expr(poll)})))"


@dataclass(slots=True)
class NamedInvariant:
    name: str
    formula: n.Expr


def ltl_invariants(model: n.Model) -> list[NamedInvariant]:
    """The ltl blocks of the form `[] p` with p free of temporal operators."""
    found: list[NamedInvariant] = []
    for block in model.ltls:
        formula = block.formula
        if isinstance(formula, n.Temporal) and formula.op == "[]" and not _is_temporal(formula.left):
            found.append(NamedInvariant(block.name, formula.left))
    return found


def _is_temporal(e: n.Expr) -> bool:
    from hsfpy.walk import subexpressions

    return any(isinstance(x, n.Temporal | n.Equiv) for x in subexpressions(e))


def make_estimates(
    system: System, writers: dict[int, ExprWriter], actions: dict[int, int], invariants: list[NamedInvariant]
) -> tuple[Estimates, StepAnalysis]:
    """All formula estimates of a model; `writers` by proctype number, -1 for outside."""
    steps = analyse_steps(system)
    out = Estimates()
    for automaton in system.automata:
        estimate = EstimateWriter(system, writers[automaton.index], steps)
        if automaton.process.kind is n.ProcKind.NEVER:
            out.claims.extend(_claim_rows(automaton, estimate, actions))
        if automaton.process.kind in (n.ProcKind.NEVER, n.ProcKind.TRACE, n.ProcKind.NOTRACE):
            continue
        out.asserts.extend(_assert_rows(automaton, estimate))
        out.blocking.extend(_blocking_rows(automaton, estimate, actions))
    outside = EstimateWriter(system, writers[-1], steps)
    for invariant in invariants:
        out.invariants.append(
            InvariantRow(
                c_string(invariant.name), c_string(expr_text(invariant.formula)),
                f"({outside.writer.expr(invariant.formula)}) != 0", outside.until_not(invariant.formula),
            )
        )  # fmt: skip
    return out, steps


def _comment(el: Element) -> str:
    return f"{el.file}:{el.line} {element_text(el)}".replace("*/", "* /").replace("/*", "/ *")


def _assert_rows(automaton: Automaton, estimate: EstimateWriter) -> Iterator[AssertRow]:
    """Assertions by the locations they can be executed from."""
    for location in automaton.locations:
        for t in location.transitions:
            if isinstance(t.element.stmt, n.Assert):
                distance = estimate.until_not(t.element.stmt.expr)
                yield AssertRow(automaton.index, location.number, _comment(t.element), distance)
            elif t.element.op is Op.D_STEP:
                yield from _d_step_asserts(automaton, location.number, t.element)


def _d_step_asserts(automaton: Automaton, location: int, d_step: Element) -> Iterator[AssertRow]:
    """An assertion inside a d_step fails in the step that runs it all; nothing is known of the
    values it will see."""
    for el in automaton.body.elements:
        if isinstance(el.stmt, n.Assert) and el.d_step >= 0 and el.id < d_step.id and _inside(d_step, el):
            yield AssertRow(automaton.index, location, _comment(el), "0")


def _inside(d_step: Element, el: Element) -> bool:
    assert d_step.body is not None and d_step.body.first is not None
    return el.d_step <= el.id < d_step.id and d_step.body.first.d_step == el.d_step


def _claim_rows(automaton: Automaton, estimate: EstimateWriter, actions: dict[int, int]) -> Iterator[BlockingRow]:
    """Conditions of a claim; two with the same code share a row."""
    told: set[int] = set()
    for el in automaton.body.elements:
        if isinstance(el.stmt, n.ExprStmt) and el.d_step < 0 and actions.get(el.id, 0) not in told | {0}:
            told.add(actions[el.id])
            yield BlockingRow(actions[el.id], _comment(el), estimate.until(el.stmt.expr))


def _blocking_rows(automaton: Automaton, estimate: EstimateWriter, actions: dict[int, int]) -> Iterator[BlockingRow]:
    for el in automaton.body.elements:
        if el.id not in actions:
            continue
        distance = estimate.until_blocked(el)
        if el.op is Op.D_STEP and el.body is not None and el.body.first is not None:
            first = el.body.first
            # A selection in front may block; when is not estimated.
            distance = estimate.until_blocked(first) if first.stmt is not None and not first.subs else "0"
        if distance is not None:
            yield BlockingRow(actions[el.id], _comment(el), distance)
