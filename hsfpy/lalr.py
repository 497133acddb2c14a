"""The LALR parser made from promela.lark, its table cached between runs."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lark import Lark, logger
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer

from hsfpy.build_model import ModelBuilder
from hsfpy.lexer import TokenStream
from hsfpy.nodes import Node
from hsfpy.tokens import Token

_GRAMMAR = Path(__file__).with_name("promela.lark")


class Tokens(Lexer):
    """Hands lark the tokens of a TokenStream, which it is given in place of a text."""

    def __init__(self, lexer_conf: object) -> None:
        pass

    def lex(self, data: Any) -> Iterator[Token]:  # type: ignore[override]
        return iter(data)


class _Forward:
    """Given to lark as its transformer: passes every reduction on to the builder at work."""

    builder: ModelBuilder

    def __getattr__(self, rule: str) -> Any:
        if not hasattr(ModelBuilder, rule):
            raise AttributeError(rule)
        return lambda children: getattr(self.builder, rule)(children)


_forward = _Forward()
_parser: Lark | None = None


def run(stream: TokenStream, builder: ModelBuilder) -> list[Node]:
    """The units of a model; raises UnexpectedToken for a syntax error."""
    global _parser
    if _parser is None:
        _parser = _load()
    _forward.builder = builder
    units: list[Node] = _parser.parse(stream)  # type: ignore[assignment]
    return units


def _load() -> Lark:
    """The parser, from the cache of an earlier run where possible: making its table takes 0.3 s."""
    grammar = _GRAMMAR.read_text(encoding="utf-8")
    settings: dict[str, Any] = {"parser": "lalr", "lexer": Tokens, "transformer": _forward}
    logger.setLevel(logging.CRITICAL)  # a broken or unwritable cache is nobody's concern
    cache = _cache_file()
    if cache is not None:
        try:
            return Lark(grammar, cache=cache, **settings)
        except Exception:
            pass
    return Lark(grammar, **settings)


def _cache_file() -> str | None:
    """A file in the user's cache folder; lark checks that it belongs to this grammar."""
    root = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = Path(root) / "hsfpy"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    return str(folder / "promela.parser") if os.access(folder, os.W_OK) else None


__all__ = ["UnexpectedToken", "run"]
