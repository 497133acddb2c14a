"""Initial values: of the globals, and of the variables of a new process."""

from __future__ import annotations

from dataclasses import replace

from hsfpy import nodes as n
from hsfpy.automaton import Automaton, System
from hsfpy.cexpr import ExprWriter, assign_to, c_string
from hsfpy.diagnostics import Loc
from hsfpy.records import dataclass
from hsfpy.text import source_name, struct_leaves, with_field
from hsfpy.walk import statements

# SPIN initialises variables by type in this order, which decides the numbers of channels and
# what an initialiser sees that refers to another variable.
_ORDER = [
    n.Kind.UNSIGNED, n.Kind.BIT, n.Kind.BYTE, n.Kind.CHAN, n.Kind.MTYPE, n.Kind.SHORT, n.Kind.INT, n.Kind.STRUCT,
]  # fmt: skip


@dataclass(slots=True)
class ProcessInit:
    """How a process begins: C parameters, and statements that set its variables."""

    params: list[str]
    lines: list[str]
    claims: list[tuple[str, str]]  # declared ends of channels, as C: channel and end


def _span() -> n.Span:
    loc = Loc("", 0, 0)
    return n.Span(loc, 0, "", 0)


def _ref(symbol: n.Symbol, index: int | None) -> n.VarRef:
    span = _span()
    at = n.Const(span, index) if index is not None else None
    return n.VarRef(span, symbol.name, at, None, symbol)


class _InitWriter:
    def __init__(self, writer: ExprWriter, channel_index: dict[int, int]) -> None:
        self.writer = writer
        self.channel_index = channel_index
        self.lines: list[str] = []

    def symbols(self, symbols: list[n.Symbol]) -> None:
        for kind in _ORDER:
            for symbol in symbols:
                if symbol.kind is kind and not symbol.is_param:
                    self.symbol(symbol, None)

    def symbol(self, symbol: n.Symbol, outer: n.VarRef | None) -> None:
        for i in range(symbol.length):
            ref = _ref(symbol, i if symbol.is_array else None)
            self.element(symbol, i, with_field(outer, ref) if outer is not None else ref)

    def element(self, symbol: n.Symbol, i: int, ref: n.VarRef) -> None:
        if symbol.kind is n.Kind.STRUCT:
            assert symbol.struct is not None
            for kind in _ORDER:
                for fld in symbol.struct.fields:
                    if fld.kind is kind:
                        self.symbol(fld, ref)
            return
        init = symbol.init
        if isinstance(init, n.ChanInit):
            kind_index = self.channel_index[id(symbol)]
            made = f"{{ int made = state_add_channel(s, {kind_index}); {assign_to(self.writer, ref, 'made')} }}"
            self.lines.append(made)
        elif isinstance(init, list):
            value = init[i] if i < len(init) else init[-1]
            self.lines.append(assign_to(self.writer, ref, self.writer.expr(value)))
        elif init is not None and not (isinstance(init, n.Const) and init.value == 0):
            self.lines.append(assign_to(self.writer, ref, self.writer.expr(init)))


def _initial_notes(writer: ExprWriter, symbols: list[n.Symbol], owner: str) -> list[str]:
    """C that tells -DVAR_RANGES the first values of variables, in SPIN's order and under its names:
    an array goes by one name for all its elements."""
    lines: list[str] = []

    def add(symbol: n.Symbol, name: str, path: str) -> None:
        if symbol.kind is n.Kind.STRUCT:
            assert symbol.struct is not None
            for i in range(symbol.length):
                at = f"[{i}]" if symbol.is_array else ""
                for fld in symbol.struct.fields:
                    add(fld, f"{name}{at}.{fld.name}", f"{path}{at}.{writer.layout.member(fld)}")
        elif symbol.is_array:
            element = path + writer.layout.element(symbol, "note_at")
            lines.append(f"NOTE_VALUES({c_string(name + '[l_in]')}, {element}, {symbol.length});")
        else:
            lines.append(f"NOTE_VALUE({c_string(name)}, {path});")

    for kind in (kind for kind in _ORDER if kind is not n.Kind.CHAN):
        of_kind = [s for s in symbols if s.kind is kind and not s.hidden]
        for symbol in sorted(of_kind, key=lambda s: s.is_array) if owner else of_kind:
            name = symbol.c_name if symbol.is_array else source_name(symbol, symbol.name)
            add(symbol, owner + name, writer.var(n.VarRef(_span(), symbol.name, None, None, _as_scalar(symbol))))
    return lines


def _as_scalar(symbol: n.Symbol) -> n.Symbol:
    """The symbol as if it were no array: its name alone stands for the whole."""
    return replace(symbol, is_array=False)


def process_init(writer: ExprWriter, automaton: Automaton, channel_index: dict[int, int]) -> ProcessInit:
    """Parameters and initial values of one proctype."""
    init = _InitWriter(writer, channel_index)
    params: list[str] = []
    for symbol in automaton.process.variables:
        if symbol.is_param:
            for leaf in struct_leaves(_ref(symbol, None)):
                name = f"a{len(params)}"
                params.append(name)
                init.lines.append(assign_to(writer, leaf, name))
    init.symbols([s for s in automaton.process.variables if not assigned_later(s)])
    notes = _initial_notes(writer, automaton.process.variables, f"{automaton.process.name}:")
    claims = _claims(writer, automaton)
    calls = [f"exclusive_claim(s, {chan}, pid, {end});" for chan, end in claims]
    return ProcessInit(params, init.lines + calls + notes, claims)


def _claims(writer: ExprWriter, automaton: Automaton) -> list[tuple[str, str]]:
    """The ends of channels a process declares to be its own, of those it knows from the start."""
    if not writer.layout.checks_ends:
        return []
    ends = {"xr": "END_RECEIVE", "xs": "END_SEND"}
    return [
        (writer.var(ref), ends[mode])
        for mode, ref in exclusive_claims(automaton.process)
        if ref.field is None and ref.symbol is not None and not ref.symbol.is_array and not assigned_later(ref.symbol)
    ]


def exclusive_claims(process: n.Process) -> list[tuple[str, n.VarRef]]:
    """What a process declares with xr and xs."""
    declared = [step for step in statements(process.body.steps) if isinstance(step, n.ExclusiveDecl)]
    return [(step.mode, ref) for step in declared for ref in step.chans]


def assigned_later(symbol: n.Symbol) -> bool:
    """A variable declared after the first statement gets its value when control arrives there."""
    return symbol.init_runs and not isinstance(symbol.init, n.ChanInit)


def global_init(writer: ExprWriter, system: System, channel_index: dict[int, int]) -> list[str]:
    """Statements that set up globals."""
    init = _InitWriter(writer, channel_index)
    init.symbols(system.model.symbols)
    return init.lines + _initial_notes(writer, system.model.symbols, "")


def active_processes(system: System) -> list[str]:
    """Statements that start the active processes in source order."""
    lines: list[str] = []
    for automaton in system.automata:
        p = automaton.process
        n_params = sum(len(struct_leaves(_ref(s, None))) for s in p.variables if s.is_param)
        zeros = ", 0" * n_params
        lines.extend([f"run_P{automaton.index}(s, {p.priority or 1}{zeros});"] * p.active)
    return lines
