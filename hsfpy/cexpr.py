"""Promela expressions as C text.

The text stands inside generated functions that have `s` (the state) and `pid` in scope, and the
macros G (globals) and P(k) (frame of the running process as proctype k). Arithmetic is C's on
int, with wrap-around made explicit because signed overflow has no meaning in C.
"""

from __future__ import annotations

from collections.abc import Callable

from hsfpy import nodes as n
from hsfpy.automaton import Automaton, System
from hsfpy.diagnostics import PromelaError
from hsfpy.layout import Layout
from hsfpy.records import dataclass
from hsfpy.text import c_style_var, flatten_args, leaf_symbol

_WRAPPING = {"+": "ADD", "-": "SUB", "*": "MUL", "<<": "SHL", ">>": "SHR", "/": "DIV", "%": "MOD"}


def c_string(text: str) -> str:
    """A C string literal."""
    for char, shown in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r"), ("??", "?\\?")):
        text = text.replace(char, shown)
    return f'"{text}"'


@dataclass(slots=True)
class ExprWriter:
    """Writes expressions of one process (None: outside any process)."""

    system: System
    layout: Layout
    automaton: Automaton | None

    def expr(self, e: n.Expr | None) -> str:
        """An int-valued C expression."""
        match e:
            case None:
                return "0"
            case n.Const():
                return str(e.value) if e.value >= 0 else f"({e.value})"
            case n.VarRef():
                return self.var(e)
            case n.Unary():
                return self.unary(e)
            case n.Binary():
                return self.binary(e)
            case n.Conditional():
                return f"({self.expr(e.test)} ? {self.expr(e.yes)} : {self.expr(e.no)})"
            case n.Run():
                return self.run(e)
            case n.Len():
                return self.used(e.chan, "END_SEND | END_RECEIVE", f"channel_length(s, {self.var(e.chan)})")
            case n.ChanTest():
                return self.chan_test(e)
            case n.Poll():
                return self.poll(e)
            case n.EvalArg():
                return self.expr(e.expr)
            case n.Enabled():
                return f"is_enabled(s, pid, {self.expr(e.pid)})"
            case n.PcValue():
                return f"pc_of(s, {self.expr(e.pid)})"
            case n.GetPriority():
                return f"priority_get(s, {self.expr(e.pid)})"
            case n.Timeout():
                return "step_context.timeout"
            case n.NonProgress():
                return "(!step_context.progress && !step_context.stutter)"
            case n.RemoteLabel():
                return f"(pc_of(s, {self.remote_pid(e)}) == {self.label_number(e)})"
            case n.RemoteVar():
                return self.remote_var(e)
            case n.CExpr():
                return f"({e.code})"
            case _:
                raise AssertionError(f"no C for {type(e).__name__}")

    # ---- variables

    def var(self, ref: n.VarRef) -> str:
        """A variable, as C lvalue where it is one."""
        if ref.symbol is None:
            return self.predefined(ref)
        if ref.symbol.context is None:
            base = "G->hidden." if ref.symbol.hidden else "G->"
        else:
            assert self.automaton is not None
            base = f"P({self.automaton.index})->"
        if self.layout.notes_elements(ref.symbol):
            element = f"ELEMENT({self.layout.member(ref.symbol)}, {self.index(ref, ref.symbol)})"
            return element + (".value" if self.layout.is_spread(ref.symbol) else self.field(ref))
        base += self.layout.member(ref.symbol)
        noted = self.layout.channel_variables.get(id(ref.symbol))
        if noted is not None and not ref.symbol.is_array:
            base = f"NOTED_VARIABLE({noted}, {base})"
        return base + self.inside(ref)

    def path(self, ref: n.VarRef) -> str:
        assert ref.symbol is not None
        return self.layout.member(ref.symbol) + self.inside(ref)

    def inside(self, ref: n.VarRef) -> str:
        """What follows a variable's name: index and field."""
        assert ref.symbol is not None
        text = ""
        if ref.symbol.is_array:
            noted = self.layout.channel_variables.get(id(ref.symbol))
            index = self.index(ref, ref.symbol)
            text = f"[{index}]" if noted is None else f"[note_element({noted}, {index})]"
        return text + self.field(ref)

    def field(self, ref: n.VarRef) -> str:
        return "." + self.path(ref.field) if ref.field is not None else ""

    def index(self, ref: n.VarRef, symbol: n.Symbol) -> str:
        if ref.index is None:
            return "0"
        if isinstance(ref.index, n.Const) and 0 <= ref.index.value < symbol.length:
            return str(ref.index.value)
        index = self.expr(ref.index)
        if self.layout.notes:
            index = f"note_index({c_string(symbol.name)}, {index}, {symbol.length})"
        return f"INDEX({index}, {symbol.length})"

    def predefined(self, ref: n.VarRef) -> str:
        known = {
            "_pid": "pid",
            "_last": "state_header(s)->last",
            "_nr_pr": "state_n_processes(s)",
            "_priority": "state_process(s, pid)->priority",
            "_p": "state_process(s, pid)->pc",
        }
        if ref.name not in known:
            raise PromelaError(f"undeclared variable: {ref.name}", ref.span.loc)
        return known[ref.name]

    # ---- operators

    def unary(self, e: n.Unary) -> str:
        if e.op == "-":
            return f"SUB(0, {self.expr(e.operand)})"
        return f"({e.op}{self.expr(e.operand)})"

    def binary(self, e: n.Binary) -> str:
        left, right = self.expr(e.left), self.expr(e.right)
        if e.op in _WRAPPING:
            return f"{_WRAPPING[e.op]}({left}, {right})"
        return f"({left} {e.op} {right})"

    def run(self, e: n.Run) -> str:
        target = self.system.by_name(e.name)
        if target is None:
            raise PromelaError(f"undefined proctype {e.name}", e.span.loc)
        args = [self.expr(arg) for arg in flatten_args(e.args)]
        call = f"run_P{target.index}(s, {e.priority or 1}" + "".join(f", {arg}" for arg in args) + ")"
        return self.noted_run(target.index, e.priority or 1, args) if self.layout.notes else call

    def noted_run(self, target: int, priority: int, args: list[str]) -> str:
        """With its arguments evaluated from left to right, as an initialiser: what they note has an order."""
        values = f"(const int[]){{{', '.join(args)}}}" if args else "NULL"
        return f"(note_run(state_n_processes(s)), start_P{target}(s, {priority}, {values}))"

    def chan_test(self, e: n.ChanTest) -> str:
        chan = self.var(e.chan)
        ends = {"nfull": "END_SEND", "nempty": "END_RECEIVE"}.get(e.test, "END_SEND | END_RECEIVE")
        test = {
            "full": f"channel_full(s, {chan})",
            "nfull": f"(!channel_full(s, {chan}))",
            "empty": f"(channel_length(s, {chan}) == 0)",
            "nempty": f"(channel_length(s, {chan}) > 0)",
        }[e.test]
        return self.used(e.chan, ends, test)

    def used(self, chan: n.VarRef, ends: str, value: str) -> str:
        """A value that depends on a channel, with a check that nobody else has declared these ends of it."""
        if not self.layout.checks_ends or self.automaton is None or self.automaton.process.kind is n.ProcKind.NEVER:
            return value
        return f"(exclusive_use(s, {self.var(chan)}, pid, {ends}), {value})"

    def poll(self, e: n.Poll) -> str:
        """Does the channel hold a message that could be received so?"""
        chan = self.var(e.chan)
        args = flatten_args(e.args)
        tested = [(i, arg) for i, arg in enumerate(args) if is_tested(arg)]
        ok = f"can_poll(s, {chan})" if self.system.features.rendezvous else "true"
        if e.random and tested:
            found = f"{ok} && {self.find(chan, args)} >= 0"
        else:
            tests = "".join(f" && channel_field(s, {chan}, 0, {i}) == {self.expr(arg)}" for i, arg in tested)
            found = f"{ok} && channel_length(s, {chan}) > 0{tests}"
        if self.layout.notes:
            slot = self.find(chan, args) if e.random and tested else "0"
            found += f" && note_slot(NOTE_POLL, s, {chan}, {slot})"
        return self.used(e.chan, "END_SEND | END_RECEIVE", f"({found})")

    def find(self, chan: str, args: list[n.Expr]) -> str:
        """The slot of the first message that matches."""
        flags = ", ".join("true" if is_tested(arg) else "false" for arg in args)
        values = ", ".join(self.expr(arg) if is_tested(arg) else "0" for arg in args)
        count = len(args)
        return f"channel_find(s, {chan}, {count}, (const bool[]){{{flags}}}, (const int[]){{{values}}})"

    # ---- other processes

    def remote_pid(self, e: n.RemoteLabel | n.RemoteVar) -> str:
        if e.pid is not None:
            return self.expr(e.pid)
        target = self.system.by_name(e.proctype)
        if target is None:
            raise PromelaError(f"unknown proctype {e.proctype}", e.span.loc)
        return f"pid_of_type(s, {target.index})"

    def label_number(self, e: n.RemoteLabel) -> int:
        target = self.system.by_name(e.proctype)
        labels = target.body.labels if target is not None else []
        for label in labels:
            if label.name == e.label:
                return label.element.number
        raise PromelaError(f"unknown label '{e.label}'", e.span.loc, hint=f"proctype {e.proctype} has no such label")

    def remote_var(self, e: n.RemoteVar) -> str:
        target = self.system.by_name(e.proctype)
        if target is None:
            raise PromelaError(f"unknown proctype {e.proctype}", e.span.loc)
        frame = f"((struct P{target.index} *)frame_of(s, {self.remote_pid(e)}))"
        return f"{frame}->{self.path(e.var)}"


