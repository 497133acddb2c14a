"""From a formula to a Büchi automaton, by way of a generalized one with marks on its edges.

A state is a set of formulas that must hold from now on (a configuration of the very weak
alternating automaton of Gastin and Oddoux, built directly). An edge costs a guard, makes
*promises* (an until that is put off promises its right side) and leads to the set that must hold
next. A run keeps its promises if, for each, it takes edges that do not make it infinitely often;
that gives one acceptance mark per right side. `degeneralize` then counts the marks round robin,
inside strongly connected components only, to get a single acceptance condition on states.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, assert_never

from hsfpy.ltl.formula import (
    FALSE,
    And,
    Constant,
    Formula,
    LtlTooLarge,
    Next,
    Not,
    Or,
    Prop,
    Release,
    Until,
    conjuncts,
    subformulas,
)
from hsfpy.ltl.graph import Arc, Graph, members
from hsfpy.ltl.guards import FALSE_GUARD, TRUE_GUARD, Guards

DENSE = 4  # duties []<>b in one state up to which every combination of them has its own move
MOVES = 4096  # moves of one state above which a translation is given up


class _Move(NamedTuple):
    """One way to meet a set of obligations now; sets are bit masks."""

    guard: int
    promises: int
    duties: int  # formulas that must hold next

    def covers(self, other: _Move) -> bool:
        """Return whether this move asks for no more than the other, guards apart."""
        return not (self.promises & ~other.promises or self.duties & ~other.duties)


class _Tableau:
    """The moves of each formula, and the numbering of formulas and promises as bits."""

    def __init__(self, guards: Guards, formula: Formula) -> None:
        self._guards = guards
        self._moves: dict[Formula, list[_Move]] = {}
        parts = subformulas(formula)
        self._duties: list[Formula] = [part for part in parts if not isinstance(part, And | Constant)]
        self._bit = {part: 1 << i for i, part in enumerate(self._duties)}
        self._inside = [self._right_sides(part) for part in self._duties]
        self._recurrent = sum(bit for part, bit in self._bit.items() if _recurrent_part(part) is not None)
        rights = dict.fromkeys(part.right for part in parts if isinstance(part, Until))
        self.promises = {right: 1 << i for i, right in enumerate(rights)}

    def duty_set(self, formula: Formula) -> int:
        """Return the formula's conjuncts as a set of duties."""
        return self._without_repetition(sum(self._bit[part] for part in conjuncts(formula)))

    def _without_repetition(self, duties: int) -> int:
        """Return the set without duties that are part of another: `a V b` has `b` in every move."""
        repeated = 0
        for number in members(duties):
            repeated |= self._inside[number]
        return duties & ~repeated

    def _right_sides(self, duty: Formula) -> int:
        inside = 0
        work = conjuncts(duty.right) if isinstance(duty, Release) else []
        while work:
            part = work.pop()
            inside |= self._bit[part]
            if isinstance(part, Release):
                work += conjuncts(part.right)
        return inside

    def successors(self, duties: int) -> list[_Move]:
        """Return the moves of a set of duties, none of which is needless beside another."""
        recurrent = duties & self._recurrent
        if recurrent.bit_count() <= DENSE:
            recurrent = 0
        moves = self._serve_one_of(recurrent)
        for number in members(duties & ~recurrent):
            moves = self._product(moves, self.moves(self._duties[number]))
        return self._disjoint(moves)

    def _serve_one_of(self, recurrent: int) -> list[_Move]:
        """Return moves that meet a set of duties `[]<>b`, each with at most one `b` now.

        The product of all their moves doubles with each; but as each `b` holds infinitely often,
        a run can take turns, which needs one move more with each.
        """
        wait = _Move(TRUE_GUARD, 0, recurrent)
        rights = []
        for number in members(recurrent):
            promised = _recurrent_part(self._duties[number])
            assert promised is not None, "only duties []<>b are served in turn"
            rights.append(promised)
            wait = wait._replace(promises=wait.promises | self.promises[promised])
        moves = [wait]
        for right in rights:
            after = wait._replace(promises=wait.promises & ~self.promises[right])
            moves += self._product(self.moves(right), [after])
        return moves

    def moves(self, formula: Formula) -> list[_Move]:
        """Return the moves that meet one formula (in negation normal form)."""
        found = self._moves.get(formula)
        if found is None:
            found = self._moves[formula] = self._expand(formula)
        return found

    def _expand(self, formula: Formula) -> list[_Move]:
        if formula.boolean:
            guard = self._guards.of_formula(formula)
            return [_Move(guard, 0, 0)] if guard != FALSE_GUARD else []
        match formula:
            case And(args=args):
                moves = [_Move(TRUE_GUARD, 0, 0)]
                for arg in args:
                    moves = self._product(moves, self.moves(arg))
                return moves
            case Or(args=args):
                return self._needed([move for arg in args for move in self.moves(arg)])
            case Next(arg=arg):
                return [_Move(TRUE_GUARD, 0, self.duty_set(arg))]
            case Until(left=left, right=right):
                wait = _Move(TRUE_GUARD, self.promises[right], self.duty_set(formula))
                return self._needed(self.moves(right) + self._product(self.moves(left), [wait]))
            case Release(left=left, right=right):
                stay = _Move(TRUE_GUARD, 0, self.duty_set(formula))
                return self._product(self.moves(right), self._needed(self.moves(left) + [stay]))
            case Constant() | Prop() | Not():
                raise AssertionError("boolean formulas were met above")
            case _:
                assert_never(formula)

    def _product(self, left: list[_Move], right: list[_Move]) -> list[_Move]:
        both = []
        for a in left:
            for b in right:
                guard = self._guards.conj(a.guard, b.guard)
                if guard != FALSE_GUARD:
                    duties = self._without_repetition(a.duties | b.duties)
                    both.append(_Move(guard, a.promises | b.promises, duties))
        return self._needed(both)

    def _needed(self, moves: list[_Move]) -> list[_Move]:
        """Return the moves without those that another one covers under every letter."""
        guard_of: dict[tuple[int, int], int] = {}
        for guard, promises, duties in moves:
            place = promises, duties
            guard_of[place] = self._guards.disj(guard_of.get(place, FALSE_GUARD), guard)
        merged = [_Move(guard, promises, duties) for (promises, duties), guard in guard_of.items()]
        if len(merged) > MOVES:
            raise LtlTooLarge
        return [move for move in merged if not self._needless(move, merged)]

    def _needless(self, move: _Move, moves: list[_Move]) -> bool:
        for other in moves:
            if other.promises & ~move.promises or other.duties & ~move.duties or other is move:
                continue
            if self._guards.implies(move.guard, other.guard):
                return True
        return False

    def _disjoint(self, moves: list[_Move]) -> list[_Move]:
        """Return the moves with each kept only for letters under which no other covers it."""
        rest = []
        for move in moves:
            guard = move.guard
            for other in moves:
                if other is not move and other.covers(move):
                    guard = self._guards.minus(guard, other.guard)
            if guard != FALSE_GUARD:
                rest.append(move._replace(guard=guard))
        return rest


