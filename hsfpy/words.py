"""The vocabulary: keywords, operators, and the names SPIN's messages use for them."""

from __future__ import annotations

# word -> terminal, value (a type's number has no meaning here; `skip` and `true` are 1)
KEYWORDS: dict[str, tuple[str, int]] = {
    "active": ("ACTIVE", 0),
    "assert": ("ASSERT", 0),
    "atomic": ("ATOMIC", 0),
    "bit": ("TYPE", 0),
    "bool": ("TYPE", 0),
    "break": ("BREAK", 0),
    "byte": ("TYPE", 0),
    "c_code": ("C_CODE", 0),
    "c_decl": ("C_DECL", 0),
    "c_expr": ("C_EXPR", 0),
    "c_state": ("C_STATE", 0),
    "c_track": ("C_TRACK", 0),
    "D_proctype": ("D_PROCTYPE", 0),
    "do": ("DO", 0),
    "chan": ("TYPE", 0),
    "else": ("ELSE", 0),
    "empty": ("EMPTY", 0),
    "enabled": ("ENABLED", 0),
    "eval": ("EVAL", 0),
    "false": ("CONST", 0),
    "fi": ("FI", 0),
    "for": ("FOR", 0),
    "full": ("FULL", 0),
    "get_priority": ("GET_P", 0),
    "goto": ("GOTO", 0),
    "hidden": ("HIDDEN", 0),
    "if": ("IF", 0),
    "in": ("IN", 0),
    "init": ("INIT", 0),
    "inline": ("INLINE", 0),
    "int": ("TYPE", 0),
    "len": ("LEN", 0),
    "local": ("ISLOCAL", 0),
    "ltl": ("LTL", 0),
    "mtype": ("TYPE", 0),
    "nempty": ("NEMPTY", 0),
    "never": ("CLAIM", 0),
    "nfull": ("NFULL", 0),
    "notrace": ("TRACE", 0),
    "np_": ("NONPROGRESS", 0),
    "od": ("OD", 0),
    "of": ("OF", 0),
    "pc_value": ("PC_VAL", 0),
    "pid": ("TYPE", 0),
    "printf": ("PRINT", 0),
    "printm": ("PRINTM", 0),
    "priority": ("PRIORITY", 0),
    "proctype": ("PROCTYPE", 0),
    "provided": ("PROVIDED", 0),
    "return": ("RETURN", 0),
    "run": ("RUN", 0),
    "d_step": ("D_STEP", 0),
    "select": ("SELECT", 0),
    "set_priority": ("SET_P", 0),
    "short": ("TYPE", 0),
    "skip": ("CONST", 1),
    "timeout": ("TIMEOUT", 0),
    "trace": ("TRACE", 0),
    "true": ("CONST", 1),
    "show": ("SHOW", 0),
    "typedef": ("TYPEDEF", 0),
    "unless": ("UNLESS", 0),
    "unsigned": ("TYPE", 0),
    "xr": ("XU", 0),
    "xs": ("XU", 0),
}

OPERATORS: dict[str, str] = {
    "::": "SEP",
    "..": "DOTDOT",
    "->": "ARROW",
    "--": "DECR",
    "++": "INCR",
    "<<": "LSHIFT",
    "<=": "LE",
    "<": "LT",
    ">>": "RSHIFT",
    ">=": "GE",
    ">": "GT",
    "==": "EQ",
    "=": "ASGN",
    "!=": "NE",
    "!!": "O_SND",
    "!": "SND",
    "??": "R_RCV",
    "?": "RCV",
    "&&": "AND",
    "||": "OR",
    "&": "AMP",
    "|": "PIPE",
    "^": "CARET",
    "~": "TILDE",
    "+": "PLUS",
    "-": "MINUS",
    "*": "STAR",
    "/": "SLASH",
    "%": "PERCENT",
    ";": "SEMI",
    ":": "COLON",
    ",": "COMMA",
    ".": "DOT",
    "@": "AT",
    "(": "LPAR",
    ")": "RPAR",
    "{": "LBRACE",
    "}": "RBRACE",
    "[": "LBRACK",
    "]": "RBRACK",
}

LTL_OPERATORS: dict[str, str] = {"->": "IMPLIES", "<->": "EQUIV", "[]": "ALWAYS", "<>": "EVENTUALLY"}

LTL_WORDS: dict[str, str] = {
    "U": "UNTIL",
    "V": "RELEASE",
    "W": "WEAK_UNTIL",
    "X": "NEXT",
    "always": "ALWAYS",
    "eventually": "EVENTUALLY",
    "until": "UNTIL",
    "stronguntil": "UNTIL",
    "weakuntil": "WEAK_UNTIL",
    "release": "RELEASE",
    "next": "NEXT",
    "implies": "IMPLIES",
    "equivalent": "EQUIV",
}

