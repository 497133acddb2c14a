"""The program: what templates see of a model. Every decision is made here or before."""

from __future__ import annotations

from copy import copy
from dataclasses import field

from hsfpy import nodes as n
from hsfpy.automaton import Automaton, Location, System, Transition
from hsfpy.cdata import keeps_data_outside
from hsfpy.cdstep import d_step_action, starts_with_receive
from hsfpy.cexpr import ExprWriter, c_string
from hsfpy.claim_graph import ClaimAnalysis, ClaimEdge, ClaimGraph, ClaimNode, analyse, claim_graph
from hsfpy.claims import CLAIM_FILE
from hsfpy.cstmt import Action, StmtWriter, forget_lines
from hsfpy.dead_values import ForgetOptions, find_dead_values
from hsfpy.elements import Element, Op, is_true
from hsfpy.estimates import Estimates, NamedInvariant, StepAnalysis, ltl_invariants, make_estimates
from hsfpy.global_use import GlobalUse, global_use
from hsfpy.independence import INVARIANTS, UNWATCHED_RECEIVE, UNWATCHED_SEND, Condition, find_independence
from hsfpy.initial import ProcessInit, active_processes, global_init, process_init
from hsfpy.layout import ChannelLayout, Layout, StructLayout, channel_declarations, channel_layout
from hsfpy.ltl.formula import TRUE, prop
from hsfpy.records import dataclass
from hsfpy.sticky import sticky_locations
from hsfpy.text import element_text, struct_leaves
from hsfpy.variables import ConstantRow, VariableRow, constant_rows, variable_rows
from hsfpy.walk import expressions_of

T_ATOMIC, T_DSTEP, T_ELSE, T_RECEIVE, T_SEND, T_END, T_LOCAL, T_SKIP, T_BLOCKED = 1, 2, 4, 8, 16, 32, 64, 128, 256
T_PRINT, T_ASSERT, T_ACTS, T_CODE = 512, 1024, 2048, 4096
T_LAST, T_SAFE, T_RUN = 8192, 16384, 32768
L_ACCEPT, L_END, L_PROGRESS, L_STICKY = 1, 2, 4, 16


@dataclass(slots=True)
class ActionCase:
    """One case of a process's guard and effect functions."""

    number: int
    comment: str
    guard: str | None
    effect: list[str]


@dataclass(slots=True)
class TransitionRow:
    proctype: int
    to: int
    own: int
    escape: int
    flags: int
    code: int
    id: int
    action: int
    tp: tuple[int, int]
    text: str


@dataclass(slots=True)
class LocationRow:
    first: int
    count: int
    flags: int
    exempt: int
    line: int
    table_line: int
    file: int
    map: int
    danger: bool
    label: str


@dataclass(slots=True)
class SettledRow:
    """When nobody can change the outcome of a case."""

    action: int
    condition: str


@dataclass(slots=True)
class ProcessProgram:
    """Everything generated for one process."""

    index: int
    name: str  # as a C string literal
    kind: int
    start: int
    end: int
    deterministic: bool
    provided: str | None
    struct: StructLayout
    locations: list[LocationRow]
    cases: list[ActionCase]
    init: ProcessInit
    c_macro: str  # Pname, for embedded C
    translated: bool  # a claim made from an ltl formula
    claim: ClaimAnalysis | None = None  # of a never claim
    stutter_sensitive: bool = False  # a claim made from a formula with X


@dataclass(slots=True)
class TrackedData:
    """C data kept with the state: a pointer expression and a size expression."""

    name: str
    size: str


@dataclass(slots=True)
class EmbeddedC:
    """Embedded C of the model, in the places where generated code needs it."""

    declarations: list[str] = field(default_factory=list)  # c_decl
    functions: list[str] = field(default_factory=list)  # c_code at top level
    hidden: list[str] = field(default_factory=list)  # c_state "Hidden"
    matched: list[TrackedData] = field(default_factory=list)  # c_track
    unmatched: list[TrackedData] = field(default_factory=list)  # c_track "UnMatched": restored, not compared
    state_init: list[str] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)  # of c_code and c_expr, by SPIN's number


