"""Expression nodes, made while the parser reduces.

Methods are named after the rules of promela.lark and receive the children of the reduced rule.
"""

from __future__ import annotations

from typing import Any

from hsfpy.diagnostics import PromelaError, Report
from hsfpy.lexer import TokenStream
from hsfpy.nodes import (
    Binary,
    CExpr,
    ChanTest,
    Conditional,
    Const,
    Enabled,
    Equiv,
    EvalArg,
    Expr,
    GetPriority,
    Len,
    Node,
    NonProgress,
    PcValue,
    Poll,
    RemoteLabel,
    RemoteVar,
    Run,
    Span,
    Temporal,
    Timeout,
    Unary,
    VarRef,
)
from hsfpy.tokens import Token
from hsfpy.words import spin_name

_PRECEDENCE = {
    "IMPLIES": 1, "EQUIV": 1, "OR": 2, "AND": 3, "UNTIL": 4, "WEAK_UNTIL": 4, "RELEASE": 4, "PIPE": 5,
    "CARET": 6, "AMP": 7, "EQ": 8, "NE": 8, "GT": 9, "LT": 9, "GE": 9, "LE": 9, "LSHIFT": 10, "RSHIFT": 10,
    "PLUS": 11, "MINUS": 11, "STAR": 12, "SLASH": 12, "PERCENT": 12,
}  # fmt: skip
_TEMPORAL = {"NEXT": "X", "ALWAYS": "[]", "EVENTUALLY": "<>", "UNTIL": "U", "RELEASE": "V"}

Children = list[Any]


