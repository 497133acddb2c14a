"""Which parts of the language a model uses."""

from __future__ import annotations

from collections.abc import Iterator

from hsfpy import nodes as n
from hsfpy.automaton import Features
from hsfpy.elements import Body, Op
from hsfpy.walk import expressions_of, subexpressions


def _expressions(model: n.Model, bodies: list[Body]) -> Iterator[n.Expr]:
    for body in bodies:
        for el in body.elements:
            if el.stmt is not None:
                yield from expressions_of(el.stmt)
        if body.process.provided is not None:
            yield from subexpressions(body.process.provided)
        for symbol in body.process.variables:
            if isinstance(symbol.init, n.Expr):
                yield from subexpressions(symbol.init)


def _note_expression(f: Features, e: n.Expr) -> None:
    match e:
        case n.Timeout():
            f.timeout = True
        case n.Enabled():
            f.enabled = True
        case n.PcValue():
            f.pc_value = True
        case n.NonProgress():
            f.np = True
        case n.GetPriority():
            f.priority = True
        case n.RemoteLabel() | n.RemoteVar():
            f.remote = True
        case n.CExpr():
            f.c_code = True
        case n.Run() if e.priority is not None:
            f.priority = True
        case n.Poll() if e.random:
            f.random_receive = True
        case n.VarRef() if e.symbol is None and e.name == "_last":
            f.last = True
        case n.VarRef() if e.symbol is None and e.name == "_priority":
            f.priority = True


def _note_element(f: Features, op: Op, stmt: n.Stmt | None) -> None:
    f.unless |= op is Op.UNLESS
    f.atomic |= op in (Op.ATOMIC, Op.D_STEP)
    f.c_code |= op is Op.C_CODE
    f.priority |= op is Op.SET_PRIORITY
    f.random_receive |= isinstance(stmt, n.Receive) and stmt.random
    f.sorted_send |= isinstance(stmt, n.Send) and stmt.sorted


def _all_symbols(model: n.Model) -> Iterator[n.Symbol]:
    yield from model.symbols
    for typedef in model.typedefs.values():
        yield from typedef.fields
    for process in model.processes:
        yield from process.variables


def find_features(model: n.Model, bodies: list[Body]) -> Features:
    """What the whole model uses."""
    f = Features()
    for e in _expressions(model, bodies):
        _note_expression(f, e)
    for body in bodies:
        f.provided |= body.process.provided is not None
        f.priority |= body.process.priority is not None
        for el in body.elements:
            _note_element(f, el.op, el.stmt)
        for label in body.labels:
            f.accept |= label.name.startswith("accept")
            f.progress |= label.name.startswith("progress")
    for symbol in _all_symbols(model):
        f.hidden |= symbol.hidden
        if isinstance(symbol.init, n.ChanInit):
            f.rendezvous |= symbol.init.capacity == 0
            f.buffered |= symbol.init.capacity > 0
    f.c_code |= bool(model.c_units)
    return f
