"""Does embedded C keep data outside the state?

The verifier confirms an error by running its trail again from the start. Data in the state, and C
variables that are tracked, begin afresh then; other C variables, and whatever library functions
remember, do not. This analysis reads C superficially: what it does not understand counts as data
outside the state, and only costs the confirmation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field

from hsfpy import nodes as n
from hsfpy.automaton import System
from hsfpy.records import dataclass
from hsfpy.walk import expressions_of

_TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|\.?\d[\w.]*|->|\+\+|--|<<=|>>=|<<|>>|[-+*/%&|^=!<>]=|&&|\|\||\S'
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
_DIRECTIVE = re.compile(r"^[ \t\\]*#[ \t]*(\w+)([^\n]*)$", re.M)
_OPEN, _CLOSE = "([{", ")]}"
_KEYWORDS = frozenset("if while for switch return sizeof do else case".split())
# Functions that leave nothing behind. Output is no data: it is kept quiet while a trail is confirmed.
_HARMLESS = frozenset(
    "printf Printf puts putchar assert abs labs memcpy memset memmove memcmp strlen strcmp strncmp strcpy strncpy "
    "strcat strncat strchr strrchr strstr isdigit isalpha isalnum isspace isupper islower toupper tolower "
    "sqrt floor ceil fabs pow snprintf sprintf offsetof".split()
)
_ASSIGNING = frozenset("= += -= *= /= %= &= |= ^= <<= >>= ++ --".split())


@dataclass(slots=True)
class _Scan:
    """What the C of a model consists of."""

    outside: bool = False
    functions: set[str] = field(default_factory=set)
    variables: list[tuple[str, bool, bool]] = field(default_factory=list)  # name, is a pointer, is const
    code: list[list[str]] = field(default_factory=list)  # tokens of function bodies, statements and macros


def keeps_data_outside(system: System) -> bool:
    """Is there C data that a fresh start of the model does not reset?"""
    scan = _Scan()
    for unit in system.model.c_units:
        if unit.kind in ("c_decl", "c_code"):
            _scan_file_level(scan, unit.code)
        elif unit.kind == "c_state" and unit.scope.strip().startswith("Hidden"):
            _scan_file_level(scan, unit.code + ";")
    for text in _statement_texts(system):
        scan.code.append(_tokens(_without_directives(scan, text)))
    tracked = {unit.code.replace(" ", "") for unit in system.model.c_units if unit.kind == "c_track"}
    return (
        scan.outside
        or any(_has_static(code) for code in scan.code)
        or any(_calls_others(code, scan.functions) for code in scan.code)
        or any(_is_untracked(variable, tracked, scan.code) for variable in scan.variables)
    )


def _statement_texts(system: System) -> Iterator[str]:
    for automaton in system.automata:
        for el in automaton.body.elements:
            if isinstance(el.stmt, n.CCode):
                yield from (el.stmt.code, el.stmt.precondition or "")
            if el.stmt is not None:
                for e in expressions_of(el.stmt):
                    if isinstance(e, n.CExpr):
                        yield from (e.code, e.precondition or "")


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _without_directives(scan: _Scan, text: str) -> str:
    """C without comments and preprocessor lines; macros become code, headers of the user's are unknown."""
    text = _COMMENT.sub(" ", text).replace("\\\n", " ")
    for name, rest in _DIRECTIVE.findall(text):
        if name == "define":
            macro = re.match(r"\s*(\w+)(\([^)]*\))?(.*)", rest)
            if macro is not None:
                scan.functions.update([macro.group(1)] if macro.group(2) else [])
                scan.code.append(_tokens(macro.group(3)))
        elif name == "include" and '"' in rest:
            scan.outside = True
    return _DIRECTIVE.sub("", text)


# ---------------------------------------------------------------- declarations


def _scan_file_level(scan: _Scan, text: str) -> None:
    for declaration, body in _declarations(_tokens(_without_directives(scan, text))):
        if body is not None:
            name = _called_name(declaration)
            scan.functions.update([name] if name else [])
            scan.code.append(body)
        else:
            _scan_declaration(scan, declaration)


def _declarations(tokens: list[str]) -> Iterator[tuple[list[str], list[str] | None]]:
    """Declarations up to their semicolon, braces left out; for a function, its head and its body."""
    head: list[str] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token == "{":
            end = _matching(tokens, at)
            if head and head[-1] == ")":
                yield head, tokens[at + 1 : end]
                head = []
            else:
                head.append("{}")
            at = end + 1
        elif token == ";":
            yield head, None
            head = []
            at += 1
        else:
            head.append(token)
            at += 1
    if head:
        yield head, None


def _matching(tokens: list[str], at: int) -> int:
    depth = 0
    for i in range(at, len(tokens)):
        depth += (tokens[i] in _OPEN) - (tokens[i] in _CLOSE)
        if depth == 0:
            return i
    return len(tokens)


def _called_name(tokens: list[str]) -> str | None:
    """The identifier before the first parenthesis: what a function's head or a prototype declares."""
    at = tokens.index("(") if "(" in tokens else 0
    return tokens[at - 1] if at > 0 and re.match(r"[A-Za-z_]", tokens[at - 1]) else None


def _scan_declaration(scan: _Scan, tokens: list[str]) -> None:
    if not tokens or tokens[0] == "typedef":
        return
    value = tokens.index("=") if "=" in tokens else len(tokens)
    if "(" in tokens[:value]:
        at = tokens.index("(")
        if tokens[at + 1 : at + 2] == ["*"]:  # a pointer to a function
            scan.outside = True
        return
    if "extern" in tokens:
        scan.outside = True
    if tokens[-1] == "{}" and value == len(tokens):
        return  # declares a type only
    is_const = "const" in tokens[:value]
    for declarator in _split(tokens):
        names = [t for t in declarator if re.match(r"[A-Za-z_]", t)]
        if names:
            scan.variables.append((names[-1], "*" in declarator, is_const))
        else:
            scan.outside = True


def _split(tokens: list[str]) -> Iterator[list[str]]:
    """The declarators of a declaration, without dimensions and initialisers."""
    current: list[str] = []
    depth, in_value = 0, False
    for token in tokens:
        depth += (token in _OPEN) - (token in _CLOSE)
        if token == "," and depth == 0:
            yield current
            current, in_value = [], False
        elif token == "=" and depth == 0:
            in_value = True
        elif depth == 0 and not in_value and token not in _CLOSE:
            current.append(token)
    yield current


# ---------------------------------------------------------------- what the code does


def _has_static(code: list[str]) -> bool:
    return any(token == "static" and "const" not in code[i + 1 : i + 3] for i, token in enumerate(code))


def _calls_others(code: list[str], functions: set[str]) -> bool:
    known = functions | _HARMLESS | _KEYWORDS
    pairs = zip(code, code[1:], strict=False)
    return any(after == "(" and re.match(r"[A-Za-z_]", name) and name not in known for name, after in pairs)


def _is_untracked(variable: tuple[str, bool, bool], tracked: set[str], code: Iterable[list[str]]) -> bool:
    name, is_pointer, is_const = variable
    if f"&{name}" in tracked or f"&({name})" in tracked:
        return False
    if not is_pointer and name in tracked:  # an array, or a struct by a macro
        return False
    return not is_const or any(_is_written(name, tokens) for tokens in code)


def _is_written(name: str, code: list[str]) -> bool:
    for i, token in enumerate(code):
        if token != name:
            continue
        before, after = code[i - 1] if i else "", code[i + 1] if i + 1 < len(code) else ""
        if before in ("&", "++", "--") or after in _ASSIGNING:
            return True
    return False