@dataclass(slots=True)
class Program:
    source: str
    files: list[str]
    typedefs: list[StructLayout]
    globals: StructLayout
    processes: list[ProcessProgram]
    nonprogress: ProcessProgram  # the claim of pan -l
    transitions: list[TransitionRow]
    channels: list[ChannelLayout]
    variables: list[VariableRow]
    constants: list[ConstantRow]
    mtypes: list[tuple[str, list[str]]]
    start: list[str]
    active: list[str]
    claims: list[int]
    default_claim: int
    trace: int
    watched_sends: list[str]
    watched_receives: list[str]
    embedded: EmbeddedC
    estimates: Estimates
    flags: dict[str, bool]
    notes: bool = False
    actions: dict[int, int] = field(default_factory=dict)  # statement id -> number of its case
    settled: list[SettledRow] = field(default_factory=list)
    watchers: list[int] = field(default_factory=list)  # by transition, as ModelInfo.watchers
    end_uses: dict[int, str] = field(default_factory=dict)  # by proctype
    global_use: GlobalUse = field(default_factory=lambda: GlobalUse({}, [GlobalUse.END], [0]))
    local_alone: list[bool] = field(default_factory=list)  # by transition, as ModelInfo.local_alone


@dataclass(slots=True)
class ProgramOptions:
    loses_messages: bool = False  # spin -m
    invariants: list[NamedInvariant] = field(default_factory=list)  # --invariant
    merges: bool = False  # statements are merged (spin without -o3)
    notes: bool = False  # for the model library: generated code notes what happens inside a step
    forgets_dead: bool = False  # local variables are 0 where nothing will read them (spin without -o1)
    forgets_unread: bool = False  # variables that nothing reads are always 0 (spin without -o2)


