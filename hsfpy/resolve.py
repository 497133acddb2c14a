"""Completes a parsed model: which symbol every name means, in SPIN's scopes and order."""

from __future__ import annotations

from hsfpy.build_model import Session
from hsfpy.diagnostics import PromelaError, Report, closest
from hsfpy.nodes import (
    Assert,
    Assign,
    Atomic,
    Binary,
    Block,
    CCode,
    ChanInit,
    ChanTest,
    Conditional,
    Const,
    DeclStmt,
    Do,
    DStep,
    Enabled,
    Equiv,
    EvalArg,
    ExclusiveDecl,
    Expr,
    ExprStmt,
    For,
    ForIn,
    GetPriority,
    Goto,
    If,
    Kind,
    Labelled,
    Len,
    Ltl,
    Model,
    MtypeDecl,
    Node,
    PcValue,
    Poll,
    Printf,
    Printm,
    Process,
    ProcKind,
    Receive,
    RemoteLabel,
    RemoteVar,
    Run,
    Select,
    Send,
    Sequence,
    SetPriority,
    Stmt,
    Symbol,
    Temporal,
    Typedef,
    Unary,
    Unless,
    VarRef,
)
from hsfpy.symtab import (
    BROKEN,
    LABEL,
    MTYPE,
    PREDEF,
    PREDEFINED,
    PROCTYPE,
    UNKNOWN,
    VARIABLE,
    Entry,
    SymbolTable,
)
from hsfpy.tokens import Token
from hsfpy.walk import last_link

_SCALARS = (Kind.BIT, Kind.BYTE, Kind.SHORT, Kind.INT, Kind.UNSIGNED, Kind.MTYPE)


def resolve(model: Model) -> None:
    """Completes the whole model; raises PromelaError for names that mean nothing."""
    session = _session(model)
    session.table = SymbolTable(old_scope=session.old_scope)
    resolve_units(model, model.units)


def resolve_units(model: Model, units: list[Node]) -> None:
    """Completes units that were just parsed, after everything resolved before."""
    session = _session(model)
    table = session.table
    assert isinstance(table, SymbolTable)
    _Resolver(model, session, table).units(units)
    model.symbols = table.variables(None)
    for process in model.processes:
        process.variables = table.variables(process.name)


def _session(model: Model) -> Session:
    session = model.session
    assert isinstance(session, Session)
    return session


