"""Walking over expressions and statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from hsfpy import nodes as n


def children(node: n.Node) -> Iterator[n.Node]:
    """The nodes directly below `node`, in field order."""
    for f in fields(node):
        value = getattr(node, f.name)
        if isinstance(value, n.Node):
            yield value
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, n.Node):
                    yield item


def expressions_of(node: n.Node) -> Iterator[n.Expr]:
    """All expressions in a simple statement or expression, outermost first; for a statement with
    a body, those of its own head only."""
    if isinstance(node, n.Expr):
        yield node
    for child in children(node):
        if not isinstance(child, n.Stmt | n.Sequence):
            yield from expressions_of(child)


def all_nodes(node: n.Node) -> Iterator[n.Node]:
    """The node and everything below it."""
    yield node
    for child in children(node):
        yield from all_nodes(child)


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
