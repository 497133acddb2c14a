"""A model that runs: its steps, its states, and what happens in between, as Python objects.

    machine = Machine(translate_model("m.pml", FrontOptions()).system)
    session = machine.session()
    while steps := session.steps():
        session.take(steps[0])
        print(steps[0].text, session.state().globals)

The model itself is the generated C (`library`); nothing here knows what a statement does.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from hsfpy import nodes as n
from hsfpy.automaton import Automaton, System, Transition
from hsfpy.elements import Element
from hsfpy.program import Program, ProgramOptions, make_program
from hsfpy.simulate import library
from hsfpy.simulate.library import CLAIM_PID
from hsfpy.text import element_text, source_name

# A value as a person reads it: mtype values by name, arrays as lists, structs as dictionaries. A
# channel variable has the number of its channel, 0 for none.
Value = int | str | list["Value"] | dict[str, "Value"]
Message = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """Something that happened inside a step; `kind` is one of library.NOTE_..."""

    kind: int
    subject: int
    values: tuple[int, ...]
    text: str = ""  # printed, or the name of an array


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of taking a step."""

    result: int  # library.MOVED, BLOCKED or UNKNOWN
    fault: str | None  # a failed assertion or a run-time error
    notes: tuple[Note, ...]

    @property
    def printed(self) -> str:
        """What the model printed."""
        return "".join(note.text for note in self.notes if note.kind == library.NOTE_PRINT)


@dataclass(frozen=True, slots=True)
class Step:
    """A statement that a process takes; of a rendezvous, the send, with the receive as `partner`."""

    pid: int  # CLAIM_PID for the never claim
    process: str  # name of the proctype
    transition: int
    element: Element = field(repr=False)
    partner: Step | None = None
    faulty: bool = False  # testing whether it can be taken raises a run-time error

    @property
    def text(self) -> str:
        return element_text(self.element)

    @property
    def file(self) -> str:
        return self.element.file

    @property
    def line(self) -> int:
        return self.element.line

    @property
    def span(self) -> n.Span | None:
        """Where the statement stands in its source; None for steps without one (`-end-`)."""
        return self.element.stmt.span if self.element.stmt is not None else None


@dataclass(frozen=True, slots=True)
class ChannelState:
    """A channel: `name` is the variable it was declared with."""

    number: int
    name: str
    capacity: int
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class ProcessState:
    """A process: where it stands, and its variables."""

    pid: int
    process: str
    location: int  # SPIN's state number
    line: int
    variables: dict[str, Value]

    @property
    def name(self) -> str:
        return process_name(self.process, self.pid)


@dataclass(frozen=True, slots=True)
class Change:
    """One value that differs between two states; None where it does not exist."""

    path: str
    before: int | str | None
    after: int | str | None


@dataclass(frozen=True)
class State:
    """A whole state. Two states are equal when the verifier could not tell them apart."""

    data: bytes = field(repr=False)
    globals: dict[str, Value] = field(compare=False)
    processes: tuple[ProcessState, ...] = field(compare=False)
    channels: dict[str, ChannelState] = field(compare=False)
    claim: int | None = field(default=None, compare=False)  # location of the never claim

    @cached_property
    def flat(self) -> dict[str, int | str]:
        """Every single value by its path: `x`, `a[2]`, `s.f`, `P(1):x`, and messages as `q[0]`."""
        out: dict[str, int | str] = {}
        for name, value in self.globals.items():
            _flatten(name, value, out)
        for process in self.processes:
            for name, value in process.variables.items():
                _flatten(f"{process.name}:{name}", value, out)
        for name, channel in self.channels.items():
            for i, message in enumerate(channel.messages):
                out[f"{name}?[{i}]"] = ",".join(map(str, message))
        return out

    def diff(self, before: State) -> list[Change]:
        """What differs from an earlier state."""
        old, new = before.flat, self.flat
        paths = list(dict.fromkeys([*new, *old]))
        return [Change(p, old.get(p), new.get(p)) for p in paths if old.get(p) != new.get(p)]


