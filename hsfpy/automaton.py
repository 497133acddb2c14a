"""Automata: the form of a model that everything after `lower` works on.

Per process a graph of numbered locations, each with an ordered list of transitions; numbers and
texts are SPIN's. `Transition.element` carries guard and effect; nothing else here is syntax.
"""

from __future__ import annotations

from dataclasses import field, replace

from hsfpy import nodes as n
from hsfpy.elements import Body, Element, Op, Status
from hsfpy.records import dataclass


@dataclass(slots=True, eq=False)
class Transition:
    """A step from one location to another. `atom` holds SPIN's flags: 2 atomic, 4 last step of an
    atomic sequence, 8 local, 32 d_step."""

    element: Element
    to: int
    atom: int
    code: int  # SPIN's case number: `tr` in pan -d; 0 for a selection, 1 for goto and skip, 2 for else
    text: str
    classes: tuple[int, int]  # `tp` in pan -d
    escapes: list[int] = field(default_factory=list)  # start locations of the escapes from here
    escape: int = 0  # the escape this transition belongs to
    local_alone: bool = False  # local by itself, but not counted so beside the other options

    @property
    def is_local(self) -> bool:
        return bool(self.atom & 8)

    def copy(self) -> Transition:
        return replace(self, escapes=list(self.escapes))


@dataclass(slots=True, eq=False)
class Location:
    number: int
    transitions: list[Transition] = field(default_factory=list)
    line: int = 0  # of its own statement
    table_line: int = 0  # as pan -d shows it
    file: str = ""
    accept: bool = False
    end: bool = False
    progress: bool = False
    exempt: bool = False  # counts as reached without being executed
    map: int = 0  # reached also when this location is
    label: str | None = None
    danger: bool = False  # a label here begins with "danger": a process may deadlock here


@dataclass(slots=True, eq=False)
class Automaton:
    process: n.Process
    body: Body
    index: int  # SPIN's proctype number
    start: int
    end: int
    locations: list[Location]  # by number; [0] is unused

    def validate(self) -> None:
        """Every transition leads to a location that exists."""
        for location in self.locations:
            for t in location.transitions:
                assert 0 <= t.to < len(self.locations), (self.process.name, location.number, t.text)


@dataclass(slots=True, eq=False)
class System:
    """The whole model as automata, in SPIN's order of proctype numbers."""

    model: n.Model
    automata: list[Automaton]
    features: Features
    merges: dict[int, int] = field(default_factory=dict)  # see merge.find_merges; empty unless asked for

    def claims(self) -> list[Automaton]:
        return [a for a in self.automata if a.process.kind is n.ProcKind.NEVER]

    def by_name(self, name: str) -> Automaton | None:
        return next((a for a in self.automata if a.process.name == name), None)


@dataclass(slots=True)
class Features:
    """What a model uses; searches and reports depend on it."""

    timeout: bool = False
    last: bool = False
    priority: bool = False
    enabled: bool = False
    pc_value: bool = False
    np: bool = False
    unless: bool = False
    provided: bool = False
    c_code: bool = False
    random_receive: bool = False
    sorted_send: bool = False
    remote: bool = False
    rendezvous: bool = False
    buffered: bool = False
    hidden: bool = False
    accept: bool = False
    progress: bool = False
    atomic: bool = False


__all__ = ["Automaton", "Body", "Element", "Features", "Location", "Op", "Status", "System", "Transition"]
