"""Going through a model's tree: the parts of statements and expressions."""

from __future__ import annotations

from collections.abc import Iterator

from hsfpy.nodes import (
    Assert,
    Assign,
    Atomic,
    Binary,
    Block,
    ChanTest,
    Conditional,
    DeclStmt,
    Do,
    DStep,
    Enabled,
    Equiv,
    EvalArg,
    ExclusiveDecl,
    Expr,
    ExprStmt,
    For,
    ForIn,
    GetPriority,
    If,
    Labelled,
    Len,
    PcValue,
    Poll,
    Printf,
    Printm,
    Receive,
    RemoteLabel,
    RemoteVar,
    Run,
    Select,
    Send,
    Sequence,
    SetPriority,
    Stmt,
    Temporal,
    Unary,
    Unless,
    VarRef,
)


def sequences(stmt: Stmt) -> list[Sequence]:
    """The sequences directly inside a statement."""
    match stmt:
        case If() | Do():
            return stmt.options
        case Block() | Atomic() | DStep() | For() | ForIn():
            return [stmt.body]
    return []


def inner(stmt: Stmt) -> list[Stmt]:
    """The statements directly inside a statement, in source order."""
    match stmt:
        case Labelled():
            return [stmt.stmt]
        case Unless():
            return [stmt.main, stmt.escape]
    return [step for sequence in sequences(stmt) for step in sequence.steps]


def statements(steps: list[Stmt]) -> Iterator[Stmt]:
    """All statements, the outer ones before those inside them, in source order."""
    for step in steps:
        yield step
        yield from statements(inner(step))


def expressions(stmt: Stmt) -> list[Expr]:
    """The expressions directly in a statement; variables that are assigned to are included."""
    match stmt:
        case Assign():
            return [stmt.target, stmt.value]
        case Send() | Receive():
            return [stmt.chan, *stmt.args]
        case ExprStmt() | Assert():
            return [stmt.expr]
        case Printf():
            return stmt.args
        case Printm():
            return [stmt.arg]
        case SetPriority():
            return [stmt.pid, stmt.priority]
        case For() | Select():
            return [stmt.var, stmt.low, stmt.high]
        case ForIn():
            return [stmt.var, stmt.container]
        case ExclusiveDecl():
            return list(stmt.chans)
        case DeclStmt():
            return [symbol.init for symbol in stmt.symbols if isinstance(symbol.init, Expr)]
    return []


def operands(expr: Expr) -> list[Expr]:
    """The expressions directly inside an expression, left to right."""
    match expr:
        case VarRef():
            return [part for part in (expr.index, expr.field) if part is not None]
        case Binary() | Equiv():
            return [expr.left, expr.right]
        case Unary():
            return [expr.operand]
        case Conditional():
            return [expr.test, expr.yes, expr.no]
        case Run():
            return expr.args
        case Len() | ChanTest():
            return [expr.chan]
        case Poll():
            return [expr.chan, *expr.args]
        case EvalArg():
            return [expr.expr]
        case Enabled() | PcValue() | GetPriority():
            return [expr.pid]
        case RemoteLabel():
            return [expr.pid] if expr.pid is not None else []
        case RemoteVar():
            return [expr.pid, expr.var] if expr.pid is not None else [expr.var]
        case Temporal():
            return [expr.left] if expr.right is None else [expr.left, expr.right]
    return []


def subexpressions(expr: Expr) -> Iterator[Expr]:
    """The expression and everything inside it."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(operands(node)))


def expressions_of(stmt: Stmt) -> Iterator[Expr]:
    """All expressions in a statement's own head, outermost first."""
    for expr in expressions(stmt):
        yield from subexpressions(expr)


def last_link(ref: VarRef) -> VarRef:
    """The last part of `a.b.c`."""
    while ref.field is not None:
        ref = ref.field
    return ref


def text_of_ref(ref: VarRef) -> str:
    """The reference as written, with `?` for indices that are no names or numbers."""
    from hsfpy.nodes import Const

    text = ref.name
    if isinstance(ref.index, VarRef):
        text += f"[{text_of_ref(ref.index)}]"
    elif ref.index is not None:
        text += f"[{ref.index.value if isinstance(ref.index, Const) else '??'}]"
    return text + ("." + text_of_ref(ref.field) if ref.field is not None else "")
