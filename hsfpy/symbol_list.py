"""`spin -d`: the names of a model, what each is and where it is known. Graphical clients look for labels in it."""

from __future__ import annotations

import operator
from collections.abc import Callable

from hsfpy import nodes as n
from hsfpy.automaton import System
from hsfpy.build_expr import fold
from hsfpy.build_model import Session
from hsfpy.symtab import FIELD, MTYPE, PROCTYPE, Entry, SymbolTable


def symbol_list(model: n.Model, system: System) -> str:
    """SPIN's lines: names in the order of the source, then labels, the latest first."""
    table = symbol_table(model)
    named = [symbol_line(entry, model) for entry in table.entries]
    labels = [
        _label_line(label.name, label.element.number, automaton.process.name, label.inline_id, label.scope, table)
        for automaton in sorted(system.automata, key=lambda a: a.index, reverse=True)
        for label in automaton.body.labels
        if not label.name.startswith(":")
    ]
    return "".join(f"{line}\n" for line in [*named, *labels] if line)


def symbol_table(model: n.Model) -> SymbolTable:
    """The names of a model that was resolved."""
    session = model.session
    assert isinstance(session, Session) and isinstance(session.table, SymbolTable)
    return session.table


def _label_line(name: str, state: int, process: str, inline: int, scope: str, table: SymbolTable) -> str:
    expansion = f" i{inline}" if inline else ""
    return f"label\t{name}\t{state}\t<{process}{expansion}>{_scope(scope, table.old_scope)}"


def _scope(scope: str, old_scope: bool) -> str:
    return "" if old_scope else f"\t{{scope {scope}}}"


def symbol_line(entry: Entry, model: n.Model, number_params: bool = True) -> str:
    """One name; empty if SPIN does not list it."""
    scope = _scope(entry.scope, symbol_table(model).old_scope)
    if entry.use == MTYPE:
        return f"mtype \t{entry.name}\t{mtype_value(model, entry.name)}\t<:global:>\t<constant>{scope}"
    if entry.use == PROCTYPE:
        active = sum(process.active for process in model.processes if process.name == entry.name)
        return f"proctype\t{entry.name}\t{active}\t<:global:>\t<variable>{scope}"
    symbol = entry.symbol
    if symbol is None:
        return ""
    size = f"[{symbol.length}]" if symbol.is_array else ""
    where = ":struct-field:" if entry.use == FIELD else entry.context or ":global:"
    role = _parameter(symbol, model) if symbol.is_param and number_params else _role(symbol)
    parts = [type_text(symbol.kind), entry.name + size, _value(symbol), f"<{where}>", f"<{role}>"]
    return "\t".join(parts) + _messages(symbol) + scope


def type_text(kind: n.Kind) -> str:
    """The name of a type, in the width SPIN gives it."""
    return "unsigned " if kind is n.Kind.UNSIGNED else f"{kind.value:<6}"


def mtype_value(model: n.Model, name: str) -> int:
    """The number that stands for an mtype constant."""
    return next(names.index(name) + 1 for names in model.mtypes.values() if name in names)


def _value(symbol: n.Symbol) -> str:
    """The initial value: of a channel its capacity, of a struct its type. What is assigned in place is none."""
    if symbol.kind is n.Kind.STRUCT:
        return symbol.subtype or ""
    if isinstance(symbol.init, n.ChanInit):
        return str(symbol.init.capacity)
    return str(_number(symbol.init)) if isinstance(symbol.init, n.Expr) and not symbol.init_runs else "0"


_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "&&": lambda a, b: bool(a and b), "||": lambda a, b: bool(a or b),
}  # fmt: skip


def _number(expr: n.Expr) -> int:
    """What an initialiser amounts to before the model runs."""
    match expr:
        case n.Const(value=value):
            return value
        case n.Unary(op=op, operand=operand):
            value = _number(operand)
            return {"!": int(not value), "-": -value, "~": ~value}[op]
        case n.Binary(op=op, left=left, right=right) if op in _OPERATORS:
            return int(_OPERATORS[op](_number(left), _number(right)))
        case n.Binary(op=op, left=left, right=right):
            divisor = _number(right)
            return fold(op, _number(left), divisor) if divisor or op in "+-*" else 0
        case n.Conditional(test=test, yes=yes, no=no):
            return _number(yes if _number(test) else no)
        case n.VarRef(symbol=symbol) if symbol and symbol.context is None and isinstance(symbol.init, n.Expr):
            return _number(symbol.init)
    return 0


def _parameter(symbol: n.Symbol, model: n.Model) -> str:
    """SPIN counts a struct twice."""
    owner = next(process for process in model.processes if process.name == symbol.context)
    before = owner.params[: owner.params.index(symbol) + 1]
    return f"parameter {sum(2 if param.struct is not None else 1 for param in before)}"


def _role(symbol: n.Symbol) -> str:
    if symbol.kind is n.Kind.MTYPE:
        return "constant"
    return "array" if symbol.is_array else "variable"


def _messages(symbol: n.Symbol) -> str:
    if symbol.kind is not n.Kind.CHAN:
        return ""
    fields = symbol.init.fields if isinstance(symbol.init, n.ChanInit) else []
    texts = [f"struct {fld.subtype}" if fld.kind is n.Kind.STRUCT else type_text(fld.kind) for fld in fields]
    return f"\t{len(fields)}\t" + "\t".join(texts)
