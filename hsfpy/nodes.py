"""The syntax of Promela as Python objects: what `parse` makes and `resolve` completes.

One class per construct. Nodes compare by identity. `Span.line` is the line SPIN would print for
the node's first token; `Span.ahead` is the line the lexer had reached when SPIN's parser closed
the construct (it reads one token ahead), because some of SPIN's line numbers come from there.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from hsfpy.diagnostics import Loc, Warning
from hsfpy.records import dataclass


@dataclass(slots=True, frozen=True)
class Span:
    """Where a construct stands: its first token, and the line reached after its last one."""

    loc: Loc
    ahead: int
    ahead_file: str
    last: int  # line of the construct's own last token
    at: int = 0  # the line SPIN gives the node itself (its nn(): right operand first, then left)
    at_file: str = ""


@dataclass(slots=True, eq=False)
class Node:
    span: Span


# ---------------------------------------------------------------- types and symbols


class Kind(Enum):
    """Promela's basic types; the value is the name printed by SPIN."""

    BIT = "bit"
    BYTE = "byte"
    SHORT = "short"
    INT = "int"
    UNSIGNED = "unsigned"
    MTYPE = "mtype"
    CHAN = "chan"
    STRUCT = "struct"


@dataclass(slots=True, eq=False)
class ChanInit(Node):
    """`[capacity] of { fields }`"""

    capacity: int
    fields: list[FieldType]


@dataclass(slots=True, eq=False)
class FieldType(Node):
    """One field of a channel's messages."""

    kind: Kind
    subtype: str | None = None  # name of the mtype subtype, or of the typedef


@dataclass(slots=True, eq=False)
class Symbol:
    """A declared variable, parameter or typedef field."""

    name: str
    kind: Kind
    loc: Loc
    nbits: int = 0  # width of an `unsigned`
    length: int = 1  # number of elements
    is_array: bool = False
    subtype: str | None = None  # mtype subtype, or name of the typedef of a struct
    struct: Typedef | None = None  # set by resolve when kind is STRUCT
    init: Expr | ChanInit | list[Expr] | None = None
    context: str | None = None  # proctype it is local to; None for globals and typedef fields
    scope: str = "_"  # SPIN's scope string, e.g. "_1_2_"
    is_param: bool = False
    is_field: bool = False
    hidden: bool = False
    show: bool = False
    local: bool = False
    exclusive_read: bool = False  # xr
    exclusive_send: bool = False  # xs
    order: int = 0  # position among all declarations of the model
    c_name: str = ""  # unique name inside its frame; set by resolve (scope prefix as SPIN adds it)
    init_line: int = 0  # line SPIN gives the assignment made of this declaration (see DeclStmt.runs)
    init_file: str = ""
    is_read: bool = False  # read somewhere other than in a print statement; SPIN hides globals that are not
    init_runs: bool = False  # initialised by a statement in place; `init` then is what that statement assigns


# ---------------------------------------------------------------- expressions


@dataclass(slots=True, eq=False)
class Expr(Node):
    pass


@dataclass(slots=True, eq=False)
class Const(Expr):
    value: int
    mtype: str | None = None  # name of the mtype constant, when it is one
    subtype: str | None = None  # the mtype subtype it belongs to; None for plain mtype


@dataclass(slots=True, eq=False)
class VarRef(Expr):
    """`name[index].field`; predefined names (_pid, _last, _nr_pr, _, _priority) keep symbol None."""

    name: str
    index: Expr | None = None
    field: VarRef | None = None
    symbol: Symbol | None = None  # set by resolve, at every link of the chain
    scope: str = "_"  # SPIN's scope string where the name stands


@dataclass(slots=True, eq=False)
class Unary(Expr):
    op: str  # "!", "-", "~"
    operand: Expr


@dataclass(slots=True, eq=False)
class Binary(Expr):
    op: str  # + - * / % & ^ | > < >= <= == != && || << >>
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Conditional(Expr):
    """`(test -> yes : no)`"""

    test: Expr
    yes: Expr
    no: Expr


@dataclass(slots=True, eq=False)
class Run(Expr):
    name: str
    args: list[Expr]
    priority: int | None = None