def process_name(process: str, pid: int) -> str:
    """`P(1)`, or the name of the claim."""
    if pid == CLAIM_PID:
        return process
    return f"{'init' if process == ':init:' else process}({pid})"


def _flatten(path: str, value: Value, out: dict[str, int | str]) -> None:
    if isinstance(value, list):
        for i, item in enumerate(value):
            _flatten(f"{path}[{i}]", item, out)
    elif isinstance(value, dict):
        for name, item in value.items():
            _flatten(f"{path}.{name}", item, out)
    else:
        out[path] = value


def leaf_count(symbol: n.Symbol) -> int:
    """How many single values a variable has."""
    one = sum(leaf_count(fld) for fld in symbol.struct.fields) if symbol.struct is not None else 1
    return one * symbol.length


class Machine:
    """A model compiled for running, with what is known about it."""

    def __init__(self, system: System, options: ProgramOptions | None = None, link: list[str] | None = None) -> None:
        self.system = system
        self.model = system.model
        options = options or ProgramOptions()
        options.notes = True
        self.program: Program = make_program(system, options)
        self.library = library.load_library(self.program, link)
        self.ffi = library.interface()
        self.transitions: list[Transition] = [
            t for automaton in system.automata for location in automaton.locations for t in location.transitions
        ]

    def session(self, claim: int | None = None) -> Session:
        """A run in the initial state; `claim` is the proctype number of a never claim to move along."""
        return Session(self, claim)

    def automaton(self, pid_type: int) -> Automaton:
        return self.system.automata[pid_type]

    def options_at(self, automaton: Automaton, location: int) -> range:
        """The numbers of the transitions that leave a location."""
        row = self.program.processes[automaton.index].locations[location]
        return range(row.first, row.first + row.count)

    def action(self, el: Element) -> int:
        """The number of a statement's code."""
        return self.program.actions.get(el.id, 0)

    def variables(self, automaton: Automaton | None) -> list[n.Symbol]:
        """The variables of a process, or the globals, in SPIN's order."""
        return self.model.symbols if automaton is None else automaton.process.variables

    def mtype_name(self, subtype: str | None, value: int) -> int | str:
        names = self.model.mtypes.get(subtype or "", [])
        return names[value - 1] if 1 <= value <= len(names) else value


