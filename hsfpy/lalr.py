"""The LALR parser: runs the tables made from promela.lark (see grammar_table.py)."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hsfpy.build_model import ModelBuilder
from hsfpy.lexer import TokenStream
from hsfpy.nodes import Node
from hsfpy.tokens import Token

if TYPE_CHECKING:
    from collections.abc import Callable

GRAMMAR = Path(__file__).with_name("promela.lark")
_END = "$END"

Children = tuple[int | tuple[int] | None, ...]


class Rule(NamedTuple):
    """A production: on reducing it, `size` values become one, a value of `origin`.

    `children` says which values are kept, in order: a number stands for that value, None for an
    optional part that is absent, and a number in a tuple for a list whose elements are kept. They
    are given to the method `action` of the builder. Without an action the list itself is the value;
    a rule without `children` passes its only value on."""

    origin: str
    size: int
    children: Children | None
    action: str | None


class Tables(NamedTuple):
    """An LALR automaton. In a state, `actions` maps terminals to n >= 0, shift and go to state n, or to
    ~n, reduce by rule n; `gotos` maps nonterminals to the state behind them."""

    rules: list[Rule]
    actions: list[dict[str, int]]
    gotos: list[dict[str, int]]
    end: int  # the state behind the whole text; the first state is number 0


class UnexpectedToken(Exception):
    """A token, or the end of the text (None), that cannot stand where it does, and what could."""

    def __init__(self, token: Token | None, expected: set[str]) -> None:
        super().__init__(token)
        self.token = token
        self.expected = expected


_tables: Tables | None = None


def run(stream: TokenStream, builder: ModelBuilder) -> list[Node]:
    """The units of a model; raises UnexpectedToken for a syntax error."""
    global _tables
    if _tables is None:
        _tables = _load()
    return _Parser(_tables, builder).parse(stream)


class _Parser:
    """A stack of states and the values between them."""

    def __init__(self, tables: Tables, builder: ModelBuilder) -> None:
        self.tables = tables
        self.states = [0]
        self.values: list[Any] = []
        self.rules = [
            (rule.origin, rule.size, _reduction(rule.children, getattr(builder, rule.action) if rule.action else None))
            for rule in tables.rules
        ]

    def parse(self, stream: TokenStream) -> list[Node]:
        states, values, actions = self.states, self.values, self.tables.actions
        for token in stream:
            type_ = token.type
            target = actions[states[-1]].get(type_)
            while target is not None and target < 0:
                self.reduce(~target)
                target = actions[states[-1]].get(type_)
            if target is None:
                raise UnexpectedToken(token, self.expected())
            states.append(target)
            values.append(token)
        return self.finish()

    def finish(self) -> list[Node]:
        while self.states[-1] != self.tables.end:
            target = self.tables.actions[self.states[-1]].get(_END)
            if target is None:
                raise UnexpectedToken(None, self.expected())
            self.reduce(~target)
        units: list[Node] = self.values[-1]
        return units

    def reduce(self, number: int) -> None:
        origin, size, reduction = self.rules[number]
        states, values = self.states, self.values
        reduced = values[-size:]
        del states[-size:]
        values[-size:] = [reduction(reduced)]
        states.append(self.tables.gotos[states[-1]][origin])

    def expected(self) -> set[str]:
        """The terminals that could stand here."""
        return {symbol for symbol in self.tables.actions[self.states[-1]] if self.would_accept(symbol)}

    def would_accept(self, symbol: str) -> bool:
        """Can this terminal be shifted? A row alone does not tell: LALR reduces too eagerly."""
        actions, gotos, rules, end = self.tables.actions, self.tables.gotos, self.tables.rules, self.tables.end
        states = list(self.states)
        while (target := actions[states[-1]].get(symbol)) is not None:
            if target >= 0:
                return True
            rule = rules[~target]
            del states[-rule.size :]
            states.append(gotos[states[-1]][rule.origin])
            if symbol == _END and states[-1] == end:
                return True
        return False


def _reduction(children: Children | None, action: Callable[[list[Any]], Any] | None) -> Callable[[list[Any]], Any]:
    """What becomes of the values of a rule when it is reduced (see grammar_table.Rule)."""
    if children is None:
        return lambda values: values[0]
    if children == tuple(range(len(children))):
        return action or (lambda values: values)

    def pick(values: list[Any]) -> list[Any]:
        picked: list[Any] = []
        for child in children:
            if isinstance(child, tuple):
                # A list that grows to the left is used up here, so it may as well go on growing.
                picked = picked + values[child[0]] if picked else values[child[0]]
            else:
                picked.append(None if child is None else values[child])
        return picked

    return pick if action is None else lambda values: action(pick(values))


def digest(grammar: str) -> str:
    """What distinguishes one grammar from another."""
    return hashlib.sha256(grammar.encode()).hexdigest()[:16]


def _load() -> Tables:
    from hsfpy import promela_table as made

    grammar = GRAMMAR.read_text(encoding="utf-8")
    if made.DIGEST != digest(grammar):  # only while someone works on the grammar
        from hsfpy.grammar_table import make_tables

        return make_tables(grammar)
    actions = _rows(made.ACTIONS_DISTINCT, made.ACTIONS_OF_STATE)
    gotos = _rows(made.GOTOS_DISTINCT, made.GOTOS_OF_STATE)
    return Tables([Rule(*rule) for rule in made.RULES], actions, gotos, made.END)


def _rows(distinct: list[dict[str, int]], of_state: str) -> list[dict[str, int]]:
    rows = [{symbol: target for symbols, target in row.items() for symbol in symbols.split()} for row in distinct]
    return [rows[int(number)] for number in of_state.split()]
