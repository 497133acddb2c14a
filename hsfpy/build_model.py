"""Statements, declarations and units, made while the parser reduces (see build_expr)."""

from __future__ import annotations

from dataclasses import field

from hsfpy.build_expr import Children, ExprBuilder
from hsfpy.diagnostics import PromelaError, Report
from hsfpy.lexer import TokenStream
from hsfpy.nodes import (
    Assert,
    Assign,
    Atomic,
    Binary,
    Block,
    Break,
    CCode,
    ChanInit,
    Const,
    CUnit,
    DeclStmt,
    Do,
    DStep,
    Else,
    ExclusiveDecl,
    Expr,
    ExprStmt,
    FieldType,
    For,
    ForIn,
    Goto,
    If,
    Kind,
    Labelled,
    Ltl,
    MtypeDecl,
    Node,
    Printf,
    Printm,
    Process,
    ProcKind,
    Receive,
    Select,
    Send,
    Sequence,
    SetPriority,
    Span,
    Stmt,
    Symbol,
    Typedef,
    Unless,
    VarRef,
)
from hsfpy.records import dataclass
from hsfpy.tokens import Frame, Names, Token

_KINDS = {
    "bit": Kind.BIT,
    "bool": Kind.BIT,
    "byte": Kind.BYTE,
    "pid": Kind.BYTE,
    "short": Kind.SHORT,
    "int": Kind.INT,
    "unsigned": Kind.UNSIGNED,
    "mtype": Kind.MTYPE,
    "chan": Kind.CHAN,
}


@dataclass(slots=True)
class Session:
    """What the front end remembers of a parsed model beside its nodes."""

    names: Names
    report: Report
    bounds: dict[int, Token] = field(default_factory=dict)  # arrays and `active` sized by a variable, by id
    table: object = None  # the symbol table of resolve
    claim: str | None = None  # name of the claim parsed last
    texts: dict[str, str] = field(default_factory=dict)  # sources that are not files
    old_scope: bool = False


