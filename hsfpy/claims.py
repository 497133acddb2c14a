"""Never claims made from `ltl` blocks and from formulas on the command line."""

from __future__ import annotations

from collections.abc import Callable

from hsfpy import nodes as n
from hsfpy.diagnostics import Loc, PromelaError
from hsfpy.frontend import parse_claim_text
from hsfpy.ltl import (
    FALSE,
    TRUE,
    Formula,
    LtlError,
    always,
    conj,
    disj,
    equivalent,
    eventually,
    has_next,
    neg,
    nxt,
    parse,
    prop,
    release,
    to_never,
    translate,
    until,
)
from hsfpy.ltl.simplify import simplify
from hsfpy.records import dataclass
from hsfpy.text import expr_text, var_text
from hsfpy.walk import subexpressions

CLAIM_FILE = "_spin_nvr.tmp"  # where SPIN keeps such claims; the name appears in tables and replays


def add_ltl_claims(model: n.Model) -> list[str]:
    """Adds a never claim for the negation of each `ltl` block. Returns the lines SPIN prints."""
    notes: list[str] = []
    line = 0  # SPIN counts the lines of this file from 0
    for block in model.ltls:
        try:
            text = formula_text(block.formula)
            claim = violations_of(block.formula, block.name, text)
        except (LtlError, RecursionError) as error:
            message = error.message if isinstance(error, LtlError) else "the formula is nested too deeply"
            raise PromelaError(message, block.span.loc) from None
        notes.append(f"ltl {block.name}: {text}")
        try:
            process = parse_claim_text(f'# {line} "{CLAIM_FILE}"\n{claim.text}', CLAIM_FILE, model)
        except PromelaError as error:
            # What is wrong with the claim is wrong with the formula, which the user can see.
            raise PromelaError(error.message, _place(block, error.word), error.hint, word=error.word) from None
        process.stutter_sensitive = claim.stutter_sensitive
        line += claim.text.count("\n")
    return notes


def _place(block: n.Ltl, word: str) -> Loc:
    """Where a word of a remote reference stands in an `ltl` block."""
    for part in subexpressions(block.formula):
        if isinstance(part, n.RemoteLabel) and word in (part.label, part.proctype):
            return part.span.loc
        if isinstance(part, n.RemoteVar) and word in (part.var.name, part.proctype):
            return part.span.loc
    return block.span.loc


@dataclass(slots=True)
class FormulaClaim:
    """A never claim made from a formula."""

    text: str
    stutter_sensitive: bool


def violations_of(e: n.Expr, name: str, text: str) -> FormulaClaim:
    """The claim of an `ltl` block: it accepts what violates the formula."""
    formula = neg(formula_of(e))
    return FormulaClaim(to_never(translate(formula), name, f"!({text})"), is_stutter_sensitive(formula))


def formula_claim(text: str) -> FormulaClaim:
    """The claim of -f and -F: it accepts what satisfies the formula. Raises LtlError."""
    formula = parse(text)
    return FormulaClaim(to_never(translate(formula), "", text), is_stutter_sensitive(formula))


def is_stutter_sensitive(formula: Formula) -> bool:
    """Whether a formula may tell runs apart that differ only in how often a state is repeated: if
    there is an X in it that cannot be rewritten away."""
    return has_next(simplify(formula))


def formula_of(e: n.Expr) -> Formula:
    """The formula of an `ltl` block; state expressions become atoms named by their text."""
    match e:
        case n.Temporal(right=None):
            return _PREFIX[e.op](formula_of(e.left))
        case n.Temporal():
            assert e.right is not None
            return _INFIX[e.op](formula_of(e.left), formula_of(e.right))
        case n.Equiv():
            return equivalent(formula_of(e.left), formula_of(e.right))
        case n.Unary(op="!"):
            return neg(formula_of(e.operand))
        case n.Binary(op="&&"):
            return conj(formula_of(e.left), formula_of(e.right))
        case n.Binary(op="||"):
            return disj(formula_of(e.left), formula_of(e.right))
        case n.Const():
            return TRUE if e.value else FALSE
        case _:
            _refuse_temporal_parts(e)
            return state_atom(e)


def state_atom(e: n.Expr) -> Formula:
    """A state expression as an atom, named by a text that can be read again."""
    return prop(_without_parentheses(formula_text(e)))


_PREFIX: dict[str, Callable[[Formula], Formula]] = {"[]": always, "<>": eventually, "X": nxt}
_INFIX: dict[str, Callable[[Formula, Formula], Formula]] = {"U": until, "V": release}


def _refuse_temporal_parts(e: n.Expr) -> None:
    for part in subexpressions(e):
        if isinstance(part, n.Temporal | n.Equiv):
            raise PromelaError(
                "a temporal formula is not a value",
                part.span.loc,
                "temporal operators go outside of state expressions, as in [] (x == 1)",
                word=part.op if isinstance(part, n.Temporal) and part.right is None else "",
            )


def _without_parentheses(text: str) -> str:
    return text[1:-1] if text.startswith("(") else text


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
            return f"({_value_text(e.left)}{e.op}{_value_text(e.right)})"
        case _:
            return expr_text(e)


def _value_text(e: n.Expr) -> str:
    """An operand of an operator on values: SPIN sets no blank behind its !."""
    return f"!({formula_text(e.operand)})" if isinstance(e, n.Unary) and e.op == "!" else formula_text(e)


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
