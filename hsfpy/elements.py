"""Statements as a chain of numbered elements: the step between syntax and automata.

SPIN numbers every statement twice while it parses: within its proctype (the state numbers of
`pan -d`) and over the whole model (the statement ids in trails). Trails are interchangeable with
SPIN's only if both numbers are the same, so this pass builds the same elements in the same order:
inner sequences before the selection that holds them, an extra target element behind each
selection, a skip before a labelled goto, and so on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from enum import Enum, IntFlag

from hsfpy import nodes as n
from hsfpy.diagnostics import Loc, PromelaError
from hsfpy.records import dataclass
from hsfpy.walk import expressions_of


class Op(Enum):
    """What an element does."""

    ASSIGN = "assign"
    SEND = "send"
    RECEIVE = "receive"
    CONDITION = "condition"
    ELSE = "else"
    ASSERT = "assert"
    PRINTF = "printf"
    PRINTM = "printm"
    C_CODE = "c_code"
    SET_PRIORITY = "set_priority"
    GOTO = "goto"
    DOT = "."  # the common target behind a selection
    BREAK = "break"  # the exit behind a loop
    END = "-end-"
    IF = "if"
    DO = "do"
    UNLESS = "unless"
    ATOMIC = "atomic"
    D_STEP = "d_step"
    BLOCK = "block"


SELECTIONS = (Op.IF, Op.DO)
GROUPS = (Op.ATOMIC, Op.D_STEP, Op.BLOCK)


class Status(IntFlag):
    NONE = 0
    ATOM = 2  # keeps exclusive control after it
    LAST = 4  # last step of an atomic sequence
    GLOBAL = 8  # marked as touching something shared
    D_ATOM = 32  # inside d_step
    REMOTE = 128  # another process or claim refers to the label here


@dataclass(slots=True, eq=False)
class Seq:
    """A sequence of elements; `last` moves on when targets are appended, `extent` does not."""

    first: Element | None = None
    last: Element | None = None
    extent: Element | None = None

    def items(self) -> list[Element]:
        """The elements from first to last."""
        out: list[Element] = []
        el = self.first
        while el is not None:
            out.append(el)
            if el is self.last:
                break
            el = el.next
        return out

    def extent_items(self) -> list[Element]:
        """The elements from first to extent, without appended targets."""
        out: list[Element] = []
        el = self.first
        while el is not None:
            out.append(el)
            if el is self.extent:
                break
            el = el.next
        return out


@dataclass(slots=True, eq=False)
class Element:
    op: Op
    number: int  # within the proctype: SPIN's state number
    id: int  # within the model: SPIN's statement id
    line: int
    file: str
    stmt: n.Stmt | None = None
    label: str = ""  # target of a goto (":b3" for a break)
    goto: GotoTarget | None = None
    subs: list[Seq] = field(default_factory=list)  # options, or [main, escape] of an unless
    body: Seq | None = None  # of atomic, d_step, block
    escapes: list[Seq] = field(default_factory=list)  # innermost last, as SPIN keeps them
    status: Status = Status.NONE
    next: Element | None = None
    with_io: bool = False  # an else combined with channel operations
    d_step: int = -1  # id of the first element of the enclosing d_step


@dataclass(slots=True)
class GotoTarget:
    """What a goto names, with what decides between labels of the same name."""

    name: str
    scope: str
    loc: Loc | None


@dataclass(slots=True)
class Label:
    name: str
    scope: str
    inline_id: int
    element: Element
    loc: Loc | None
    remote: bool = False


@dataclass(slots=True, eq=False)
class Body:
    """The elements of one process."""

    process: n.Process
    seq: Seq
    labels: list[Label]  # latest first
    size: int  # number of state numbers in use, plus one
    elements: list[Element]
    remarks: list[str] = field(default_factory=list)  # what SPIN says about the statements with -v

    def labels_at(self, el: Element, prefix: str = "") -> list[Label]:
        """The labels at `el` whose name starts with `prefix`."""
        return [lab for lab in self.labels if lab.element is el and lab.name.startswith(prefix)]

    def target(self, goto: Element) -> Element:
        """The element a goto leads to."""
        assert goto.goto is not None
        want = goto.goto
        best: Label | None = None
        for lab in self.labels:
            if lab.name != want.name:
                continue
            if lab.scope == want.scope:
                return lab.element
            if want.scope.startswith(lab.scope) or best is None:
                best = lab
        if best is None:
            assert want.loc is not None
            raise PromelaError(
                f"undefined label {want.name}", want.loc, hint="no statement of this proctype has this label"
            )
        return best.element


_SIMPLE: dict[type[n.Stmt], Op] = {
    n.Assign: Op.ASSIGN,
    n.Send: Op.SEND,
    n.Receive: Op.RECEIVE,
    n.ExprStmt: Op.CONDITION,
    n.Else: Op.ELSE,
    n.Assert: Op.ASSERT,
    n.Printf: Op.PRINTF,
    n.Printm: Op.PRINTM,
    n.CCode: Op.C_CODE,
    n.SetPriority: Op.SET_PRIORITY,
}


class Counters:
    """Numbers that run over the whole model."""

    def __init__(self) -> None:
        self.id = 0
        self.loop = 0


@dataclass(slots=True)
class _Loop:
    label: str


def is_skip(el: Element) -> bool:
    """Is this a skip, or a statement SPIN treats as one when it prunes selections?"""
    return el.op in (Op.PRINTF, Op.PRINTM) or is_true(el)


def is_true(el: Element) -> bool:
    """Is this the statement `skip` (or `true`, or 1)?"""
    if el.op is not Op.CONDITION:
        return False
    stmt = el.stmt
    if stmt is None:
        return True
    assert isinstance(stmt, n.ExprStmt)
    return isinstance(stmt.expr, n.Const) and stmt.expr.value == 1


class ElementBuilder:
    """Builds the elements of one process, statement by statement, in SPIN's order."""

    def __init__(
        self, process: n.Process, counters: Counters, on_remote: Callable[[n.RemoteLabel], None] | None = None
    ) -> None:
        self.process = process
        self.counters = counters
        self.is_claim = process.kind is n.ProcKind.NEVER
        self.on_remote = on_remote
        self.number = 1
        self.stack: list[Seq] = []
        self.loops: list[_Loop] = []
        self.labels: list[Label] = []
        self.elements: list[Element] = []
        self.remarks: list[str] = []
        self.d_step = -1
        self.ahead = (0, "")  # where SPIN's lexer stands: line and file of the token read ahead

    def build(self) -> Body:
        """The whole body, with its -end- element."""
        p = self.process
        self.stack.append(Seq())
        self.add_steps(p.body)
        self.ahead = (p.end_line, p.end_file)
        self.append(self.new(Op.END, p.end_line, p.end_file))
        seq = self.close(p.body.span.loc)
        return Body(p, seq, self.labels, self.number, self.elements, self.remarks)

    # ---- elements and sequences

    def new(self, op: Op, line: int, file: str, stmt: n.Stmt | None = None) -> Element:
        el = Element(op, self.number, self.counters.id, line, file, stmt, d_step=self.d_step)
        self.number += 1
        self.counters.id += 1
        self.elements.append(el)
        return el

    def new_ahead(self, op: Op) -> Element:
        return self.new(op, *self.ahead)

    def append(self, el: Element, seq: Seq | None = None) -> None:
        seq = seq or self.stack[-1]
        if el.op is Op.GOTO:
            self.guard_label(el, seq)
        if seq.first is None:
            seq.first = el
        else:
            assert seq.last is not None
            seq.last.next = el
        seq.last = el

    def guard_label(self, goto: Element, seq: Seq) -> None:
        """A goto with an accept, end or progress label gets a skip in front that carries it."""
        marked = [
            lab for lab in self.labels if lab.element is goto and lab.name.startswith(("accept", "end", "progress"))
        ]
        if not marked:
            return
        skip = self.new_ahead(Op.CONDITION)
        first = next(lab for lab in self.labels if lab.element is goto)
        first.element = skip
        self.append(skip, seq)

    def open(self) -> None:
        self.stack.append(Seq())

    def close(self, loc: Loc) -> Seq:
        seq = self.stack.pop()
        if seq.last is None:
            raise PromelaError("sequence must have at least one statement", loc)
        seq.extent = seq.last
        return seq

    def sequence(self, body: n.Sequence) -> Seq:
        self.open()
        self.add_steps(body)
        return self.close(body.span.loc)

    def add_steps(self, body: n.Sequence) -> None:
        for step in body.steps:
            self.ahead = (step.span.ahead, step.span.ahead_file)
            self.add_step(step)

    def add_step(self, step: n.Stmt) -> None:
        match step:
            case n.DeclStmt():
                if step.runs:
                    self.add_declaration(step)
            case n.ExclusiveDecl():
                pass
            case _:
                prepared = self.prepare(step)
                self.ahead = (step.span.ahead, step.span.ahead_file)
                prepared()

    def add_declaration(self, decl: n.DeclStmt) -> None:
        """A declaration after the first statement assigns its initial value when it is reached."""
        for sym in decl.symbols:
            if isinstance(sym.init, n.ChanInit):
                continue
            ref = n.VarRef(decl.span, sym.name, symbol=sym)
            value = sym.init if isinstance(sym.init, n.Expr) else n.Const(decl.span, 0)
            if isinstance(sym.init, list):
                value = sym.init[0]
            stmt = n.Assign(decl.span, ref, value)
            self.append(self.new(Op.ASSIGN, sym.init_line, sym.init_file, stmt))

    # ---- statements
    #
    # SPIN builds the elements of nested sequences while it parses them, and the element of the
    # statement itself when the whole statement has been read. `prepare` does the first part and
    # returns the second as a function that appends the statement to the open sequence.

    def prepare(self, stmt: n.Stmt) -> Callable[[], Element]:
        match stmt:
            case n.Labelled():
                return self.prepare_labelled(stmt)
            case n.If() | n.Do():
                return self.prepare_selection(stmt)
            case n.Atomic() | n.DStep() | n.Block():
                return self.prepare_group(stmt)
            case n.Unless():
                return self.prepare_unless(stmt)
            case n.For() | n.ForIn() | n.Select():
                return self.prepare_loop(stmt)
            case n.Break():
                return self.prepare_break(stmt)
            case n.Goto():
                return lambda: self.add_goto(stmt.span.loc.line, stmt.span.loc.file, stmt)
            case _:
                return lambda: self.add_simple(stmt)

    def note_remote_labels(self, stmt: n.Stmt) -> None:
        """SPIN looks at the label of another process as soon as it reads the reference, and may
        number a new element then."""
        for e in expressions_of(stmt):
            if isinstance(e, n.RemoteLabel) and self.on_remote is not None:
                self.on_remote(e)

    def add_simple(self, stmt: n.Stmt) -> Element:
        self.note_remote_labels(stmt)
        el = self.new(_SIMPLE[type(stmt)], stmt.span.at, stmt.span.at_file, stmt)
        self.append(el)
        return el

    def add_goto(self, line: int, file: str, stmt: n.Goto) -> Element:
        el = self.new(Op.GOTO, line, file, stmt)
        el.label = stmt.label
        el.goto = GotoTarget(stmt.label, stmt.scope, stmt.span.loc)
        self.append(el)
        return el

    def add_jump(self, label: str, line: int, file: str) -> Element:
        el = self.new(Op.GOTO, line, file)
        el.label = label
        el.goto = GotoTarget(label, "", None)
        self.append(el)
        return el

    def prepare_break(self, stmt: n.Break) -> Callable[[], Element]:
        if not self.loops:
            raise PromelaError(
                "misplaced break statement", stmt.span.loc, hint="break leaves a do loop; there is none around it"
            )
        label = self.loops[-1].label
        return lambda: self.add_jump(label, stmt.span.loc.line, stmt.span.loc.file)

    def prepare_labelled(self, stmt: n.Labelled) -> Callable[[], Element]:
        inner = self.prepare(stmt.stmt)

        def finish() -> Element:
            el = self.finish_under_label(inner, stmt)
            return el

        return finish

    def finish_under_label(self, inner: Callable[[], Element], stmt: n.Labelled) -> Element:
        """Appends the statement and sets its label; a goto must know its label before it is
        appended, so the element is made first and appended after."""
        if isinstance(stmt.stmt, n.Goto | n.Break):
            seq = self.stack[-1]
            self.stack.append(Seq())
            el = inner()
            self.stack.pop()
            self.set_label(stmt, el)
            self.append(el, seq)
            return el
        el = inner()
        self.set_label(stmt, el)
        return el

    def set_label(self, stmt: n.Labelled, el: Element) -> None:
        for lab in self.labels:
            if lab.name == stmt.name and lab.scope == stmt.scope and lab.inline_id == stmt.inline_id:
                raise PromelaError(
                    f"label {stmt.name} redeclared", stmt.span.loc, hint="give each label of a proctype its own name"
                )
        self.labels.insert(0, Label(stmt.name, stmt.scope, stmt.inline_id, el, stmt.span.loc))

    # ---- selections

    def push_loop(self) -> None:
        self.loops.append(_Loop(f":b{self.counters.loop}"))
        self.counters.loop += 1

    def prepare_selection(self, stmt: n.If | n.Do) -> Callable[[], Element]:
        is_loop = isinstance(stmt, n.Do)
        if is_loop:
            self.push_loop()
        options = [self.sequence(option) for option in stmt.options]
        if not self.is_claim:
            for option in options:
                self.prune_skips(option)
        op = Op.DO if is_loop else Op.IF
        return lambda: self.add_selection(op, options, stmt, stmt.span.loc.line, stmt.span.loc.file)

    def prune_skips(self, option: Seq) -> None:
        """SPIN drops the second and further of several skips in a row inside an option."""
        count = 0
        previous: Element | None = None
        el = option.first
        while el is not None:
            following = el.next
            removed = False
            if is_skip(el) and not any(lab.element is el for lab in self.labels):
                count += 1
                if count > 1 and el.op is Op.CONDITION:
                    self.remarks.append(f"spin: {el.file}:{el.line}, redundant skip")
                if count > 1 and el.op is Op.CONDITION and el is not option.first and el is not option.last:
                    assert previous is not None
                    previous.next = el.next
                    removed = True
            else:
                count = 0
            if not removed:
                previous = el
            if el is option.last:
                break
            el = following

    def add_selection(self, op: Op, options: list[Seq], stmt: n.Stmt | None, line: int, file: str) -> Element:
        el = self.new(op, line, file, stmt)
        target = self.new_ahead(Op.DOT)
        el.subs = self.order_options(options, stmt)
        for option in el.subs:
            self.append(target, option)
        if op is Op.DO:
            self.append(target)
            target = self.new(Op.BREAK, line, file)
            label = self.loops.pop().label
            self.labels.insert(0, Label(label, "", 0, target, None))
        self.append(el)
        self.append(target)
        return el

    def order_options(self, options: list[Seq], stmt: n.Stmt | None) -> list[Seq]:
        """Moves an else option to the end and marks it when channel operations stand beside it."""
        elses = [o for o in options if o.first is not None and o.first.op is Op.ELSE]
        if len(elses) > 1:
            loc = elses[1].first.stmt.span.loc if elses[1].first and elses[1].first.stmt else None
            raise PromelaError("duplicate `else'", loc or (stmt.span.loc if stmt else self.process.span.loc))
        others = [o for o in options if o not in elses]
        if elses and any(o.first is not None and _uses_channels(o.first) for o in others):
            assert elses[0].first is not None
            elses[0].first.with_io = True
        return others + elses

    # ---- groups and unless

    def prepare_group(self, stmt: n.Atomic | n.DStep | n.Block) -> Callable[[], Element]:
        outer = self.d_step
        if isinstance(stmt, n.DStep):
            self.d_step = self.counters.id
        body = self.sequence(stmt.body)
        op = {n.Atomic: Op.ATOMIC, n.DStep: Op.D_STEP, n.Block: Op.BLOCK}[type(stmt)]
        if op is not Op.BLOCK:
            make_atomic(body, Status.D_ATOM if op is Op.D_STEP else Status.NONE, self.remarks)
        if isinstance(stmt, n.DStep):
            self.d_step = outer
        return lambda: self.add_group(op, body, stmt)

    def add_group(self, op: Op, body: Seq, stmt: n.Stmt) -> Element:
        el = self.new(op, stmt.span.loc.line, stmt.span.loc.file, stmt)
        el.body = body
        self.append(el)
        return el

    def prepare_unless(self, stmt: n.Unless) -> Callable[[], Element]:
        main = self.prepare(stmt.main)
        saved = None
        if isinstance(stmt.main, n.Do):
            saved = self.loops.pop()
        escape = self.prepare(stmt.escape)
        if saved is not None:
            self.loops.append(saved)
        self.ahead = (stmt.span.ahead, stmt.span.ahead_file)
        escape_seq = self.as_sequence(stmt.escape, escape)
        inner = stmt.main
        if isinstance(inner, n.Labelled) and isinstance(inner.stmt, n.Atomic | n.DStep | n.Block):
            return self.prepare_labelled_unless(stmt, inner, main, escape_seq)
        main_seq = self.as_sequence(stmt.main, main)
        return lambda: self.add_unless(main_seq, escape_seq, stmt)

    def detached(self, finish: Callable[[], Element]) -> Element:
        """Runs `finish` without leaving its element anywhere, for statements whose own element
        SPIN never makes; numbers taken by it are given back."""
        number, ident = self.number, self.counters.id
        self.stack.append(Seq())
        el = finish()
        self.stack.pop()
        self.number, self.counters.id = number, ident
        self.elements.remove(el)
        self.labels = [lab for lab in self.labels if lab.element is not el]
        return el

    def as_sequence(self, stmt: n.Stmt, finish: Callable[[], Element]) -> Seq:
        if isinstance(stmt, n.Block):
            el = self.detached(finish)
            assert el.body is not None
            return el.body
        self.open()
        finish()
        return self.close(stmt.span.loc)

    def prepare_labelled_unless(
        self, stmt: n.Unless, labelled: n.Labelled, main: Callable[[], Element], escape_seq: Seq
    ) -> Callable[[], Element]:
        """`L: { ... } unless e`: SPIN lifts the label to a block around the whole unless."""
        body = self.detached(main).body
        assert body is not None
        self.open()
        self.add_unless(body, escape_seq, stmt)
        wrapped = self.close(stmt.span.loc)
        group = labelled.stmt
        op = {n.Atomic: Op.ATOMIC, n.DStep: Op.D_STEP, n.Block: Op.BLOCK}[type(group)]

        def finish() -> Element:
            el = self.new(op, labelled.span.loc.line, labelled.span.loc.file, stmt)
            el.body = wrapped
            self.append(el)
            self.set_label(labelled, el)
            return el

        return finish

    def add_unless(self, main: Seq, escape: Seq, stmt: n.Unless) -> Element:
        el = self.new(Op.UNLESS, stmt.span.loc.line, stmt.span.loc.file, stmt)
        target = self.new_ahead(Op.DOT)
        el.subs = [main, escape]
        self.append(target, main)
        self.append(target, escape)
        attach_escape(main, escape)
        self.append(el)
        self.append(target)
        return el

    # ---- for and select

    def prepare_loop(self, stmt: n.For | n.ForIn | n.Select) -> Callable[[], Element]:
        if isinstance(stmt, n.Select):
            return self.prepare_select(stmt)
        self.push_loop()
        if isinstance(stmt, n.ForIn):
            counter = self.begin_for_in(stmt)
        else:
            counter = stmt.var
            self.begin_count(stmt.var, stmt.low, "<=", stmt.high, stmt)
        self.add_steps(stmt.body)
        self.ahead = (stmt.span.last, stmt.span.loc.file)
        options = self.end_count(counter, stmt, with_else=True)
        line, file = self.ahead
        return lambda: self.add_selection(Op.DO, options, stmt, line, file)

    def prepare_select(self, stmt: n.Select) -> Callable[[], Element]:
        self.ahead = (stmt.span.last, stmt.span.loc.file)
        self.begin_count(stmt.var, stmt.low, "<", stmt.high, stmt)
        self.push_loop()
        options = self.end_count(stmt.var, stmt, with_else=False)
        line, file = self.ahead
        return lambda: self.add_selection(Op.DO, options, stmt, line, file)

    def add_assign(self, target: n.VarRef, value: n.Expr) -> None:
        stmt = n.Assign(target.span, target, value)
        self.append(self.new(Op.ASSIGN, target.span.loc.line, target.span.loc.file, stmt))

    def begin_count(self, var: n.VarRef, low: n.Expr, op: str, high: n.Expr, stmt: n.Stmt) -> None:
        self.add_assign(var, low)
        self.open()
        test = n.ExprStmt(var.span, n.Binary(var.span, op, var, high))
        self.append(self.new(Op.CONDITION, var.span.loc.line, var.span.loc.file, test))

    def end_count(self, counter: n.VarRef, stmt: n.Stmt, with_else: bool) -> list[Seq]:
        one = n.Const(counter.span, 1)
        self.add_assign(counter, n.Binary(counter.span, "+", counter, one))
        body = self.close(stmt.span.loc)
        self.open()
        if with_else:
            self.append(self.new(Op.ELSE, *self.ahead, n.Else(stmt.span)))
        self.add_jump(self.loops[-1].label, *self.ahead)
        leave = self.close(stmt.span.loc)
        return [leave, body]

    def begin_for_in(self, stmt: n.ForIn) -> n.VarRef:
        container = stmt.container
        if stmt.counter is None:
            leaf = container
            while leaf.field is not None:
                leaf = leaf.field
            assert leaf.symbol is not None
            zero, last = n.Const(stmt.span, 0), n.Const(stmt.span, leaf.symbol.length - 1)
            self.begin_count(stmt.var, zero, "<=", last, stmt)
            return stmt.var
        counter = n.VarRef(stmt.var.span, stmt.counter.name, symbol=stmt.counter)
        self.begin_count(counter, n.Const(stmt.span, 0), "<", n.Len(container.span, container), stmt)
        for make in (_rotate_receive, _rotate_send):
            op = Op.RECEIVE if make is _rotate_receive else Op.SEND
            self.append(self.new(op, container.span.loc.line, container.span.loc.file, make(stmt)))
        return counter


