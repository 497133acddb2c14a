"""Questions about types and expressions that the checks ask."""

from __future__ import annotations

from hsfpy.nodes import (
    Binary,
    ChanInit,
    ChanTest,
    Conditional,
    Enabled,
    EvalArg,
    Expr,
    FieldType,
    GetPriority,
    Kind,
    Len,
    Model,
    NonProgress,
    PcValue,
    Poll,
    Run,
    Symbol,
    Typedef,
    Unary,
    VarRef,
)


def parts_by_depth(expr: Expr) -> list[tuple[Expr, int]]:
    """Parts of an expression with SPIN's notion of depth: 0 for an index or field, 1 for operands."""
    match expr:
        case VarRef():
            parts: list[tuple[Expr, int]] = []
            if expr.index is not None:
                parts.append((expr.index, 0))
            if expr.field is not None:
                parts.append((expr.field, 0))
            return parts
        case Binary():
            return [(expr.left, 1), (expr.right, 1)]
        case Unary():
            return [(expr.operand, 1)]
        case Conditional():
            return [(expr.test, 1), (expr.yes, 1), (expr.no, 1)]
        case Enabled() | PcValue() | GetPriority():
            return [(expr.pid, 1)]
        case EvalArg():
            return [(expr.expr, 1)]
    return []


def proper_enabler(expr: Expr) -> bool:
    match expr:
        case VarRef():
            return expr.name in ("_pid", "_priority") or expr.symbol is None or expr.symbol.context is None
        case Len() | ChanTest() | Poll():
            return expr.chan.symbol is None or expr.chan.symbol.context is None
        case Unary() | Binary() | Conditional() | Enabled() | PcValue() | GetPriority():
            return all(proper_enabler(part) for part, _ in parts_by_depth(expr))
        case Run() | NonProgress():
            return False
    return True


def assigns(code: str) -> bool:
    """Whether C text contains `=` that is no comparison, by SPIN's rule."""
    at = code.find("=")
    while at >= 0:
        if code[at - 1 : at] in ("!", ">", "<", '"', "'"):
            at = code.find("=", at + 2)
        elif code[at + 1 : at + 2] != "=":
            return True
        else:
            at = code.find("=", at + 2)
    return False


def flat_fields(typedef: Typedef) -> list[Symbol]:
    """All fields of a structure in order, those of inner structures in place, arrays once per element."""
    flat: list[Symbol] = []
    for part in typedef.fields:
        once = flat_fields(part.struct) if part.struct is not None else [part]
        flat += once * max(1, part.length)
    return flat


def has_array(typedef: Typedef) -> bool:
    return any(part.is_array or (part.struct is not None and has_array(part.struct)) for part in typedef.fields)


def array_of_structs(typedef: Typedef) -> str | None:
    for part in typedef.fields:
        if part.struct is not None:
            if part.is_array:
                return part.name
            if nested := array_of_structs(part.struct):
                return nested
    return None


def mtype_name(subtype: str | None) -> str:
    return f"mtype:{subtype}" if subtype else "a plain mtype"


def max_fields(model: Model) -> int:
    """The largest number of fields of any channel; SPIN checks sends against this only."""
    symbols = [*model.symbols]
    for process in model.processes:
        symbols += process.variables
    for typedef in model.typedefs.values():
        symbols += typedef.fields
    inits = [symbol.init for symbol in symbols if isinstance(symbol.init, ChanInit)]
    return max((sum(_width(model, part) for part in init.fields) for init in inits), default=0)


def _width(model: Model, part: FieldType) -> int:
    if part.kind is Kind.STRUCT and part.subtype is not None:
        return len(flat_fields(model.typedefs[part.subtype]))
    return 1
