"""Guards and effects of statements as C text."""

from __future__ import annotations

from collections.abc import Sequence

from hsfpy import nodes as n
from hsfpy.automaton import Automaton, System
from hsfpy.cexpr import ExprWriter, assign_to, c_string, is_tested, is_wildcard, note_value
from hsfpy.cprint import printf_lines, printm_line
from hsfpy.elements import Element, Op
from hsfpy.layout import Layout
from hsfpy.records import dataclass
from hsfpy.text import c_style_text, flatten_args
from hsfpy.value_use import Cell
from hsfpy.walk import subexpressions


@dataclass(slots=True)
class Action:
    """The C of one statement: `guard` is an expression (None: always executable), `effect` a list
    of statements (empty: none)."""

    guard: str | None
    effect: list[str]


@dataclass(slots=True)
class StmtWriter:
    """Writes the statements of one process."""

    system: System
    layout: Layout
    automaton: Automaton
    loses_messages: bool

    @property
    def writer(self) -> ExprWriter:
        return ExprWriter(self.system, self.layout, self.automaton)

    def action(self, el: Element) -> Action:
        """Guard and effect of a simple statement."""
        stmt = el.stmt
        match stmt:
            case n.Assign():
                return Action(None, [self.assign(stmt), *self.note(stmt.target)])
            case n.ExprStmt():
                return self.condition(stmt)
            case n.Send():
                return self.send(stmt)
            case n.Receive():
                return self.receive(stmt)
            case n.Assert():
                return Action(None, [self.assertion(stmt)])
            case n.Printf():
                return Action(None, printf_lines(self.writer, stmt))
            case n.Printm():
                return Action(None, [printm_line(self.writer, stmt)])
            case n.CCode():
                return Action(self.precondition(stmt) if stmt.precondition else None, ["{", stmt.code, "}"])
            case n.SetPriority():
                pid, priority = self.writer.expr(stmt.pid), self.writer.expr(stmt.priority)
                if self.layout.notes:
                    priority = f"note_priority({pid}, {priority})"
                return Action(None, [f"priority_set(s, {pid}, {priority});"])
        if el.op is Op.END:
            return self.end()
        return Action(None, [])

    def note(self, ref: n.VarRef) -> list[str]:
        return [] if is_wildcard(ref) else [line for line in [note_value(self.writer, ref)] if line]

    def assign(self, stmt: n.Assign) -> str:
        if isinstance(stmt.value, n.Run):
            # The vector may move while the process is made: the target is computed afterwards.
            return f"{{ int made = {self.writer.expr(stmt.value)}; {assign_to(self.writer, stmt.target, 'made')} }}"
        return assign_to(self.writer, stmt.target, self.writer.expr(stmt.value))

    def condition(self, stmt: n.ExprStmt) -> Action:
        if isinstance(stmt.expr, n.Run):
            return Action(None, [f"(void){self.writer.expr(stmt.expr)};"])
        checks = [self.precondition(e) for e in _c_exprs(stmt.expr) if e.precondition]
        test = self.writer.expr(stmt.expr)
        return Action(" && ".join([*checks, f"({test}) != 0"]), [])

    def precondition(self, e: n.CExpr | n.CCode) -> str:
        assert e.precondition is not None
        kind = "c_expr" if isinstance(e, n.CExpr) else "c_code"
        text = f"{kind} line {e.span.loc.line} precondition false: {e.precondition}"
        return f"holds({e.precondition}, {c_string(text)})"

    def assertion(self, stmt: n.Assert) -> str:
        text = "assertion violated " + c_style_text(stmt.expr)[:1000]
        return f"if (!({self.writer.expr(stmt.expr)})) raise_error({c_string(text)});"

    def end(self) -> Action:
        if self.automaton.process.kind is n.ProcKind.NEVER:
            # A claim, like any process, ends only when it is the last one.
            return Action("state_n_processes(s) == 0", [])
        return Action("pid + 1 == state_n_processes(s)", ["state_drop_process(s);"])

    # ---- channels

    def send(self, stmt: n.Send) -> Action:
        w = self.writer
        chan = w.var(stmt.chan)
        args = flatten_args(stmt.args)
        values = ", ".join(w.expr(arg) for arg in args)
        is_sorted = "true" if stmt.sorted else "false"
        lines = [
            f"int id = {chan};",
            f"const int values[] = {{{values}}};",
            *([f"note_message(NOTE_SEND, id, {len(args)}, values);"] if self.layout.notes else []),
            f"channel_send(s, id, {is_sorted}, {len(args)}, values);",
        ]
        if self.has_trace():
            lines.append("if (trace_watches_send(s, id)) trace_event(s, 's', id);")
        if self.loses_messages:
            lines.insert(1, "if (channel_full(s, id)) { stats.lost_messages++; return; }")
        guard = f"can_send(s, {chan})" if not self.loses_messages else f"can_lose(s, {chan})"
        return Action(w.used(stmt.chan, "END_SEND", guard), ["{", *lines, "}"])

    def has_trace(self) -> bool:
        kinds = (n.ProcKind.TRACE, n.ProcKind.NOTRACE)
        return any(a.process.kind in kinds for a in self.system.automata)

    def receive(self, stmt: n.Receive) -> Action:
        w = self.writer
        if self.layout.notes and reads_stdin(stmt):
            targets = [arg for arg in flatten_args(stmt.args) if isinstance(arg, n.VarRef) and not is_wildcard(arg)]
            return Action("stdin_ready()", [assign_to(w, arg, "stdin_next()") for arg in targets])
        chan = w.var(stmt.chan)
        args = flatten_args(stmt.args)
        tested = [(i, arg) for i, arg in enumerate(args) if is_tested(arg)]
        test = "can_copy" if stmt.copy else "can_receive"
        if stmt.random:
            guard = f"{test}(s, {chan}) && {w.find(chan, args)} >= 0"
        else:
            matches = "".join(f" && channel_field(s, {chan}, 0, {i}) == {w.expr(arg)}" for i, arg in tested)
            guard = f"{test}(s, {chan}){matches}"
        return Action(w.used(stmt.chan, "END_RECEIVE", guard), ["{", *self.receive_lines(stmt, chan, args), "}"])

    def receive_lines(self, stmt: n.Receive, chan: str, args: list[n.Expr]) -> list[str]:
        w = self.writer
        slot = w.find("id", args) if stmt.random else "0"
        lines = [f"int id = {chan}, slot = {slot};"]
        if not stmt.copy and self.has_trace():
            lines.append("if (trace_watches_receive(s, id)) trace_event(s, 'r', id);")
        if self.layout.notes:
            lines.append("note_slot(NOTE_RECEIVE, s, id, slot);")
        lines.append(f"channel_check_fields(s, id, {len(args)});")
        for i, arg in enumerate(args):
            if is_tested(arg) or is_wildcard(arg):
                continue
            assert isinstance(arg, n.VarRef)
            lines += [assign_to(w, arg, f"channel_field(s, id, slot, {i})"), *self.note(arg)]
        if stmt.copy:
            lines.append("(void)slot;" if len(lines) == 2 else "")
        else:
            lines.append("channel_remove(s, id, slot);")
        return [line for line in lines if line]

    # ---- trace automata: statements match events instead of happening

    def event_guard(self, el: Element) -> str:
        w = self.writer
        stmt = el.stmt
        assert isinstance(stmt, n.Send | n.Receive)
        kind = "s" if isinstance(stmt, n.Send) else "r"
        chan = w.var(stmt.chan)
        slot = f"channel_length(s, {chan}) - 1" if kind == "s" else "0"
        tests = [f"step_context.event_kind == '{kind}'", f"step_context.event_channel == {chan}"]
        for i, arg in enumerate(flatten_args(stmt.args)):
            if is_tested(arg):
                tests.append(f"channel_field(s, {chan}, {slot}, {i}) == {w.expr(arg)}")
        return " && ".join(tests)


def forget_lines(layout: Layout, proctype: int, cells: Sequence[Cell]) -> list[str]:
    """C that sets values nobody will read to 0, unless they are shown."""
    if not cells:
        return []
    resets: list[str] = []
    for cell in cells:
        base = "G->" if cell[0].context is None else f"P({proctype})->"
        path = base + ".".join(layout.member(symbol) for symbol in cell)
        resets.append(f"memset({path}, 0, sizeof {path});" if cell[-1].is_array else f"{path} = 0;")
    return [f"if (FORGETS) {{ {' '.join(resets)} }}"]


def reads_stdin(stmt: n.Stmt | None) -> bool:
    """Does a statement receive from the channel that stands for standard input in simulations?"""
    if not isinstance(stmt, n.Receive) or stmt.chan.symbol is None:
        return False
    return stmt.chan.name == "STDIN" and stmt.chan.symbol.init is None


def _c_exprs(e: n.Expr) -> list[n.CExpr]:
    return [x for x in subexpressions(e) if isinstance(x, n.CExpr)]
