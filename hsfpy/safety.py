"""Which statements touch nothing other processes can see, in SPIN's classes.

The class numbers appear as `tp` in `pan -d`: 2 is a plain local statement; a send on, receive
from or test of a channel is safe under a condition on that channel and carries the channel's
number; timeout and process end have numbers of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hsfpy import nodes as n
from hsfpy.elements import Element, Op, Seq
from hsfpy.text import flatten_args

if TYPE_CHECKING:
    from hsfpy.lower import TableBuilder

DELTA = 500
MIXED, TIMEOUT, ENDING = 5 * DELTA, 6 * DELTA, 7 * DELTA


class SafetyClasses:
    """Classifies the statements of one model."""

    def __init__(self, model: n.Model) -> None:
        self.numbers = _channel_numbers(model)
        self.unsafe_to_run = {p.name for p in model.processes if _has_global_init(p)}

    # ---- classes of conditional safety

    def of_element(self, el: Element) -> tuple[int, int]:
        """The classes of one statement."""
        found: list[int] = []
        if el.op is Op.CONDITION and isinstance(el.stmt, n.ExprStmt):
            tests = _tests(el.stmt.expr)
            if len(tests) > 2:
                return (MIXED, 0)
            found = [self._of_test(test) for test in tests]
        elif el.op is Op.SEND and isinstance(el.stmt, n.Send):
            found = [2 + self._number(el.stmt.chan)]
        elif el.op is Op.RECEIVE and isinstance(el.stmt, n.Receive):
            found = [2 + DELTA + self._number(el.stmt.chan)]
        elif el.op is Op.END:
            found = [ENDING]
        return (found[0] if found else 2, found[1] if len(found) > 1 else 0)

    def of_sequence(self, seq: Seq) -> tuple[int, int]:
        """The classes of an atomic sequence: those of its statements, if there are few."""
        found: list[int] = []
        self._collect(seq, found)
        if len(found) > 2:
            return (MIXED, 0)
        return (found[0] if found else 2, found[1] if len(found) > 1 else 0)

    def _collect(self, seq: Seq, found: list[int]) -> None:
        for el in seq.items():
            for value in self.of_element(el):
                if value > 2 and value not in found:
                    found.append(value)
            for sub in el.subs:
                self._collect(sub, found)

    def _of_test(self, e: n.Expr) -> int:
        if isinstance(e, n.Timeout):
            return TIMEOUT
        assert isinstance(e, n.ChanTest)
        shift = {"nfull": 0, "nempty": 1, "empty": 2, "full": 3}[e.test]
        return 2 + shift * DELTA + self._number(e.chan)

    def _number(self, chan: n.VarRef) -> int:
        while chan.field is not None:
            chan = chan.field
        return self.numbers.get(id(chan.symbol), 0)

    # ---- global or local

    def is_global(self, el: Element, table: TableBuilder | None) -> bool:
        """Does a statement read or write anything shared? `table` looks into groups of statements."""
        if el.body is not None:
            assert table is not None
            return table.touches_shared(el.body)
        stmt = el.stmt
        match stmt:
            case None:
                return False
            case n.Else():
                return el.with_io
            case n.Send():
                return self._args_global(stmt.args) or not _exclusive(stmt.chan, send=True)
            case n.Receive():
                return self._args_global(stmt.args) or not _exclusive(stmt.chan, read=True)
            case n.Assign():
                return self.reads_shared(stmt.target) or self.reads_shared(stmt.value)
            case n.ExprStmt() | n.Assert():
                return self.reads_shared(stmt.expr)
            case n.Printf():
                return any(self.reads_shared(arg) for arg in stmt.args)
            case n.Printm():
                return self.reads_shared(stmt.arg)
            case n.CCode():
                return c_text_is_global(stmt.code)
            case n.SetPriority():
                return True
            case _:
                return False

    def _args_global(self, args: list[n.Expr]) -> bool:
        return any(self.reads_shared(arg.expr if isinstance(arg, n.EvalArg) else arg) for arg in flatten_args(args))

    def reads_shared(self, e: n.Expr) -> bool:
        """Does an expression look at anything shared?"""
        match e:
            case n.VarRef():
                if e.symbol is None:
                    return e.name not in ("_pid", "_", "_priority")
                return e.symbol.context is None and not e.symbol.local
            case n.Binary():
                return self.reads_shared(e.left) or self.reads_shared(e.right)
            case n.Unary():
                return self.reads_shared(e.operand)
            case n.Conditional():
                return self.reads_shared(e.test) or self.reads_shared(e.yes) or self.reads_shared(e.no)
            case n.Poll():
                return self._args_global(e.args) or not _exclusive(e.chan, read=True, send=True)
            case n.Len():
                return not _exclusive(e.chan, read=True, send=True)
            case n.ChanTest():
                reader = e.test in ("nempty", "full")
                return not _exclusive(e.chan, read=reader, send=not reader)
            case n.Run():
                return e.name in self.unsafe_to_run
            case n.CExpr():
                return c_text_is_global(e.code)
            case n.Enabled() | n.PcValue() | n.NonProgress() | n.Timeout() | n.GetPriority():
                return True
            case n.RemoteLabel() | n.RemoteVar():
                return True
            case _:
                return False


def c_text_is_global(code: str) -> bool:
    """Embedded C may touch shared data if it names `now.` or might call a function."""
    return "now." in code or code.find("(") > 0


def _exclusive(chan: n.VarRef, read: bool = False, send: bool = False) -> bool:
    symbol = chan.symbol
    if symbol is None:
        return False
    return (not read or symbol.exclusive_read) and (not send or symbol.exclusive_send)


def _tests(e: n.Expr) -> list[n.Expr]:
    """The channel tests and timeouts in a condition."""
    match e:
        case n.ChanTest() | n.Timeout():
            return [e]
        case n.Binary():
            return _tests(e.left) + _tests(e.right)
        case n.Unary():
            return _tests(e.operand)
        case n.Conditional():
            return _tests(e.test) + _tests(e.yes) + _tests(e.no)
        case _:
            return []


def _channel_numbers(model: n.Model) -> dict[int, int]:
    """SPIN's numbers of channel names, in order of declaration over the whole model."""
    symbols = [*model.symbols]
    for typedef in model.typedefs.values():
        symbols.extend(typedef.fields)
    for process in model.processes:
        symbols.extend(process.variables)
    symbols.sort(key=lambda symbol: symbol.order)
    channels = [symbol for symbol in symbols if symbol.kind is n.Kind.CHAN]
    return {id(symbol): i + 1 for i, symbol in enumerate(channels)}


def _has_global_init(process: n.Process) -> bool:
    """Do initialisers of a process look at anything but constants and its own variables?"""
    last: n.Expr | n.ChanInit | list[n.Expr] | None = None
    for symbol in process.variables:
        if symbol.init is not None:
            last = symbol.init
    if last is None or isinstance(last, n.Const):
        return False
    return not (isinstance(last, n.VarRef) and last.symbol is not None and last.symbol.context is not None)
