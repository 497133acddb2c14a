"""Errors in expressions: wrong kinds of variables, misplaced `run`, channels used as numbers."""

from __future__ import annotations

import re

from hsfpy.diagnostics import Report, closest
from hsfpy.nodes import (
    Assign,
    Binary,
    Block,
    CExpr,
    ChanInit,
    ChanTest,
    Const,
    DeclStmt,
    Enabled,
    ExclusiveDecl,
    Expr,
    ExprStmt,
    For,
    ForIn,
    Kind,
    Len,
    Model,
    Node,
    NonProgress,
    PcValue,
    Poll,
    Printm,
    Process,
    ProcKind,
    Receive,
    Run,
    Select,
    Send,
    Stmt,
    Symbol,
    VarRef,
)
from hsfpy.tokens import count_of
from hsfpy.typeinfo import (
    array_of_structs,
    assigns,
    flat_fields,
    has_array,
    max_fields,
    mtype_name,
    parts_by_depth,
    proper_enabler,
)
from hsfpy.walk import expressions, last_link, statements, subexpressions, text_of_ref

_UNNAMED = "_unnamed_"
_READ_ONLY = ("_nr_pr", "_pid", "_p", "_last")


class TypeChecker:
    """Checks declarations, statements and expressions of a resolved model in source order."""

    def __init__(self, model: Model, report: Report) -> None:
        self.model = model
        self.report = report
        self.processes = {process.name: process for process in model.processes}
        self.max_fields = max_fields(model)
        self.subtypes: dict[int, str] = {}  # mtype a variable was first assigned, where not declared
        self.process: Process | None = None
        self.warned: set[str] = set()

    def error(self, message: str, node: Node, hint: str | None = None, word: str = "") -> None:
        self.report.error(message, node.span.loc, hint, word=word)

    # ---------------------------------------------------------------- declarations

    def declaration(self, decl: DeclStmt) -> None:
        for symbol in decl.symbols:
            self.symbol(symbol)
            init = symbol.init
            if isinstance(init, Expr):
                self.initial_value(symbol, init)
            elif isinstance(init, list) and decl.runs:
                self.report.error(
                    "cannot use an array list initializer here",
                    symbol.loc,
                    "move the declaration in front of the first statement",
                    word=symbol.name,
                )

    def initial_value(self, symbol: Symbol, init: Expr) -> None:
        if any(isinstance(part, Run) for part in subexpressions(init)):
            self.error("cannot use 'run' in var init, saw", init, "assign the result of 'run' in a statement", "run")
        self.value(init)
        self.channel_use(symbol, init, init, 0)
        wanted = self.subtypes.pop(id(symbol), None)
        if symbol.subtype and symbol.kind is Kind.MTYPE and wanted not in (None, symbol.subtype):
            self.mtype_clash(symbol, init, symbol.subtype, wanted or _UNNAMED)

    def symbol(self, symbol: Symbol) -> None:
        if symbol.hidden and (symbol.context is not None or symbol.is_field):
            self.report.error(
                f"cannot hide non-globals ({symbol.name})",
                symbol.loc,
                "only globals can be hidden",
                word="hidden",
            )
        elif symbol.hidden and symbol.kind is Kind.CHAN:
            self.report.error(f"cannot hide channels ({symbol.name})", symbol.loc, word="hidden")
        if symbol.is_param and symbol.is_array:
            self.report.error(
                f"array in parameter list, {symbol.name}",
                symbol.loc,
                "an array cannot be passed to a process; use a global array",
                word=symbol.name,
            )
        if symbol.is_param and symbol.struct is not None and has_array(symbol.struct):
            self.report.error(
                f"hidden array in parameter {symbol.name}",
                symbol.loc,
                f"the typedef '{symbol.struct.name}' contains an array, which cannot be passed to a process",
                word=symbol.name,
            )

    # ---------------------------------------------------------------- processes and statements

    def run(self, process: Process) -> None:
        self.process = process
        for symbol in process.params:
            self.symbol(symbol)
        if process.provided is not None:
            self.enabler(process.provided)
        if process.active and process.priority is not None and not 1 <= process.priority <= 255:
            self.error("bad process priority, valid range: 1..255", process, word="priority")
        for step in statements(process.body.steps):
            self.statement(step)
        self.process = None

    def statement(self, step: Stmt) -> None:
        if isinstance(step, DeclStmt):
            self.declaration(step)
            return
        self.claim_statement(step)
        self.runs(step)
        match step:
            case Assign():
                self.assignment(step)
            case Send():
                self.channel(step.chan, len(self.expanded(step.args)))
                self.arguments(step.args, watching=self.watches())
            case Receive():
                self.channel(step.chan, 0)
                self.receive(step)
            case Printm(arg=Const(mtype=None)):
                self.error("printm needs an mtype name", step, "use printf for numbers", "printm")
            case For() | Select():
                self.loop_variable(step)
            case ForIn():
                self.for_in(step)
            case ExclusiveDecl():
                self.exclusive(step)
            case Block():
                pass
            case _:
                for expr in expressions(step):
                    self.value(expr)

    def claim_statement(self, step: Stmt) -> None:
        if self.process is None or self.process.kind is not ProcKind.NEVER:
            return
        if isinstance(step, Send | Receive):
            self.error(
                "never claim contains i/o stmnts",
                step,
                "a claim observes; to look into a channel, write q?[...]",
            )
        elif isinstance(step, Assign):
            self.report.warn("spin: Warning, never claim has side-effect", step.span.loc)

    def runs(self, step: Stmt) -> None:
        parts = [part for expr in expressions(step) for part in subexpressions(expr)]
        found = [part for part in parts if isinstance(part, Run)]
        if not found:
            return
        if isinstance(step, ExprStmt):
            if len(found) > 1:
                self.error("more than one run operator in expression", step, "start one process per statement", "run")
            elif not isinstance(step.expr, Run):
                self.error(
                    "use of run operator in compound expression",
                    step,
                    "store the result of 'run' in a variable first",
                    "run",
                )
        elif isinstance(step, Send):
            self.error(
                "run operator used in invalid context",
                step,
                "store the result of 'run' in a variable first",
                "run",
            )

    # ---------------------------------------------------------------- assignment

    def assignment(self, step: Assign) -> None:
        target = step.target
        if target.symbol is None and target.name in _READ_ONLY:
            self.error(f"invalid assignment to {target.name}", target, "it is predefined and read-only", target.name)
        self.place(target)
        stepping = isinstance(step.value, Binary) and step.value.left is target
        if stepping:
            if target.symbol is not None and target.symbol.kind is Kind.CHAN:
                self.error("arithmetic on chan", step, "a channel variable is not a number", target.name)
        else:
            self.value(step.value)
            if target.symbol is not None:
                self.channel_use(target.symbol, target, step.value, 0)
        self.self_index(target, "", [])

    def channel_use(self, target: Symbol, place: Node, value: Expr | None, depth: int) -> None:
        """SPIN's rule for channel names and mtype constants on the right of an assignment."""
        if value is None or target.kind is Kind.STRUCT:
            return
        symbol = value.symbol if isinstance(value, VarRef) else None
        if depth == 0 and target.kind is Kind.CHAN:
            if isinstance(value, Const):
                self.error(
                    "invalid asgn to chan",
                    value,
                    "a channel variable can only be given another channel",
                    target.name,
                )
                return
            if symbol is not None and symbol.kind is Kind.CHAN:
                return
        if depth == 0 and isinstance(value, Const) and value.mtype is not None:
            self.mtype_value(target, place, value)
        if isinstance(value, Len | Run | ChanTest | Poll):
            return
        if symbol is not None and symbol.kind is Kind.CHAN and depth == 1:
            self.error(
                "invalid use of chan name",
                value,
                "a channel is not a number; is len(...) meant?",
                symbol.name,
            )
            return
        for part, level in parts_by_depth(value):
            self.channel_use(target, place, part, level)

    def mtype_value(self, target: Symbol, place: Node, value: Const) -> None:
        given = value.subtype or _UNNAMED
        known = target.subtype if target.kind is Kind.MTYPE and target.subtype else self.subtypes.get(id(target))
        if known is None:
            self.subtypes[id(target)] = given
        elif known != given:
            self.mtype_clash(target, value, known, given)

    def mtype_clash(self, target: Symbol, value: Expr, known: str, given: str) -> None:
        def say(name: str) -> str:
            return "plain mtype" if name == _UNNAMED else f"mtype:{name}"

        text = value.mtype if isinstance(value, Const) and value.mtype else "the value"
        self.error(
            "type error",
            value,
            f"'{target.name}' is of type {say(known)}, but '{text}' is of {say(given)}",
            text,
        )

    def self_index(self, ref: VarRef, prefix: str, bases: list[str]) -> str:
        """Finds `a[a[i]] = ...`, which SPIN refuses; returns SPIN's pattern of the reference."""
        pattern = prefix + ref.name
        if ref.index is not None:
            pattern += "[]"
            bases.append(pattern)
            index = ref.index
            if isinstance(index, VarRef):
                inner = self.self_index(index, "", bases)
            else:
                inner = "1" if isinstance(index, Const) else "??"
            if inner in bases:
                self.error(
                    f"do not index an array with itself ({text_of_ref(ref)})",
                    ref,
                    "store the index in a variable first",
                    ref.name,
                )
            bases.pop()
        return self.self_index(ref.field, pattern + ".", bases) if ref.field is not None else pattern

    # ---------------------------------------------------------------- channels

    def channel(self, ref: VarRef, sent: int) -> None:
        self.place(ref)
        symbol = last_link(ref).symbol
        if sent > self.max_fields:
            self.error(
                "too many pars in send",
                ref,
                f"{sent} values are sent, but no channel of the model has more than {self.max_fields} fields",
                ref.name,
            )
        elif symbol is None or symbol.kind is not Kind.CHAN:
            self.error(f"bad channel name '{last_link(ref).name}'", ref, f"'{ref.name}' is not a channel", ref.name)

    def watches(self) -> bool:
        """In a trace, sends are patterns, in which `_` stands for any value."""
        return self.process is not None and self.process.kind in (ProcKind.TRACE, ProcKind.NOTRACE)

    def arguments(self, args: list[Expr], *, watching: bool) -> None:
        for arg in args:
            if not (watching and isinstance(arg, VarRef) and arg.name == "_"):
                self.value(arg, expand=True)

    def receive(self, step: Receive) -> None:
        seen: set[int] = set()
        for arg in step.args:
            if isinstance(arg, VarRef):
                self.place(arg, expand=True)
                symbol = arg.symbol
                if symbol is None or symbol.kind is Kind.STRUCT or symbol.is_array:
                    continue
                if id(symbol) in seen:
                    self.error(
                        f"cannot use var ('{arg.name}') in multiple msg fields",
                        arg,
                        "every field needs a variable of its own; '_' takes values nobody needs",
                        arg.name,
                    )
                seen.add(id(symbol))
            else:
                self.value(arg, expand=True)

    def expanded(self, args: list[Expr]) -> list[Expr | Symbol]:
        """Arguments with every structure replaced by its fields."""
        flat: list[Expr | Symbol] = []
        for arg in args:
            last = last_link(arg).symbol if isinstance(arg, VarRef) else None
            if last is not None and last.struct is not None:
                flat += flat_fields(last.struct)
            else:
                flat.append(arg)
        return flat

    def exclusive(self, step: ExclusiveDecl) -> None:
        for ref in step.chans:
            self.place(ref)
            symbol = last_link(ref).symbol
            if symbol is not None and symbol.is_array and ref.index is not None:
                self.error(
                    "ref to array element invalid in this context",
                    ref,
                    f"give the element a name first: chan c = {text_of_ref(ref)}; {step.mode} c",
                    ref.name,
                )

    # ---------------------------------------------------------------- loops

    def loop_variable(self, step: For | Select) -> None:
        symbol = step.var.symbol
        if symbol is not None and (symbol.kind in (Kind.CHAN, Kind.STRUCT) or symbol.is_array):
            self.error(
                f"bad index in for-construct {step.var.name}",
                step.var,
                "the variable that counts must be a plain variable, no array element or field",
                step.var.name,
            )
        self.value(step.low)
        self.value(step.high)
        low, high = step.low, step.high
        if isinstance(low, Const) and isinstance(high, Const) and low.value > high.value:
            self.error(
                f"start value for {step.var.name} exceeds end-value",
                low,
                f"{low.value} is greater than {high.value}, so the range is empty",
            )

    def for_in(self, step: ForIn) -> None:
        var, container = step.var.symbol, step.container.symbol
        name = step.container.name
        if var is not None and var.kind is Kind.STRUCT:
            self.for_in_channel(step, var, container)
        elif container is None or not container.is_array:
            self.error(
                f"bad arrayname {name}",
                step.container,
                f"'{name}' is not an array (a field cannot be used here)",
                name,
            )
        elif var is not None and (var.kind is Kind.CHAN or var.is_array):
            self.error(f"bad index in for-construct {step.var.name}", step.var, word=step.var.name)

    def for_in_channel(self, step: ForIn, var: Symbol, container: Symbol | None) -> None:
        name = step.container.name
        if container is None or container.kind is not Kind.CHAN:
            self.error(
                f"for ( {step.var.name} in .channel_name ) {{ ... }}",
                step.container,
                f"'{step.var.name}' is a structure, so it goes through the messages of a channel; "
                f"'{name}' is no channel",
                name,
            )
            return
        init = container.init
        fields = init.fields if isinstance(init, ChanInit) and init.capacity > 0 else []
        if len(fields) != 1 or fields[0].kind is not Kind.STRUCT:
            self.error(
                f"bad channel type {name} in for",
                step.container,
                f"'{name}' must be declared with a capacity and with messages of type {var.subtype} only",
                name,
            )
        elif fields[0].subtype != var.subtype:
            self.error(
                f"type of {step.var.name} does not match chan",
                step.var,
                f"the messages of '{name}' are of type {fields[0].subtype}",
                step.var.name,
            )

    # ---------------------------------------------------------------- expressions

    def value(self, expr: Expr, *, expand: bool = False) -> None:
        """Checks an expression that is evaluated; `expand` allows whole structures."""
        match expr:
            case VarRef():
                self.place(expr, expand=expand)
                if expr.name == "_" and expr.symbol is None:
                    self.error("attempt to read value of '_'", expr, "'_' can only be written to", "_")
            case Binary():
                self.value(expr.left)
                self.value(expr.right)
            case Run():
                self.run_operator(expr)
            case ChanTest():
                self.channel(expr.chan, 0)
            case Len():
                self.place(expr.chan)
            case Poll():
                self.place(expr.chan)
                for arg in expr.args:
                    if not isinstance(arg, VarRef):
                        self.value(arg)
            case NonProgress():
                self.outside_claim(expr)
            case Enabled() | PcValue():
                self.warn_outside_claim(expr)
                self.value(expr.pid)
            case CExpr():
                self.side_effects(expr)
            case _:
                for part, _ in parts_by_depth(expr):
                    self.value(part)

    def place(self, ref: VarRef, *, expand: bool = False) -> None:
        """Checks the indices and fields of a reference, read or written."""
        link: VarRef | None = ref
        while link is not None:
            if link.index is not None:
                self.value(link.index)
                self.scalar_index(link)
            last = link
            link = link.field
        symbol = last.symbol
        if symbol is None or symbol.struct is None:
            return
        if not expand:
            self.error(
                f"incomplete structure ref '{ref.name}'",
                ref,
                f"'{text_of_ref(ref)}' is a structure; name one of its fields: "
                + ", ".join(part.name for part in symbol.struct.fields),
                ref.name,
            )
        elif nested := array_of_structs(symbol.struct):
            self.error(
                f"array of structures in param list, {nested}",
                ref,
                f"'{ref.name}' contains an array of structures, which cannot be passed as a whole",
                ref.name,
            )

    def scalar_index(self, link: VarRef) -> None:
        symbol, index = link.symbol, link.index
        if symbol is None or symbol.is_array or (isinstance(index, Const) and index.value == 0):
            return
        self.error(
            f"ref to scalar '{link.name}' using array index",
            link,
            f"'{link.name}' is not an array",
            link.name,
        )

    def run_operator(self, node: Run) -> None:
        for arg in node.args:
            self.value(arg, expand=True)
        process = self.processes.get(node.name)
        if process is None or process.kind not in (ProcKind.PROCTYPE, ProcKind.ACTIVE):
            names = [name for name, known in self.processes.items() if known.kind.value >= 5]
            guess = closest(node.name, names)
            self.error(
                f"proctype {node.name} not found",
                node,
                f"did you mean '{guess}'?" if guess else None,
                node.name,
            )
            return
        if node.priority is not None and not 0 <= node.priority <= 255:
            self.error(f"bad process in run {node.name}, valid range: 1..255", node, word="priority")
        self.parameters(node, process)

    def parameters(self, node: Run, process: Process) -> None:
        formals = [
            part for symbol in process.params for part in (flat_fields(symbol.struct) if symbol.struct else [symbol])
        ]
        given = self.expanded(node.args)
        if len(formals) != len(given):
            self.error(
                "wrong number of parameters",
                node,
                f"{node.name} has {count_of(len(formals), 'parameter')}, but "
                f"{count_of(len(given), 'argument')} {'is' if len(given) == 1 else 'are'} given",
                node.name,
            )
            return
        for formal, actual in zip(formals, given, strict=True):
            if formal.kind is Kind.MTYPE and isinstance(actual, Const) and actual.mtype is not None:
                if (formal.subtype or None) != actual.subtype:
                    self.error(
                        f"wrong arg type '{actual.mtype}'",
                        actual,
                        f"parameter '{formal.name}' wants {mtype_name(formal.subtype)}, "
                        f"'{actual.mtype}' is {mtype_name(actual.subtype)}",
                        actual.mtype,
                    )

    def outside_claim(self, node: NonProgress) -> None:
        if self.process is not None and self.process.kind is not ProcKind.NEVER:
            self.error("spin: Error, using np_ outside never claim", node, "np_ is for never claims only", "np_")

    def warn_outside_claim(self, node: Enabled | PcValue) -> None:
        name = "enabled()" if isinstance(node, Enabled) else "pc_value()"
        inside = self.process is None or self.process.kind is ProcKind.NEVER
        if not inside and name not in self.warned:
            self.warned.add(name)
            self.report.warn(f"spin: Warning, using {name} outside never claim", node.span.loc)

    def side_effects(self, node: CExpr) -> None:
        code = node.code.lstrip(" ")
        opening = code.find("(")
        call = opening > 0 and code[opening - 1].isalnum() and not code.startswith("spin_mutex_free(")
        operator = any(re.search(rf"(?<![\"']){mark}", code) for mark in (";", r"\+\+", "--"))
        if call or operator or assigns(code):
            self.error(
                f"c_expr c_code{node.number} has side-effects",
                node,
                "a c_expr is evaluated as a condition, any number of times; use c_code to change something",
                "c_expr",
            )

    def enabler(self, expr: Expr) -> None:
        if not proper_enabler(expr):
            self.error(
                "invalid PROVIDED clause",
                expr,
                "it may use globals, _pid, constants and operators, but no locals, parameters or 'run'",
            )
        self.value(expr)
