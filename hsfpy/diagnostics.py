"""Places in a model, errors and warnings about it, and how they are shown.

The first line of every error has the form that scripts around SPIN look for,
`spin: FILE:LINE, Error: TEXT`; what follows it is meant for people.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from hsfpy.records import dataclass

INLINE = "inline"
INCLUDE = "include"


@dataclass(slots=True, frozen=True)
class Loc:
    """A place in a model.

    `line` is the number SPIN prints (it does not count the lines inside `ltl` blocks); `real` is the
    line in the file when that differs. `expansion` lists the calls of inlines and the include
    points that led here, innermost first; each of them has `kind` and, for inlines, `name`.
    """

    file: str
    line: int
    column: int = 0
    expansion: tuple[Loc, ...] = ()
    name: str = ""
    kind: str = ""
    real: int = 0

    @property
    def shown_line(self) -> int:
        return self.real or self.line

    def __str__(self) -> str:
        return f"{self.file}:{self.shown_line}"


class BuildError(Exception):
    """The verifier could not be compiled."""


class LtlError(Exception):
    """A formula that cannot be read: what was expected, the column (from 0) where, and a way out."""

    def __init__(self, message: str, column: int, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        self.hint = hint


class PromelaError(Exception):
    """What is wrong with a model: the place, SPIN's wording, and how to put it right.

    `saw` is SPIN's addition to its text (`<TAB>saw '...' near '...'`), `word` the text at fault
    (used to put the caret right where the preprocessor moved columns).
    """

    def __init__(
        self,
        message: str,
        loc: Loc | None = None,
        hint: str | None = None,
        *,
        saw: str = "",
        expected: str | None = None,
        word: str = "",
        notes: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.loc = loc
        self.hint = hint
        self.saw = saw
        self.expected = expected
        self.word = word
        self.notes = list(notes)

    @property
    def first_line(self) -> str:
        if self.loc is None:
            return f"spin: {self.message}"
        return f"spin: {self.loc}, Error: {self.message}{self.saw}"

    def __str__(self) -> str:
        return self.first_line

    def display(self, texts: Mapping[str, str] | None = None) -> str:
        """The whole message: SPIN's line, the source line with a caret, expectation, hint, chain."""
        lines = [self.first_line]
        if self.loc is not None:
            lines += _excerpt(self.loc, self.word, texts or {})
        if self.expected:
            lines.append(f"  expected: {self.expected}")
        lines += [f"  note: {note}" for note in self.notes]
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        if self.loc is not None:
            lines += [_chain_line(step) for step in self.loc.expansion]
        return "\n".join(lines)


class PromelaErrors(PromelaError):
    """Several errors reported together; behaves as the first of them."""

    def __init__(self, errors: Sequence[PromelaError]) -> None:
        first = errors[0]
        super().__init__(
            first.message,
            first.loc,
            first.hint,
            saw=first.saw,
            expected=first.expected,
            word=first.word,
            notes=first.notes,
        )
        self.errors = list(errors)

    def display(self, texts: Mapping[str, str] | None = None) -> str:
        return "\n".join(error.display(texts) for error in self.errors)


@dataclass(slots=True)
class Warning:
    """A remark that does not stop anything; `text` is the complete line SPIN would print."""

    text: str
    loc: Loc | None = None
    to_stderr: bool = False

    def __str__(self) -> str:
        return self.text


@dataclass(slots=True)
class Report:
    """Collects errors that need not stop the analysis at once, and warnings."""

    errors: list[PromelaError] = field(default_factory=list)
    warnings: list[Warning] = field(default_factory=list)

    def error(self, message: str, loc: Loc | None, hint: str | None = None, *, word: str = "") -> None:
        self.errors.append(PromelaError(message, loc, hint, word=word))

    def warn(self, text: str, loc: Loc | None = None, *, to_stderr: bool = False) -> None:
        self.warnings.append(Warning(text, loc, to_stderr))

    def raise_errors(self) -> None:
        if self.errors:
            raise PromelaErrors(self.errors)


def one_of(words: Iterable[str]) -> str:
    """The words as `a, b or c`."""
    listed = list(words)
    if len(listed) < 2:
        return "".join(listed)
    return ", ".join(listed[:-1]) + " or " + listed[-1]


def closest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate a person most likely meant by `word`, if one is near."""
    import difflib  # only needed for messages, so not paid for at start-up

    matches = difflib.get_close_matches(word, list(candidates), n=1, cutoff=0.7)
    return matches[0] if matches else None


def _chain_line(step: Loc) -> str:
    if step.kind == INCLUDE:
        return f"  included from {step}"
    return f"  in inline {step.name} called at {step}"


def _excerpt(loc: Loc, word: str, texts: Mapping[str, str]) -> list[str]:
    line = _source_line(loc, texts)
    if line is None or not line.strip():
        return []
    column = _caret_column(line, loc.column, word)
    if column is None:
        return ["  " + line, *([f"  note: '{word}' comes from a macro in this line"] if word else [])]
    lead = "".join("\t" if char == "\t" else " " for char in line[: column - 1])
    return ["  " + line, "  " + lead + "^" * max(1, len(word) if _at(line, column, word) else 1)]


def _source_line(loc: Loc, texts: Mapping[str, str]) -> str | None:
    text = texts.get(loc.file)
    if text is None:
        text = _read(loc.file)
    lines = text.split("\n") if text is not None else []
    number = loc.shown_line
    return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else None


def _read(file: str) -> str | None:
    try:
        return Path(file).read_text(encoding="utf-8", errors="surrogateescape")
    except (OSError, ValueError):
        return None


def _at(line: str, column: int, word: str) -> bool:
    return bool(word) and line.startswith(word, column - 1)


def _caret_column(line: str, column: int, word: str) -> int | None:
    """Where the caret goes: the preprocessor and macros move text, so look for the word nearby."""
    if not word:
        return column if 0 < column <= len(line) + 1 else None
    if column > 0 and _at(line, column, word):
        return column
    places = [at + 1 for at in _occurrences(line, word)]
    return min(places, key=lambda place: abs(place - column)) if places else None


def _occurrences(line: str, word: str) -> Iterable[int]:
    is_name = word[0].isalnum() or word[0] == "_"
    at = line.find(word)
    while at >= 0:
        before, after = line[at - 1 : at], line[at + len(word) : at + len(word) + 1]
        if not is_name or not (_name_char(before) or _name_char(after)):
            yield at
        at = line.find(word, at + 1)


def _name_char(char: str) -> bool:
    return char.isalnum() or char == "_"
