"""Turns the parser's complaint into a sentence."""

from __future__ import annotations

from hsfpy.diagnostics import Loc, PromelaError, closest, one_of
from hsfpy.lalr import UnexpectedToken
from hsfpy.lexer import TokenStream
from hsfpy.tokens import Token
from hsfpy.words import KEYWORDS, spin_name, text_of

_EXPRESSION_START = frozenset({"CONST", "LPAR", "MINUS", "TILDE", "SND", "LEN", "ENABLED", "TIMEOUT"})
_OPERATOR = frozenset({"PLUS", "MINUS", "STAR", "EQ", "NE", "AND", "OR", "LT", "GT", "LSHIFT"})
_STATEMENT_START = frozenset({"IF", "DO", "GOTO", "BREAK", "ATOMIC", "PRINT", "ASSERT"})
_UNIT_START = frozenset({"PROCTYPE", "INIT", "CLAIM", "TYPEDEF", "INLINE"})
_GROUPS = (
    (_UNIT_START, "a declaration, a proctype, init, a claim, an inline, a typedef"),
    (_STATEMENT_START, "a statement"),
    (_EXPRESSION_START, "an expression"),
    (_OPERATOR, "an operator"),
)
_GROUP_MEMBERS = {
    "a statement": frozenset(
        "IF DO FOR SELECT GOTO BREAK ATOMIC D_STEP PRINT PRINTM ASSERT SET_P C_CODE C_DECL ELSE RETURN "
        "INAME XU TYPE UNAME HIDDEN SHOW ISLOCAL LBRACE NAME".split()
    ),
    "an expression": frozenset(
        "CONST LPAR MINUS TILDE SND LEN ENABLED GET_P PC_VAL FULL EMPTY NFULL NEMPTY C_EXPR TIMEOUT "
        "NONPROGRESS PNAME RUN NAME ALWAYS EVENTUALLY NEXT".split()
    ),
    "an operator": frozenset(
        "PLUS MINUS STAR SLASH PERCENT AMP CARET PIPE GT LT GE LE EQ NE AND OR LSHIFT RSHIFT UNTIL RELEASE "
        "WEAK_UNTIL IMPLIES EQUIV".split()
    ),
    "a declaration, a proctype, init, a claim, an inline, a typedef": frozenset(
        "PROCTYPE D_PROCTYPE ACTIVE INIT CLAIM TRACE LTL TYPEDEF INLINE TYPE UNAME HIDDEN SHOW ISLOCAL "
        "C_CODE C_DECL C_STATE C_TRACK SEMI ARROW".split()
    ),
}
_ORDER = ("RBRACE", "SEMI", "RPAR", "RBRACK", "FI", "OD", "SEP")


def explain(error: UnexpectedToken, stream: TokenStream) -> PromelaError:
    """SPIN's `syntax error` line, and what would have been right."""
    token = stream.current
    expected = error.expected
    if token is None or error.token is None:
        return _at_end(stream, expected)
    return PromelaError(
        "syntax error",
        token.loc,
        _hint(token, expected, stream),
        saw=_saw(token, stream),
        expected=expectation(expected),
        word=_written(token),
    )


def _written(token: Token) -> str:
    """The word in the source, where the lexer rewrote it."""
    return (token.raw.written if token.raw is not None else "") or token.text


def _saw(token: Token, stream: TokenStream) -> str:
    near = f" near '{stream.last_text}'" if len(stream.last_text) > 1 else ""
    if token.type == "SEMI":
        return " statement separator" + near
    return f"\tsaw '{spin_name(token.type, token.text)}'{near}"


def _at_end(stream: TokenStream, expected: set[str]) -> PromelaError:
    token = stream.current
    loc = token.loc if token else Loc(stream.file, stream.line)
    if stream.previous is None:
        hint = "the model is empty; it needs at least one declaration"
    else:
        hint = "the text ends in the middle of something; is a closing brace, 'od' or 'fi' missing?"
    return PromelaError("syntax error", loc, hint, expected=expectation(expected))


