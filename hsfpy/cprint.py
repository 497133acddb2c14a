"""printf and printm as C: mtype values are printed by name, as SPIN does for %e."""

from __future__ import annotations

import re

from hsfpy import nodes as n
from hsfpy.cexpr import ExprWriter, c_string

_CONVERSION = re.compile(r"%(?:[-+ #0]*\d*(?:\.\d+)?)([a-zA-Z%])")


def mtype_index(writer: ExprWriter, subtype: str | None) -> int:
    """The number of an mtype subtype in model.mtypes."""
    names = list(writer.system.model.mtypes)
    return names.index(subtype or "") if (subtype or "") in names else 0


def _subtype(arg: n.Expr) -> str | None:
    if isinstance(arg, n.Const):
        return arg.subtype
    if isinstance(arg, n.VarRef):
        while arg.field is not None:
            arg = arg.field
        return arg.symbol.subtype if arg.symbol is not None else None
    return None


def printf_lines(writer: ExprWriter, stmt: n.Printf) -> list[str]:
    """The call that prints, if this run prints at all."""
    args: list[str] = []
    parts: list[str] = []
    remaining = list(stmt.args)
    at = 0
    for match in _CONVERSION.finditer(stmt.format):
        parts.append(stmt.format[at : match.start()])
        at = match.end()
        if match.group(1) == "%":
            parts.append("%%")
            continue
        if not remaining:
            parts.append("%" + match.group(0))
            continue
        arg = remaining.pop(0)
        if match.group(1) == "e":
            parts.append("%s")
            args.append(f"mtype_name({mtype_index(writer, _subtype(arg))}, {writer.expr(arg)})")
        else:
            parts.append(match.group(0) if match.group(1) in "dcoxXui" else "%d")
            args.append(writer.expr(arg))
    parts.append(stmt.format[at:])
    call = "print_text(" + ", ".join(["".join(parts), *args]) + ");"
    return [f"if (step_context.replaying) {call}"]


def printm_line(writer: ExprWriter, stmt: n.Printm) -> str:
    """printm prints the name of an mtype value."""
    name = f"mtype_name({mtype_index(writer, _subtype(stmt.arg))}, {writer.expr(stmt.arg)})"
    return f"if (step_context.replaying) print_text({c_string('%s')}, {name});"
