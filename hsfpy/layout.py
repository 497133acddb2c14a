"""Where variables live: C structs for globals, processes and typedefs.

The structs are ordinary C, so that embedded C can say `now.x` and `Pname->x`; members are sorted
by alignment to keep vectors short. Names of models without embedded C get a prefix, because a
Promela variable may be called anything, also `long` or `errno`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from hsfpy import nodes as n
from hsfpy.global_words import WORD_BYTES, global_words, shared_words, size
from hsfpy.records import dataclass
from hsfpy.walk import statements

_C_TYPES = {
    n.Kind.BYTE: "unsigned char",
    n.Kind.MTYPE: "unsigned char",
    n.Kind.CHAN: "unsigned char",
    n.Kind.SHORT: "short",
    n.Kind.INT: "int",
}

_ALIGN_ORDER = [n.Kind.STRUCT, n.Kind.INT, n.Kind.SHORT, n.Kind.BYTE, n.Kind.MTYPE, n.Kind.CHAN]


@dataclass(slots=True)
class StructLayout:
    """One C struct: its tag and member declarations."""

    tag: str
    members: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)  # members that are not compared
    padding: int = 0  # bytes that only keep members in words of their own


def holds_channels(symbol: n.Symbol) -> bool:
    """Does a variable hold channels, perhaps in a field?"""
    if symbol.struct is not None:
        return any(holds_channels(fld) for fld in symbol.struct.fields)
    return symbol.kind is n.Kind.CHAN


def _declares_ends(process: n.Process) -> bool:
    return any(isinstance(step, n.ExclusiveDecl) for step in statements(process.body.steps))


class Layout:
    """C names and types for all variables of a model."""

    def __init__(self, model: n.Model, plain_names: bool, notes: bool = False) -> None:
        self.model = model
        self.prefix = "" if plain_names else "v_"
        self.notes = notes  # generated code notes what happens inside a step, for the model library
        # Embedded C knows arrays as C has them; the model library is not made for speed.
        self.words = shared_words() if plain_names or notes else global_words(model)
        self.checks_ends = not notes and any(_declares_ends(process) for process in model.processes)
        self.channel_variables = {id(s): i for i, s in enumerate(model.symbols) if notes and holds_channels(s)}

    def member(self, symbol: n.Symbol) -> str:
        """The C name of a variable inside its struct."""
        return self.prefix + (symbol.c_name or symbol.name)

    def notes_elements(self, symbol: n.Symbol) -> bool:
        """Is it noted at run time which elements of a variable are used? That is worth it for global arrays of more
        than a word: what a process can do mostly depends on few of their elements."""
        is_global = symbol.context is None and not symbol.is_field and not symbol.hidden
        if not (is_global and symbol.is_array and self.prefix) or self.notes:
            return False
        return self.is_spread(symbol) or symbol.kind is n.Kind.STRUCT or size(symbol) > WORD_BYTES

    def is_spread(self, symbol: n.Symbol) -> bool:
        """Does each element of this array have a word of its own? Then it is that word's member `value`."""
        return id(symbol) in self.words.spread

    def element(self, symbol: n.Symbol, index: str) -> str:
        """What follows the name of a variable to name its element: nothing if it is no array."""
        if not symbol.is_array:
            return ""
        return f"[{index}]" + (".value" if self.is_spread(symbol) else "")

    def struct_tag(self, typedef: str) -> str:
        return typedef if not self.prefix else f"T_{typedef}"

    def declaration(self, symbol: n.Symbol) -> str:
        """The member declaration of a variable."""
        name = self.member(symbol)
        array = f"[{symbol.length}]" if symbol.is_array else ""
        if self.is_spread(symbol):
            return f"union {{ {self._element_type(symbol)} value; uint64_t word; }} {name}{array};"
        if symbol.kind is n.Kind.STRUCT:
            assert symbol.struct is not None
            return f"struct {self.struct_tag(symbol.struct.name)} {name}{array};"
        if symbol.kind is n.Kind.UNSIGNED and self._is_bit_field(symbol):
            return f"unsigned {name} : {symbol.nbits};"
        if symbol.kind is n.Kind.BIT and self._is_bit_field(symbol):
            return f"unsigned char {name} : 1;"
        return f"{self._element_type(symbol)} {name}{array};"

    def _element_type(self, symbol: n.Symbol) -> str:
        """The C type of a scalar that is no bit field, or of an array's elements."""
        if symbol.kind is n.Kind.UNSIGNED:
            return "unsigned" if symbol.is_array else self._unsigned_type(symbol)
        return "unsigned char" if symbol.kind is n.Kind.BIT else _C_TYPES[symbol.kind]

    def _is_bit_field(self, symbol: n.Symbol) -> bool:
        """Globals have addresses (model.global_ranges), except where embedded C knows them as bit fields."""
        is_global = symbol.context is None and not symbol.is_field
        return not symbol.is_array and (not is_global or not self.prefix)

    def _unsigned_type(self, symbol: n.Symbol) -> str:
        return "unsigned char" if symbol.nbits <= 8 else "unsigned short" if symbol.nbits <= 16 else "unsigned"

    def members(self, symbols: Iterable[n.Symbol]) -> list[str]:
        """Member declarations, widest alignment first, single bits last."""

        def rank(symbol: n.Symbol) -> int:
            if symbol.kind is n.Kind.UNSIGNED:
                is_wide = symbol.is_array or self._is_bit_field(symbol) or symbol.nbits > 16
                return 1 if is_wide else 2 if symbol.nbits > 8 else 3
            if symbol.kind is n.Kind.BIT:
                return 9 if self._is_bit_field(symbol) else 3
            return _ALIGN_ORDER.index(symbol.kind)

        return [self.declaration(s) for s in sorted(symbols, key=rank)]

    def typedefs(self) -> list[StructLayout]:
        """The typedefs of the model, each after those it contains."""
        done: dict[str, StructLayout] = {}

        def visit(typedef: n.Typedef) -> None:
            if typedef.name in done:
                return
            for fld in typedef.fields:
                if fld.struct is not None:
                    visit(fld.struct)
            done[typedef.name] = StructLayout(self.struct_tag(typedef.name), self.members(typedef.fields))

        for typedef in self.model.typedefs.values():
            visit(typedef)
        return list(done.values())

    def globals(self) -> StructLayout:
        shown = [s for s in self.model.symbols if not s.hidden]
        hidden = [s for s in self.model.symbols if s.hidden]
        members = self.members(shown)
        if self.words.apart:
            members = [_in_words(member, i) for i, member in enumerate(members)]
        return StructLayout("Globals", members, self.members(hidden), sum(map(self.words.padding, shown)))

    def process(self, index: int, process: n.Process) -> StructLayout:
        return StructLayout(f"P{index}", self.members(process.variables))