def expectation(expected: set[str]) -> str:
    """The expected terminals in words, with expressions, operators and statements as groups."""
    left = {name for name in expected if not name.startswith("_")}
    words: list[str] = []
    for mark, group in _GROUPS:
        if mark <= left:
            words.append(group)
            left -= _GROUP_MEMBERS[group]
    ordered = [name for name in _ORDER if name in left] + sorted(left - set(_ORDER) - {"ARROW", "UNLESS"})
    texts = list(dict.fromkeys(text_of(name) for name in ordered))
    if not texts and not words:
        texts = [text_of(name) for name in sorted(left)]
    return one_of(_short(words + texts))


def _short(words: list[str]) -> list[str]:
    return words if len(words) <= 8 else [*words[:7], "something else"]


def _hint(token: Token, expected: set[str], stream: TokenStream) -> str | None:
    """A guess at what was meant; the first rule that applies."""
    return (
        _closing_hint(token, expected, stream)
        or _call_hint(token, stream)
        or _name_hint(token, expected)
        or _misspelt(token, stream)
        or _missing_hint(token, expected)
    )


def _closing_hint(token: Token, expected: set[str], stream: TokenStream) -> str | None:
    type_ = token.type
    if stream.previous is not None and stream.previous.type == "SEP" and type_ in ("OD", "FI", "SEP", "RBRACE"):
        return "an option needs at least one statement; to do nothing, write 'skip'"
    if type_ in ("OD", "FI"):
        if type_ == "OD" and "FI" in expected:
            return "an 'if' was opened last, so 'fi' must close it"
        if type_ == "FI" and "OD" in expected:
            return "a 'do' was opened last, so 'od' must close it"
        opening = "do" if type_ == "OD" else "if"
        if "SEP" in expected and not expected & _STATEMENT_START:
            return f"'{opening}' needs at least one option, written ':: statement'"
        return f"there is no '{opening}' that this '{token.text}' could close, or a '}}' is missing before it"
    if type_ == "RBRACE" and ("OD" in expected or "FI" in expected):
        closer = one_of(f"'{text}'" for text in ("od", "fi") if text.upper() in expected)
        return f"{closer} is missing before this brace"
    return None


def _call_hint(token: Token, stream: TokenStream) -> str | None:
    """For an opening parenthesis: people write calls and conditions as in C."""
    previous = stream.previous
    if token.type != "LPAR" or previous is None:
        return None
    if previous.type in ("IF", "DO"):
        closer = "fi" if previous.type == "IF" else "od"
        return f"options start with '::', as in '{previous.text} :: condition -> statement :: else {closer}'"
    if previous.type == "PNAME":
        return f"'{previous.text}' is a proctype; to start it, write 'run {previous.text}(...)'"
    if previous.text in ("while", "switch"):
        return f"there is no '{previous.text}'; write 'do :: condition -> statement :: else -> break od'"
    if previous.type == "NAME":
        return f"'{previous.text}' is no inline that can be called; an inline must be defined before it is used"
    return None


def _name_hint(token: Token, expected: set[str]) -> str | None:
    type_, text = token.type, _written(token)
    if type_ == "ASGN" and expected >= _OPERATOR:
        return "'=' assigns; to compare, write '=='"
    if type_ == "PNAME":
        return f"'{text}' is the name of a proctype; to start it, write 'run {text}(...)'"
    if type_ == "INAME":
        return f"'{text}' is an inline: call it as a statement, or as 'variable = {text}(...)'"
    if "NAME" not in expected or "CONST" in expected:
        return None
    if type_ == "UNAME":
        return f"'{text}' is the name of a typedef and cannot be used for anything else"
    if type_ == "CONST" and text[:1].isalpha() and text not in KEYWORDS:
        return f"'{text}' is an mtype constant and cannot be used for anything else"
    return f"'{text}' is a keyword; choose another name" if text in KEYWORDS else None


def _missing_hint(token: Token, expected: set[str]) -> str | None:
    if token.type in ("NAME", "CONST", "TYPE", "UNAME") and "SEMI" in expected and not expected & {"RBRACE", "SEP"}:
        return "is a ';' missing before this?"
    return None


def _misspelt(token: Token, stream: TokenStream) -> str | None:
    """A word at the error, or just before it, that is almost a keyword."""
    for word in (token, stream.previous):
        if word is not None and word.type == "NAME" and (guess := closest(word.text, KEYWORDS)):
            return f"did you mean '{guess}' instead of '{word.text}'?"
    return None
