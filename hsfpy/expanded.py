"""`spin -I`: the processes of a model as they are after preprocessing and inlining."""

from __future__ import annotations

from collections.abc import Iterator

from hsfpy import nodes as n
from hsfpy.automaton import System
from hsfpy.claims import CLAIM_FILE
from hsfpy.elements import GROUPS, SELECTIONS, Body, Element, Op, Seq
from hsfpy.text import element_text, expr_text

_GROUP_WORDS = {Op.ATOMIC: "atomic {", Op.D_STEP: "d_step {", Op.BLOCK: " {"}


def expanded_source(system: System) -> str:
    """SPIN's lines. Claims that are made of formulas are not part of the source."""
    lines = [
        line
        for automaton in sorted(system.automata, key=lambda a: a.index)
        if automaton.process.span.loc.file != CLAIM_FILE
        for line in _process(automaton.body)
    ]
    return "".join(f"{line}\n" for line in lines)


def _process(body: Body) -> Iterator[str]:
    process = body.process
    provided = f" provided {expr_text(process.provided)}" if process.provided is not None else ""
    yield f"{'D' if process.deterministic else ''}proctype {process.name}(){provided}"
    yield "{"
    yield from _sequence(body, body.seq, 1)
    yield "}"


def _sequence(body: Body, seq: Seq, depth: int) -> Iterator[str]:
    for el in seq.extent_items():
        labels = body.labels_at(el)
        if labels:
            yield f"{labels[0].name}:"
        yield from _element(body, el, depth)


def _element(body: Body, el: Element, depth: int) -> Iterator[str]:
    margin = "   " * depth
    if el.op is Op.UNLESS:
        yield "/* normal */ {"
        yield from _sequence(body, el.subs[0], depth)
        yield f"{margin}}} unless {{"
        yield from _sequence(body, el.subs[1], depth)
        yield f"{margin}}}; /* end unless */"
    elif el.op in SELECTIONS:
        yield f"{margin}{el.op.value}"
        for option in el.subs:
            yield f"{margin}::"
            yield from _sequence(body, option, depth + 1)
            yield ""
        yield f"{margin}{'fi' if el.op is Op.IF else 'od'};"
    elif el.op in GROUPS:
        assert el.body is not None
        yield margin + _GROUP_WORDS[el.op]
        yield from _sequence(body, el.body, depth + 1)
        yield f"{margin} }};"
    elif el.op not in (Op.DOT, Op.BREAK, Op.END):
        yield margin + _statement(el)


def _statement(el: Element) -> str:
    stmt = el.stmt
    if isinstance(stmt, n.CCode):
        condition = f"[{stmt.precondition}] " if stmt.precondition is not None else ""
        return f"c_code {condition}{{ {stmt.code} }}"
    if isinstance(stmt, n.ExprStmt) and isinstance(stmt.expr, n.CExpr):
        return f"c_expr {{ {stmt.expr.code}}} ->"
    text = element_text(el)
    if isinstance(stmt, n.Printf):
        text = text.replace("\\", "\\\\")  # as in C
    if isinstance(stmt, n.Printm):
        text = text.replace("'", '"').replace(", 0)", ', "_unnamed_")')
    return f"{text};"