def is_tested(arg: n.Expr) -> bool:
    """Must this receive argument match, as opposed to be received into?"""
    return isinstance(arg, n.Const | n.EvalArg) or (isinstance(arg, n.Unary) and isinstance(arg.operand, n.Const))


def is_wildcard(arg: n.Expr) -> bool:
    return isinstance(arg, n.VarRef) and arg.symbol is None and arg.name == "_"


def truncates(symbol: n.Symbol | None) -> bool:
    """Does assigning to this variable keep fewer bits than an int?"""
    return symbol is None or symbol.kind is not n.Kind.INT


def assign_to(writer: ExprWriter, ref: n.VarRef, value: str) -> str:
    """The C statement that stores `value` into a variable."""
    if ref.symbol is None and ref.name == "_priority":
        return f"priority_set(s, pid, {value});"
    if is_wildcard(ref):
        return f"(void)({value});"
    symbol = leaf_symbol(ref)
    assert symbol is not None
    target = writer.var(ref)
    if writer.layout.notes and truncates(symbol) and ref.field is None:
        value = narrowed_value(symbol, value)
    if symbol.kind is n.Kind.BIT and not symbol.is_array:
        return f"{target} = ({value}) & 1;"
    if symbol.kind is n.Kind.UNSIGNED and not symbol.is_array:
        return f"{target} = (unsigned)({value}) & {(1 << symbol.nbits) - 1}u;"
    cast = {n.Kind.BIT: "unsigned char", n.Kind.SHORT: "short", n.Kind.INT: "int", n.Kind.UNSIGNED: "unsigned"}
    return f"{target} = ({cast.get(symbol.kind, 'unsigned char')})({value});"