def _rotate_receive(stmt: n.ForIn) -> n.Stmt:
    return n.Receive(stmt.span, stmt.container, [stmt.var], random=False, copy=False)


def _rotate_send(stmt: n.ForIn) -> n.Stmt:
    return n.Send(stmt.span, stmt.container, [stmt.var], sorted=False)


def _uses_channels(el: Element) -> bool:
    """Does a guard send, receive or test a channel (the cases SPIN calls dubious beside else)?"""
    if el.op in (Op.SEND, Op.RECEIVE):
        return True
    if isinstance(el.stmt, n.ExprStmt | n.Assert):
        return _tests_channel(el.stmt.expr)
    return False


def _tests_channel(e: n.Expr) -> bool:
    match e:
        case n.ChanTest():
            return True
        case n.Binary():
            return _tests_channel(e.left) or _tests_channel(e.right)
        case n.Unary():
            return _tests_channel(e.operand)
        case n.Conditional():
            return _tests_channel(e.test) or _tests_channel(e.yes) or _tests_channel(e.no)
        case _:
            return False


def make_atomic(seq: Seq, added: Status, remarks: list[str]) -> None:
    """Marks the elements of an atomic or d_step sequence; its last step gives up control."""
    _walk_atomic(seq, added, remarks)
    last = seq.last
    assert last is not None
    if last.op in (Op.BLOCK, Op.ATOMIC):
        assert last.body is not None
        make_atomic(last.body, added, remarks)
    elif last.op is Op.UNLESS:
        make_atomic(last.subs[0], added, remarks)
    else:
        last.status = (last.status & ~Status.ATOM) | Status.LAST


