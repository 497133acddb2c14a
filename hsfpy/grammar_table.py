"""Makes promela_table.py, the parser's tables, out of promela.lark. Run by `make tables`.

lark reads the grammar and computes the LALR automaton, which takes longer than everything else in
a small run; so this is done once, when the grammar changes, and what is left is plain data.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any

from hsfpy.lalr import GRAMMAR, Rule, Tables, digest

TABLE = Path(__file__).with_name("promela_table.py")
_HEAD = '''"""The parser's tables. Made from promela.lark by `make tables`: do not edit."""
# ruff: noqa: E501
# fmt: off

'''
_WIDTH = 116


def make_tables(grammar: str) -> Tables:
    """The tables for a grammar in lark's notation."""
    from lark import Lark
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        def __init__(self, lexer_conf: object) -> None:
            pass

        def lex(self, *_: Any) -> Any:
            raise NotImplementedError

    parser = Lark(grammar, parser="lalr", lexer=NoLexer)
    table: Any = parser.parser.parser._parse_table  # lark shows it to nobody but its own serializer
    states = _in_order(table)
    rules = {rule: number for number, rule in enumerate(sorted(parser.rules, key=str))}
    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    for state in states:
        row = {
            symbol: states[target] if isinstance(target, int) else ~rules[target]
            for symbol, (_, target) in sorted(table.states[state].items())
        }
        actions.append({symbol: target for symbol, target in row.items() if symbol.isupper()})
        gotos.append({symbol: target for symbol, target in row.items() if not symbol.isupper()})
    return Tables([_rule(rule) for rule in rules], actions, gotos, states[table.end_states["start"]])


def _in_order(table: Any) -> dict[Any, int]:
    """Numbers for lark's states that depend on the grammar alone: breadth first from the start."""
    first = table.start_states["start"]
    numbers = {first: 0}
    waiting = [first]
    for state in waiting:
        for _, (_, target) in sorted(table.states[state].items(), key=lambda item: item[0]):
            if isinstance(target, int) and target not in numbers:
                numbers[target] = len(numbers)
                waiting.append(target)
    return numbers


def _rule(rule: Any) -> Rule:
    name = str(rule.origin.name)
    size = len(rule.expansion)
    children = _children(rule)
    if size == 0:
        raise ValueError(f"{name}: a rule may not be empty; make it optional where it is used")
    if rule.options.expand1 and not rule.alias:
        if children != (0,) or size != 1:
            raise ValueError(f"?{name}: only alternatives of one symbol may go without a name")
        return Rule(name, size, None, None)
    return Rule(name, size, children, None if name.startswith("_") else str(rule.alias or name))


def _children(rule: Any) -> tuple[int | tuple[int] | None, ...]:
    kept: list[int | tuple[int] | None] = []
    present = iter(enumerate(rule.expansion))
    absent = rule.options.empty_indices or [False] * len(rule.expansion)
    for is_absent in absent:
        if is_absent:
            kept.append(None)
            continue
        index, symbol = next(present)
        if symbol.is_term:
            if not symbol.filter_out:
                kept.append(index)
        else:
            kept.append((index,) if symbol.name.startswith("_") else index)
    return tuple(kept)


def table_text(grammar: str) -> str:
    """The text of promela_table.py. Symbols with the same target stand in one string."""
    tables = make_tables(grammar)
    parts = [_HEAD, f'DIGEST = "{digest(grammar)}"\nEND = {tables.end}\n\nRULES = [\n']
    parts += [f"    {_quoted(tuple(rule))},\n" for rule in tables.rules]
    parts.append("]\n")
    parts += _rows("ACTIONS", tables.actions) + _rows("GOTOS", tables.gotos)
    return "".join(parts)


def _rows(name: str, rows: list[dict[str, int]]) -> list[str]:
    distinct = list(dict.fromkeys(tuple(row.items()) for row in rows))
    positions = {row: str(position) for position, row in enumerate(distinct)}
    texts = [_quoted({" ".join(symbols): target for target, symbols in _by_target(row)}) for row in distinct]
    order = " ".join(positions[tuple(row.items())] for row in rows)
    lines = textwrap.wrap(order, _WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 4)
    joined = ",\n".join(f"    {text}" for text in texts)
    return [f"\n{name}_DISTINCT = [\n{joined},\n]\n", f'\n{name}_OF_STATE = """\n', "\n".join(lines), '\n"""\n']


def _by_target(row: tuple[tuple[str, int], ...]) -> list[tuple[int, list[str]]]:
    groups: dict[int, list[str]] = {}
    for symbol, target in row:
        groups.setdefault(target, []).append(symbol)
    return list(groups.items())


def _quoted(value: object) -> str:
    return repr(value).replace("'", '"')


def main() -> int:
    """Writes promela_table.py, or with --check tells whether it is up to date."""
    text = table_text(GRAMMAR.read_text(encoding="utf-8"))
    if "--check" in sys.argv[1:]:
        return 0 if TABLE.read_text(encoding="utf-8") == text else 1
    TABLE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
