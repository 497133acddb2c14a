"""Errors of control flow: labels, jumps, `break`, `else`, and what d_step and trace allow."""

from __future__ import annotations

from hsfpy.diagnostics import Report, closest
from hsfpy.nodes import (
    Assert,
    Assign,
    Atomic,
    Block,
    Break,
    ChanInit,
    ChanTest,
    DeclStmt,
    Do,
    DStep,
    Else,
    ExclusiveDecl,
    Expr,
    ExprStmt,
    For,
    ForIn,
    Goto,
    If,
    Labelled,
    Printf,
    Process,
    ProcKind,
    Receive,
    RemoteLabel,
    RemoteVar,
    Run,
    Select,
    Send,
    Sequence,
    Stmt,
    Unless,
)
from hsfpy.records import dataclass
from hsfpy.walk import expressions, inner, sequences, statements, subexpressions

_PLACEMENT = {
    "unless-escape": (
        "stmnt unless Label: stmnt",
        "put the label elsewhere: the first statement of an escape cannot be jumped to",
    ),
    "unless-main": ("Label: stmnt unless stmnt", "write 'Label: { stmnt unless stmnt }'"),
    "atomic": ("atomic { Label: statement ... }", "write 'Label: atomic { statement ... }'"),
    "d_step": ("d_step { Label: statement ... }", "write 'Label: d_step { statement ... }'"),
    "block": ("{ Label: statement ... }", "write 'Label: { statement ... }'"),
}

# SPIN goes on after this one
_OPTION_LABEL = """=====> instead of
	do (or if)
	:: ...
	:: Label: statement
	od (of fi)
=====> use
Label:	do (or if)
	:: ...
	:: statement
	od (or fi)"""


@dataclass(slots=True)
class _Place:
    """Where a statement stands: the d_step around it, and whether a block inside that surrounds it."""

    dstep: DStep | None = None
    in_block: bool = False
    after: Stmt | None = None  # statement right after the d_step
    outer_loops: int = 0  # loops around the d_step


