"""A run of a model as objects: the steps of a trail or of a simulation, each with the state behind it.

Everything the step list, the JSON, the chart and the page show is in a `Run`; none of them knows a
session. The model itself runs as generated C (`hsfpy.simulate`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from hsfpy.simulate.library import CLAIM_PID
from hsfpy.simulate.session import Change, ChannelState, Message, ProcessState, State, process_name

SEND, RECEIVE = "send", "receive"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a statement stands in its file; lines and columns count from 1, 0 is unknown."""

    file: str
    line: int
    column: int = 0
    end_line: int = 0


@dataclass(frozen=True, slots=True)
class Actor:
    """A process and the statement it executes."""

    pid: int  # -1 for the never claim
    process: str  # name of the proctype
    text: str
    place: Place

    @property
    def name(self) -> str:
        """`P(1)`, or the name of the claim."""
        return process_name(self.process, self.pid)

    @property
    def shown(self) -> str:
        """The statement as a person would write it: SPIN puts conditions in parentheses, twice."""
        text = self.text
        while text.startswith("(") and _closing(text) == len(text) - 1:
            text = text[1:-1]
        return "ends" if text == "-end-" else text


def _closing(text: str) -> int:
    """Where the parenthesis at the beginning of a text is closed."""
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return i
    return -1


@dataclass(frozen=True, slots=True)
class Transfer:
    """A message that a step sent or received. `peer` is the number of the step at the other end, if there is
    one: of a receive the send, of a send the (first) receive; both are the same step in a rendezvous."""

    kind: str  # SEND or RECEIVE
    pid: int
    channel: str
    message: Message
    peer: int | None = None
    peer_pid: int | None = None
    copied: bool = False  # received with q?<x>: the message stays

    @property
    def text(self) -> str:
        return ",".join(map(str, self.message))


@dataclass(frozen=True, slots=True)
class RunStep:
    """One step: who did what, and what came of it."""

    number: int  # from 1, in this run
    depth: int  # number of the step in the trail file
    actor: Actor
    partner: Actor | None  # the receiver of a rendezvous
    state: State = field(repr=False)  # behind the step
    changes: tuple[Change, ...]
    transfers: tuple[Transfer, ...] = ()
    printed: str = ""
    started: tuple[int, ...] = ()  # processes
    ended: bool = False  # the process ended
    fault: str | None = None  # a failed assertion or a run-time error
    in_cycle: bool = False
    in_d_step: bool = False

    @property
    def pid(self) -> int:
        return self.actor.pid

    @property
    def process(self) -> str:
        return self.actor.process

    @property
    def text(self) -> str:
        """The statement, as SPIN writes it."""
        return self.actor.text

    @property
    def file(self) -> str:
        return self.actor.place.file

    @property
    def line(self) -> int:
        return self.actor.place.line

    @property
    def is_claim(self) -> bool:
        return self.actor.pid == CLAIM_PID


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a process stands at the end of a run, and what it would do next."""

    pid: int
    process: str
    place: Place
    next: tuple[str, ...]
    may_end: bool  # a valid end state of the process

    @property
    def waits_for(self) -> str:
        return " | ".join(self.next) or "its end"

    @property
    def name(self) -> str:
        return process_name(self.process, self.pid)


# How a run ends.
FAULT, CYCLE, DEADLOCK, CLAIM_END, DONE, OPEN = (
    "fault", "cycle", "invalid end state", "claim end", "valid end state", "open",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ends; `kind` is one of the names above."""

    kind: str
    text: str
    processes: tuple[Standing, ...]


@dataclass(frozen=True)
class Run(Sequence[RunStep]):
    """A trail that was replayed, or a simulation. A sequence of its steps."""

    model: str
    initial: State = field(repr=False)
    steps: tuple[RunStep, ...] = field(repr=False)
    ending: Ending
    cycle_start: int | None = None  # number of steps before the cycle
    claim: str | None = None  # name of the never claim that moved along
    sources: dict[str, list[str]] = field(default_factory=dict, repr=False)  # lines of the model's files
    places: dict[tuple[str, int], Place] = field(default_factory=dict, repr=False)  # by proctype and state number
    trail_file: str | None = None
    problem: str | None = None  # why the rest of the trail could not be replayed

    def __len__(self) -> int:
        return len(self.steps)

    @overload
    def __getitem__(self, index: int) -> RunStep: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[RunStep]: ...
    def __getitem__(self, index: int | slice) -> RunStep | Sequence[RunStep]:
        return self.steps[index]

    def __iter__(self) -> Iterator[RunStep]:
        return iter(self.steps)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    @property
    def states(self) -> list[State]:
        """The initial state and the state behind each step."""
        return [self.initial, *(step.state for step in self.steps)]

    def where(self, process: ProcessState) -> Place:
        """Where a process of one of the states stands."""
        return self.places.get((process.process, process.location), Place("", 0))

    def source(self, place: Place) -> str:
        """The source line at a place, without white space around it; empty if it is not known."""
        lines = self.sources.get(place.file, [])
        return lines[place.line - 1].strip() if 0 < place.line <= len(lines) else ""

    def to_json(self) -> dict[str, Any]:
        """As an object for `json.dumps`; docs/trail-json.md describes it."""
        from hsfpy.trail.to_json import run_json

        return run_json(self)

    def to_svg(self) -> str:
        """Its message sequence chart."""
        from hsfpy.trail.svg import svg

        return svg(self)

    def to_html(self) -> str:
        """A page to step through it."""
        from hsfpy.trail.page import html

        return html(self)

    def _repr_html_(self) -> str:
        return self.to_svg()

    def __str__(self) -> str:
        from hsfpy.trail.listing import Listing

        return "\n".join(Listing(self).lines())


def channel_text(channel: ChannelState) -> str:
    """The messages in a channel, oldest first."""
    return " ".join(f"[{','.join(map(str, message))}]" for message in channel.messages)


def differences(before: State, after: State) -> tuple[Change, ...]:
    """What a step changed: single values by their paths, and channels by their contents."""
    changes = [change for change in after.diff(before) if "?[" not in change.path]
    old = {name: channel_text(c) for name, c in before.channels.items()}
    new = {name: channel_text(c) for name, c in after.channels.items()}
    for name in dict.fromkeys([*new, *old]):
        was, now = old.get(name), new.get(name)
        if was != now and (was or now):
            changes.append(Change(name, was, now))
    return tuple(changes)


def path_filter(wanted: Sequence[str]) -> Callable[[str], bool]:
    """Does a path match one of the names? All do if there are none. `*` and `?` stand for any characters."""
    from fnmatch import fnmatchcase

    patterns = [f"*{name.replace('[', '[[]')}*" for name in wanted]
    return lambda path: not patterns or any(fnmatchcase(path, pattern) for pattern in patterns)


__all__ = [
    "Actor", "CLAIM_END", "CYCLE", "DEADLOCK", "DONE", "Ending", "FAULT", "OPEN", "Place", "RECEIVE", "Run", "RunStep",
    "SEND", "Standing", "Transfer", "channel_text", "differences", "path_filter", "process_name",
]  # fmt: skip
