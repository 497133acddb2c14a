"""The parser's tables: made from the grammar as it is, and run as lark would run them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from lark import Lark
from lark.lexer import Lexer
from oracle import PROMELA

from hsfpy import lalr
from hsfpy.build_model import ModelBuilder, Session
from hsfpy.diagnostics import PromelaError, Report
from hsfpy.grammar_table import TABLE, table_text
from hsfpy.lexer import TokenStream
from hsfpy.preprocess import preprocess
from hsfpy.tokens import Names, Token


def test_tables_are_those_of_the_grammar() -> None:
    grammar = lalr.GRAMMAR.read_text(encoding="utf-8")
    assert TABLE.read_text(encoding="utf-8") == table_text(grammar), "promela.lark was changed: run `make tables`"


def test_a_changed_grammar_is_used_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    changed = lalr.GRAMMAR.read_text(encoding="utf-8").replace("BREAK     ", "BREAK BREAK")
    (tmp_path / "g.lark").write_text(changed, encoding="utf-8")
    before = lalr._load()
    monkeypatch.setattr(lalr, "GRAMMAR", tmp_path / "g.lark")
    after = lalr._load()
    assert [rule.size for rule in before.rules if rule.action == "break_statement"] == [1]
    assert [rule.size for rule in after.rules if rule.action == "break_statement"] == [2]


class Trees:
    """A builder that makes nested lists, names of rules first."""

    def __getattr__(self, rule: str) -> Callable[[list[Any]], list[Any]]:
        if rule.startswith("_"):
            raise AttributeError(rule)
        return lambda children: [rule, *(getattr(child, "type", child) for child in children)]


class Tokens(Lexer):
    """Hands lark a list of tokens in place of a text."""

    def __init__(self, lexer_conf: object) -> None:
        pass

    def lex(self, data: Any) -> Iterator[Token]:  # type: ignore[override]
        return iter(data)


@pytest.fixture(scope="module")
def lark() -> Lark:
    grammar = lalr.GRAMMAR.read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer=Tokens, transformer=Trees())


def tokens_of(path: Path) -> list[Token]:
    """The tokens of a model. What a name is depends on what was built before, so the model is built."""
    session = Session(Names(), Report())
    stream = TokenStream(preprocess(str(path)), session.names, session.report)
    tokens: list[Token] = []

    def record() -> Iterator[Token]:
        for token in stream:
            tokens.append(token)
            yield token

    lalr.run(cast(TokenStream, record()), ModelBuilder(stream, session))
    return tokens


class LarkToken(Token):
    """A token that lark can make its end token of."""

    __slots__ = ()
    start_pos = end_pos = end_line = end_column = None


@pytest.mark.parametrize("first", "abcdefghijklmnopqrstuvwxyz")
def test_trees_are_those_of_lark(lark: Lark, first: str) -> None:
    for path in sorted(PROMELA.glob(f"{first}*.pml")):
        try:
            tokens = tokens_of(path)
        except (PromelaError, lalr.UnexpectedToken):  # models that are wrong on purpose
            continue
        for token in tokens:
            token.__class__ = LarkToken
        ours = lalr.run(cast(TokenStream, tokens), cast(ModelBuilder, Trees()))
        assert ours == lark.parse(cast(str, tokens)), path.name
