"""Preprocessed text cut into raw tokens: words, numbers, strings, operators, embedded C, `ltl` blocks.

Nothing here depends on what the model declares. Line marks of the preprocessor are obeyed and
leave no token; comments are skipped. SPIN's line counting is kept: it does not see the newlines
inside an `ltl` block, so two counters run, SPIN's and the real one.
"""

from __future__ import annotations

import re
from dataclasses import field

from hsfpy.diagnostics import INCLUDE, Loc, PromelaError
from hsfpy.preprocess import Source
from hsfpy.records import dataclass

WORD = "word"
NUMBER = "number"
STRING = "string"
CHAR = "char"
OPERATOR = "operator"
CODE = "code"
LTL_BLOCK = "ltl block"
END = "end"

_OPERATORS = (
    r"::|\.\.|->|--|\+\+|<<|<=|>>|>=|==|!=|!!|\?\?|&&|\|\|"
    r"|[-+*/%&^|~<>=!?;:,.@(){}\[\]]"
)
_LTL_OPERATORS = r"<->|->|\[\]|<>|" + _OPERATORS

_PATTERN = r"""
    (?P<space>[ \t\f\r\v]+)
  | (?P<newline>\n)
  | (?P<comment>/\*|//)
  | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<number>[0-9]+)
  | (?P<string>"(?:[^"\\\n]|\\.)*"|\$(?:[^$\\\n]|\\.)*\$)
  | (?P<char>'(?:\\.|[^\\])')
  | (?P<operator>%s)
  | (?P<other>.)
"""
_NORMAL = re.compile(_PATTERN % _OPERATORS, re.VERBOSE | re.DOTALL)
_LTL = re.compile(_PATTERN % _LTL_OPERATORS, re.VERBOSE | re.DOTALL)
_MARK = re.compile(r'#(?:line)? *(\d+)(?: +"((?:[^"\\\n]|\\.)*)"([^\n]*))?[^\n]*')
_EMBEDDED = frozenset({"c_code", "c_decl", "c_expr"})


@dataclass(slots=True)
class Raw:
    """One raw token. `count` numbers the newlines before it, as needed for the text of inlines."""

    kind: str
    text: str
    file: str
    line: int
    column: int
    real: int
    count: int
    newline: bool  # a newline stands between the token before and this one
    included: tuple[Loc, ...] = ()
    value: int = 0  # of a character constant
    code: str = ""  # body of embedded C
    precondition: str | None = None
    mark: int = 0  # number of line marks before it
    written: str = ""  # the word in the source, when this token replaces it
    block: list[Raw] = field(default_factory=list)  # tokens of an `ltl` block after the keyword

    @property
    def loc(self) -> Loc:
        return Loc(self.file, self.line, self.column, self.included, real=self.real)


def raw_tokens(source: Source) -> list[Raw]:
    """All raw tokens of the source, ending in one of kind END."""
    return _Scanner(source).scan()


