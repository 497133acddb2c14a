"""Runs cells of a notebook without one: what a cell prints, and how its last expression shows itself."""

from __future__ import annotations

import ast
import contextlib
import io


def run(source: str, names: dict[str, object]) -> list[tuple[str, str]]:
    """The outputs of a cell, as pairs of type and text."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    out: list[tuple[str, str]] = []
    value: object = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    if printed.getvalue():
        out.append(("text/plain", printed.getvalue()))
    if value is not None:
        picture = getattr(value, "_repr_html_", None)
        out.append(("text/html", picture()) if picture is not None else ("text/plain", repr(value)))
    return out