class _Builder:
    def __init__(self, system: System, options: ProgramOptions) -> None:
        self.system = system
        self.options = options
        self.model = system.model
        self.layout = Layout(self.model, plain_names=system.features.c_code, notes=options.notes)
        self.channels = [channel_layout(self.model, s) for s in channel_declarations(self.model)]
        self.channel_index = {id(c.symbol): i for i, c in enumerate(self.channels)}
        self.files: list[str] = []
        self.transitions: list[TransitionRow] = []
        self.watchers: list[int] = []
        self.local_alone: list[bool] = []
        self.actions: dict[int, int] = {}

    def file_index(self, name: str) -> int:
        if name not in self.files:
            self.files.append(name)
        return self.files.index(name)

    # ---- processes

    def process(self, automaton: Automaton) -> ProcessProgram:
        p = automaton.process
        cases = self.cases(automaton)
        locations = [self.location(automaton, location) for location in automaton.locations]
        writer = ExprWriter(self.system, self.layout, automaton)
        provided = writer.expr(p.provided) if p.provided is not None else None
        return ProcessProgram(
            automaton.index, c_string(p.name), p.kind.value, automaton.start, automaton.end, p.deterministic,
            provided, self.struct(automaton), locations, cases,
            self.process_init(writer, automaton), "P" + p.name.replace(":", ""),
            p.kind is n.ProcKind.NEVER and p.span.loc.file == CLAIM_FILE,
            analyse(claim_graph(automaton)) if p.kind is n.ProcKind.NEVER else None, p.stutter_sensitive,
        )  # fmt: skip

    def nonprogress(self, index: int) -> ProcessProgram:
        """SPIN's own claim for pan -l: at some moment the program makes no progress any more."""
        np, wait, stay = 9997, 9998, 9999  # SPIN's statement numbers
        test = len(self.actions) + 1
        case = ActionCase(test, "np_", "(!step_context.progress && !step_context.stutter)", [])
        first = len(self.transitions)
        self.transitions += [
            TransitionRow(index, 1, 0, 0, 0, 1, np, test, (2, 0), c_string("(np_)")),
            TransitionRow(index, 0, 0, 0, T_SKIP, 1, wait, 0, (2, 0), c_string("(1)")),
            TransitionRow(index, 1, 1, 0, 0, 1, stay, test, (2, 0), c_string("(np_)")),
        ]
        locations = [
            LocationRow(first, 2, 0, 1, 0, 0, 0, 0, False, "NULL"),
            LocationRow(first + 2, 1, L_ACCEPT, 0, 0, 0, 0, 0, False, "NULL"),
            LocationRow(first + 3, 0, L_END, 1, 0, 0, 0, 0, False, "NULL"),
        ]
        graph = ClaimGraph(0, [
            ClaimNode(False, False, [ClaimEdge(prop("np_"), 1, "(np_)"), ClaimEdge(TRUE, 0, "(1)")]),
            ClaimNode(True, False, [ClaimEdge(prop("np_"), 1, "(np_)")]),
            ClaimNode(False, True, []),
        ])  # fmt: skip
        return ProcessProgram(
            index, c_string(":np_:"), n.ProcKind.NEVER.value, 0, 2, False, None, StructLayout(f"P{index}"),
            locations, [case], ProcessInit([], [], []), "", False, analyse(graph),
        )  # fmt: skip

    def process_init(self, writer: ExprWriter, automaton: Automaton) -> ProcessInit:
        init = process_init(writer, automaton, self.channel_index)
        for unit in self.model.c_units:
            # As in SPIN, what belongs to "init" begins with zeros.
            if unit.kind == "c_state" and unit.scope.split() == ["Local", automaton.process.name] and unit.init:
                init.lines.append(f"P({automaton.index})->{_declared_name(unit)} = {unit.init};")
        init.lines += forget_lines(self.layout, automaton.index, self.dead.at_start.get(automaton.index, []))
        return init

    def struct(self, automaton: Automaton) -> StructLayout:
        struct = self.layout.process(automaton.index, automaton.process)
        for unit in self.model.c_units:
            words = unit.scope.split()
            if unit.kind == "c_state" and words[:1] == ["Local"]:
                name = automaton.process.name
                if words[1:] == [name] or (words[1:] == ["init"] and name == ":init:"):
                    struct.members.insert(0, unit.code + ";")
        return struct

    def cases(self, automaton: Automaton) -> list[ActionCase]:
        writer = StmtWriter(self.system, self.layout, automaton, self.options.loses_messages)
        is_trace = automaton.process.kind in (n.ProcKind.TRACE, n.ProcKind.NOTRACE)
        cases: list[ActionCase] = []
        for el in automaton.body.elements:
            if el.id in self.actions or el.op in (Op.IF, Op.DO, Op.UNLESS, Op.ATOMIC, Op.BLOCK):
                continue
            action = self.trace_action(writer, el) if is_trace else self.action(writer, el)
            number = len(self.actions) + 1
            self.actions[el.id] = number
            action.effect += forget_lines(self.layout, automaton.index, self.dead.after.get(el.id, []))
            if action.guard is not None or action.effect:
                comment = f"{el.file}:{el.line} {element_text(el)}".replace("*/", "* /").replace("/*", "/ *")
                cases.append(ActionCase(number, comment, action.guard, action.effect))
        return cases

    def action(self, writer: StmtWriter, el: Element) -> Action:
        if el.op is Op.D_STEP:
            return d_step_action(writer, el)
        if el.op in (Op.GOTO, Op.DOT, Op.BREAK, Op.ELSE) or is_true(el):
            return Action(None, [])
        return writer.action(el)

    def trace_action(self, writer: StmtWriter, el: Element) -> Action:
        if el.op in (Op.SEND, Op.RECEIVE):
            return Action(writer.event_guard(el), [])
        if el.op is Op.END:
            return Action("false", [])
        return Action(None, [])

    # ---- tables

    def location(self, automaton: Automaton, location: Location) -> LocationRow:
        first = len(self.transitions)
        for t in location.transitions:
            self.transitions.append(self.transition(automaton, location, t))
        flags = L_ACCEPT * location.accept | L_END * location.end | L_PROGRESS * location.progress
        flags |= L_STICKY * (location.number in self.sticky.get(automaton.index, ()))
        return LocationRow(
            first, len(location.transitions), flags, int(location.exempt), location.line, location.table_line,
            self.file_index(location.file or self.model.file), location.map, location.danger,
            c_string(location.label) if location.label else "NULL",
        )  # fmt: skip

    def transition(self, automaton: Automaton, location: Location, t: Transition) -> TransitionRow:
        el = t.element
        flags = self.flags(t) | (T_LOCAL if t.is_local else 0) | (T_ATOMIC if t.atom & 2 else 0)
        if t.atom & 4:
            flags |= T_LAST
        known = self.independence
        if el.id in known.safe and not known.shared_locations & {location.number, t.to}:
            flags |= T_SAFE
        watchers = known.watchers[el.id] | known.labels[t.to] | known.labels[location.number]
        self.watchers.append(self.watcher_bits(watchers))
        self.local_alone.append(t.local_alone)
        action = self.actions.get(el.id, 0)
        return TransitionRow(
            automaton.index, t.to, el.number, t.escape, flags, t.code, el.id, action, t.classes, c_string(t.text)
        )

    def watcher_bits(self, watchers: set[int]) -> int:
        """As in ModelInfo.watchers: a bit for each claim, the highest for all invariants."""
        claims = [a.index for a in reversed(self.system.claims())]
        return sum(1 << bit for bit in {31 if w == INVARIANTS else min(claims.index(w), 30) for w in watchers})

    def flags(self, t: Transition) -> int:
        el = t.element
        if t.code == 0 and (el.subs or el.body is not None):
            return T_BLOCKED
        kinds = {
            Op.D_STEP: T_DSTEP, Op.ELSE: T_ELSE, Op.RECEIVE: T_RECEIVE, Op.SEND: T_SEND, Op.END: T_END,
            Op.PRINTF: T_PRINT, Op.PRINTM: T_PRINT, Op.ASSERT: T_ASSERT, Op.C_CODE: T_CODE,
        }  # fmt: skip
        flags = kinds.get(el.op, 0)
        if el.op is Op.D_STEP and el.body is not None and el.body.first is not None:
            flags |= T_RECEIVE if starts_with_receive(el.body.first) else 0
        if el.op in (Op.GOTO, Op.DOT, Op.BREAK) or is_true(el):
            flags |= T_SKIP
        if el.id in self.acting:
            flags |= T_ACTS
        if el.stmt is not None and any(isinstance(e, n.Run) for e in expressions_of(el.stmt)):
            flags |= T_RUN
        return flags

    # ---- the whole

    def watched(self, automaton: Automaton | None, kind: type[n.Stmt]) -> list[str]:
        if automaton is None:
            return []
        writer = ExprWriter(self.system, self.layout, automaton)
        found: list[str] = []
        for el in automaton.body.elements:
            if isinstance(el.stmt, kind):
                assert isinstance(el.stmt, n.Send | n.Receive)
                text = writer.var(el.stmt.chan)
                if text not in found:
                    found.append(text)
        return found

    def embedded(self) -> EmbeddedC:
        c = EmbeddedC(texts=self.code_texts())
        for unit in self.model.c_units:
            scope = unit.scope.strip()
            if unit.kind == "c_decl":
                c.declarations.append(_directives_freed(unit.code))
            elif unit.kind == "c_code":
                c.functions.append(_directives_freed(unit.code))
            elif unit.kind == "c_track":
                matched = unit.init is None or unit.init.strip('"') == "Matched"
                (c.matched if matched else c.unmatched).append(TrackedData(unit.code, unit.scope))
            elif scope.startswith("Hidden"):
                value = f" = {unit.init}" if unit.init else ""
                c.hidden.append(f"{unit.code}{value};")
            elif scope.startswith("Global") and unit.init:
                c.state_init.append(f"G->{_declared_name(unit)} = {unit.init};")
        return c

    def code_texts(self) -> dict[int, str]:
        """The embedded C of statements, which reports show in full."""
        texts: dict[int, str] = {}
        for automaton in self.system.automata:
            for el in automaton.body.elements:
                if isinstance(el.stmt, n.CCode):
                    texts[el.stmt.number] = _code_text(el.stmt.code)
                if el.stmt is not None:
                    found = (e for e in expressions_of(el.stmt) if isinstance(e, n.CExpr))
                    texts.update((e.number, _code_text(e.code)) for e in found)
        return texts

    def globals(self) -> StructLayout:
        struct = self.layout.globals()
        for unit in self.model.c_units:
            if unit.kind == "c_state" and unit.scope.strip().startswith("Global"):
                struct.members.insert(0, unit.code + ";")
        return struct

    def build(self) -> Program:
        self.acting: set[int] = set()
        automata = self.system.automata
        invariants = self.options.invariants + ltl_invariants(self.model)
        formulas = [invariant.formula for invariant in invariants]
        self.dead = find_dead_values(self.system, formulas, self.forget_options())
        unread = self.dead.unread_symbols()
        self.independence = find_independence(self.system, formulas, unread)
        self.sticky = sticky_locations(self.system, unread)
        cases = {a.index: self.cases(a) for a in automata}
        numbers = {number: ident for ident, number in self.actions.items()}
        for rows in cases.values():
            self.acting |= {numbers[case.number] for case in rows if case.effect}
        self.file_index(self.model.file)
        processes = []
        for a in automata:
            program = self.process(a)
            program.cases = cases[a.index]
            processes.append(program)
        nonprogress = self.nonprogress(len(automata))
        quiet = copy(self.layout)  # what is only estimated or asked is no use of a channel
        quiet.checks_ends = False
        writers = {a.index: ExprWriter(self.system, quiet, a) for a in automata}
        writers[-1] = ExprWriter(self.system, quiet, None)
        estimates, steps = make_estimates(self.system, writers, self.actions, invariants)
        # SPIN numbers claims from the last to the first; the first one is the default.
        claims = [a.index for a in reversed(self.system.claims())]
        traces = [a for a in automata if a.process.kind in (n.ProcKind.TRACE, n.ProcKind.NOTRACE)]
        self.trace = trace = traces[0] if traces else None
        variables = variable_rows(self.system, self.layout, self.hides_unread())
        return Program(
            c_string(self.model.file), [c_string(f) for f in self.files], self.layout.typedefs(), self.globals(),
            processes, nonprogress, self.transitions, self.channels,
            variables,
            constant_rows(self.model, variables),
            [(c_string(name), [c_string(v) for v in values]) for name, values in self.model.mtypes.items()],
            self.global_start(),
            active_processes(self.system),
            claims, len(claims) - 1, trace.index if trace else -1,
            self.watched(trace, n.Send), self.watched(trace, n.Receive), self.embedded(), estimates,
            self.feature_flags(steps), self.options.notes, self.actions, self.settled(writers),
            self.watchers, self.end_uses(writers), self.global_use(cases), self.local_alone,
        )  # fmt: skip

    def hides_unread(self) -> bool:
        """Are globals that nothing reads left out when variables are shown? Embedded C may read anything."""
        return self.options.forgets_unread and not self.options.notes and not self.model.c_units

    def forget_options(self) -> ForgetOptions:
        """A library shows all values as the program has them."""
        o = self.options
        return ForgetOptions(o.forgets_dead and not o.notes, o.forgets_unread and not o.notes, o.loses_messages)

    def global_start(self) -> list[str]:
        """Statements that set up globals."""
        lines = global_init(ExprWriter(self.system, self.layout, None), self.system, self.channel_index)
        given = [cell for cell in self.dead.unread if any(symbol.init is not None for symbol in cell)]
        return lines + forget_lines(self.layout, -1, given)

    def settled(self, writers: dict[int, ExprWriter]) -> list[SettledRow]:
        """When the outcome of safe statements is sure, as C."""
        rows: dict[int, SettledRow] = {}
        for automaton in self.system.automata:
            for el in automaton.body.elements:
                conditions = self.independence.conditions.get(el.id)
                if conditions and el.id in self.actions:
                    texts = [self.condition(writers[automaton.index], condition) for condition in conditions]
                    rows[self.actions[el.id]] = SettledRow(self.actions[el.id], " && ".join(texts))
        return list(rows.values())

    def global_use(self, cases: dict[int, list[ActionCase]]) -> GlobalUse:
        members = {self.layout.member(s): self.layout.words.bits(s) for s in self.model.symbols if not s.hidden}
        rows = [case for some in cases.values() for case in some]
        texts = {case.number: [case.guard or "", *case.effect] for case in rows}
        n_actions = len(self.actions) + 2  # with that of the nonprogress claim
        return global_use({} if self.system.features.c_code else members, texts, n_actions)

    def condition(self, writer: ExprWriter, condition: Condition) -> str:
        chan = writer.var(condition.chan)
        if condition.test in (UNWATCHED_SEND, UNWATCHED_RECEIVE):
            watched = self.watched(self.trace, n.Send if condition.test == UNWATCHED_SEND else n.Receive)
            return " && ".join(f"{chan} != {other}" for other in watched) or "true"
        return f"is_stable(s, {chan}, STABLE_{condition.test.upper()})"

    def end_uses(self, writers: dict[int, ExprWriter]) -> dict[int, str]:
        """By proctype, as C: may a process use this end of a channel?"""
        found = {}
        for index, uses in self.independence.uses.items():
            parts = [f"end == {_END[send]}" for send in uses.any]
            parts += [f"({writers[index].var(chan)} == id && end == {_END[send]})" for chan, send in uses.names]
            if parts:
                found[index] = " || ".join(parts)
        return found

    def feature_flags(self, steps: StepAnalysis) -> dict[str, bool]:
        f = self.system.features
        has_hidden = f.hidden or bool(self.embedded().unmatched)
        return {
            "uses_timeout": f.timeout, "uses_last": f.last, "uses_priority": f.priority, "uses_enabled": f.enabled,
            "uses_np": f.np, "has_accept": f.accept, "has_progress": f.progress, "has_rendezvous": f.rendezvous,
            "has_buffered": f.buffered, "has_unless": f.unless, "has_atomic": f.atomic, "has_provided": f.provided,
            "has_c_code": f.c_code, "has_hidden": has_hidden, "loses_messages": self.options.loses_messages,
            "merges": self.options.merges, "uses_run": steps.uses_run, "steps_are_single": steps.single,
            "queues_move_by_one": steps.queues_by_one,
            "c_data_outside": f.c_code and keeps_data_outside(self.system),
            "numbers_matter": self.independence.numbers_matter,
        }  # fmt: skip


def _directives_freed(code: str) -> str:
    """C outside of proctypes, in which \\# hides a directive from the preprocessor that reads the model."""
    return code.lstrip("\n\r\\").replace("\\#", "\n#")


_END = {False: "END_RECEIVE", True: "END_SEND"}


def _declared_name(unit: n.CUnit) -> str:
    """The variable a c_state declares."""
    return unit.code.split()[-1].lstrip("*")


def _code_text(code: str) -> str:
    """Embedded C as reports show it."""
    return c_string(code.lstrip("\n\r\\")[:1024])


def make_program(system: System, options: ProgramOptions | None = None) -> Program:
    """Prepares a lowered model for the templates."""
    return _Builder(system, options or ProgramOptions()).build()


__all__ = ["Program", "ProgramOptions", "make_program", "struct_leaves"]