class Session:
    """One run of a machine: a state that moves."""

    def __init__(self, machine: Machine, claim: int | None) -> None:
        self.machine = machine
        self.lib = machine.library
        self.ffi = machine.ffi
        self.claim = machine.automaton(claim) if claim is not None else None  # the never claim that moves along
        self._at = self.lib.session_open(-1 if claim is None else claim)
        weakref.finalize(self, self.lib.session_close, self._at)
        self._steps = self.ffi.new("SessionStep[]", 64)
        self._timeout = self.ffi.new("int *")
        widest = max([sum(map(leaf_count, machine.variables(a))) for a in (None, *machine.system.automata)])
        fullest = max([len(c.fields) * max(1, c.capacity) for c in machine.program.channels], default=1)
        self._room = self.ffi.new("int[]", max(widest, fullest, 1))

    # ---- steps

    def restart(self) -> None:
        self.lib.session_restart(self._at)

    @property
    def timeout(self) -> bool:
        """Were the steps listed last possible only because nothing else could move?"""
        return bool(self._timeout[0])

    def steps(self) -> list[Step]:
        """The steps that can be taken now, youngest process first."""
        count = self._list(lambda room: self.lib.session_steps(self._at, self._steps, room, self._timeout))
        return [self._step(self._steps[i]) for i in range(count)]

    def claim_steps(self) -> list[Step]:
        """The moves that the never claim can make now."""
        count = self._list(lambda room: self.lib.session_claim_steps(self._at, self._steps, room))
        return [self._step(self._steps[i]) for i in range(count)]

    def _list(self, call: object) -> int:
        assert callable(call)
        count = int(call(len(self._steps)))
        if count > len(self._steps):
            self._steps = self.ffi.new("SessionStep[]", 2 * count)
            count = int(call(len(self._steps)))
        return count

    def _step(self, found: object) -> Step:
        pid, transition, reply_pid, reply, faulty = (
            getattr(found, name) for name in ("pid", "transition", "reply_pid", "reply", "faulty")
        )
        partner = self._half(reply_pid, reply, None, False) if reply >= 0 else None
        return self._half(pid, transition, partner, bool(faulty))

    def _half(self, pid: int, transition: int, partner: Step | None, faulty: bool) -> Step:
        element = self.machine.transitions[transition].element
        return Step(pid, self.process(pid).process.name, transition, element, partner, faulty)

    def take(self, step: Step) -> Outcome:
        """Takes a step that `steps` has just listed."""
        reply = (step.partner.pid, step.partner.transition) if step.partner is not None else (-1, -1)
        self.lib.session_take(self._at, self.ffi.new("SessionStep *", (step.pid, step.transition, *reply, step.faulty)))
        return self.outcome(library.MOVED)

    def move(self, pid: int, transition: int) -> Outcome:
        """Takes one named transition if it can be taken; of a rendezvous, one half."""
        return self.outcome(self.lib.session_move(self._at, pid, transition))

    def offer(self) -> int:
        """The channel of a rendezvous whose first half is done, or 0."""
        return int(self.lib.session_offer(self._at))

    def can(self, pid: int, automaton: Automaton, el: Element) -> bool:
        """Can a single statement be executed, wherever the process stands?"""
        return bool(self.lib.session_test(self._at, pid, automaton.index, self.machine.action(el)))

    def do(self, pid: int, automaton: Automaton, el: Element) -> Outcome:
        """Executes a single statement; the process stays where it stands."""
        self.lib.session_do(self._at, pid, automaton.index, self.machine.action(el))
        return self.outcome(library.MOVED)

    def arrive(self, pid: int, transition: int) -> None:
        """Moves a process along a transition whose statements were executed one by one."""
        self.lib.session_arrive(self._at, pid, transition)

    def outcome(self, result: int) -> Outcome:
        """What the last call did."""
        fault = self.lib.session_fault(self._at)
        text = self.ffi.string(fault).decode("utf-8", "surrogateescape") if fault else None
        return Outcome(result, text, tuple(self._notes()))

    def _notes(self) -> Iterator[Note]:
        count = self.lib.session_n_notes(self._at)
        if not count:
            return
        notes, values = self.lib.session_notes(self._at), self.lib.session_values(self._at)
        output = self.ffi.string(self.lib.session_output(self._at))
        ends = [note.subject for note in notes[0:count] if note.kind == library.NOTE_PRINT][1:] + [len(output)]
        for note in notes[0:count]:
            found = tuple(values[note.first : note.first + note.n]) if note.n else ()
            text = ""
            if note.kind == library.NOTE_PRINT:
                text = output[note.subject : ends.pop(0)].decode("utf-8", "surrogateescape")
            elif note.name:
                text = self.ffi.string(note.name).decode()
            yield Note(note.kind, note.subject, found, text)

    # ---- states

    def save(self) -> bytes:
        """The state as bytes."""
        size = self.lib.session_size(self._at)
        buffer = self.ffi.new("unsigned char[]", size)
        self.lib.session_save(self._at, buffer)
        return bytes(self.ffi.buffer(buffer, size))

    def load(self, data: bytes) -> None:
        """Goes back to a state of the same machine."""
        self.lib.session_load(self._at, data, len(data))

    @property
    def n_processes(self) -> int:
        return int(self.lib.session_n_processes(self._at))

    def process(self, pid: int) -> Automaton:
        """The proctype of a process, or the claim."""
        if pid == CLAIM_PID:
            assert self.claim is not None
            return self.claim
        return self.machine.automaton(self.lib.session_process_type(self._at, pid))

    def location(self, pid: int) -> int:
        return int(self.lib.session_location(self._at, pid))

    def priority(self, pid: int) -> int:
        return int(self.lib.session_priority(self._at, pid))

    def is_valid_end(self) -> bool:
        return bool(self.lib.session_is_valid_end(self._at))

    def raw(self, pid: int | None) -> list[int]:
        """All values of a process, or of the globals (None), as numbers, in the order of its variables."""
        count = self.lib.session_read(self._at, -1 if pid is None else pid, self._room)
        return list(self._room[0:count])

    @property
    def n_channels(self) -> int:
        return int(self.lib.session_n_channels(self._at))

    def channel_kind(self, number: int) -> int:
        """Which declaration made a channel: an index into Program.channels."""
        return int(self.lib.session_channel_kind(self._at, number))

    def channel_raw(self, number: int) -> list[tuple[int, ...]]:
        """The messages in a channel, as numbers."""
        length = self.lib.session_channel(self._at, number, self._room)
        width = len(self.machine.program.channels[self.channel_kind(number)].fields)
        return [tuple(self._room[i * width : (i + 1) * width]) for i in range(length)]

    def message(self, number: int, values: tuple[int, ...]) -> Message:
        """A message of a channel as a person reads it."""
        if not 1 <= number <= self.n_channels:  # the channel is gone
            return values
        fields = self.machine.program.channels[self.channel_kind(number)].fields
        return tuple(
            self.machine.mtype_name(fld.subtype, value) if fld.kind is n.Kind.MTYPE else value
            for fld, value in zip(fields, values, strict=False)
        )

    def state(self) -> State:
        """The state, decoded."""
        decoder = _Decoder(self)
        processes = tuple(decoder.process(pid) for pid in range(self.n_processes))
        variables = decoder.variables(None, None)
        claim = self.location(CLAIM_PID) if self.claim is not None else None
        return State(self.save(), variables, processes, decoder.channels(), claim)


