"""Text of a temporal formula -> `Formula`, for `-f` and for inline `ltl` blocks.

The two spell operators alike here but group `&&`, `||` and `->` differently in SPIN, and so here:

    inline   ->, <->  loosest, then ||, then &&, then U W V R, then the unary operators;
    -f       -> <-> || && are one level, then U W V R, then the unary operators, except that
             parentheses without temporal operator, -> or <-> hold plain Promela.

All binary operators group to the left. A state expression is any Promela expression without side
effect; it need not stand in parentheses. One without boolean operator at its top becomes an atom.

What SPIN's -f takes and this does not: text in parentheses that is no expression, such as `(a b)`,
and anything behind a complete formula, such as the b of `a b`; SPIN passes the one on and drops the
other. What this takes and SPIN's -f does not: W R G F X, the words for them, `and or implies
equivalent release`, and state expressions without parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn

from hsfpy.diagnostics import LtlError
from hsfpy.ltl.formula import (
    FALSE,
    TRUE,
    Formula,
    always,
    conj,
    disj,
    equivalent,
    eventually,
    implies,
    neg,
    nxt,
    prop,
    release,
    until,
    weak_until,
)
from hsfpy.records import dataclass


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # "word", "number", "c_expr", "sign", "end"
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Term:
    """A part of the formula: its meaning, and the tokens it was read from."""

    formula: Formula
    first: int
    last: int  # exclusive
    temporal: bool = False  # written with a temporal operator; `<> false` is, though it means false


_TOKEN = re.compile(
    r"\s*(?:(?P<word>[A-Za-z_]\w*)|(?P<number>\d+|'(?:\\.|[^'\\])')"
    r"|(?P<sign><->|->|<>|\[\]|&&|\|\||/\\|\\/|<=|>=|==|!=|<<|>>|\?\?|[-()\[\]{}!<>+*/%&|^~?@:.,;]))"
)
_C_PART = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[{}()]')  # strings hide their braces
_C_EXPR = re.compile(r"c_expr\s*(\[[^]]*\]\s*)?(?:[{(]|(?P<name>[a-z]\w*))")  # SPIN takes all three

_PREFIX: dict[str, Callable[[Formula], Formula]] = {
    **dict.fromkeys(("[]", "always", "G"), always),
    **dict.fromkeys(("<>", "eventually", "F"), eventually),
    **dict.fromkeys(("X", "next"), nxt),
}
_NEGATION = ("!", "not")
_INFIX: dict[str, tuple[str, Callable[[Formula, Formula], Formula]]] = {
    **dict.fromkeys(("U", "until", "stronguntil"), ("temporal", until)),
    **dict.fromkeys(("W", "weakuntil"), ("temporal", weak_until)),
    **dict.fromkeys(("V", "R", "release"), ("temporal", release)),
    **dict.fromkeys(("&&", "/\\", "and"), ("and", conj)),
    **dict.fromkeys(("||", "\\/", "or"), ("or", disj)),
    **dict.fromkeys(("->", "implies"), ("implies", implies)),
    **dict.fromkeys(("<->", "equivalent"), ("implies", equivalent)),
}
_NOT_PREDICATE = {
    *_PREFIX,
    *(op for op, (level, _) in _INFIX.items() if level in ("temporal", "implies")),
}
_LEVELS = {"implies": 1, "or": 2, "and": 3, "temporal": 4}
_FLAT_LEVELS = {"implies": 1, "or": 1, "and": 1, "temporal": 4}
_STATE_LEVEL = 5  # the loosest operator inside state expressions
_STATE_OPERATORS = {
    op: _STATE_LEVEL + i
    for i, ops in enumerate(["|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"])
    for op in ops.split()
}
# Names a model may well use for variables: they are operators only where an operator can stand.
_SOFT_PREFIX = ("G", "F")
_RESERVED = {*_PREFIX, *_INFIX, *_NEGATION} - {"G", "F", "R"}
_CLOSING = {"(": ")", "{": "}"}
_VALUES = "temporal operators go outside, as in [] (x == 1)"


def parse(text: str, inline: bool = False) -> Formula:
    """Return the formula; `inline` chooses the grouping of `ltl` blocks instead of that of -f."""
    try:
        return _Parser(text, inline).formula()
    except RecursionError:
        raise LtlError("the formula is nested too deeply", 0) from None


class _Parser:
    def __init__(self, text: str, inline: bool) -> None:
        self._text = text
        self._tokens = _tokenize(text)
        self._at = 0
        self._levels = _LEVELS if inline else _FLAT_LEVELS
        self._atoms: dict[tuple[str, ...], Formula] = {}

    # ------------------------------------------------------------ tokens

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _peek(self) -> _Token:
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)]

    def _take(self, text: str) -> bool:
        """Return whether the next token is this sign, and step over it."""
        found = self._now.kind == "sign" and self._now.text == text
        self._at += found
        return found

    def _expect(self, text: str) -> None:
        if not self._take(text):
            self._fail(f"'{text}'")

    def _fail(self, wanted: str, hint: str = "") -> NoReturn:
        saw = "the end of the formula" if self._now.kind == "end" else f"'{self._now.text}'"
        raise LtlError(f"expected {wanted}, saw {saw}", self._now.start, hint)

    # ------------------------------------------------------------ temporal and boolean operators

    def formula(self) -> Formula:
        term = self._binary(1)
        if self._now.text == ";" and self._peek().kind == "end":
            return term.formula  # SPIN's sign for the end
        if self._now.kind != "end":
            self._fail("an operator or the end of the formula", self._operator_hint())
        return term.formula

    def _operator_hint(self) -> str:
        if self._now.text in (")", "}", "]"):
            return "nothing was opened that it could close"
        return "two formulas are joined by one of && || -> <-> U W V"

    def _binary(self, level: int) -> _Term:
        """Return what operators of at least this level hold together, grouped to the left."""
        term = self._unary()
        while True:
            self._split_operator()
            op = self._now
            if op.text in _INFIX:
                kind, build = _INFIX[op.text]
                if self._levels[kind] < level:
                    return term
                self._at += 1
                right = self._binary(self._levels[kind] + 1)
                temporal = kind == "temporal" or term.temporal or right.temporal
                term = _Term(build(term.formula, right.formula), term.first, right.last, temporal)
            elif op.kind == "sign" and _STATE_OPERATORS.get(op.text, 0) >= level:
                self._at += 1
                right = self._binary(_STATE_OPERATORS[op.text] + 1)
                term = self._state_expression(op, term.first, term, right)
            else:
                return term

    def _split_operator(self) -> None:
        """Take `Ub` for `U b` where an operator must stand, as SPIN does."""
        token = self._now
        if token.kind == "word" and token.text[0] in "UV" and token.text[1:].isidentifier():
            middle = token.start + 1
            self._tokens[self._at : self._at + 1] = [
                _Token("word", token.text[0], token.start, middle),
                _Token("word", token.text[1:], middle, token.end),
            ]

    def _state_expression(self, op: _Token, first: int, *operands: _Term) -> _Term:
        if op.text == "<" and self._text[op.start : op.end + 1] == "<-":
            raise LtlError("expected '<->', saw '<-'", op.start, "for 'less than minus', put a blank between the two")
        if any(operand.temporal for operand in operands):
            hint = {"&": "'and' is written &&", "|": "'or' is written ||"}.get(op.text, _VALUES)
            raise LtlError(f"'{op.text}' works on values, not on temporal formulas", op.start, hint)
        return self._atom(first, operands[-1].last)

    def _unary(self) -> _Term:
        op, first = self._now, self._at
        if op.text in _NEGATION:
            self._at += 1
            term = self._unary()
            return _Term(neg(term.formula), first, term.last, term.temporal)
        if self._is_prefix(op):
            self._at += 1
            term = self._binary(_STATE_LEVEL)
            return _Term(_PREFIX[op.text](term.formula), first, term.last, temporal=True)
        if op.kind == "sign" and op.text in "-~":
            self._at += 1
            return self._state_expression(op, first, self._unary())
        return self._primary()

    def _is_prefix(self, op: _Token) -> bool:
        if op.text not in _SOFT_PREFIX:
            return op.text in _PREFIX
        after = self._peek()
        if after.kind == "word":
            return after.text not in _INFIX
        return after.kind in ("number", "c_expr") or after.text in ("(", "{", "!", "[]", "<>")

    # ------------------------------------------------------------ state expressions

    def _primary(self) -> _Term:
        token, first = self._now, self._at
        if token.kind == "sign" and token.text in _CLOSING:
            return self._parenthesized()
        if token.kind in ("number", "c_expr"):
            self._at += 1
            if token.kind == "number" and token.text.isdigit():
                return _Term(FALSE if int(token.text) == 0 else TRUE, first, self._at)
            return self._atom(first, self._at)
        if token.kind != "word" or token.text in _RESERVED:
            hint = f"'{token.text}' stands between two formulas" if token.text in _INFIX else ""
            self._fail("a state expression or a unary operator", hint)
        self._at += 1
        if token.text in ("true", "skip"):
            return _Term(TRUE, first, self._at)
        if token.text == "false":
            return _Term(FALSE, first, self._at)
        if self._now.start == token.end and self._take("("):  # a function, or a macro with arguments
            self._arguments(")")
        else:
            self._reference()
        return self._atom(first, self._at)

    def _parenthesized(self) -> _Term:
        first, levels = self._at, self._levels
        closing = _CLOSING[self._now.text]
        if self._is_predicate(first):
            self._levels = _LEVELS
        opening = self._now
        self._at += 1
        term = self._binary(1)
        if not self._take(closing):
            inside = self._now.kind != "end"
            hint = f"it would close the '{opening.text}' in column {opening.start + 1}"
            self._fail(f"'{closing}'", self._operator_hint() if inside else hint)
        self._levels = levels
        return _Term(term.formula, first, self._at, term.temporal)

    def _is_predicate(self, first: int) -> bool:
        """Return whether nothing up to the matching parenthesis belongs to temporal logic."""
        depth = 0
        for token in self._tokens[first:]:
            if token.text in _NOT_PREDICATE:
                return False
            depth += (token.text in _CLOSING) - (token.text in _CLOSING.values())
            if depth == 0:
                return True
        return True

    def _reference(self) -> None:
        """Step over what may follow a name: `[i]`, `.field`, `@label`, `:variable`, `?[msg]`."""
        while True:
            if self._take("["):
                self._arguments("]")
            elif self._take(".") or self._take("@") or self._take(":"):
                if self._now.kind != "word":
                    self._fail("a name")
                self._at += 1
            elif self._take("?") or self._take("??"):
                self._expect("[")
                self._arguments("]")
                return
            else:
                return

    def _arguments(self, closing: str) -> None:
        while True:
            column = self._now.start
            if self._binary(1).temporal:
                raise LtlError("expected a state expression, saw a temporal formula", column)
            if not self._take(","):
                return self._expect(closing)

    def _atom(self, first: int, last: int) -> _Term:
        """Return the tokens as one atom; spaces alone do not make two expressions different."""
        tokens = self._tokens[first:last]
        spelling = tuple(token.text for token in tokens)
        if spelling not in self._atoms:
            source = " ".join(self._text[tokens[0].start : tokens[-1].end].split())
            has_c = any(token.kind == "c_expr" for token in tokens)  # where blanks may matter
            self._atoms[spelling] = prop(" ".join(spelling) if has_c else source)
        return _Term(self._atoms[spelling], first, last)


def _tokenize(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            column = len(text) - len(text[at:].lstrip())
            raise LtlError(f"expected a formula, saw '{text[column]}'", column, _stray_hint(text, column))
        kind = match.lastgroup
        start, end = match.span(kind)
        shown = text[start:end]
        if kind == "word" and shown == "c_expr":
            kind = "c_expr"
            shown, end = _c_expr(text, start)
        tokens.append(_Token(kind, shown, start, end))
        at = end
    return [*tokens, _Token("end", "", len(text), len(text))]


def _stray_hint(text: str, column: int) -> str:
    if text[column] == "=":
        return "'implies' is written ->" if text[column : column + 2] == "=>" else "'is equal to' is written =="
    return ""


def _c_expr(text: str, start: int) -> tuple[str, int]:
    """Return the embedded C that begins here, with braces, and the column after it."""
    opening = _C_EXPR.match(text, start)
    if opening is None:
        raise LtlError("expected '{' after c_expr", start + len("c_expr"), "the expression of C stands in braces")
    if opening["name"]:
        return f"c_expr {{ {opening['name']} }}", opening.end()
    brace = opening[0][-1]
    end = _end_of_c_expr(text, opening.end(), brace)
    if brace == "(":
        return f"c_expr {{ {text[opening.end() : end - 1].strip()} }}", end
    return text[start:end], end


def _end_of_c_expr(text: str, at: int, opening: str) -> int:
    """Return the column after the brace that closes the one before `at`."""
    closing = _CLOSING[opening]
    depth = 1
    for part in _C_PART.finditer(text, at):
        depth += (part[0] == opening) - (part[0] == closing)
        if depth == 0:
            return part.end()
    raise LtlError(f"expected '{closing}' at the end of c_expr, saw the end of the formula", len(text))
