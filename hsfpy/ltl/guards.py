"""Conditions on edges as binary decision diagrams, where equal conditions are equal numbers.

A formula has few atoms (rarely more than ten) but a translation conjoins and compares its guards
many thousand times; small hash-consed diagrams answer both in about one dictionary lookup.
Guards are numbers of one `Guards` table: 0 is false, 1 is true, every other number a node
(atom, guard if the atom is false, guard if it is true). Atoms keep the order they are given in;
atoms that stand together in the formula should do so there, or diagrams can get large.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, assert_never

from hsfpy.ltl.formula import (
    And,
    Constant,
    Formula,
    Next,
    Not,
    Or,
    Prop,
    Release,
    Until,
)

Cube = tuple[tuple[str, bool], ...]  # literals: atom text and sign; the empty cube is true

FALSE_GUARD = 0
TRUE_GUARD = 1


class Guards:
    """The table of all guards over one sequence of atoms."""

    def __init__(self, atoms: Sequence[str]) -> None:
        self.atoms = tuple(atoms)
        self._level = {text: level for level, text in enumerate(self.atoms)}
        leaf = len(self.atoms)
        self._nodes: list[tuple[int, int, int]] = [(leaf, 0, 0), (leaf, 1, 1)]
        self._index: dict[tuple[int, int, int], int] = {}
        self._and: dict[tuple[int, int], int] = {}
        self._not: dict[int, int] = {0: 1, 1: 0}
        self._covers: dict[tuple[int, int], _Cover] = {}
        self._formulas: dict[Formula, int] = {}

    def _node(self, level: int, low: int, high: int) -> int:
        if low == high:
            return low
        node = (level, low, high)
        number = self._index.get(node)
        if number is None:
            number = self._index[node] = len(self._nodes)
            self._nodes.append(node)
        return number

    def atom(self, text: str) -> int:
        """Return the guard that tests one atom."""
        return self._node(self._level[text], FALSE_GUARD, TRUE_GUARD)

    def conj(self, left: int, right: int) -> int:
        """Return `left && right`."""
        if left > right:
            left, right = right, left
        if left == FALSE_GUARD or left == right:
            return left
        if left == TRUE_GUARD:
            return right
        found = self._and.get((left, right))
        if found is None:
            level, (low1, high1), (low2, high2) = self._split(left, right)
            found = self._node(level, self.conj(low1, low2), self.conj(high1, high2))
            self._and[left, right] = found
        return found

    def _split(self, left: int, right: int) -> tuple[int, tuple[int, int], tuple[int, int]]:
        """Return the first atom either guard tests, and both guards' cofactors by it."""
        level1, low1, high1 = self._nodes[left]
        level2, low2, high2 = self._nodes[right]
        level = min(level1, level2)
        return (
            level,
            (low1, high1) if level1 == level else (left, left),
            (low2, high2) if level2 == level else (right, right),
        )

    def neg(self, guard: int) -> int:
        """Return `! guard`."""
        found = self._not.get(guard)
        if found is None:
            level, low, high = self._nodes[guard]
            found = self._node(level, self.neg(low), self.neg(high))
            self._not[guard] = found
            self._not[found] = guard
        return found

    def disj(self, left: int, right: int) -> int:
        """Return `left || right`."""
        return self.neg(self.conj(self.neg(left), self.neg(right)))

    def minus(self, left: int, right: int) -> int:
        """Return `left && ! right`."""
        return self.conj(left, self.neg(right))

    def implies(self, left: int, right: int) -> bool:
        """Return whether every letter of `left` is one of `right`."""
        return self.conj(left, right) == left

    def of_formula(self, formula: Formula) -> int:
        """Return the guard of a formula without temporal operators."""
        found = self._formulas.get(formula)
        if found is None:
            found = self._formulas[formula] = self._convert(formula)
        return found

    def _convert(self, formula: Formula) -> int:
        match formula:
            case Constant(value=value):
                return TRUE_GUARD if value else FALSE_GUARD
            case Prop(text=text):
                return self.atom(text)
            case Not(arg=arg):
                return self.neg(self.of_formula(arg))
            case And(args=args):
                guard = TRUE_GUARD
                for arg in args:
                    guard = self.conj(guard, self.of_formula(arg))
                return guard
            case Or(args=args):
                guard = FALSE_GUARD
                for arg in args:
                    guard = self.disj(guard, self.of_formula(arg))
                return guard
            case Next() | Until() | Release():
                raise AssertionError("a guard looks at one state only")
            case _:
                assert_never(formula)

    def of_cubes(self, cubes: Sequence[Cube], negated: bool = False) -> int:
        """Return the guard of a sum of products, or of its negation."""
        guard = FALSE_GUARD
        for cube in cubes:
            product = TRUE_GUARD
            for text, sign in cube:
                atom = self.atom(text)
                product = self.conj(product, atom if sign else self.neg(atom))
            guard = self.disj(guard, product)
        return self.neg(guard) if negated else guard

    def cube_count(self, guard: int) -> int:
        """Return how many cubes `cubes` would give; there can be exponentially many."""
        return self._cover(guard, guard).size

    def cubes(self, guard: int) -> tuple[Cube, ...]:
        """Return an irredundant sum of products for the guard (Minato and Morreale's recursion)."""
        return self._expand(self._cover(guard, guard))

    def _cover(self, lower: int, upper: int) -> _Cover:
        """Return cubes whose sum lies between the bounds, as a shared tree that is small."""
        if lower == FALSE_GUARD:
            return _NOTHING
        if upper == TRUE_GUARD:
            return _EVERYTHING
        found = self._covers.get((lower, upper))
        if found is None:
            found = self._covers[lower, upper] = self._compute_cover(lower, upper)
        return found

    def _compute_cover(self, lower: int, upper: int) -> _Cover:
        level, (lower0, lower1), (upper0, upper1) = self._split(lower, upper)
        low = self._cover(self.minus(lower0, upper1), upper0)
        high = self._cover(self.minus(lower1, upper0), upper1)
        rest = self.disj(self.minus(lower0, low.guard), self.minus(lower1, high.guard))
        free = self._cover(rest, self.conj(upper0, upper1))
        guard = self.disj(self._node(level, low.guard, high.guard), free.guard)
        return _Cover(guard, low.size + high.size + free.size, level, (low, high, free))

    def _expand(self, cover: _Cover) -> tuple[Cube, ...]:
        if not cover.parts:
            return ((),) if cover.size else ()
        low, high, free = (self._expand(part) for part in cover.parts)
        text = self.atoms[cover.level]
        return (
            *(((text, False), *cube) for cube in low),
            *(((text, True), *cube) for cube in high),
            *free,
        )


class _Cover(NamedTuple):
    """A sum of `size` products: those with the atom of `level` false, with it true, and without it."""

    guard: int
    size: int
    level: int
    parts: tuple[_Cover, ...]


_NOTHING = _Cover(FALSE_GUARD, 0, -1, ())
_EVERYTHING = _Cover(TRUE_GUARD, 1, -1, ())
