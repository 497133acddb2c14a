"""What the lexer works with: tokens, inlines, and the names declared so far."""

from __future__ import annotations

import re
from dataclasses import field

from hsfpy.diagnostics import Loc
from hsfpy.preprocess import Source
from hsfpy.rawtokens import Raw, raw_tokens
from hsfpy.records import dataclass


class Token:
    """A token as the grammar sees it, with the place, scope and proctype it was read in."""

    __slots__ = (
        "type", "text", "value", "file", "line", "column", "real", "chain", "scope", "context",
        "inline_id", "raw", "frame", "before",
    )  # fmt: skip

    def __init__(self, type_: str, text: str, value: int, file: str, line: int) -> None:
        self.type = type_
        self.text = text
        self.value = value
        self.file = file
        self.line = line
        self.column = 0
        self.real = 0
        self.chain: tuple[Loc, ...] = ()
        self.scope = "_"
        self.context: str | None = None
        self.inline_id = 0
        self.raw: Raw | None = None
        self.frame: Frame | None = None
        self.before = 0  # line of the token before this one

    @property
    def loc(self) -> Loc:
        return Loc(self.file, self.line, self.column, self.chain, real=self.real)

    def __repr__(self) -> str:
        return f"{self.type}({self.text!r}, {self.line})"


@dataclass(slots=True)
class InlineDef:
    """An inline: its body as raw tokens from `{` to `}`."""

    name: str
    number: int  # SPIN counts inlines and embedded C together, from 1
    params: list[str]
    body: list[Raw]


@dataclass(slots=True)
class Names:
    """What the tokens read so far have declared; kept with the model to parse claims later."""

    typedefs: set[str] = field(default_factory=set)
    proctypes: set[str] = field(default_factory=set)
    inlines: dict[str, InlineDef] = field(default_factory=dict)
    mtypes: dict[str, list[str]] = field(default_factory=dict)
    mtype_values: dict[str, tuple[int, str]] = field(default_factory=dict)  # name -> value, subtype
    variables: set[str] = field(default_factory=set)
    scope_seq: list[int] = field(default_factory=lambda: [0] * 130)
    code_count: int = 0
    inline_count: int = 0
    claim_count: int = 0
    ltl_count: int = 0

    def declare_mtypes(self, subtype: str, names: list[str]) -> None:
        """SPIN numbers the names of one declaration backwards, behind those declared before."""
        listed = self.mtypes.setdefault(subtype, [])
        listed.extend(reversed(names))
        for position, name in enumerate(listed):
            self.mtype_values[name] = (position + 1, subtype)


@dataclass(slots=True)
class Frame:
    """A source of raw tokens: the file, the text of an inline, an argument, or rewritten text."""

    tokens: list[Raw]
    at: int = 0
    definition: InlineDef | None = None  # set when this is an inline
    actuals: dict[str, str] = field(default_factory=dict)
    fixed: tuple[str, int] | None = None  # tokens of arguments and rewritten text take the place of use
    chain: tuple[Loc, ...] = ()
    call: tuple[str, int] = ("", 0)  # where the lexer is again when the inline ends
    result: object = None  # what `x = inline()` assigns to; set by the parser


@dataclass(slots=True)
class Call:
    """An inline call being read: collects the text of its arguments."""

    definition: InlineDef
    name: Token
    depth: int
    opened: bool = False
    texts: list[str] = field(default_factory=lambda: [""])
    any: bool = False
    result: object = None


@dataclass(slots=True)
class Header:
    """The head of an inline definition being read."""

    keyword: Token
    depth: int
    name: str = ""
    params: list[Token] = field(default_factory=list)


def is_mtype_head(tokens: list[Token]) -> bool:
    types = " ".join(token.type for token in tokens)
    return re.fullmatch(r"TYPE( COLON( NAME( ASGN)?)?| ASGN)?( LBRACE( NAME| COMMA)*)?", types) is not None


def first_misfit(tokens: list[Raw]) -> Raw | None:
    """The first of the tokens after `select` that SPIN's rewriting of `(x : 1 .. 4)` does not take."""
    wanted = (r"\(", "[A-Za-z0-9]+", ":", "[0-9]+", r"\.\.", "[0-9]+", r"\)")
    for raw, want in zip(tokens, wanted, strict=False):
        if not re.fullmatch(want, raw.text) or (raw.newline and raw.text != "("):
            return raw
    return None if len(tokens) == len(wanted) else tokens[-1]


def text_tokens(text: str, place: Raw) -> list[Raw]:
    """Raw tokens of rewritten text; all stand where `place` does."""
    made = raw_tokens(Source(place.file, text))[:-1]
    for raw in made:
        raw.file, raw.line, raw.column, raw.real = place.file, place.line, place.column, place.real
        raw.included = place.included
        raw.written = place.text
        raw.newline = False
    return made


def count_of(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