# Spellings SPIN does not know; they are operators only where the model declares no such name.
EXTRA_LTL_WORDS: dict[str, str] = {
    "G": "ALWAYS",
    "F": "EVENTUALLY",
    "R": "RELEASE",
    "and": "AND",
    "or": "OR",
    "not": "SND",
}

# After these a line end separates statements.
SEPARABLE = frozenset(
    {
        "RBRACE", "RPAR", "RBRACK", "OD", "FI", "ELSE", "BREAK", "C_CODE", "C_EXPR", "C_DECL",
        "NAME", "CONST", "INCR", "DECR",
    }
)  # fmt: skip

_KEYWORD_TYPES = frozenset(
    {
        "ACTIVE", "ATOMIC", "BREAK", "C_CODE", "C_DECL", "C_EXPR", "C_STATE", "C_TRACK", "D_STEP", "DO",
        "ELSE", "FI", "GOTO", "HIDDEN", "IF", "INLINE", "INIT", "OD", "OF", "PRIORITY", "PROCTYPE",
        "PROVIDED", "SHOW", "TIMEOUT", "TYPEDEF", "UNLESS", "IN",
    }
)  # fmt: skip
_FUNCTION_TYPES = frozenset(
    {
        "ASSERT", "EMPTY", "ENABLED", "EVAL", "FULL", "GET_P", "LEN", "NEMPTY", "NFULL", "NONPROGRESS",
        "PC_VAL", "PRINT", "PRINTM", "SET_P",
    }
)  # fmt: skip
_OPERATOR_TYPES = frozenset(
    {
        "AND", "ASGN", "DECR", "EQ", "GE", "GT", "INCR", "LE", "LSHIFT", "LT", "NE", "OR", "O_SND", "RCV",
        "R_RCV", "RSHIFT", "RUN", "SND",
    }
)  # fmt: skip

_SPIN_NAMES = {
    "CLAIM": "keyword: never",
    "CONST": "a constant",
    "D_PROCTYPE": "keyword: d_proctype",
    "INAME": "inline name",
    "ISLOCAL": "keyword: local",
    "NAME": "an identifier",
    "PNAME": "process name",
    "SEP": "token: ::",
    "SEMI": ";",
    "ARROW": "->",
    "STRING": "a string",
    "TRACE": "keyword: trace",
    "TYPE": "data typename",
    "XU": "keyword: x[rs]",
    "UNAME": "a typename",
    "AT": "@",
    "NEXT": "X",
    "ALWAYS": "[]",
    "EVENTUALLY": "<>",
    "IMPLIES": "->",
    "EQUIV": "<->",
    "UNTIL": "U",
    "WEAK_UNTIL": "W",
    # tokens SPIN's messages show as their number
    "FOR": "289",
    "SELECT": "290",
    "RETURN": "277",
    "LTL": "323",
    "DOTDOT": "293",
    "RELEASE": "337",
}


def spin_name(type_: str, text: str) -> str:
    """How SPIN's messages call a token (`saw '...'`)."""
    if type_ in _SPIN_NAMES:
        return _SPIN_NAMES[type_]
    if type_ in _KEYWORD_TYPES:
        return f"keyword: {text}"
    if type_ in _FUNCTION_TYPES:
        return f"function-name: {text}"
    if type_ in _OPERATOR_TYPES:
        return f"operator: {text}"
    return f"'{text}' = {ord(text[0])}" if text else "end of file"


_TEXTS = {terminal: text for text, terminal in OPERATORS.items()}
_TEXTS |= {terminal: text for text, (terminal, _) in KEYWORDS.items() if terminal not in ("TYPE", "CONST")}
_TEXTS |= {
    "NAME": "a name",
    "CONST": "a constant",
    "TYPE": "a type",
    "UNAME": "a type",
    "PNAME": "a proctype's name",
    "INAME": "an inline's name",
    "STRING": "a string",
    "XU": "'xr' or 'xs'",
    "TRACE": "'trace' or 'notrace'",
    "UNTIL": "'U'",
    "RELEASE": "'V'",
    "WEAK_UNTIL": "'W'",
    "NEXT": "'X'",
    "ALWAYS": "'[]'",
    "EVENTUALLY": "'<>'",
    "IMPLIES": "'->'",
    "EQUIV": "'<->'",
    "$END": "the end of the file",
}


def text_of(terminal: str) -> str:
    """A terminal in words, for `expected: ...`."""
    text = _TEXTS.get(terminal, terminal.lower())
    return text if text.startswith(("a ", "an ", "the ", "'")) else f"'{text}'"
