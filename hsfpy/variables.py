"""The table of variables that a state can be decoded with."""

from __future__ import annotations

import re

from hsfpy import nodes as n
from hsfpy.automaton import System
from hsfpy.cexpr import c_string
from hsfpy.layout import Layout
from hsfpy.records import dataclass
from hsfpy.symbol_list import mtype_value, symbol_table
from hsfpy.symtab import MTYPE
from hsfpy.text import source_name

_KINDS = {
    n.Kind.BIT: "VAR_BIT", n.Kind.BYTE: "VAR_BYTE", n.Kind.SHORT: "VAR_SHORT", n.Kind.INT: "VAR_INT",
    n.Kind.UNSIGNED: "VAR_UNSIGNED", n.Kind.MTYPE: "VAR_MTYPE", n.Kind.CHAN: "VAR_CHAN",
}  # fmt: skip


@dataclass(slots=True)
class VariableRow:
    """A scalar or an array of scalars; `read` is C with `i` as index."""

    name: str
    proctype: int
    kind: str
    is_array: bool
    hidden: bool  # pan -r does not show it
    is_param: bool
    length: int
    mtype: int
    read: str


@dataclass(slots=True)
class ConstantRow:
    """An mtype constant; pan -r shows it before variable number `before`."""

    name: str
    value: int
    before: int


def constant_rows(model: n.Model, variables: list[VariableRow]) -> list[ConstantRow]:
    """The mtype constants, which SPIN shows among the globals where they were declared."""
    rows: list[ConstantRow] = []
    before = 0
    for entry in symbol_table(model).entries:
        if entry.use == MTYPE:
            rows.append(ConstantRow(c_string(entry.name), mtype_value(model, entry.name), before))
        elif entry.symbol is not None and entry.context is None:
            name = c_string(source_name(entry.symbol, entry.symbol.name))[:-1]
            while before < len(variables) and re.match(rf"{re.escape(name)}[\[.\"]", variables[before].name):
                before += 1
    return rows


def _is_shown(symbol: n.Symbol, hides_unread: bool) -> bool:
    """SPIN hides globals that nothing reads, unless -o2 is given."""
    if symbol.hidden:
        return False
    is_simple = symbol.kind not in (n.Kind.CHAN, n.Kind.STRUCT) and symbol.context is None
    return not (hides_unread and is_simple and not symbol.is_read)


def variable_rows(system: System, layout: Layout, hides_unread: bool) -> list[VariableRow]:
    """All variables of a model, struct fields flattened, arrays of structs element by element."""
    mtypes = list(system.model.mtypes)
    rows: list[VariableRow] = []

    def add(symbol: n.Symbol, proctype: int, name: str, path: str, top: n.Symbol) -> None:
        if symbol.kind is n.Kind.STRUCT:
            assert symbol.struct is not None
            for i in range(symbol.length):
                at = f"[{i}]" if symbol.is_array else ""
                for fld in symbol.struct.fields:
                    add(fld, proctype, f"{name}{at}.{fld.name}", f"{path}{at}.{layout.member(fld)}", top)
            return
        subtype = symbol.subtype or ""
        mtype = mtypes.index(subtype) if symbol.kind is n.Kind.MTYPE and subtype in mtypes else -1
        rows.append(
            VariableRow(
                c_string(name), proctype, _KINDS[symbol.kind], symbol.is_array,
                not _is_shown(top, hides_unread), top.is_param,
                symbol.length, mtype, path + layout.element(symbol, "i"),
            )
        )  # fmt: skip

    for symbol in system.model.symbols:
        base = "G->hidden." if symbol.hidden else "G->"
        add(symbol, -1, source_name(symbol, symbol.name), base + layout.member(symbol), symbol)
    for automaton in system.automata:
        for symbol in automaton.process.variables:
            path = f"P({automaton.index})->{layout.member(symbol)}"
            add(symbol, automaton.index, source_name(symbol, symbol.name), path, symbol)
    return rows