class _Decoder:
    """Turns the numbers of a state into values."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.machine = session.machine
        self.names: dict[int, str] = {}  # of channels: the variable that first had them

    def process(self, pid: int) -> ProcessState:
        automaton = self.session.process(pid)
        location = self.session.location(pid)
        line = automaton.locations[location].line
        return ProcessState(pid, automaton.process.name, location, line, self.variables(automaton, pid))

    def variables(self, automaton: Automaton | None, pid: int | None) -> dict[str, Value]:
        raw = iter(self.session.raw(pid))
        prefix = f"{process_name(automaton.process.name, pid)}:" if automaton is not None and pid is not None else ""
        out: dict[str, Value] = {}
        for symbol in self.machine.variables(automaton):
            name = source_name(symbol, symbol.name)
            while name in out:  # another variable of the same name, in an inner block
                name += "'"
            out[name] = self.value(symbol, raw, prefix + name)
        return out

    def value(self, symbol: n.Symbol, raw: Iterator[int], path: str) -> Value:
        if not symbol.is_array:
            return self.single(symbol, raw, path)
        return [self.single(symbol, raw, f"{path}[{i}]") for i in range(symbol.length)]

    def single(self, symbol: n.Symbol, raw: Iterator[int], path: str) -> Value:
        if symbol.struct is not None:
            return {fld.name: self.value(fld, raw, f"{path}.{fld.name}") for fld in symbol.struct.fields}
        value = next(raw)
        if symbol.kind is n.Kind.MTYPE:
            return self.machine.mtype_name(symbol.subtype, value)
        if symbol.kind is n.Kind.CHAN and value and (isinstance(symbol.init, n.ChanInit) or value not in self.names):
            self.names[value] = path
        return value

    def channels(self) -> dict[str, ChannelState]:
        out: dict[str, ChannelState] = {}
        for number in range(1, self.session.n_channels + 1):
            kind = self.machine.program.channels[self.session.channel_kind(number)]
            messages = tuple(self.session.message(number, m) for m in self.session.channel_raw(number))
            name = self.names.get(number, f"{kind.symbol.name}#{number}")
            out[name] = ChannelState(number, name, kind.capacity, messages)
        return out