def _recurrent_part(formula: Formula) -> Formula | None:
    """Return `b` for a formula `[]<>b`, else None."""
    match formula:
        case Release(left=Constant(value=False), right=Until(left=Constant(value=True), right=right)):
            return right
        case _:
            return None


def generalized(formula: Formula, guards: Guards, limit: int = 200_000) -> Graph:
    """Return the generalized Büchi automaton of a formula in negation normal form.

    `limit` is the number of arcs above which it is given up.
    """
    tableau = _Tableau(guards, formula)
    numbers: dict[int, int] = {}
    arcs: list[list[Arc]] = []
    every = (1 << len(tableau.promises)) - 1
    if formula is FALSE:
        return Graph(guards, 0, 0, [[]])
    pending = [tableau.duty_set(formula)]
    numbers[pending[0]] = 0
    for duties in pending:
        row = []
        for guard, promises, after in tableau.successors(duties):
            if after not in numbers:
                numbers[after] = len(numbers)
                pending.append(after)
            row.append(Arc(guard, every & ~promises, numbers[after]))
        arcs.append(row)
        limit -= len(row)
        if limit < 0:
            raise LtlTooLarge
    return Graph(guards, len(tableau.promises), 0, arcs)


def degeneralize(graph: Graph, order: Sequence[int], enter_accepting: bool = False) -> Graph:
    """Return a Büchi automaton with one mark, on all arcs of accepting states.

    `order` is the order in which marks are waited for; a state's level says how many of them
    have been seen since the last accepting state. Where a component is entered the level is free:
    one already in use for the state is taken, else the first or the accepting one.
    """
    component = graph.components()
    some, every = graph.inner_marks(component)
    top = len(order)
    numbers: dict[tuple[int, int], int] = {}
    entry: dict[int, int] = {}
    pending: list[tuple[int, int]] = []

    def number(state: int, level: int) -> int:
        place = state, level
        if place not in numbers:
            numbers[place] = len(numbers)
            pending.append(place)
            entry.setdefault(state, level)
        return numbers[place]

    def enter(state: int) -> int:
        home = component[state]
        if some.get(home, 0) != graph.all_marks or home not in some:
            return number(state, -1)  # no accepting run stays here
        if every[home] == graph.all_marks:
            return number(state, top)
        return number(state, entry.get(state, top if enter_accepting else 0))

    def advance(level: int, marks: int) -> int:
        level = 0 if level == top else level
        while level < top and marks >> order[level] & 1:
            level += 1
        return level

    initial = enter(graph.initial)
    arcs: list[list[Arc]] = []
    for state, level in pending:
        mark = int(level == top)
        row = []
        for guard, marks, target in graph.arcs[state]:
            inside = component[target] == component[state] and level >= 0
            goal = number(target, advance(level, marks)) if inside else enter(target)
            row.append(Arc(guard, mark, goal))
        arcs.append(row)
    return Graph(graph.guards, 1, initial, arcs)
