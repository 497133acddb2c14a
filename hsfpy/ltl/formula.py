"""Formulas of linear temporal logic: interned nodes, their constructors, negation normal form.

Equal formulas are the same object, so `is` compares them and a dictionary keyed by them is cheap.
Six operators are enough inside; `[] <> W -> <->` are built from them by the constructors below,
which are the only way to make a node. `key` orders formulas by their structure alone: sorting by
it, never by identity or hash, is what makes every translation byte-equal to the last one.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from typing import TypeAlias, assert_never

from hsfpy.diagnostics import LtlError
from hsfpy.records import dataclass


class LtlTooLarge(LtlError):
    """A formula whose automaton would be larger than any verifier could use."""

    def __init__(self, message: str = "the automaton of the formula is too large") -> None:
        super().__init__(message, 0)


Key: TypeAlias = tuple[int, str]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Node:
    key: Key  # (number of operators and atoms, fingerprint of the structure)
    boolean: bool  # no temporal operator inside
    eventual: bool  # true of w implies true of every u.w: equal to its own <>
    universal: bool  # true of w implies true of every suffix of w: equal to its own []

    def __str__(self) -> str:
        return to_text(self)

    def __repr__(self) -> str:
        return f"<{self}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Constant(_Node):
    value: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Prop(_Node):
    """A state expression of Promela, kept as its source text."""

    text: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Not(_Node):
    arg: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class And(_Node):
    args: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Or(_Node):
    args: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Next(_Node):
    arg: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Until(_Node):
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Release(_Node):
    left: Formula
    right: Formula


Formula: TypeAlias = Constant | Prop | Not | And | Or | Next | Until | Release

TRUE = Constant((1, "1"), True, True, True, True)
FALSE = Constant((1, "0"), True, True, True, False)


def _key(name: str, *args: Formula) -> Key:
    """Return the key of a node; a digest keeps it short where text would double at each `<->`."""
    size = 1 + sum(arg.key[0] for arg in args)
    digest = blake2b(digest_size=12)
    for part in (name, *(arg.key[1] for arg in args)):
        digest.update(part.encode() + b"\0")
    return size, f"{name} {digest.hexdigest()}"


# ---------------------------------------------------------------- constructors


@cache
def prop(text: str) -> Formula:
    """Return the atom for a state expression, given as its source text."""
    return Prop((1, f"prop {text}"), True, False, False, text)


@cache
def neg(arg: Formula) -> Formula:
    """Return `! arg`."""
    if isinstance(arg, Constant):
        return FALSE if arg.value else TRUE
    if isinstance(arg, Not):
        return arg.arg
    return Not(_key("not", arg), arg.boolean, arg.universal, arg.eventual, arg)


def conj(*args: Formula) -> Formula:
    """Return the conjunction of any number of formulas."""
    return _junction(And, args)


def disj(*args: Formula) -> Formula:
    """Return the disjunction of any number of formulas."""
    return _junction(Or, args)


def _junction(kind: type[And | Or], args: tuple[Formula, ...]) -> Formula:
    unit, zero = (TRUE, FALSE) if kind is And else (FALSE, TRUE)
    flat: dict[Formula, None] = {}
    for arg in args:
        for part in arg.args if isinstance(arg, kind) else (arg,):
            if part is not unit:
                flat[part] = None
    if zero in flat or any(isinstance(part, Not) and part.arg in flat for part in flat):
        return zero
    if len(flat) < 2:
        return next(iter(flat), unit)
    return _make_junction(kind is And, tuple(sorted(flat, key=lambda part: part.key)))


@cache
def _make_junction(is_and: bool, args: tuple[Formula, ...]) -> Formula:
    kind = And if is_and else Or
    return kind(
        _key(kind.__name__, *args),
        all(arg.boolean for arg in args),
        all(arg.eventual for arg in args),
        all(arg.universal for arg in args),
        args,
    )


@cache
def nxt(arg: Formula) -> Formula:
    """Return `X arg`."""
    if isinstance(arg, Constant):
        return arg
    return Next(_key("next", arg), False, arg.eventual, arg.universal, arg)


@cache
def until(left: Formula, right: Formula) -> Formula:
    """Return `left U right`."""
    if isinstance(right, Constant) or left is FALSE or left is right:
        return right
    eventual = left is TRUE or right.eventual
    return Until(_key("until", left, right), False, eventual, right.universal, left, right)


@cache
def release(left: Formula, right: Formula) -> Formula:
    """Return `left V right`: right holds up to and including the moment when left does."""
    if isinstance(right, Constant) or left is TRUE or left is right:
        return right
    universal = left is FALSE or right.universal
    return Release(_key("release", left, right), False, right.eventual, universal, left, right)


def eventually(arg: Formula) -> Formula:
    """Return `<> arg`."""
    return until(TRUE, arg)


def always(arg: Formula) -> Formula:
    """Return `[] arg`."""
    return release(FALSE, arg)


def weak_until(left: Formula, right: Formula) -> Formula:
    """Return `left W right`: left holds until right does, or for ever."""
    return release(right, disj(left, right))


def implies(left: Formula, right: Formula) -> Formula:
    """Return `left -> right`."""
    return disj(neg(left), right)


def equivalent(left: Formula, right: Formula) -> Formula:
    """Return `left <-> right`."""
    return disj(conj(left, right), conj(neg(left), neg(right)))


# ---------------------------------------------------------------- passes


@cache
def nnf(formula: Formula) -> Formula:
    """Return the negation normal form: `Not` stands before atoms only."""
    match formula:
        case Constant() | Prop():
            return formula
        case Not(arg=arg):
            return _negated(arg)
        case And(args=args):
            return conj(*map(nnf, args))
        case Or(args=args):
            return disj(*map(nnf, args))
        case Next(arg=arg):
            return nxt(nnf(arg))
        case Until(left=left, right=right):
            return until(nnf(left), nnf(right))
        case Release(left=left, right=right):
            return release(nnf(left), nnf(right))
        case _:
            assert_never(formula)


@cache
def _negated(formula: Formula) -> Formula:
    match formula:
        case Constant() | Prop():
            return neg(formula)
        case Not(arg=arg):
            return nnf(arg)
        case And(args=args):
            return disj(*map(_negated, args))
        case Or(args=args):
            return conj(*map(_negated, args))
        case Next(arg=arg):
            return nxt(_negated(arg))
        case Until(left=left, right=right):
            return release(_negated(left), _negated(right))
        case Release(left=left, right=right):
            return until(_negated(left), _negated(right))
        case _:
            assert_never(formula)


def operands(formula: Formula) -> tuple[Formula, ...]:
    """Return the direct subformulas."""
    match formula:
        case Constant() | Prop():
            return ()
        case Not(arg=arg) | Next(arg=arg):
            return (arg,)
        case And(args=args) | Or(args=args):
            return args
        case Until(left=left, right=right) | Release(left=left, right=right):
            return left, right
        case _:
            assert_never(formula)


def conjuncts(formula: Formula) -> list[Formula]:
    """Return the formulas whose conjunction this is; none for `true`."""
    if isinstance(formula, And):
        return list(formula.args)
    return [] if formula is TRUE else [formula]


def subformulas(formula: Formula) -> list[Formula]:
    """Return every subformula once, operands before the operators over them."""
    found: dict[Formula, None] = {}

    def visit(node: Formula) -> None:
        if node not in found:
            for operand in operands(node):
                visit(operand)
            found[node] = None

    visit(formula)
    return list(found)


def props(formula: Formula) -> list[str]:
    """Return the texts of the atoms; atoms under one operator come close together."""
    return [node.text for node in subformulas(formula) if isinstance(node, Prop)]


def has_next(formula: Formula) -> bool:
    """Return whether `X` occurs: such a claim may be unsound under partial order reduction."""
    return any(isinstance(node, Next) for node in subformulas(formula))


@cache
def to_text(formula: Formula) -> str:
    """Return the formula in SPIN's spelling, each operand in parentheses as SPIN echoes it."""
    match formula:
        case Constant(value=value):
            return "true" if value else "false"
        case Prop(text=text):
            return text
        case Not(arg=arg):
            return f"! ({to_text(arg)})"
        case And(args=args):
            return " && ".join(f"({to_text(arg)})" for arg in args)
        case Or(args=args):
            return " || ".join(f"({to_text(arg)})" for arg in args)
        case Next(arg=arg):
            return f"X ({to_text(arg)})"
        case Until(left=left, right=right):
            return f"<> ({to_text(right)})" if left is TRUE else f"({to_text(left)}) U ({to_text(right)})"
        case Release(left=left, right=right):
            return f"[] ({to_text(right)})" if left is FALSE else f"({to_text(left)}) V ({to_text(right)})"
        case _:
            assert_never(formula)