class ModelBuilder(ExprBuilder):
    """Builds statements and units; `units` collects them in source order."""

    def __init__(self, stream: TokenStream, session: Session) -> None:
        super().__init__(stream, session.report)
        self.session = session

    # ---------------------------------------------------------------- sequences and blocks

    def steps_first(self, c: Children) -> list[Stmt]:
        return [c[0]]

    def steps_more(self, c: Children) -> list[Stmt]:
        steps: list[Stmt] = c[0]
        steps.append(c[-1])
        return steps

    def block(self, c: Children) -> Block:
        return Block(self.span(c[0]), Sequence(self.span(c[0]), c[1], c[0].scope))

    def body(self, c: Children) -> tuple[Sequence, Token]:
        return Sequence(self.span(c[0]), c[1], c[0].scope), c[-1]

    def for_body(self, c: Children) -> Block:
        block: Block = c[-1]
        return block

    def plain_block(self, c: Children) -> Stmt:
        block: Block = c[0]
        return block

    def option(self, c: Children) -> Sequence:
        return Sequence(self.span(c[0]), c[1], c[0].scope)

    # ---------------------------------------------------------------- steps

    def decl_step(self, c: Children) -> Stmt:
        step: Stmt = c[0]
        return step

    def exclusive(self, c: Children) -> Stmt:
        return ExclusiveDecl(self.span(c[0]), c[0].text, c[1::2])

    def label_decl(self, c: Children) -> Stmt:
        raise self.fail_at(
            c[0],
            "label preceding declaration,",
            "put the label in front of the first statement after the declaration",
        )

    def label_exclusive(self, c: Children) -> Stmt:
        raise self.fail_at(
            c[0],
            "label preceding xr/xs claim,",
            "put the label in front of the first statement after the claim",
        )

    def unless(self, c: Children) -> Stmt:
        return Unless(self.span(c[0], c[0]), c[0], c[2])

    # ---------------------------------------------------------------- statements

    def receive(self, c: Children) -> Stmt:
        return Receive(self.span(c[0]), c[0], c[2], c[1].type == "R_RCV", False)

    def receive_copy(self, c: Children) -> Stmt:
        return Receive(self.span(c[0]), c[0], c[3], c[1].type == "R_RCV", True)

    def send(self, c: Children) -> Stmt:
        return Send(self.span(c[0]), c[0], c[2], c[1].type == "O_SND")

    def assign(self, c: Children) -> Stmt:
        return Assign(self.span(c[0]), c[0], c[2])

    def step_by_one(self, c: Children) -> Stmt:
        target: VarRef = c[0]
        one = Const(self.span(c[1]), 1)
        value = Binary(self.span(target, one), "+" if c[1].type == "INCR" else "-", target, one)
        return Assign(self.span(target), target, value)

    def inline_result(self, c: Children) -> tuple[VarRef, Token]:
        """The left side of `x = name(...)`; the call still being read will hand it to its frame."""
        self.stream.call_result(c[0])
        return c[0], c[2]

    def inline_assign(self, c: Children) -> Stmt:
        block: Block = c[4]
        block.result, name = c[0]
        block.inline = name.text
        return block

    def inline_call(self, c: Children) -> Stmt:
        block: Block = c[4]
        block.inline = c[0].text
        return block

    def return_value(self, c: Children) -> Stmt:
        token: Token = c[0]
        frame: Frame | None = token.frame
        if frame is None or not isinstance(frame.result, VarRef):
            raise self.fail_at(
                token,
                "return statement outside inline",
                "'return' is for inlines that are called as 'variable = name(...)'",
            )
        return Assign(self.span(token, frame.result), frame.result, c[1])

    def for_range(self, c: Children) -> Stmt:
        block: Block = c[8]
        return For(self.span(c[0]), c[2], self.plain(c[4]), self.plain(c[6]), block.body)

    def for_in(self, c: Children) -> Stmt:
        block: Block = c[6]
        return ForIn(self.span(c[0]), c[2], c[4], block.body)

    def select(self, c: Children) -> Stmt:
        return Select(self.span(c[0]), c[2], self.plain(c[4]), self.plain(c[6]))

    def if_statement(self, c: Children) -> Stmt:
        return If(self.span(c[0]), c[1:-1])

    def do_statement(self, c: Children) -> Stmt:
        return Do(self.span(c[0]), c[1:-1])

    def break_statement(self, c: Children) -> Stmt:
        return Break(self.span(c[0]))

    def goto_statement(self, c: Children) -> Stmt:
        label: Token = c[1]
        return Goto(self.span(c[0], label), label.text, label.scope, label.inline_id)

    def labelled(self, c: Children) -> Stmt:
        label: Token = c[0]
        return Labelled(self.span(label), label.text, c[2], label.scope, label.inline_id)

    def label_only(self, c: Children) -> Stmt:
        label: Token = c[0]
        span = self.span(label)
        # SPIN makes the implied skip after it has read the next token, and gives it that line
        place = Span(span.loc, span.ahead, span.ahead_file, span.last, span.ahead, span.ahead_file)
        skip = ExprStmt(place, Const(place, 1))
        return Labelled(span, label.text, skip, label.scope, label.inline_id)

    def set_priority(self, c: Children) -> Stmt:
        return SetPriority(self.span(c[0], c[4]), self.plain(c[2]), self.plain(c[4]))

    def printf(self, c: Children) -> Stmt:
        return Printf(self.span(c[0], c[2]), c[2].text, c[4] or [])

    def printm(self, c: Children) -> Stmt:
        arg = self.const_token(c[2]) if isinstance(c[2], Token) else c[2]
        return Printm(self.span(c[0], c[2]), arg)

    def assert_statement(self, c: Children) -> Stmt:
        return Assert(self.span(c[0], c[1]), c[1])

    def c_code(self, c: Children) -> Stmt:
        token: Token = c[0]
        assert token.raw is not None
        return CCode(self.span(token), token.raw.code, token.raw.precondition, token.value)

    def expr_statement(self, c: Children) -> Stmt:
        return ExprStmt(self.span(c[0], c[0]), c[0])

    def else_statement(self, c: Children) -> Stmt:
        return Else(self.span(c[0]))

    def atomic(self, c: Children) -> Stmt:
        return Atomic(self.span(c[0]), c[1].body)

    def d_step(self, c: Children) -> Stmt:
        return DStep(self.span(c[0]), c[1].body)

    # ---------------------------------------------------------------- declarations

    def var_plain(self, c: Children) -> Symbol:
        token: Token = c[0]
        return Symbol(token.text, Kind.INT, token.loc, context=token.context, scope=token.scope)

    def var_width(self, c: Children) -> Symbol:
        symbol = self.var_plain(c)
        symbol.nbits = c[2].value
        return symbol

    def var_array(self, c: Children) -> Symbol:
        symbol = self.var_plain(c)
        symbol.length = c[2]
        symbol.is_array = True
        return symbol

    def var_array_name(self, c: Children) -> Symbol:
        symbol = self.var_plain(c)
        symbol.is_array = True
        self.session.bounds[id(symbol)] = c[2]
        return symbol

    def _placed(self, symbol: Symbol, *, after_brace: bool = False) -> Symbol:
        """Notes the line SPIN would give an assignment made of the declaration."""
        current = self.stream.current
        symbol.init_line = current.before if after_brace and current else self.stream.line
        symbol.init_file = self.stream.file
        return symbol

    def ivar_plain(self, c: Children) -> Symbol:
        return self._placed(c[0])

    def ivar_array(self, c: Children) -> Symbol:
        symbol = self._placed(c[0], after_brace=True)
        symbol.init = c[3]
        if not symbol.is_array:
            raise PromelaError(
                f"{symbol.name} must be an array",
                symbol.loc,
                f"a list in braces initialises an array: {symbol.name}[{len(c[3])}] = {{ ... }}",
                word=symbol.name,
            )
        return symbol

    def ivar_expr(self, c: Children) -> Symbol:
        symbol = self._placed(c[0])
        symbol.init = self.plain(c[2])
        return symbol

    def ivar_chan(self, c: Children) -> Symbol:
        symbol = self._placed(c[0], after_brace=True)
        symbol.init = c[2]
        return symbol

    def const_list(self, c: Children) -> list[Const]:
        return [self.const_token(token) for token in c[::2]]

    def chan_init(self, c: Children) -> ChanInit:
        return ChanInit(self.span(c[0]), c[1], c[5:-1:2])

    def field_basic(self, c: Children) -> FieldType:
        token: Token = c[0]
        if token.text == "unsigned":
            raise self.fail_at(
                token,
                "unsigned cannot be used as mesg type",
                "use byte, short or int for the field of a message",
            )
        return FieldType(self.span(token), _KINDS[token.text])

    def field_subtype(self, c: Children) -> FieldType:
        if c[0].text != "mtype":
            raise self.fail_at(c[0], "unexpected type", "only mtype has subtypes, as in 'mtype:name'")
        return FieldType(self.span(c[0]), Kind.MTYPE, c[2].text)

    def field_struct(self, c: Children) -> FieldType:
        return FieldType(self.span(c[0]), Kind.STRUCT, c[0].text)

    def var_list(self, c: Children) -> list[Symbol]:
        return c[::2]

    def basic_decl(self, c: Children) -> DeclStmt:
        return self._declare(c[0], c[1], None, c[2])

    def subtype_decl(self, c: Children) -> DeclStmt:
        if c[1].text != "mtype":
            raise self.fail_at(
                c[3],
                f"missing semi-colon after '{c[3].text}'?",
                "only mtype has subtypes, as in 'mtype:name variable'",
            )
        return self._declare(c[0], c[1], c[3].text, c[4])

    def struct_decl(self, c: Children) -> DeclStmt:
        for symbol in c[2]:
            symbol.kind = Kind.STRUCT
            symbol.subtype = c[1].text
            self._visibility(symbol, c[0])
            if symbol.nbits > 0:
                self._no_width(symbol)
        return DeclStmt(self.span(c[0] or c[1]), c[2])

    def _declare(self, vis: Token | None, type_: Token, subtype: str | None, symbols: list[Symbol]) -> DeclStmt:
        for symbol in symbols:
            symbol.kind = _KINDS[type_.text]
            symbol.subtype = subtype
            self._visibility(symbol, vis)
            self._check_width(symbol)
            if symbol.hidden and symbol.kind is Kind.BIT:
                raise PromelaError(
                    f"bit variable ({symbol.name}) cannot be hidden",
                    symbol.loc,
                    "declare it as byte to hide it",
                    word=symbol.name,
                )
            if isinstance(symbol.init, ChanInit) and symbol.kind is not Kind.CHAN:
                raise PromelaError(
                    f"chan initializer for non-channel {symbol.name}",
                    symbol.loc,
                    f"'[...] of {{...}}' makes a channel; declare 'chan {symbol.name}'",
                    word=symbol.name,
                )
        return DeclStmt(self.span(vis or type_), symbols)

    def _check_width(self, symbol: Symbol) -> None:
        if symbol.kind is not Kind.UNSIGNED:
            if symbol.nbits > 0:
                self._no_width(symbol)
            return
        if symbol.nbits < 0 or symbol.nbits >= 32:
            raise PromelaError(
                f"({symbol.name}) has invalid width-field",
                symbol.loc,
                "the width is a number of bits from 1 to 31",
                word=symbol.name,
            )
        if symbol.nbits == 0:
            symbol.nbits = 16
            self.report.error(
                "unsigned without width-field",
                symbol.loc,
                f"write 'unsigned {symbol.name} : 4'",
                word=symbol.name,
            )

    def _no_width(self, symbol: Symbol) -> None:
        self.report.error(
            f"({symbol.name}) only an unsigned can have width-field",
            symbol.loc,
            f"write 'unsigned {symbol.name} : {symbol.nbits}', or leave out the width",
            word=symbol.name,
        )

    def _visibility(self, symbol: Symbol, vis: Token | None) -> None:
        if vis is not None:
            symbol.hidden = vis.type == "HIDDEN"
            symbol.show = vis.type == "SHOW"
            symbol.local = vis.type == "ISLOCAL"

    def name_list(self, c: Children) -> list[Token]:
        return [token for token in c if token.type == "NAME"]

    def mtype_decl(self, c: Children) -> MtypeDecl:
        vis, type_, names = c[0], c[1], c[-2]
        if type_.text != "mtype":
            raise self.fail_at(type_, "malformed declaration", "only 'mtype' is followed by a list of names")
        if vis is not None:
            self.report.error(f"cannot :{_VIS[vis.type]}: mtype (ignored)", vis.loc, word=vis.text)
        if names[0].context is not None:
            raise self.fail_at(type_, "mtype declaration must be global", "move it out of the proctype, in front of it")
        subtype = next((token.text for token in c[2:-3] if token is not None and token.type == "NAME"), None)
        return MtypeDecl(self.span(vis or type_), subtype, [token.text for token in names])

    def decl_list(self, c: Children) -> list[Node]:
        return c[::2]

    # ---------------------------------------------------------------- units

    def start(self, c: Children) -> list[Node]:
        return [unit for unit in c if isinstance(unit, Node)]

    def global_decl(self, c: Children) -> Node:
        unit: Node = c[0]
        return unit

    def active_one(self, c: Children) -> int:
        return 1

    def active_count(self, c: Children) -> int:
        count: int = c[2]
        if count > 255:
            self.report.error("max nr of processes is 255", c[0].loc, word="active")
        return max(0, count)

    def active_name(self, c: Children) -> Token:
        token: Token = c[2]
        return token

    def priority(self, c: Children) -> int:
        value: int = c[1].value
        return value

    def enabler(self, c: Children) -> Expr:
        node: Expr = c[2]
        return node

    def proctype_unit(self, c: Children) -> Process:
        active, keyword, name = c[0], c[1], c[2]
        params = self._params(c[4] or [])
        body, closing = c[8]
        process = Process(self.span(keyword), ProcKind.PROCTYPE, name.text, params, body)
        process.priority = c[6]
        process.provided = c[7]
        process.deterministic = keyword.type == "D_PROCTYPE"
        process.end_line, process.end_file = closing.line, closing.file
        if isinstance(active, Token):
            self.session.bounds[id(process)] = active
        else:
            process.active = active or 0
            process.kind = ProcKind.ACTIVE if process.active else ProcKind.PROCTYPE
        return process

    def _params(self, decls: list[Node]) -> list[Symbol]:
        params: list[Symbol] = []
        for decl in decls:
            for symbol in decl.symbols if isinstance(decl, DeclStmt) else []:
                symbol.is_param = True
                params.append(symbol)
                if symbol.init is not None:
                    raise PromelaError(
                        "initializer in parameter list",
                        symbol.loc,
                        "parameters get their values from 'run'; remove the initial value",
                        word=symbol.name,
                    )
        return params

    def _process(self, first: Token, kind: ProcKind, name: str, body: tuple[Sequence, Token]) -> Process:
        process = Process(self.span(first), kind, name, [], body[0])
        process.end_line, process.end_file = body[1].line, body[1].file
        return process

    def init_unit(self, c: Children) -> Process:
        process = self._process(c[0], ProcKind.INIT, ":init:", c[2])
        process.priority = c[1]
        process.active = 1
        return process

    def claim_unit(self, c: Children) -> Process:
        body, _ = c[2]
        name = c[1].text if c[1] is not None else f"never_{self.stream.names.claim_count - 1}"
        if self.session.claim == name:
            raise self.fail_at(
                c[1] or c[0], f"claim {name} redefined", "give every never claim and ltl formula its own name"
            )
        self.session.claim = name
        return self._process(c[0], ProcKind.NEVER, name, c[2])

    def trace_unit(self, c: Children) -> Process:
        kind = ProcKind.TRACE if c[0].text == "trace" else ProcKind.NOTRACE
        return self._process(c[0], kind, f":{c[0].text}:", c[1])

    def ltl_unit(self, c: Children) -> Ltl:
        names = self.stream.names
        if c[1] is not None:
            name = c[1].text
        else:
            name = f"ltl_{names.ltl_count}"
            names.ltl_count += 1
        return Ltl(self.span(c[0]), name, c[3])

    def typedef_unit(self, c: Children) -> Typedef:
        name: Token = c[1]
        fields: list[Symbol] = []
        for decl in c[3]:
            if not isinstance(decl, DeclStmt):
                raise self.fail_at(name, "illegal reference inside typedef", "declare the mtype outside the typedef")
            for symbol in decl.symbols:
                symbol.is_field = True
                fields.append(symbol)
        return Typedef(self.span(c[0]), name.text, fields)

    def inline_unit(self, c: Children) -> None:
        return None

    def c_unit(self, c: Children) -> CUnit:
        token: Token = c[0]
        assert token.raw is not None
        return CUnit(self.span(token), token.text, token.raw.code)

    def c_state(self, c: Children) -> CUnit:
        keyword, first, second, third = c
        return CUnit(
            self.span(keyword),
            keyword.text,
            first.text[1:-1],
            second.text[1:-1],
            third.text[1:-1] if third is not None else None,
        )


_VIS = {"HIDDEN": "hide", "SHOW": "show", "ISLOCAL": "local"}