class FlowChecker:
    """Checks the body of one process."""

    def __init__(self, process: Process, report: Report, *, old_scope: bool, exclusive_seen: bool) -> None:
        self.process = process
        self.report = report
        self.old_scope = old_scope
        self.exclusive_seen = exclusive_seen
        self.labels: dict[str, list[tuple[Labelled, _Place]]] = {}
        self.jumps: list[tuple[Goto, _Place]] = []

    def run(self) -> None:
        steps = self.process.body.steps
        self.steps(steps, 0, _Place())
        self.redeclared()
        for goto, place in self.jumps:
            self.jump(goto, place)
        if self.process.kind in (ProcKind.TRACE, ProcKind.NOTRACE):
            self.events(steps)

    def error(self, message: str, node: Stmt | Expr, hint: str | None = None, word: str = "") -> None:
        self.report.error(message, node.span.loc, hint, word=word)

    # ---------------------------------------------------------------- walking

    def steps(self, steps: list[Stmt], loops: int, place: _Place) -> None:
        for position, step in enumerate(steps):
            following = steps[position + 1] if position + 1 < len(steps) else None
            self.step(step, loops, place, following)

    def step(self, step: Stmt, loops: int, place: _Place, following: Stmt | None) -> None:
        """Checks one statement; `loops` counts the loops a `break` here could leave."""
        if isinstance(step, ExclusiveDecl):
            self.exclusive_seen = True
        if place.dstep is not None:
            self.inside_dstep(step)
        match step:
            case Labelled():
                self.labels.setdefault(step.name, []).append((step, place))
                self.step(step.stmt, loops, place, following)
                return
            case Unless():
                self.unless(step, loops, place)
                return
            case Break():
                if loops == 0:
                    self.misplaced_break(step, place)
            case Goto():
                self.jumps.append((step, place))
            case If() | Do():
                self.options(step)
        self.placement(step)
        self.body(step, loops, place, following)

    def body(self, step: Stmt, loops: int, place: _Place, following: Stmt | None) -> None:
        inside = place
        if isinstance(step, DStep) and place.dstep is None:
            inside = _Place(step, False, following, loops)
            loops = 0
            self.unless_in_dstep(step)
        elif isinstance(step, Block | Atomic) and place.dstep is not None:
            inside = _Place(place.dstep, True, place.after, place.outer_loops)
        for sequence in sequences(step):
            if not _has_statement(sequence):
                self.error(
                    "sequence must have at least one statement",
                    step,
                    "declarations alone do nothing; add a statement, such as 'skip'",
                )
            self.steps(sequence.steps, loops + isinstance(step, Do | For | ForIn), inside)

    def misplaced_break(self, step: Break, place: _Place) -> None:
        if place.outer_loops:
            self.error(
                "non_local jump in d_step sequence",
                step,
                "this 'break' would leave the d_step, which can only be left at its end; use atomic",
                "break",
            )
        else:
            self.error(
                "misplaced break statement",
                step,
                "'break' leaves a 'do' or 'for' loop; here is none",
                "break",
            )

    def unless(self, step: Unless, loops: int, place: _Place) -> None:
        self.step(step.main, loops, place, None)
        # SPIN has already left a loop that is the main part, unless a label stands before it
        outer = loops + 1 if isinstance(step.main, Labelled) and isinstance(step.main.stmt, Do | For) else loops
        self.step(step.escape, outer, place, None)
        if isinstance(step.escape, Labelled):
            self.misplaced(step.escape, "unless-escape")
        if isinstance(step.main, Labelled) and not isinstance(step.main.stmt, Block | Atomic | DStep | Do):
            self.misplaced(step.main, "unless-main")

    # ---------------------------------------------------------------- labels

    def placement(self, step: Stmt) -> None:
        kind = {Block: "block", Atomic: "atomic", DStep: "d_step"}.get(type(step))
        first = _first_statement(sequences(step)[0]) if kind else None
        if kind and isinstance(first, Labelled) and not isinstance(_unlabelled(first), Do | For | ForIn | Select):
            self.misplaced(first, kind)

    def misplaced(self, label: Labelled, kind: str) -> None:
        form, hint = _PLACEMENT[kind]
        self.error(f"label {label.name} placed incorrectly", label, f"instead of '{form}' {hint}", label.name)

    def redeclared(self) -> None:
        for name, found in self.labels.items():
            seen: dict[tuple[str, int], Labelled] = {}
            for label, _ in found:
                key = ("" if self.old_scope else label.scope, label.inline_id)
                if key in seen:
                    self.error(
                        f"label {name} redeclared",
                        label,
                        f"the first one is at {seen[key].span.loc}; give one of them another name",
                        name,
                    )
                seen.setdefault(key, label)

    def jump(self, goto: Goto, place: _Place) -> None:
        found = self.labels.get(goto.label)
        if not found:
            guess = closest(goto.label, self.labels)
            hint = f"did you mean '{guess}'?" if guess else f"no statement of {_title(self.process)} has this label"
            self.error(f"undefined label {goto.label}", goto, hint, goto.label)
            return
        label, target = self.best_label(goto, found)
        if target.dstep is not place.dstep:
            self.crosses_dstep(goto, place, label, target)
        self.circular(goto)

    def best_label(self, goto: Goto, found: list[tuple[Labelled, _Place]]) -> tuple[Labelled, _Place]:
        """SPIN's choice between labels of one name: same block, then enclosing blocks, then any."""
        for label in reversed(found):
            if label[0].scope == goto.scope:
                return label
        enclosing = [label for label in found if goto.scope.startswith(label[0].scope)]
        return enclosing[0] if enclosing else found[-1]

    def crosses_dstep(self, goto: Goto, place: _Place, label: Labelled, target: _Place) -> None:
        if target.dstep is not None:
            self.error(
                "jump into d_step sequence",
                goto,
                f"label '{goto.label}' is inside a d_step, which can only be entered at its start",
                "goto",
            )
        elif not (place.in_block and place.after is label):
            self.error(
                "non_local jump in d_step sequence",
                goto,
                f"label '{goto.label}' is outside the d_step, which can only be left at its end; use atomic",
                "goto",
            )

    def circular(self, goto: Goto) -> None:
        """Gotos that lead to each other only: no statement is ever executed."""
        seen: list[Goto] = []
        at: Stmt | None = goto
        while isinstance(at, Goto):
            if at in seen:
                message = "infinite goto loop" if len(seen) == 1 else "confusing control structure"
                self.error(message, goto, "these jumps lead nowhere but to each other; add a statement", "goto")
                return
            seen.append(at)
            found = self.labels.get(at.label)
            if not found:
                return
            label, _ = self.best_label(at, found)
            if label.name.startswith(("accept", "end", "progress")):
                return  # SPIN puts a skip in front of such a goto
            at = _unlabelled(label)

    # ---------------------------------------------------------------- options

    def options(self, step: If | Do) -> None:
        for option in step.options:
            first = _first_statement(option)
            if isinstance(first, Labelled) and not isinstance(_unlabelled(first), Do | For | ForIn | Select):
                loc = first.span.loc
                self.report.warn(f"error: ({loc}) label {first.name} placed incorrectly\n{_OPTION_LABEL}", loc)
        firsts = [_unlabelled(_first_statement(option)) for option in step.options]
        elses = [first for first in firsts if isinstance(first, Else)]
        if len(elses) > 1:
            self.error("duplicate `else'", elses[1], "an 'if' or 'do' has at most one 'else'", "else")
        if elses and any(_uses_channel(first) for first in firsts if first is not None):
            self.else_with_channels(elses[0])

    def else_with_channels(self, node: Else) -> None:
        if self.exclusive_seen:
            self.error(
                "invalid use of 'else' combined with i/o and xr/xs assertions,",
                node,
                "'else' asks whether a send or receive is possible, which xr and xs rule out for others",
                "else",
            )
        else:
            text = f"spin: {node.span.loc}, Error: dubious use of 'else' combined with i/o,"
            self.report.warn(text, node.span.loc)

    # ---------------------------------------------------------------- d_step and trace

    def inside_dstep(self, step: Stmt) -> None:
        parts = [part for expr in expressions(step) for part in subexpressions(expr)]
        if any(isinstance(part, Run) for part in parts):
            if isinstance(step, ExprStmt | Assert | Printf):
                self.error("'run operator in d_step'", step, "use atomic instead of d_step", "run")
            elif isinstance(step, Assign):
                self.error("'run' in d_step sequence (use atomic)", step, "use atomic instead of d_step", "run")
        if isinstance(step, ExprStmt | Assert | Printf) and any(
            isinstance(part, RemoteLabel | RemoteVar) for part in parts
        ):
            self.error("'remote reference in d_step'", step, "a d_step cannot look into other processes; use atomic")

    def unless_in_dstep(self, step: DStep) -> None:
        first = _first_statement(step.body)
        if isinstance(first, Unless):
            self.error("'unless' inside d_step - ignored", first, "a d_step is one step, so nothing can interrupt it")

    def events(self, steps: list[Stmt]) -> None:
        for step in statements(steps):
            plain_receive = isinstance(step, Receive) and not (step.random or step.copy)
            plain_send = isinstance(step, Send) and not step.sorted
            passive = If | Do | For | ForIn | Select | Break | Goto | Labelled | DeclStmt | ExclusiveDecl
            if not (plain_receive or plain_send or isinstance(step, passive | Unless)):
                self.error(
                    "not an event",
                    step,
                    "a trace consists of sends '!' and receives '?', in if and do where needed",
                )


def _title(process: Process) -> str:
    return process.name.strip(":") if process.name.startswith(":") else f"'{process.name}'"


def _unlabelled(stmt: Stmt | None) -> Stmt | None:
    while isinstance(stmt, Labelled):
        stmt = stmt.stmt
    return stmt


def _first_statement(sequence: Sequence) -> Stmt | None:
    """The first step that SPIN makes a state of; declarations with a value do count in inner blocks."""
    return next((step for step in sequence.steps if _makes_state(step)), None)


def _has_statement(sequence: Sequence) -> bool:
    return _first_statement(sequence) is not None


def _makes_state(step: Stmt) -> bool:
    if isinstance(step, DeclStmt):
        return any(not isinstance(symbol.init, ChanInit) for symbol in step.symbols)
    return not isinstance(step, ExclusiveDecl)


def _uses_channel(stmt: Stmt) -> bool:
    if isinstance(stmt, Send | Receive):
        return True
    if inner(stmt):
        return False
    return any(isinstance(part, ChanTest) for expr in expressions(stmt) for part in subexpressions(expr))