@dataclass(slots=True, eq=False)
class Len(Expr):
    chan: VarRef


@dataclass(slots=True, eq=False)
class ChanTest(Expr):
    """full, empty, nfull, nempty"""

    test: str
    chan: VarRef


@dataclass(slots=True, eq=False)
class Poll(Expr):
    """`q?[...]` and `q??[...]`"""

    chan: VarRef
    args: list[Expr]
    random: bool


@dataclass(slots=True, eq=False)
class EvalArg(Expr):
    """`eval(e)` among receive arguments."""

    expr: Expr


@dataclass(slots=True, eq=False)
class Enabled(Expr):
    pid: Expr


@dataclass(slots=True, eq=False)
class PcValue(Expr):
    pid: Expr


@dataclass(slots=True, eq=False)
class GetPriority(Expr):
    pid: Expr


@dataclass(slots=True, eq=False)
class Timeout(Expr):
    pass


@dataclass(slots=True, eq=False)
class NonProgress(Expr):
    """`np_`"""


@dataclass(slots=True, eq=False)
class RemoteLabel(Expr):
    """`P[pid]@label`"""

    proctype: str
    pid: Expr | None
    label: str


@dataclass(slots=True, eq=False)
class RemoteVar(Expr):
    """`P[pid]:var`"""

    proctype: str
    pid: Expr | None
    var: VarRef


@dataclass(slots=True, eq=False)
class CExpr(Expr):
    code: str
    precondition: str | None
    number: int  # SPIN names it c_code<number>


@dataclass(slots=True, eq=False)
class Temporal(Expr):
    """An operator of linear temporal logic; only inside `ltl`. op: [] <> X U V (W, -> are desugared as SPIN does)"""

    op: str
    left: Expr
    right: Expr | None = None


@dataclass(slots=True, eq=False)
class Equiv(Expr):
    """`<->` inside `ltl`."""

    left: Expr
    right: Expr


# ---------------------------------------------------------------- statements


@dataclass(slots=True, eq=False)
class Stmt(Node):
    pass


@dataclass(slots=True, eq=False)
class Sequence(Node):
    """Statements and local declarations in order. `scope` is SPIN's scope string inside it."""

    steps: list[Stmt]
    scope: str = "_"


@dataclass(slots=True, eq=False)
class DeclStmt(Stmt):
    """A local declaration; `runs` says that it stands after the first statement, where SPIN
    turns each variable's initialisation into an assignment executed in place."""

    symbols: list[Symbol]
    runs: bool = False


@dataclass(slots=True, eq=False)
class ExclusiveDecl(Stmt):
    """`xr q` / `xs q`"""

    mode: str
    chans: list[VarRef]


@dataclass(slots=True, eq=False)
class Labelled(Stmt):
    """`name: stmt`; a label without statement labels a skip."""

    name: str
    stmt: Stmt
    scope: str = "_"
    inline_id: int = 0  # which inline expansion it came from; 0 for none


@dataclass(slots=True, eq=False)
class Assign(Stmt):
    target: VarRef
    value: Expr  # x++ arrives as x = (x+1)


@dataclass(slots=True, eq=False)
class Send(Stmt):
    chan: VarRef
    args: list[Expr]
    sorted: bool


@dataclass(slots=True, eq=False)
class Receive(Stmt):
    """q?..., q??..., q?<...>, q??<...>; args are VarRef, Const or EvalArg."""

    chan: VarRef
    args: list[Expr]
    random: bool
    copy: bool


@dataclass(slots=True, eq=False)
class ExprStmt(Stmt):
    expr: Expr


@dataclass(slots=True, eq=False)
class Else(Stmt):
    pass


@dataclass(slots=True, eq=False)
class Break(Stmt):
    pass


@dataclass(slots=True, eq=False)
class Goto(Stmt):
    label: str
    scope: str = "_"
    inline_id: int = 0


@dataclass(slots=True, eq=False)
class Assert(Stmt):
    expr: Expr


@dataclass(slots=True, eq=False)
class Printf(Stmt):
    format: str  # with its quotes, as written
    args: list[Expr]


@dataclass(slots=True, eq=False)
class Printm(Stmt):
    arg: Expr