class _Resolver:
    """Walks units in source order, as SPIN reads them."""

    def __init__(self, model: Model, session: Session, table: SymbolTable) -> None:
        self.model = model
        self.session = session
        self.report: Report = session.report
        self.table = table
        self.context: str | None = None
        self.init_ok = True  # a declaration here needs no statement for its initial value
        self.in_for = False
        self.printing = False

    # ---------------------------------------------------------------- units

    def units(self, units: list[Node]) -> None:
        for unit in units:
            match unit:
                case DeclStmt():
                    self.declaration(unit)
                case Typedef():
                    self.typedef(unit)
                case MtypeDecl():
                    self.mtype(unit)
                case Process():
                    self.process(unit)
                case Ltl():
                    self.expr(unit.formula)

    def mtype(self, decl: MtypeDecl) -> None:
        for name in decl.names:
            self.table.lookup(name, None, "_").use = MTYPE

    def typedef(self, typedef: Typedef) -> None:
        seen: set[str] = set()
        for symbol in typedef.fields:
            if symbol.name in seen:
                raise _redeclared(symbol, f"the typedef '{typedef.name}' already has a field of this name")
            seen.add(symbol.name)
            symbol.c_name = symbol.name
            self.complete(symbol)
            self.table.note_field(symbol, typedef.name)

    def process(self, process: Process) -> None:
        self.declare_proctype(process)
        self.context = process.name
        for symbol in process.params:
            self.declare(symbol)
        if process.provided is not None:
            self.expr(process.provided)
        self.init_ok = True
        for step in process.body.steps:
            self.step(step)
        self.context = None
        self.init_ok = True

    def declare_proctype(self, process: Process) -> None:
        bound = self.session.bounds.get(id(process))
        if bound is not None:
            process.active = max(0, self.constant_variable(bound, None))
            process.kind = ProcKind.ACTIVE if process.active else ProcKind.PROCTYPE
        if process.name.startswith(":"):
            return
        entry = self.table.lookup(process.name, None, "_")
        if entry.use not in (UNKNOWN, LABEL) and process.kind.value >= 5:
            raise PromelaError(
                f"redeclaration of '{process.name}'",
                process.span.loc,
                f"'{process.name}' already is a {entry.use}",
                word=process.name,
            )
        if process.kind.value >= 5:
            entry.use = PROCTYPE

    # ---------------------------------------------------------------- declarations

    def declaration(self, decl: DeclStmt) -> None:
        decl.runs = not self.init_ok
        for symbol in decl.symbols:
            self.declare(symbol)
            symbol.init_runs = decl.runs
            if decl.runs and isinstance(symbol.init, ChanInit):
                self.report.error(
                    f"place initialized chan decl of '{symbol.name}' at start of proctype ",
                    symbol.loc,
                    "a channel is made when its process starts, so declare it before the first statement",
                    word=symbol.name,
                )

    def declare(self, symbol: Symbol) -> None:
        entry = self.table.lookup(symbol.name, symbol.context, symbol.scope)
        bound = self.session.bounds.get(id(symbol))
        if bound is not None:
            symbol.length = self.array_bound(symbol, bound)
        self.initializer(symbol)
        if entry.use not in (UNKNOWN, BROKEN):
            raise _redeclared(symbol, _where(entry))
        entry.use = VARIABLE
        entry.symbol = symbol
        symbol.scope = entry.scope
        symbol.c_name = self.c_name(symbol)
        self.complete(symbol)

    def complete(self, symbol: Symbol) -> None:
        if symbol.kind is Kind.STRUCT and symbol.subtype is not None:
            symbol.struct = self.model.typedefs[symbol.subtype]
        if symbol.length <= 0:
            self.report.error(
                f"bad array size for '{symbol.name}'",
                symbol.loc,
                "an array has at least one element",
                word=symbol.name,
            )

    def c_name(self, symbol: Symbol) -> str:
        """SPIN puts the scope in front of the names declared in inner blocks."""
        inner = symbol.scope.count("_") > 2
        return symbol.scope + symbol.name if inner and not self.table.old_scope else symbol.name

    def initializer(self, symbol: Symbol) -> None:
        init = symbol.init
        if isinstance(init, Expr):
            self.expr(init)

    def array_bound(self, symbol: Symbol, bound: Token) -> int:
        value = self.constant_variable(bound, symbol)
        text = f"spin: {symbol.loc}, warning: '{bound.text}' in array bound evaluated as "
        if value <= 0:
            self.report.warn(text + "8 by default (to avoid zero)", symbol.loc, to_stderr=True)
            return 8
        self.report.warn(text + str(value), symbol.loc, to_stderr=True)
        return value

    def constant_variable(self, token: Token, array: Symbol | None) -> int:
        """The initial value of a variable used where SPIN wants a constant."""
        entry = self.table.find(token.text, token.context, token.scope)
        if entry is None or entry.symbol is None:
            raise PromelaError(
                f"undeclared variable {token.text}", token.loc, "the size must be a constant", word=token.text
            )
        init = entry.symbol.init
        if init is None:
            return 0
        if isinstance(init, Const):
            return init.value
        if array is not None:
            return 0
        raise PromelaError(
            f"need constant initializer for {token.text}",
            token.loc,
            "the size must be a constant",
            word=token.text,
        )

    # ---------------------------------------------------------------- statements

    def sequence(self, sequence: Sequence) -> None:
        self.init_ok = False
        for step in sequence.steps:
            self.step(step)

    def step(self, step: Stmt) -> None:
        match step:
            case DeclStmt():
                self.declaration(step)
                return
            case ExclusiveDecl():
                self.exclusive(step)
                return
            case Labelled():
                self.label(step.name, step.scope, step)
                self.step(step.stmt)
            case Unless():
                self.step(step.main)
                self.step(step.escape)
            case _:
                self.statement(step)
        self.init_ok = False

    def statement(self, stmt: Stmt) -> None:
        match stmt:
            case Block():
                if stmt.result is not None:
                    self.reference(stmt.result, reads=False)
                self.sequence(stmt.body)
            case Atomic() | DStep():
                self.sequence(stmt.body)
            case If() | Do():
                for option in stmt.options:
                    self.sequence(option)
            case For() | ForIn():
                self.loop(stmt)
            case Goto():
                self.label(stmt.label, stmt.scope, stmt)
            case Select():
                self.reference(stmt.var)
                self.expr(stmt.low)
                self.expr(stmt.high)
            case _:
                self.basic(stmt)

    def basic(self, stmt: Stmt) -> None:
        match stmt:
            case Assign():
                if stmt.target.symbol is None:
                    self.reference(stmt.target, reads=False)
                # `x++` shares its target with its value, and does not count as reading x
                if not _steps_by_one(stmt):
                    self.expr(stmt.value)
            case Send() | Receive():
                self.reference(stmt.chan)
                for arg in stmt.args:
                    self.expr(arg)
            case ExprStmt() | Assert():
                self.expr(stmt.expr)
            case Printf():
                self.printing = True
                for arg in stmt.args:
                    self.expr(arg)
                self.printing = False
            case Printm():
                if isinstance(stmt.arg, VarRef):
                    self.reference(stmt.arg, reads=False)
            case SetPriority():
                self.expr(stmt.pid)
                self.expr(stmt.priority)
            case CCode():
                pass

    def loop(self, stmt: For | ForIn) -> None:
        self.in_for = True
        self.reference(stmt.var)
        if isinstance(stmt, For):
            self.expr(stmt.low)
            self.expr(stmt.high)
        else:
            self.reference(stmt.container)
            self.hidden_counter(stmt)
        self.in_for = False
        self.sequence(stmt.body)

    def hidden_counter(self, stmt: ForIn) -> None:
        """Looping over a channel needs a counter; SPIN names it after the scope of the loop."""
        var, container = stmt.var.symbol, last_link(stmt.container).symbol
        if var is None or var.kind is not Kind.STRUCT or container is None or container.kind is not Kind.CHAN:
            return
        init = container.init
        wide = isinstance(init, ChanInit) and init.capacity > 255
        scope = stmt.var.scope
        entry = self.table.lookup(f"_f0r_t3mp{scope}", self.context, scope)
        if entry.symbol is None:
            kind = Kind.SHORT if wide else Kind.BYTE
            entry.symbol = Symbol(entry.name, kind, stmt.span.loc, context=entry.context, scope=entry.scope)
            entry.symbol.c_name = self.c_name(entry.symbol)
            entry.use = VARIABLE
        stmt.counter = entry.symbol

    def label(self, name: str, scope: str, stmt: Labelled | Goto) -> None:
        entry = self.table.lookup(name, self.context, scope)
        if entry.use not in (UNKNOWN, LABEL):
            self.report.error(
                f"bad label-name {name}",
                stmt.span.loc,
                f"'{name}' already is a {entry.use}; choose another name for the label",
                word=name,
            )
            return
        entry.use = LABEL
        stmt.scope = entry.scope  # where the name was first seen: that is what SPIN compares

    def exclusive(self, decl: ExclusiveDecl) -> None:
        for ref in decl.chans:
            self.reference(ref)
            symbol = last_link(ref).symbol
            if symbol is None or symbol.kind not in (Kind.CHAN, Kind.STRUCT):
                self.report.error(
                    f"xr or xs of non-chan '{ref.name}'",
                    ref.span.loc,
                    f"'{decl.mode}' is followed by names of channels",
                    word=ref.name,
                )
                continue
            for channel in _channels(symbol):
                if decl.mode == "xr":
                    channel.exclusive_read = True
                else:
                    channel.exclusive_send = True

    # ---------------------------------------------------------------- expressions

    def expr(self, node: Expr) -> None:
        match node:
            case VarRef():
                self.reference(node)
            case Binary() | Equiv():
                self.expr(node.left)
                self.expr(node.right)
            case Unary():
                self.expr(node.operand)
            case Conditional():
                self.expr(node.test)
                self.expr(node.yes)
                self.expr(node.no)
            case Run():
                for arg in node.args:
                    self.expr(arg)
            case Len() | ChanTest():
                self.reference(node.chan)
            case Poll():
                self.reference(node.chan)
                for arg in node.args:
                    self.expr(arg)
            case EvalArg():
                self.expr(node.expr)
            case Enabled() | PcValue() | GetPriority():
                self.expr(node.pid)
            case RemoteLabel():
                if node.pid is not None:
                    self.expr(node.pid)
            case RemoteVar():
                self.remote(node)
            case Temporal():
                self.expr(node.left)
                if node.right is not None:
                    self.expr(node.right)

    def remote(self, node: RemoteVar) -> None:
        if node.pid is not None:
            self.expr(node.pid)
        if node.var.index is not None:
            self.expr(node.var.index)
        if node.var.name in PREDEFINED:
            return
        found = [
            entry.symbol
            for entry in self.table.named(node.var.name)
            if entry.context == node.proctype and entry.symbol is not None
        ]
        if not found:
            names = [symbol.name for symbol in self.table.variables(node.proctype)]
            guess = closest(node.var.name, names)
            raise PromelaError(
                f"undeclared variable: {node.var.name}",
                node.var.span.loc,
                f"proctype '{node.proctype}' has no variable '{node.var.name}'"
                + (f"; did you mean '{guess}'?" if guess else ""),
                word=node.var.name,
            )
        node.var.symbol = min(found, key=lambda symbol: len(symbol.scope))

    def reference(self, ref: VarRef, *, reads: bool = True) -> None:
        """Looks up `name[index].field...`; `reads` is false where a value is only stored."""
        if ref.symbol is not None:
            return
        entry = self.table.lookup(ref.name, self.context, ref.scope)
        if ref.index is not None:
            self.expr(ref.index)
        if entry.use == PREDEF:
            return
        symbol = entry.symbol
        if symbol is None:
            self.undeclared(ref, entry)
            return
        ref.symbol = symbol
        if reads and not self.printing and symbol.kind in _SCALARS:
            symbol.is_read = True
        self.index_given(ref, symbol)
        self.fields(ref, symbol)

    def fields(self, ref: VarRef, symbol: Symbol) -> None:
        while ref.field is not None:
            link = ref.field
            if link.index is not None:
                self.expr(link.index)
            found = (
                next((part for part in symbol.struct.fields if part.name == link.name), None)
                if (symbol.struct is not None)
                else None
            )
            if found is None:
                raise self.no_field(ref, link, symbol)
            link.symbol = found
            self.index_given(link, found)
            ref, symbol = link, found

    def index_given(self, ref: VarRef, symbol: Symbol) -> None:
        if symbol.is_array and ref.index is None and not self.in_for:
            self.report.error(
                f"missing array index for '{ref.name}'",
                ref.span.loc,
                f"'{ref.name}' is an array of {symbol.length}; write {ref.name}[...]",
                word=ref.name,
            )

    def no_field(self, ref: VarRef, link: VarRef, symbol: Symbol) -> PromelaError:
        if symbol.struct is None:
            hint = f"'{ref.name}' is a {symbol.kind.value}, not a structure"
        else:
            names = [part.name for part in symbol.struct.fields]
            hint = f"the fields of typedef '{symbol.struct.name}' are: {', '.join(names)}"
        return PromelaError(
            f"no field '{link.name}' defined in structure '{ref.name}'", link.span.loc, hint, word=link.name
        )

    def undeclared(self, ref: VarRef, entry: Entry) -> None:
        guess = closest(ref.name, self.table.visible(self.context, ref.scope))
        elsewhere = [
            other.context for other in self.table.named(ref.name) if other.symbol is not None and other.context
        ]
        if entry.use == LABEL:
            hint = f"'{ref.name}' is a label"
        elif guess and guess != ref.name:
            hint = f"did you mean '{guess}'?"
        elif elsewhere and elsewhere[0] != self.context:
            hint = f"there is one in '{elsewhere[0]}', but it is local there"
        elif elsewhere:
            hint = "it is declared in another block, and not known here"
        else:
            hint = f"declare it first, for example 'byte {ref.name};'"
        if entry.use != BROKEN:
            self.report.error(f"undeclared variable: {ref.name}", ref.span.loc, hint, word=ref.name)
        if entry.use == UNKNOWN:
            entry.use = BROKEN  # one message per name is enough


def _steps_by_one(stmt: Assign) -> bool:
    return isinstance(stmt.value, Binary) and stmt.value.left is stmt.target


def _channels(symbol: Symbol) -> list[Symbol]:
    """The channel itself, or all channels inside a structure."""
    if symbol.kind is Kind.CHAN:
        return [symbol]
    fields = symbol.struct.fields if symbol.struct is not None else []
    return [channel for part in fields if part.kind in (Kind.CHAN, Kind.STRUCT) for channel in _channels(part)]


def _where(entry: Entry) -> str:
    if entry.symbol is not None:
        place = entry.symbol.loc
        scope = "globally" if entry.context is None else "in the same proctype"
        return f"'{entry.name}' is already declared {scope} at {place}; inner names may not repeat it"
    if entry.use == PREDEF:
        return f"'{entry.name}' is predefined"
    return f"'{entry.name}' already is a {entry.use}"


def _redeclared(symbol: Symbol, hint: str) -> PromelaError:
    return PromelaError(f"redeclaration of '{symbol.name}'", symbol.loc, hint, word=symbol.name)
