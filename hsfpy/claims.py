"""Never claims made from `ltl` blocks and from formulas on the command line."""

from __future__ import annotations

from hsfpy import nodes as n
from hsfpy.diagnostics import Loc, PromelaError
from hsfpy.frontend import parse_claim_text
from hsfpy.ltl import LtlError, has_next, parse, to_never, translate
from hsfpy.ltl.simplify import simplify
from hsfpy.text import expr_text, var_text

CLAIM_FILE = "_spin_nvr.tmp"  # where SPIN keeps such claims; the name appears in tables and replays


def add_ltl_claims(model: n.Model) -> list[str]:
    """Adds a never claim for the negation of each `ltl` block. Returns the lines SPIN prints."""
    notes: list[str] = []
    line = 0  # SPIN counts the lines of this file from 0
    for block in model.ltls:
        formula = formula_text(block.formula)
        notes.append(f"ltl {block.name}: {formula}")
        text = never_claim(f"!({formula})", block.name, block.span.loc)
        claim = parse_claim_text(f'# {line} "{CLAIM_FILE}"\n{text}', CLAIM_FILE, model)
        claim.stutter_sensitive = is_stutter_sensitive(formula)
        line += text.count("\n")
    return notes


def is_stutter_sensitive(formula: str) -> bool:
    """Whether a formula may tell runs apart that differ only in how often a state is repeated: if
    there is an X in it that cannot be rewritten away."""
    return has_next(simplify(parse(formula)))


def never_claim(formula: str, name: str | None, loc: Loc | None = None) -> str:
    """The never claim that accepts what satisfies `formula`."""
    try:
        return to_never(translate(formula), name or "", formula)
    except LtlError as error:
        raise PromelaError(f"{error}", loc) from None


def formula_text(e: n.Expr) -> str:
    """A formula as SPIN prints it: operators with blanks, operands in parentheses."""
    match e:
        case n.Temporal(right=None):
            return f"{e.op} ({formula_text(e.left)})"
        case n.Temporal():
            assert e.right is not None
            return f"({formula_text(e.left)}) {e.op} ({formula_text(e.right)})"
        case n.Equiv():
            return f"({formula_text(e.left)}) <-> ({formula_text(e.right)})"
        case n.Unary(op="!"):
            return f"! ({formula_text(e.operand)})"
        case n.Binary(op="||" | "&&"):
            return f"({formula_text(e.left)}) {e.op} ({formula_text(e.right)})"
        case n.RemoteLabel():
            pid = f"[{expr_text(e.pid)}]" if e.pid is not None else ""
            return f"({e.proctype}{pid}@{e.label})"
        case n.RemoteVar():
            pid = f"[{expr_text(e.pid)}]" if e.pid is not None else ""
            return f"{e.proctype}{pid}:{var_text(e.var)}"
        case n.CExpr():
            return f"c_expr {{ {e.code} }}"
        case n.Binary():
            return f"({formula_text(e.left)}{e.op}{formula_text(e.right)})"
        case _:
            return expr_text(e)


def parse_invariant(text: str, model: n.Model) -> n.Expr:
    """A state expression given on the command line, resolved in the context of a model. It is read
    as the condition of a never claim, which sees what invariants may see, and is then dropped."""
    units, processes = len(model.units), len(model.processes)
    claim = parse_claim_text(f"never hsfpy_invariant {{\n({text})\n}}\n", "--invariant", model)
    del model.units[units:]
    del model.processes[processes:]
    stmt = claim.body.steps[0]
    if len(claim.body.steps) != 1 or not isinstance(stmt, n.ExprStmt):
        raise PromelaError("an invariant is one expression", stmt.span.loc)
    return stmt.expr


def check_formula(formula: str) -> None:
    """Raises LtlError if a formula is malformed."""
    parse(formula)
