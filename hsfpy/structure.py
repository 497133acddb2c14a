"""When are two statements the same? SPIN gives equal statements of a process one C case."""

from __future__ import annotations

from dataclasses import fields

from hsfpy import nodes as n


def structure(node: n.Node | None) -> object:
    """A value that is equal for two statements exactly when they do the same to the same
    variables."""
    if node is None:
        return None
    if isinstance(node, n.VarRef):
        who: object = node.name if node.symbol is None else id(node.symbol)
        return ("var", who, structure(node.index), structure(node.field))
    parts: list[object] = [type(node).__name__]
    for f in fields(node):
        if f.name == "span":
            continue
        value = getattr(node, f.name)
        if isinstance(value, n.Node):
            parts.append(structure(value))
        elif isinstance(value, list):
            parts.append(tuple(structure(v) if isinstance(v, n.Node) else v for v in value))
        else:
            parts.append(value)
    return tuple(parts)