def _walk_atomic(seq: Seq, added: Status, remarks: list[str]) -> None:
    for el in seq.items():
        el.status |= Status.ATOM | added
        if el.op in (Op.ATOMIC, Op.D_STEP):
            ignored = " (ignored)" if el.op is Op.ATOMIC or added else ""
            around = "d_step" if added else "atomic"
            remarks.append(f"spin: {el.file}:{el.line}, warning, {el.op.value} inside {around}{ignored}")
        if el.op is Op.ATOMIC or (el.op is Op.D_STEP and added):
            el.op = Op.BLOCK
        if el.op is Op.BLOCK:
            assert el.body is not None
            _walk_atomic(el.body, added, remarks)
        for sub in el.subs:
            _walk_atomic(sub, added, remarks)


def attach_escape(seq: Seq, escape: Seq) -> None:
    """Gives every state of a sequence the escape of the unless around it."""
    for el in seq.extent_items():
        _attach_to(el, escape)


def _attach_to(el: Element, escape: Seq) -> None:
    if escape in el.escapes:
        return
    for lower in list(el.escapes):
        attach_escape(lower, escape)
    el.escapes.insert(0, escape)
    if el.op is Op.UNLESS:
        attach_escape(el.subs[0], escape)
    elif el.op in SELECTIONS:
        for sub in el.subs:
            attach_escape(sub, escape)
    elif el.op is Op.D_STEP:  # only its guard can be interrupted
        assert el.body is not None and el.body.first is not None
        _attach_to(el.body.first, escape)
    elif el.op in (Op.ATOMIC, Op.BLOCK):
        assert el.body is not None
        attach_escape(el.body, escape)


def tie_loose_ends(body: Body) -> None:
    """Links the end of every grouped sequence to what follows the group."""
    for el in reversed(body.elements):
        if el.op not in GROUPS or el.next is None:
            continue
        following: Element | None = el.next
        while following is not None and following.op is Op.DOT:
            following = following.next
        assert el.body is not None and el.body.last is not None
        if el.body.last.next is None:
            el.body.last.next = following
        elif el.body.last.next.op is Op.GOTO:
            el.body.last = el.body.last.next
