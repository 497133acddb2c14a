"""Turns the parser's complaint into a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hsfpy.diagnostics import Loc, PromelaError, closest, one_of
from hsfpy.lexer import TokenStream
from hsfpy.tokens import Token
from hsfpy.words import KEYWORDS, spin_name, text_of

if TYPE_CHECKING:
    from lark.exceptions import UnexpectedToken

_EXPRESSION_START = frozenset({"CONST", "LPAR", "MINUS", "TILDE", "SND", "LEN", "ENABLED", "TIMEOUT"})
_OPERATOR = frozenset({"PLUS", "MINUS", "STAR", "EQ", "NE", "AND", "OR", "LT", "GT", "LSHIFT"})
_STATEMENT_START = frozenset({"IF", "DO", "GOTO", "BREAK", "ATOMIC", "PRINT", "ASSERT"})
_UNIT_START = frozenset({"PROCTYPE", "INIT", "CLAIM", "TYPEDEF", "INLINE"})
_GROUPS = (
    (_UNIT_START, "a declaration, 'proctype', 'init', 'never', 'inline' or 'typedef'"),
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
    "a declaration, 'proctype', 'init', 'never', 'inline' or 'typedef'": frozenset(
        "PROCTYPE D_PROCTYPE ACTIVE INIT CLAIM TRACE LTL TYPEDEF INLINE TYPE UNAME HIDDEN SHOW ISLOCAL "
        "C_CODE C_DECL C_STATE C_TRACK SEMI ARROW".split()
    ),
}
_ORDER = ("RBRACE", "SEMI", "RPAR", "RBRACK", "FI", "OD", "SEP")


def explain(error: UnexpectedToken, stream: TokenStream) -> PromelaError:
    """SPIN's `syntax error` line, and what would have been right."""
    token = stream.current
    expected = set(error.accepts or error.expected)
    if token is None or str(error.token.type) == "$END":
        return _at_end(stream, expected)
    return PromelaError(
        "syntax error",
        token.loc,
        _hint(token, expected, stream),
        saw=_saw(token, stream),
        expected=expectation(expected),
        word=token.text,
    )


def _saw(token: Token, stream: TokenStream) -> str:
    near = f" near '{stream.last_text}'" if len(stream.last_text) > 1 else ""
    if token.type == "SEMI":
        return " statement separator" + near
    return f"\tsaw '{spin_name(token.type, token.text)}'{near}"


def _at_end(stream: TokenStream, expected: set[str]) -> PromelaError:
    token = stream.current
    loc = token.loc if token else Loc(stream.file, stream.line)
    if token is None or not token.before:
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
    type_ = token.type
    if (
        type_ in ("NAME", "CONST", "TYPE")
        and "SEMI" in expected
        and "RBRACE" not in expected
        and "SEP" not in expected
    ):
        return "is a ';' missing before this?"
    if type_ in ("OD", "FI") and "SEP" in expected and not expected & _STATEMENT_START:
        return f"'{'do' if type_ == 'OD' else 'if'}' needs at least one option, written ':: statement'"
    if type_ == "OD" and "FI" in expected:
        return "an 'if' was opened last, so 'fi' must close it"
    if type_ == "FI" and "OD" in expected:
        return "a 'do' was opened last, so 'od' must close it"
    if type_ in ("OD", "FI"):
        opening = "do" if type_ == "OD" else "if"
        return f"there is no '{opening}' that this '{token.text}' could close, or a '}}' is missing before it"
    if type_ == "RBRACE" and ("OD" in expected or "FI" in expected):
        closer = one_of(f"'{text}'" for text in ("od", "fi") if text.upper() in expected)
        return f"{closer} is missing before this brace"
    if type_ == "ASGN" and _OPERATOR <= expected:
        return "'=' assigns; to compare, write '=='"
    if type_ == "PNAME":
        return f"'{token.text}' is the name of a proctype; to start it, write 'run {token.text}(...)'"
    if type_ == "INAME":
        return f"'{token.text}' is an inline: call it as a statement, or as 'variable = {token.text}(...)'"
    if type_ == "UNAME" and "NAME" in expected:
        return f"'{token.text}' is the name of a typedef and cannot be used for anything else"
    if type_ == "CONST" and token.text[:1].isalpha() and "NAME" in expected and token.text not in KEYWORDS:
        return f"'{token.text}' is an mtype constant and cannot be used for anything else"
    if token.text in KEYWORDS and "NAME" in expected and not expected & _STATEMENT_START:
        return f"'{token.text}' is a keyword; choose another name"
    return _misspelt(stream)


def _misspelt(stream: TokenStream) -> str | None:
    """A word just before the error that is almost a keyword."""
    previous = stream.previous
    if previous is None or previous.type != "NAME":
        return None
    guess = closest(previous.text, KEYWORDS)
    return f"did you mean '{guess}' instead of '{previous.text}'?" if guess else None