class ExprBuilder:
    """Builds expressions; `stream` tells how far the lexer has read."""

    def __init__(self, stream: TokenStream, report: Report) -> None:
        self.stream = stream
        self.report = report
        self._probes: dict[int, Expr] = {}  # expressions that contain full(), empty(), ...
        self._wrapped: dict[int, Expr] = {}  # temporal formulas that stood in parentheses

    # ---------------------------------------------------------------- places

    def span(self, first: Token | Node, at: Token | Node | None = None) -> Span:
        """The span of a construct that began with `first`; `at` is what SPIN takes the line from."""
        stream = self.stream
        current = stream.current
        loc = first.loc if isinstance(first, Token) else first.span.loc
        last = current.before if current else loc.line
        if at is None:
            return Span(loc, stream.line, stream.file, last, loc.line, loc.file)
        if isinstance(at, Token):
            return Span(loc, stream.line, stream.file, last, at.line, at.file)
        return Span(loc, stream.line, stream.file, last, at.span.at, at.span.at_file)

    def fail_at(self, token: Token, message: str, hint: str | None = None) -> PromelaError:
        return PromelaError(message, token.loc, hint, word=token.text)

    # ---------------------------------------------------------------- probes

    def _note_probe(self, node: Expr) -> Expr:
        self._probes[id(node)] = node
        return node

    def plain(self, node: Expr) -> Expr:
        """The expression, which must not contain full(), empty(), nfull() or nempty()."""
        if id(node) in self._probes:
            raise self._misplaced_probe(node)
        return node

    def _misplaced_probe(self, node: Expr) -> PromelaError:
        probe = _first_probe(node, self._probes)
        opposite = {"full": "nfull", "empty": "nempty", "nfull": "full", "nempty": "empty"}[probe.test]
        return PromelaError(
            "syntax error",
            probe.span.loc,
            f"'{probe.test}' can only be a condition by itself, or be joined with && and ||; "
            f"to negate it, write '{opposite}'",
            saw=f"\tsaw '{spin_name(probe.test.upper(), probe.test)}' near '{probe.test}'",
            word=probe.test,
        )

    # ---------------------------------------------------------------- references

    def pfld(self, c: Children) -> VarRef:
        name: Token = c[0]
        index = self.plain(c[2]) if len(c) > 1 else None
        return VarRef(self.span(name), name.text, index, scope=name.scope)

    def varref(self, c: Children) -> VarRef:
        for position in range(0, len(c) - 2, 2):
            c[position].field = c[position + 2]
        ref: VarRef = c[0]
        return ref

    def read_var(self, c: Children) -> Expr:
        node: Expr = c[0]
        return node

    # ---------------------------------------------------------------- operators

    def expr(self, c: Children) -> Expr:
        """Applies precedence to `operand op operand ...`; all binary operators associate to the left."""
        if len(c) == 1:
            node: Expr = c[0]
            return node
        operands: list[Expr] = [c[0]]
        operators: list[Token] = []
        for position in range(1, len(c), 2):
            operator: Token = c[position]
            rank = _PRECEDENCE[operator.type]
            while operators and _PRECEDENCE[operators[-1].type] >= rank:
                self._apply(operators.pop(), operands)
            operators.append(operator)
            operands.append(c[position + 1])
        while operators:
            self._apply(operators.pop(), operands)
        return operands[0]

    def _apply(self, operator: Token, operands: list[Expr]) -> None:
        right = operands.pop()
        left = operands.pop()
        operands.append(self._binary(operator, left, right))

    def _binary(self, operator: Token, left: Expr, right: Expr) -> Expr:
        type_ = operator.type
        is_probe = id(left) in self._probes or id(right) in self._probes
        if is_probe and type_ not in ("AND", "OR"):
            raise self._misplaced_probe(left if id(left) in self._probes else right)
        span = self.span(left, right)
        if _PRECEDENCE[type_] > _PRECEDENCE["UNTIL"] and (inner := self._open_temporal(left)):
            return self._extend_temporal(inner, operator, left, right)
        if type_ in ("UNTIL", "RELEASE"):
            return Temporal(span, _TEMPORAL[type_], left, right)
        if type_ == "WEAK_UNTIL":
            always = Temporal(span, "[]", left)
            return Binary(span, "||", always, Temporal(span, "U", left, right))
        if type_ == "IMPLIES":
            return Binary(span, "||", Unary(self.span(left, left), "!", left), right)
        if type_ == "EQUIV":
            return Equiv(span, left, right)
        text = {"AND": "&&", "OR": "||"}.get(type_, operator.text)
        node = Binary(span, text, left, right)
        return self._note_probe(node) if is_probe else node

    def _open_temporal(self, e: Expr) -> Temporal | None:
        """The innermost of the prefix operators that `e` begins with, if one is temporal."""
        found = None
        while isinstance(e, Temporal | Unary) and id(e) not in self._wrapped:
            if isinstance(e, Unary):
                e = e.operand
            elif e.right is None:
                found, e = e, e.left
            else:
                break
        return found

    def _extend_temporal(self, inner: Temporal, operator: Token, left: Expr, right: Expr) -> Expr:
        """`[] x == 1` is taken for `[] (x == 1)`. To SPIN's grammar it is `([] x) == 1`, which has no
        meaning: SPIN goes on with a number of its own in place of `[] x`."""
        inner.left = self._binary(operator, inner.left, right)
        loc = left.span.loc
        self.report.warn(
            f"spin: {loc}, warning, '{inner.op}' in front of '{operator.text}' is taken for "
            f"'{inner.op} (... {operator.text} ...)'; SPIN misreads it without the parentheses",
            loc,
        )
        return left

    def unary(self, c: Children) -> Expr:
        operator: Token = c[0]
        operand = self.plain(c[1])
        text = "!" if operator.type == "SND" else operator.text
        return Unary(self.span(operator, operand), text, operand)

    def temporal(self, c: Children) -> Expr:
        operand = self.plain(c[1])
        return Temporal(self.span(c[0], operand), _TEMPORAL[c[0].type], operand)

    def parens(self, c: Children) -> Expr:
        node: Expr = c[1]
        if isinstance(node, Temporal | Unary):
            self._wrapped[id(node)] = node
        return node

    def conditional(self, c: Children) -> Expr:
        test, yes, no = self.plain(c[1]), self.plain(c[3]), self.plain(c[5])
        return Conditional(self.span(c[0], no), test, yes, no)

    # ---------------------------------------------------------------- operands

    def const(self, c: Children) -> Const:
        return self.const_token(c[0])

    def const_token(self, token: Token) -> Const:
        known = self.stream.names.mtype_values.get(token.text)
        if known is None:
            return Const(self.span(token), token.value)
        return Const(self.span(token), token.value, token.text, known[1] or None)

    def run(self, c: Children) -> Expr:
        name: Token = c[1]
        if name.context is None:
            raise self.fail_at(c[0], "used 'run' outside proctype", "processes are started by init or by a proctype")
        return Run(self.span(c[0], name), name.text, self.args(c[3]), c[5])

    def args(self, given: list[Expr] | None) -> list[Expr]:
        return [self.plain(arg) for arg in given or []]

    def arg_list(self, c: Children) -> list[Expr]:
        return [self.plain(arg) for arg in c[::2]]

    def len(self, c: Children) -> Expr:
        return Len(self.span(c[0], c[2]), c[2])

    def enabled(self, c: Children) -> Expr:
        return Enabled(self.span(c[0], c[2]), self.plain(c[2]))

    def get_priority(self, c: Children) -> Expr:
        return GetPriority(self.span(c[0], c[2]), self.plain(c[2]))

    def pc_value(self, c: Children) -> Expr:
        return PcValue(self.span(c[0], c[2]), self.plain(c[2]))

    def chan_test(self, c: Children) -> Expr:
        return self._note_probe(ChanTest(self.span(c[0], c[2]), c[0].text, c[2]))

    def poll(self, c: Children) -> Expr:
        return Poll(self.span(c[0]), c[0], c[3], c[1].type == "R_RCV")

    def c_expr(self, c: Children) -> Expr:
        token: Token = c[0]
        assert token.raw is not None
        return CExpr(self.span(token), token.raw.code, token.raw.precondition, token.value)

    def timeout(self, c: Children) -> Expr:
        return Timeout(self.span(c[0]))

    def nonprogress(self, c: Children) -> Expr:
        return NonProgress(self.span(c[0]))

    def remote_label(self, c: Children) -> Expr:
        name, label = c[0], c[-1]
        pid = self.plain(c[2]) if len(c) > 3 else None
        return RemoteLabel(self.span(name, label), name.text, pid, label.text)

    def remote_var(self, c: Children) -> Expr:
        name, var = c[0], c[-1]
        pid = self.plain(c[2]) if len(c) > 3 else None
        place = var.index or pid
        span = self.span(name, place)
        if place is None:  # SPIN has read one token more by now
            span = Span(span.loc, span.ahead, span.ahead_file, span.last, span.ahead, span.ahead_file)
        return RemoteVar(span, name.text, pid, var)

    # ---------------------------------------------------------------- arguments of receive and send

    def rarg_var(self, c: Children) -> Expr:
        node: Expr = c[0]
        return node

    def rarg_eval(self, c: Children) -> Expr:
        inner = self.plain(c[2])
        return EvalArg(self.span(c[0], inner), inner)

    def rarg_negative(self, c: Children) -> Expr:
        return Const(self.span(c[0], c[1]), -c[1].value)

    def rargs_one(self, c: Children) -> list[Expr]:
        return [c[0]]

    def rargs_more(self, c: Children) -> list[Expr]:
        return [c[0], *c[2]]

    rargs_headed = rargs_more

    def rargs_parens(self, c: Children) -> list[Expr]:
        inner: list[Expr] = c[1]
        return inner

    def margs(self, c: Children) -> list[Expr]:
        listed: list[Expr] = c[0]
        return listed

    def margs_headed(self, c: Children) -> list[Expr]:
        return [self.plain(c[0]), *c[2]]

    # ---------------------------------------------------------------- constants known while parsing

    def const_value(self, c: Children) -> int:
        value: int = c[0].value
        return value

    def const_negative(self, c: Children) -> int:
        return wrap(-c[1])

    def const_parens(self, c: Children) -> int:
        value: int = c[1]
        return value

    def const_expr(self, c: Children) -> int:
        values: list[int] = [c[0]]
        operators: list[Token] = []
        for position in range(1, len(c), 2):
            operator: Token = c[position]
            while operators and _PRECEDENCE[operators[-1].type] >= _PRECEDENCE[operator.type]:
                self._fold(operators.pop(), values)
            operators.append(operator)
            values.append(c[position + 1])
        while operators:
            self._fold(operators.pop(), values)
        return values[0]

    def _fold(self, operator: Token, values: list[int]) -> None:
        right = values.pop()
        left = values.pop()
        if right == 0 and operator.type in ("SLASH", "PERCENT"):
            raise self.fail_at(operator, "division by zero in a constant expression")
        values.append(fold(operator.text, left, right))


def wrap(value: int) -> int:
    """The value as a C int holds it."""
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def fold(operator: str, left: int, right: int) -> int:
    """`left operator right` with C's integer arithmetic; the divisor must not be zero."""
    if operator == "+":
        return wrap(left + right)
    if operator == "-":
        return wrap(left - right)
    if operator == "*":
        return wrap(left * right)
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return wrap(quotient) if operator == "/" else wrap(left - right * quotient)


def _first_probe(node: Expr, probes: dict[int, Expr]) -> ChanTest:
    while isinstance(node, Binary):
        node = node.left if id(node.left) in probes else node.right
    assert isinstance(node, ChanTest)
    return node
