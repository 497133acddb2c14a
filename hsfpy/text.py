"""Statements and expressions as SPIN prints them in reports, tables and replays."""

from __future__ import annotations

from hsfpy import nodes as n
from hsfpy.elements import Element, Op


def source_name(symbol: n.Symbol | None, name: str) -> str:
    """A variable's name without SPIN's scope prefix (leading underscores and digits)."""
    if symbol is None:
        return name
    return symbol.c_name.lstrip("_0123456789") if symbol.c_name else name


def var_text(ref: n.VarRef) -> str:
    """`a[i].b` in SPIN's spelling."""
    text = source_name(ref.symbol, ref.name)
    if ref.symbol is not None and ref.symbol.is_array:
        text += f"[{expr_text(ref.index) if ref.index is not None else '0'}]"
    if ref.field is not None:
        text += "." + var_text(ref.field)
    return text


def args_text(args: list[n.Expr]) -> str:
    return ",".join(expr_text(arg) for arg in flatten_args(args))


def flatten_args(args: list[n.Expr]) -> list[n.Expr]:
    """Message arguments with struct variables replaced by their fields."""
    out: list[n.Expr] = []
    for arg in args:
        if isinstance(arg, n.VarRef):
            out.extend(struct_leaves(arg))
        else:
            out.append(arg)
    return out


def leaf_symbol(ref: n.VarRef) -> n.Symbol | None:
    """The symbol at the end of a reference."""
    while ref.field is not None:
        ref = ref.field
    return ref.symbol


def struct_leaves(ref: n.VarRef) -> list[n.VarRef]:
    """The scalars a reference stands for: itself, or all fields of a struct in order."""
    symbol = leaf_symbol(ref)
    if symbol is None or symbol.kind is not n.Kind.STRUCT:
        return [ref]
    assert symbol.struct is not None
    out: list[n.VarRef] = []
    for fld in symbol.struct.fields:
        for i in range(fld.length):
            index = n.Const(ref.span, i) if fld.is_array else None
            out.extend(struct_leaves(with_field(ref, n.VarRef(ref.span, fld.name, index, None, fld))))
    return out


def with_field(ref: n.VarRef, inner: n.VarRef) -> n.VarRef:
    """`ref.inner`"""
    tail = inner if ref.field is None else with_field(ref.field, inner)
    return n.VarRef(ref.span, ref.name, ref.index, tail, ref.symbol)


def expr_text(e: n.Expr | None) -> str:
    """An expression in SPIN's fully parenthesised spelling."""
    match e:
        case None:
            return "0"
        case n.Const():
            return e.mtype if e.mtype is not None else str(e.value)
        case n.VarRef():
            return var_text(e)
        case n.Unary():
            return f"{e.op}({expr_text(e.operand)})"
        case n.Binary():
            return f"({expr_text(e.left)}{e.op}{expr_text(e.right)})"
        case n.Conditional():
            return f"( ({expr_text(e.test)}) -> ({expr_text(e.yes)}) : ({expr_text(e.no)}) )"
        case n.Run():
            return f"run {e.name}({args_text(e.args)})"
        case n.Len():
            return f"len({var_text(e.chan)})"
        case n.ChanTest():
            return f"{e.test}({var_text(e.chan)})"
        case n.Poll():
            return f"{var_text(e.chan)}{'??[' if e.random else '?['}{args_text(e.args)}]"
        case n.EvalArg():
            return f"eval({expr_text(e.expr)})"
        case n.Enabled():
            return f"enabled({expr_text(e.pid)})"
        case n.PcValue():
            return f"pc_value({expr_text(e.pid)})"
        case n.GetPriority():
            return f"get_priority({expr_text(e.pid)})"
        case n.Timeout():
            return "timeout"
        case n.NonProgress():
            return "np_"
        case n.RemoteLabel():
            return f"({_remote(e)}._p=={e.label})"
        case n.RemoteVar():
            index = f"[{expr_text(e.var.index)}]" if e.var.index is not None else ""
            return f"{_remote(e)}.{e.var.name}{index}"
        case n.CExpr():
            return f"{{c_code{e.number}}}"
        case n.Temporal():
            if e.right is None:
                return f"{e.op} ({expr_text(e.left)})"
            return f"({expr_text(e.left)}) {e.op} ({expr_text(e.right)})"
        case n.Equiv():
            return f"({expr_text(e.left)}) <-> ({expr_text(e.right)})"
        case _:
            raise AssertionError(f"no text for {type(e).__name__}")


