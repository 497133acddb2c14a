"""Which values a statement needs and which it replaces.

Values are told apart by cells: a scalar variable, a scalar field of a struct, or an array as a whole. A cell is the
way to it: the variable's symbol, then those of the fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hsfpy import nodes as n
from hsfpy.cexpr import is_tested
from hsfpy.elements import Element, Op
from hsfpy.layout import holds_channels
from hsfpy.records import dataclass
from hsfpy.text import flatten_args
from hsfpy.walk import expressions, operands

Cell = tuple[n.Symbol, ...]
NO_CELLS: frozenset[Cell] = frozenset()


def cells_below(way: Cell) -> Iterator[Cell]:
    """The cells a variable or field consists of."""
    last = way[-1]
    if last.is_array or last.struct is None:
        yield way
        return
    for fld in last.struct.fields:
        yield from cells_below((*way, fld))


def cells_of(ref: n.VarRef) -> Iterator[Cell]:
    """The cells a reference names, all or in part."""
    way: Cell = ()
    link: n.VarRef | None = ref
    while link is not None:
        if link.symbol is None:
            return  # _pid and the like
        way = (*way, link.symbol)
        if link.symbol.is_array:
            break
        link = link.field
    yield from cells_below(way)


def is_plain(cell: Cell) -> bool:
    """Does it hold nothing but numbers? Channels are also known by who holds them."""
    return not holds_channels(cell[-1])


def _indices(ref: n.VarRef) -> Iterator[n.Expr]:
    link: n.VarRef | None = ref
    while link is not None:
        if link.index is not None:
            yield link.index
        link = link.field


def cells_read(exprs: Iterable[n.Expr]) -> Iterator[Cell]:
    """The cells some expressions depend on."""
    for e in exprs:
        if isinstance(e, n.VarRef):
            yield from cells_of(e)
            yield from cells_read(_indices(e))
        else:
            yield from cells_read(operands(e))


def cells_risked(e: n.Expr) -> frozenset[Cell]:
    """The cells on which it depends whether computing this value raises a fault."""
    match e:
        case n.Const():
            return NO_CELLS
        case n.VarRef():
            return frozenset(cells_read(_indices(e)))
        case n.Unary():
            return cells_risked(e.operand)
        case n.Binary() if e.op in ("/", "%"):
            return cells_risked(e.left) | frozenset(cells_read([e.right]))
        case n.Binary() if e.op in ("&&", "||"):
            return _risked_after(e.left, [e.right])
        case n.Binary():
            return cells_risked(e.left) | cells_risked(e.right)
        case n.Conditional():
            return _risked_after(e.test, [e.yes, e.no])
    return frozenset(cells_read([e]))


def _risked_after(test: n.Expr, rest: list[n.Expr]) -> frozenset[Cell]:
    """The test decides what of the rest is computed."""
    if all(map(cannot_fail, rest)):
        return cells_risked(test)
    return frozenset(cells_read([test])).union(*map(cells_risked, rest))


def cannot_fail(e: n.Expr) -> bool:
    """Is it sure that computing this value raises no fault and changes nothing?"""
    match e:
        case n.Const():
            return True
        case n.VarRef():
            return _stays_inside(e)
        case n.Binary():
            return e.op not in ("/", "%") and cannot_fail(e.left) and cannot_fail(e.right)
        case n.Unary():
            return cannot_fail(e.operand)
        case n.Conditional():
            return all(map(cannot_fail, operands(e)))
    return False


def _stays_inside(ref: n.VarRef) -> bool:
    """Are all indices numbers within bounds?"""
    at, symbol = ref.index, ref.symbol
    if at is not None and not (isinstance(at, n.Const) and symbol is not None and 0 <= at.value < symbol.length):
        return False
    return ref.field is None or _stays_inside(ref.field)


@dataclass(frozen=True, slots=True)
class Use:
    """What a statement does with values."""

    reads: frozenset[Cell] = NO_CELLS
    passes: frozenset[Cell] = NO_CELLS  # reads too, but only to compute what it writes
    writes: frozenset[Cell] = NO_CELLS  # in whole or in part
    replaces: frozenset[Cell] = NO_CELLS  # of these, those of which nothing is left
    clears: frozenset[Cell] = NO_CELLS  # of these, those that are 0 afterwards


_NOTHING = Use()
_GROUPS = (Op.IF, Op.DO, Op.UNLESS, Op.ATOMIC, Op.BLOCK, Op.D_STEP)


def use_of(el: Element) -> Use:
    """Of a statement by itself; those inside others are elements of their own."""
    stmt = el.stmt
    if stmt is None or el.op in _GROUPS:
        return _NOTHING
    match stmt:
        case n.Assign():
            return _assignment(stmt)
        case n.Receive():
            return _receive(stmt)
        case n.Printf() | n.Printm():
            return _NOTHING  # a search that prints keeps all values
    return Use(frozenset(cells_read(expressions(stmt))))


def _assignment(stmt: n.Assign) -> Use:
    written = frozenset(cells_of(stmt.target))
    whole = frozenset(cell for cell in written if not cell[-1].is_array)
    is_zero = isinstance(stmt.value, n.Const) and stmt.value.value == 0
    passed = frozenset(cells_read([stmt.value]))
    reads = frozenset(cells_read(_indices(stmt.target))) | (cells_risked(stmt.value) if written else passed)
    return Use(reads, passed, written, whole, whole if is_zero else NO_CELLS)


def _receive(stmt: n.Receive) -> Use:
    args = flatten_args(stmt.args)
    targets = [arg for arg in args if isinstance(arg, n.VarRef) and not is_tested(arg)]
    others = [arg for arg in args if not isinstance(arg, n.VarRef)]
    places = [index for target in targets for index in _indices(target)]
    written = frozenset(cell for target in targets for cell in cells_of(target))
    whole = frozenset(cell for cell in written if not cell[-1].is_array)
    return Use(frozenset(cells_read([stmt.chan, *others, *places])), writes=written, replaces=whole)