def note_value(writer: ExprWriter, ref: n.VarRef) -> str:
    """C that tells -DVAR_RANGES what a variable was set to; nothing without the directive. As in SPIN,
    the variable goes by its text, so that a[i] and a[j] are two; channels are left out."""
    if ref.symbol is not None and ref.symbol.kind is n.Kind.CHAN:
        return ""
    return f"NOTE_VALUE({c_string(c_style_var(ref, owned=True))}, {writer.var(ref)});"


def narrowed_value(symbol: n.Symbol, value: str) -> str:
    """A value on its way into a variable that may keep fewer bits of it; arrays of bits hold bytes."""
    kind, bits = _NARROW.get(symbol.kind, ("VAR_BYTE", 8))
    if symbol.kind is n.Kind.UNSIGNED:
        bits = 32 if symbol.is_array else symbol.nbits
    elif symbol.kind is n.Kind.BIT and not symbol.is_array:
        bits = 1
    return f"note_narrow({kind}, {bits}, {value})"


_NARROW = {
    n.Kind.BIT: ("VAR_BIT", 8),
    n.Kind.SHORT: ("VAR_SHORT", 16),
    n.Kind.UNSIGNED: ("VAR_UNSIGNED", 32),
    n.Kind.MTYPE: ("VAR_MTYPE", 8),
    n.Kind.CHAN: ("VAR_CHAN", 8),
}


ExprToText = Callable[[n.Expr], str]