class _Scanner:
    def __init__(self, source: Source) -> None:
        self.text = source.text
        self.file = source.file
        self.pos = 0
        self.line_start = 0
        self.line = 1
        self.real = 1
        self.count = 0
        self.marks = 0
        self.newline = False
        self.included: tuple[Loc, ...] = ()

    def scan(self) -> list[Raw]:
        tokens: list[Raw] = []
        while True:
            token = self.next(_NORMAL)
            tokens.append(token)
            if token.kind == END:
                return tokens
            if token.kind == WORD:
                if token.text in _EMBEDDED:
                    self.embedded(token)
                elif token.text == "ltl":
                    self.ltl_block(token)

    def next(self, pattern: re.Pattern[str]) -> Raw:
        """The next raw token; skips white space, comments and line marks."""
        text = self.text
        match = pattern.match
        while found := match(text, self.pos):
            kind = found.lastgroup
            start = self.pos
            self.pos = found.end()
            if kind == "space":
                continue
            if kind == "newline":
                self.newline_seen(self.pos)
                continue
            if kind == "comment":
                self.comment(start)
                continue
            if kind == "other":
                if self.other(start):
                    continue
                kind = OPERATOR
            token = self.make(kind or OPERATOR, found.group(), start)
            if kind == CHAR:
                token.value = _char_value(token.text)
            return token
        return self.make(END, "", self.pos)

    def make(self, kind: str, text: str, start: int) -> Raw:
        token = Raw(
            kind,
            text,
            self.file,
            self.line,
            start - self.line_start + 1,
            self.real,
            self.count,
            self.newline,
            self.included,
            mark=self.marks,
        )
        self.newline = False
        return token

    def newline_seen(self, after: int) -> None:
        self.line += 1
        self.real += 1
        self.count += 1
        self.newline = True
        self.line_start = after

    def skip_to(self, end: int) -> None:
        """Moves to `end`, counting the newlines in between."""
        at = self.text.find("\n", self.pos, end)
        while at >= 0:
            self.newline_seen(at + 1)
            at = self.text.find("\n", at + 1, end)
        self.pos = end

    def fail(self, message: str, start: int, hint: str | None = None, word: str = "") -> PromelaError:
        loc = Loc(self.file, self.line, start - self.line_start + 1, self.included, real=self.real)
        return PromelaError(message, loc, hint, word=word)

    def comment(self, start: int) -> None:
        if self.text.startswith("//", start):
            end = self.text.find("\n", start)
            self.pos = end if end >= 0 else len(self.text)
            return
        end = self.text.find("*/", self.pos)
        if end < 0:
            raise self.fail("unterminated comment", start, "close the comment with */", "/*")
        self.skip_to(end + 2)

    def other(self, start: int) -> bool:
        """Handles a character that begins no token; true when it was a line mark."""
        char = self.text[start]
        if char == "#":
            self.line_mark(start)
            return True
        if char == '"':
            raise self.fail("string not terminated", start, "close the string on the same line")
        if char == "$":
            raise self.fail("ltl definition not terminated", start, "close it with $ on the same line")
        if char == "'":
            raise self.fail("character quote missing: '", start, "a character constant is written 'x'")
        return False

    def line_mark(self, start: int) -> None:
        found = _MARK.match(self.text, start)
        if not found and self.text.startswith(("#pragma", "#ident"), start):
            end = self.text.find("\n", start)
            self.pos = end if end >= 0 else len(self.text)
            return
        if not found:
            raise self.fail(
                "malformed preprocessor directive - # .",
                start,
                "a line that starts with # is for the preprocessor; is the name of the directive right?",
                "#",
            )
        number, name, flags = found.groups()
        if name is not None:
            name = re.sub(r"\\(.)", r"\1", name)
            self.follow_include(name, (flags or "").split())
            self.file = name
        end = found.end()
        if self.text.startswith("\n", end):
            end += 1  # the mark's own newline is not part of the text
        self.pos = self.line_start = end
        self.line = self.real = int(number)
        self.marks += 1
        self.newline = True

    def follow_include(self, name: str, flags: list[str]) -> None:
        if "1" in flags and name != self.file and not self.file.startswith("<"):
            point = Loc(self.file, self.line, kind=INCLUDE)
            self.included = (point, *self.included)
        elif "2" in flags and self.included and not name.startswith("<"):
            self.included = self.included[1:]

    def embedded(self, token: Raw) -> None:
        """Reads `[precondition] { C text }` after c_code, c_decl or c_expr."""
        precondition: str | None = None
        opening = self.next(_NORMAL)
        if opening.kind == OPERATOR and opening.text == "[" and token.text != "c_decl":
            precondition = self.balanced("[", "]", opening)
            opening = self.next(_NORMAL)
        if opening.kind != OPERATOR or opening.text != "{":
            raise PromelaError(
                f"bad inline: {token.text}",
                opening.loc,
                f"{token.text} is followed by {{ C text }}",
                word=opening.text,
            )
        token.kind = CODE
        token.code = self.balanced("{", "}", opening)
        token.precondition = precondition
        self.newline = False

    def balanced(self, opener: str, closer: str, opening: Raw) -> str:
        """Raw text up to the matching closer; strings and characters of C do not count."""
        text, start, depth = self.text, self.pos, 1
        stops = re.compile(rf"\{opener}|\{closer}|\"(?:[^\"\\]|\\.)*\"|'(?:\\.|[^\\'])'|^\#[^\n]*\n", re.S | re.M)
        parts: list[str] = []
        at = start
        while depth:
            found = stops.search(text, at)
            if not found:
                raise PromelaError(
                    f"bad inline: missing '{closer}'",
                    opening.loc,
                    f"close this {opener} with {closer}",
                    word=opener,
                )
            at = found.end()
            stop = found.group()
            if stop.startswith("#"):
                parts.append(text[start : found.start()])
                self.skip_to(found.start())
                self.line_mark(found.start())
                start = at = self.pos
            elif stop == opener:
                depth += 1
            elif stop == closer:
                depth -= 1
        parts.append(text[start : at - 1])
        self.skip_to(at)
        return "".join(parts)

    def ltl_block(self, token: Raw) -> None:
        """Reads the rest of an `ltl` block; SPIN's line counter does not see its newlines."""
        line, count = self.line, self.count
        depth = 0
        while True:
            part = self.next(_LTL)
            if part.kind == WORD and part.text == "c_expr":
                self.embedded(part)
            token.block.append(part)
            if part.kind == END:
                break
            if part.kind == OPERATOR:
                depth += (part.text == "{") - (part.text == "}")
                if depth == 0 and part.text == "}":
                    break
        if part.kind == END:  # SPIN supplies the brace; there is nothing after it
            token.block.append(self.make(OPERATOR, "}", self.pos))
        token.kind = LTL_BLOCK
        self.line = self.line if part.kind == END else line
        self.count = count
        self.newline = False


def _char_value(text: str) -> int:
    """Value of a character constant; SPIN knows the escapes n, r, t and f."""
    inner = text[1:-1]
    if inner.startswith("\\"):
        return ord({"n": "\n", "r": "\r", "t": "\t", "f": "\f"}.get(inner[1], inner[1]))
    code = inner.encode("utf-8", errors="surrogateescape")[0]
    return code
