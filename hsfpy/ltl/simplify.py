"""Rewriting of formulas in negation normal form to smaller equivalent ones.

A smaller formula means a smaller automaton, and rewriting is far cheaper than reducing states
afterwards. Three sources: laws of single operators (units, distribution, `X` outward), laws of
eventual and universal formulas (Etessami and Holzmann), and a syntactic test for implication
that is sound but not complete (Somenzi and Bloem).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import assert_never

from hsfpy.ltl.formula import (
    FALSE,
    TRUE,
    And,
    Constant,
    Formula,
    Next,
    Not,
    Or,
    Prop,
    Release,
    Until,
    conj,
    conjuncts,
    disj,
    eventually,
    neg,
    nnf,
    nxt,
    prop,
    props,
    release,
    until,
)
from hsfpy.ltl.guards import Guards


def simplify(formula: Formula) -> Formula:
    """Return an equivalent formula in negation normal form, rewritten as far as the laws go."""
    formula = nnf(formula)
    return Simplifier(Guards(props(formula))).simplify(formula)


class Simplifier:
    """The rewriting laws, with memory of what was already rewritten or compared."""

    def __init__(self, guards: Guards) -> None:
        self._guards = guards
        self._done: dict[Formula, Formula] = {}
        self._implied: dict[tuple[Formula, Formula], bool] = {}

    def simplify(self, formula: Formula) -> Formula:
        """Return the fixed point of the laws below `formula` (in negation normal form)."""
        found = self._done.get(formula)
        if found is None:
            # Each law makes the formula smaller or moves an operator one way, so this ends; until
            # then the formula stands for itself, should a law lead back to it.
            self._done[formula] = formula
            found = self._rewrite(formula)
            if found is not formula:
                found = self.simplify(found)
            self._done[formula] = self._done[found] = found
        return found

    def _rewrite(self, formula: Formula) -> Formula:
        if formula.boolean:
            return self._boolean(formula)
        match formula:
            case Constant() | Prop() | Not():
                return formula
            case Next(arg=arg):
                return self._next(self.simplify(arg))
            case Until(left=left, right=right):
                return self._until(self.simplify(left), self.simplify(right))
            case Release(left=left, right=right):
                # Every law of V is the mirror image of a law of U.
                return nnf(neg(self._until(self._dual(left), self._dual(right))))
            case And(args=args):
                return self._conj([self.simplify(arg) for arg in args])
            case Or(args=args):
                return nnf(neg(self._conj([self._dual(arg) for arg in args])))
            case _:
                assert_never(formula)

    def _dual(self, formula: Formula) -> Formula:
        return nnf(neg(self.simplify(formula)))

    # ------------------------------------------------------------ laws

    def _boolean(self, formula: Formula) -> Formula:
        """Return the formula as a sum of products where that is no longer than it was."""
        guard = self._guards.of_formula(formula)
        if self._guards.cube_count(guard) > formula.key[0]:
            return formula
        cubes = self._guards.cubes(guard)
        shorter = disj(*(conj(*(prop(text) if sign else neg(prop(text)) for text, sign in cube)) for cube in cubes))
        return shorter if shorter.key[0] < formula.key[0] else formula

    def _next(self, arg: Formula) -> Formula:
        if arg.eventual and arg.universal:
            return arg
        if isinstance(arg, And | Or):
            lasting, rest = _partition(arg.args, lambda part: part.eventual and part.universal)
            if lasting:
                return _same_kind(arg)(*lasting, nxt(_same_kind(arg)(*rest)))
        return nxt(arg)

    def _until(self, left: Formula, right: Formula) -> Formula:
        if right.eventual or self.implies(left, right):
            return right
        if left is not TRUE and self._valid(left, right):
            return eventually(right)
        if isinstance(right, Next) and (left is TRUE or isinstance(left, Next)):
            inner = TRUE if left is TRUE else left.arg if isinstance(left, Next) else left
            return nxt(until(inner, right.arg))
        split = self._split_until(left, right)
        if split is not None:
            return split
        if isinstance(right, Until):
            if left is TRUE or self.implies(right.left, left):
                return until(left, right.right)
            if self.implies(left, right.left):
                return right
        if isinstance(left, Until) and self.implies(left.left, right):
            return until(left.right, right)
        # Left matters only while right does not hold: parts of right may be taken as false in it.
        known = right.args if isinstance(right, Or) else (right,)
        narrowed = self._assume(left, [nnf(neg(part)) for part in known])
        if narrowed is not left:
            return until(narrowed, right)
        return until(left, right)

    def _split_until(self, left: Formula, right: Formula) -> Formula | None:
        """Return the formula with parts of `right` taken out of the until, if that is possible."""
        if isinstance(right, Or):
            outside, inside = _partition(right.args, lambda part: part.eventual)
            if outside:
                return disj(*outside, until(left, disj(*inside)))
            # <>([]a || b): each <>[]a is a component of its own in the automaton.
            lasting, inside = _partition(right.args, lambda part: part.universal)
            if left is TRUE and lasting:
                return disj(*map(eventually, lasting), eventually(disj(*inside)))
        if isinstance(right, And):
            outside, inside = _partition(right.args, lambda part: part.eventual and part.universal)
            return conj(*outside, until(left, conj(*inside))) if outside else None
        return None

    def _conj(self, args: Iterable[Formula]) -> Formula:
        parts = self._drop_implied(conjuncts(conj(*args)))
        if any(self._contradict(a, b) for i, a in enumerate(parts) for b in parts[i + 1 :]):
            return FALSE
        for i, part in enumerate(parts):
            # One after the other: two parts must not each be dropped on account of the other.
            parts[i] = self._assume(part, parts[:i] + parts[i + 1 :])
        return conj(*self._factor(conjuncts(conj(*parts))))

    def _drop_implied(self, parts: list[Formula]) -> list[Formula]:
        kept: list[Formula] = []
        for i, part in enumerate(parts):
            stronger = any(self.implies(other, part) for other in kept)
            if not stronger and not any(
                self.implies(other, part) and not self.implies(part, other) for other in parts[i + 1 :]
            ):
                kept.append(part)
        return kept

    def _factor(self, parts: list[Formula]) -> list[Formula]:
        """Return the conjuncts with operators that distribute over `&&` taken together."""
        booleans: list[Formula] = []
        nexts: list[Formula] = []
        untils: dict[Formula, list[Formula]] = {}
        releases: dict[Formula, list[Formula]] = {}
        lasting: list[Formula] = []
        rest: list[Formula] = []
        for part in parts:
            if part.boolean:
                booleans.append(part)
            elif isinstance(part, Next):
                nexts.append(part.arg)
            elif isinstance(part, Until) and part.left is not TRUE:
                untils.setdefault(part.right, []).append(part.left)
            elif isinstance(part, Until) and part.right.universal:
                lasting.append(part.right)  # <>[]a && <>[]b: both hold from some moment on
            elif isinstance(part, Release) and not (part.left is FALSE and part.right.eventual):
                releases.setdefault(part.left, []).append(part.right)
            else:
                rest.append(part)
        if booleans:
            rest.append(self._boolean(conj(*booleans)))
        if nexts:
            rest.append(nxt(conj(*nexts)))
        if lasting:
            rest.append(eventually(conj(*lasting)))
        rest += [until(conj(*lefts), right) for right, lefts in untils.items()]
        rest += [release(left, conj(*rights)) for left, rights in releases.items()]
        return rest

    def _assume(self, formula: Formula, facts: list[Formula]) -> Formula:
        """Return what is left of a formula's boolean skeleton where the facts hold now."""
        if any(self.implies(fact, formula) for fact in facts):
            return TRUE
        if any(self._contradict(fact, formula) for fact in facts):
            return FALSE
        if isinstance(formula, And | Or):
            return _same_kind(formula)(*(self._assume(part, facts) for part in formula.args))
        return formula

    # ------------------------------------------------------------ implication

    def _valid(self, left: Formula, right: Formula) -> bool:
        return self.implies(nnf(neg(left)), right)

    def _contradict(self, left: Formula, right: Formula) -> bool:
        return self.implies(left, nnf(neg(right))) or self.implies(right, nnf(neg(left)))

    def implies(self, strong: Formula, weak: Formula) -> bool:
        """Return whether `strong` is seen to imply `weak`; False may also mean "not seen"."""
        if strong is weak or weak is TRUE or strong is FALSE:
            return True
        if strong.boolean and weak.boolean:
            return self._guards.implies(self._guards.of_formula(strong), self._guards.of_formula(weak))
        pair = strong, weak
        found = self._implied.get(pair)
        if found is None:
            self._implied[pair] = False  # a proof must not rest on itself
            found = self._implied[pair] = self._by_strong(strong, weak) or self._by_weak(strong, weak)
        return found

    def _by_strong(self, strong: Formula, weak: Formula) -> bool:
        """Return whether taking `strong` apart shows the implication."""
        match strong:
            case Or(args=args):
                return all(self.implies(arg, weak) for arg in args)
            case And(args=args):
                return any(self.implies(arg, weak) for arg in args)
            case Next(arg=arg):
                if isinstance(weak, Next):
                    return self.implies(arg, weak.arg)
                return weak.eventual and self.implies(arg, weak)
            case Until(left=left, right=right):
                if not self.implies(right, weak):
                    return False
                return (
                    weak.eventual
                    or self.implies(left, weak)
                    or (isinstance(weak, Until) and self.implies(left, weak.left))
                )
            case Release(right=right):
                return self.implies(right, weak)
            case Constant() | Prop() | Not():
                return False
            case _:
                assert_never(strong)

    def _by_weak(self, strong: Formula, weak: Formula) -> bool:
        """Return whether taking `weak` apart shows the implication: `_by_strong` mirrored."""
        match weak:
            case And(args=args):
                return all(self.implies(strong, arg) for arg in args)
            case Or(args=args):
                return any(self.implies(strong, arg) for arg in args)
            case Next(arg=arg):
                return strong.universal and self.implies(strong, arg)
            case Release(left=left, right=right):
                if not self.implies(strong, right):
                    return False
                return (
                    strong.universal
                    or self.implies(strong, left)
                    or (isinstance(strong, Release) and self.implies(strong.left, left))
                )
            case Until(right=right):
                return self.implies(strong, right)
            case Constant() | Prop() | Not():
                return False
            case _:
                assert_never(weak)


def _partition(args: tuple[Formula, ...], test: Callable[[Formula], bool]) -> tuple[list[Formula], list[Formula]]:
    return [arg for arg in args if test(arg)], [arg for arg in args if not test(arg)]


def _same_kind(formula: And | Or) -> Callable[..., Formula]:
    return conj if isinstance(formula, And) else disj
