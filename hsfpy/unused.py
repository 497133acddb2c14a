"""Variables nobody reads, as SPIN tells with -v."""

from __future__ import annotations

from hsfpy import nodes as n
from hsfpy.symbol_list import symbol_table, type_text


def unused_variables(model: n.Model) -> list[str]:
    """SPIN's warnings about variables that are used in print statements at most, in the order of its symbol table."""
    if model.c_units:
        return []  # embedded C may use anything
    what = "variable is never used (other than in print stmnts)"
    out: list[str] = []
    for entry in symbol_table(model).entries:
        symbol = entry.symbol
        if symbol is None or symbol.is_read or symbol.is_field or symbol.kind in (n.Kind.CHAN, n.Kind.STRUCT):
            continue
        owner = "global" if entry.context is None else f"proctype {entry.context}"
        out.append(f"spin: {model.file}:0, warning, {owner}, '{type_text(symbol.kind)}{symbol.name}' {what}")
    return out