@dataclass(slots=True, eq=False)
class SetPriority(Stmt):
    pid: Expr
    priority: Expr


@dataclass(slots=True, eq=False)
class CCode(Stmt):
    code: str
    precondition: str | None
    number: int


@dataclass(slots=True, eq=False)
class If(Stmt):
    options: list[Sequence]


@dataclass(slots=True, eq=False)
class Do(Stmt):
    options: list[Sequence]


@dataclass(slots=True, eq=False)
class Atomic(Stmt):
    body: Sequence


@dataclass(slots=True, eq=False)
class DStep(Stmt):
    body: Sequence


@dataclass(slots=True, eq=False)
class Block(Stmt):
    """`{ ... }`, also the body of an expanded inline (then `inline` is its name)."""

    body: Sequence
    inline: str | None = None
    result: VarRef | None = None  # the variable of `x = inline(...)`


@dataclass(slots=True, eq=False)
class Unless(Stmt):
    main: Stmt
    escape: Stmt


@dataclass(slots=True, eq=False)
class For(Stmt):
    """`for (var : low .. high) { body }`"""

    var: VarRef
    low: Expr
    high: Expr
    body: Sequence


@dataclass(slots=True, eq=False)
class ForIn(Stmt):
    """`for (var in array-or-channel) { body }`"""

    var: VarRef
    container: VarRef
    body: Sequence
    counter: Symbol | None = None  # SPIN's hidden counter when the container is a channel


@dataclass(slots=True, eq=False)
class Select(Stmt):
    """`select (var : low .. high)` where SPIN does not expand it textually"""

    var: VarRef
    low: Expr
    high: Expr


# ---------------------------------------------------------------- units


@dataclass(slots=True, eq=False)
class Typedef(Node):
    name: str
    fields: list[Symbol]


@dataclass(slots=True, eq=False)
class MtypeDecl(Node):
    subtype: str | None
    names: list[str]  # in source order


class ProcKind(Enum):
    """What a body belongs to; the value is SPIN's letter in pan.h (Btypes)."""

    NEVER = 1  # never claim, also those made from ltl
    INIT = 2
    TRACE = 3
    NOTRACE = 4
    ACTIVE = 5
    PROCTYPE = 6


@dataclass(slots=True, eq=False)
class Process(Node):
    """proctype, init, never, trace or notrace."""

    kind: ProcKind
    name: str  # ":init:", ":trace:", ":notrace:", "never_0" as SPIN names them
    params: list[Symbol]
    body: Sequence
    active: int = 0  # instances at start
    priority: int | None = None
    provided: Expr | None = None
    deterministic: bool = False  # D_proctype
    end_line: int = 0  # line of the closing brace
    end_file: str = ""
    variables: list[Symbol] = field(default_factory=list)  # all locals in SPIN's order; by resolve
    stutter_sensitive: bool = False  # a claim made from a formula with X


@dataclass(slots=True, eq=False)
class Ltl(Node):
    name: str
    formula: Expr


@dataclass(slots=True, eq=False)
class CUnit(Node):
    """Embedded C at the top level: kind is c_decl, c_code, c_state or c_track."""

    kind: str
    code: str  # text of c_decl/c_code; first string of c_state/c_track without quotes
    scope: str = ""  # second string: "Global", "Local P", "Hidden", or the size for c_track
    init: str | None = None  # third string


@dataclass(slots=True, eq=False)
class Model:
    """A whole parsed model, units by kind, each list in source order."""

    file: str
    symbols: list[Symbol] = field(default_factory=list)  # globals
    typedefs: dict[str, Typedef] = field(default_factory=dict)
    mtypes: dict[str, list[str]] = field(default_factory=dict)  # subtype ("" for plain) -> names, value = index+1
    processes: list[Process] = field(default_factory=list)
    ltls: list[Ltl] = field(default_factory=list)
    c_units: list[CUnit] = field(default_factory=list)
    mtype_decls: list[MtypeDecl] = field(default_factory=list)
    units: list[Node] = field(default_factory=list)  # everything in source order; globals as DeclStmt
    warnings: list[Warning] = field(default_factory=list)
    session: object = None  # what the front end needs to read a claim later; see parse.parse_claim_text