def c_style_text(e: n.Expr | None, owned: bool = False) -> str:
    """An expression as the verifier quotes it in messages: like expr_text, with mtype constants
    as numbers and a blank before a prefix operator. `owned` puts the proctype before local names."""

    def text(inner: n.Expr | None) -> str:
        return c_style_text(inner, owned)

    match e:
        case n.Const():
            return str(e.value)
        case n.Unary():
            return f" {e.op}({text(e.operand)})"
        case n.Binary():
            return f"({text(e.left)}{e.op}{text(e.right)})"
        case n.Conditional():
            return f"( ({text(e.test)}) ? ({text(e.yes)}) : ({text(e.no)}) )"
        case n.Len():
            return f"q_len({c_style_var(e.chan, owned)})"
        case n.ChanTest():
            pattern = {
                "full": "q_full({})",
                "empty": "(q_len({})==0)",
                "nfull": "(!q_full({}))",
                "nempty": "(q_len({})>0)",
            }
            return pattern[e.test].format(c_style_var(e.chan, owned))
        case n.VarRef():
            return c_style_var(e, owned)
        case n.RemoteLabel():
            return f"({_remote(e)}._p=={e.label})"
        case n.CExpr():
            return "(" + e.code.replace('"', '\\"') + ")"
        case _:
            return expr_text(e)


def c_style_var(ref: n.VarRef, owned: bool = False) -> str:
    """A variable as the verifier quotes it; with its proctype before it if `owned`."""
    text = source_name(ref.symbol, ref.name)
    if owned and ref.symbol is not None and ref.symbol.context is not None:
        text = f"{ref.symbol.context}:{text}"
    if ref.symbol is not None and ref.symbol.is_array:
        text += f"[{c_style_text(ref.index, owned)}]"
    if ref.field is not None:
        text += "." + c_style_var(ref.field, owned)
    return text


def _remote(e: n.RemoteLabel | n.RemoteVar) -> str:
    pid = f"[{c_style_text(e.pid)}]" if e.pid is not None else ""
    return f"{e.proctype}{pid}"


def printf_text(stmt: n.Printf) -> str:
    """A printf as SPIN shows it, with single quotes."""
    shown = stmt.format.replace('"', "'")[:510]
    extra = "".join("," + expr_text(arg) for arg in stmt.args)
    return f"printf({shown}{extra})"


def element_text(el: Element) -> str:
    """What `pan -d` shows behind `=>` for an element."""
    stmt = el.stmt
    match el.op:
        case Op.GOTO:
            return f"goto {el.label}"
        case Op.D_STEP:
            return f"D_STEP{el.line}"
        case Op.CONDITION if stmt is None:
            return "(1)"
    fixed = {
        Op.DOT: ".(goto)", Op.BREAK: "break", Op.END: "-end-", Op.ELSE: "else", Op.IF: "IF", Op.DO: "DO",
        Op.UNLESS: "unless", Op.ATOMIC: "ATOMIC", Op.BLOCK: "sub-sequence",
    }  # fmt: skip
    if el.op in fixed:
        return fixed[el.op]
    assert stmt is not None
    return stmt_text(stmt)


def stmt_text(stmt: n.Stmt) -> str:
    """One simple statement in SPIN's spelling."""
    match stmt:
        case n.Assign():
            return f"{var_text(stmt.target)} = {expr_text(stmt.value)}"
        case n.Send():
            return f"{var_text(stmt.chan)}{'!!' if stmt.sorted else '!'}{args_text(stmt.args)}"
        case n.Receive():
            mark = {(False, False): "?", (True, False): "??", (False, True): "?<", (True, True): "??<"}
            tail = ">" if stmt.copy else ""
            return f"{var_text(stmt.chan)}{mark[stmt.random, stmt.copy]}{args_text(stmt.args)}{tail}"
        case n.ExprStmt():
            return f"({expr_text(stmt.expr)})"
        case n.Assert():
            return f"assert({expr_text(stmt.expr)})"
        case n.Printf():
            return printf_text(stmt)
        case n.Printm():
            return f"printm({_printm_arg(stmt.arg)})"
        case n.CCode():
            return f"{{c_code{stmt.number}}}"
        case n.SetPriority():
            return f"set_priority({expr_text(stmt.pid)}, {expr_text(stmt.priority)})"
        case n.Else():
            return "else"
        case _:
            raise AssertionError(f"no text for {type(stmt).__name__}")


def _printm_arg(arg: n.Expr) -> str:
    subtype: str | None = None
    if isinstance(arg, n.Const) and arg.mtype is not None:
        shown, subtype = str(arg.value), arg.subtype
    else:
        shown = expr_text(arg)
        if isinstance(arg, n.VarRef) and arg.symbol is not None:
            subtype = arg.symbol.subtype
    return f"{shown}, '{subtype}'" if subtype else f"{shown}, 0"