def _in_words(member: str, number: int) -> str:
    """A member that shares no word of eight bytes with others."""
    return f"union {{ {member} uint64_t word_{number}; }};"


@dataclass(slots=True)
class MessageField:
    """A scalar field of a channel's messages."""

    offset: int
    width: int
    is_signed: bool
    is_bit: bool
    subtype: str | None
    kind: n.Kind


@dataclass(slots=True)
class ChannelLayout:
    """All channels made by one declaration."""

    symbol: n.Symbol
    capacity: int
    fields: list[MessageField]
    slot_size: int
    first_slot: int
    frame_size: int


_WIDTHS = {n.Kind.INT: 4, n.Kind.SHORT: 2}


def _scalar_fields(model: n.Model, init: n.ChanInit) -> list[tuple[n.Kind, str | None]]:
    out: list[tuple[n.Kind, str | None]] = []
    for fld in init.fields:
        if fld.kind is n.Kind.STRUCT:
            assert fld.subtype is not None
            out.extend(_struct_scalars(model.typedefs[fld.subtype]))
        else:
            out.append((fld.kind, fld.subtype))
    return out


def _struct_scalars(typedef: n.Typedef) -> list[tuple[n.Kind, str | None]]:
    out: list[tuple[n.Kind, str | None]] = []
    for fld in typedef.fields:
        one = _struct_scalars(fld.struct) if fld.struct is not None else [(fld.kind, fld.subtype)]
        out.extend(one * fld.length)
    return out


def channel_layout(model: n.Model, symbol: n.Symbol) -> ChannelLayout:
    """Slots of a channel: fields packed widest first, but kept in message order in the table."""
    assert isinstance(symbol.init, n.ChanInit)
    init = symbol.init
    scalars = _scalar_fields(model, init)
    order = sorted(range(len(scalars)), key=lambda i: -_WIDTHS.get(scalars[i][0], 1))
    offsets = [0] * len(scalars)
    at = 0
    for i in order:
        offsets[i] = at
        at += _WIDTHS.get(scalars[i][0], 1)
    widest = max((_WIDTHS.get(kind, 1) for kind, _ in scalars), default=1)
    slot_size = (at + widest - 1) // widest * widest
    fields = [
        MessageField(offsets[i], _WIDTHS.get(kind, 1), kind in _WIDTHS, kind is n.Kind.BIT, subtype, kind)
        for i, (kind, subtype) in enumerate(scalars)
    ]
    first_slot = max(2, widest)
    frame = first_slot + slot_size * max(1, init.capacity)
    return ChannelLayout(symbol, init.capacity, fields, slot_size, first_slot, frame)


def channel_declarations(model: n.Model) -> list[n.Symbol]:
    """All chan variables with an initialiser: each makes one kind of channel."""
    out: list[n.Symbol] = [s for s in model.symbols if isinstance(s.init, n.ChanInit)]
    for typedef in model.typedefs.values():
        out.extend(s for s in typedef.fields if isinstance(s.init, n.ChanInit))
    for process in model.processes:
        out.extend(s for s in process.variables if isinstance(s.init, n.ChanInit))
    return out
