"""Variables nobody reads, as SPIN tells with -v."""

from __future__ import annotations

from hsfpy import nodes as n


def unused_variables(model: n.Model) -> list[str]:
    """SPIN's warnings about variables that are used in print statements at most."""
    if model.c_units:
        return []  # embedded C may use anything
    owners = [("global", model.symbols)] + [(f"proctype {p.name}", p.variables) for p in model.processes]
    found = [
        (symbol.order, f"{owner}, '{symbol.kind.value:<6}{symbol.name}'")
        for owner, symbols in owners
        for symbol in symbols
        if symbol.kind not in (n.Kind.CHAN, n.Kind.STRUCT) and not symbol.is_read
    ]
    what = "variable is never used (other than in print stmnts)"
    return [f"spin: {model.file}:0, warning, {text} {what}" for _, text in sorted(found)]
