"""Message sequence charts: who sent what to whom, in which step; and `spin -M`, which draws one in Tcl/Tk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hsfpy import nodes as n
from hsfpy.automaton import Automaton
from hsfpy.elements import Element
from hsfpy.simulate import library
from hsfpy.simulate.session import Note, Outcome, Session
from hsfpy.simulate.spin_text import SpinText
from hsfpy.simulate.text_options import TextOptions

SEND, RECEIVE, PRINT = "send", "receive", "print"


@dataclass(slots=True)
class ChartEvent:
    """Something a process did that others, or the reader, can see."""

    step: int
    pid: int  # CLAIM_PID for the claim
    kind: str  # SEND, RECEIVE or PRINT
    text: str


@dataclass(slots=True)
class Arrow:
    """A message, from the event that sent it to the one that took it."""

    start: int  # indices into Chart.events
    end: int
    rendezvous: bool


@dataclass(slots=True)
class Chart:
    """A message sequence chart."""

    processes: dict[int, str] = field(default_factory=dict)  # pid -> name
    events: list[ChartEvent] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)


class ChartText(SpinText):
    """Takes the place of a printer and fills a chart instead."""

    def __init__(self, session: Session, options: TextOptions, write: Callable[[str], object], claimed: bool) -> None:
        super().__init__(session, options, write, claimed)
        self.chart = Chart()
        self.under_way: dict[int, list[tuple[tuple[int, ...], int]]] = {}  # channel -> messages and their events
        for pid in range(session.n_processes):
            self.chart.processes[pid] = session.process(pid).process.name

    def happened(self, pid: int, automaton: Automaton, el: Element, outcome: Outcome, failed: bool = False) -> None:
        for note in outcome.notes:
            self._record(pid, el, note)
        if outcome.fault is not None:
            self.tell_fault(el, outcome.fault, outcome.notes)
        self.memory.after(pid, el)

    def _record(self, pid: int, el: Element, note: Note) -> None:
        match note.kind:
            case library.NOTE_CHANNEL:
                self.memory.look_at(note.subject)
            case library.NOTE_RUN if note.subject < self.session.n_processes:
                self.memory.create(note.subject)
                self.chart.processes[note.subject] = self.session.process(note.subject).process.name
            case library.NOTE_PRINT if not self.options.no_print:
                self._add(pid, PRINT, note.text.removeprefix("MSC: ").strip())
            case library.NOTE_SEND:
                self._send(pid, el, note)
            case library.NOTE_RECEIVE:
                self._receive(pid, el, note)

    def _add(self, pid: int, kind: str, text: str) -> int:
        self.chart.events.append(ChartEvent(self.depth, pid, kind, text))
        return len(self.chart.events) - 1

    def _message(self, pid: int, el: Element, note: Note, mark: str) -> str:
        kind = self.machine.program.channels[self.session.channel_kind(note.subject)]
        chan = self.channel_of(el, note, pid)
        name = self.channel_name(chan, note.subject, pid) if chan is not None else kind.symbol.name
        return name + mark + ",".join(self.message_texts(kind.fields, note.values))

    def _send(self, pid: int, el: Element, note: Note) -> None:
        event = self._add(pid, SEND, self._message(pid, el, note, "!"))
        self.under_way.setdefault(note.subject, []).append((note.values, event))

    def _receive(self, pid: int, el: Element, note: Note) -> None:
        event = self._add(pid, RECEIVE, self._message(pid, el, note, "?"))
        waiting = self.under_way.get(note.subject, [])
        sent = next((item for item in waiting if item[0] == note.values), waiting[0] if waiting else None)
        if sent is None:
            return
        if not (isinstance(el.stmt, n.Receive) and el.stmt.copy):
            waiting.remove(sent)
        rendezvous = self.machine.program.channels[self.session.channel_kind(note.subject)].capacity == 0
        self.chart.arrows.append(Arrow(sent[1], event, rendezvous))


# ---------------------------------------------------------------- Tcl/Tk

_COLUMN, _ROW, _TOP = 160, 24, 20


def tcl_script(chart: Chart, title: str) -> str:
    """A program for wish that shows a chart."""
    columns = {pid: _COLUMN * (i + 1) - 20 for i, pid in enumerate(sorted(chart.processes))}
    height = _TOP + _ROW * (len(chart.events) + 2)
    width = _COLUMN * (len(columns) + 1)
    lines = _tcl_window(title, width, height)
    for pid, x in columns.items():
        lines.append(f".c create line {x} {_TOP} {x} {height} -fill lightgrey")
        lines += _tcl_box(x, _TOP, f"{pid}:{chart.processes[pid]}", "ivory")
    for number, event in enumerate(chart.events):
        y = _row(number)
        lines.append(f".c create text 30 {y} -fill grey -text {event.step}")
        color = {SEND: "ivory", RECEIVE: "azure", PRINT: "pink"}[event.kind]
        lines += _tcl_box(columns.get(event.pid, 60), y, event.text, color)
    for arrow in chart.arrows:
        lines.append(_tcl_arrow(chart, arrow, columns))
    return "\n".join(lines) + "\n"


def _row(number: int) -> int:
    return _TOP + _ROW * (number + 1) + _ROW // 2


def _tcl_window(title: str, width: int, height: int) -> list[str]:
    return [
        f"wm title . {_tcl_word(title)}",
        f"wm geometry . {min(width, 1000)}x600",
        f"canvas .c -bg white -scrollregion {{0 0 {width} {height}}} \\",
        "    -xscrollcommand {.hscroll set} -yscrollcommand {.vscroll set}",
        "scrollbar .vscroll -command {.c yview}",
        "scrollbar .hscroll -orient horizontal -command {.c xview}",
        "pack .vscroll -side right -fill y",
        "pack .hscroll -side bottom -fill x",
        "pack .c -expand yes -fill both",
    ]


def _tcl_box(x: int, y: int, text: str, color: str) -> list[str]:
    half = 10 + 4 * len(text)
    return [
        f".c create rectangle {x - half} {y - 9} {x + half} {y + 9} -fill {color} -outline grey",
        f".c create text {x} {y} -text {_tcl_word(text)}",
    ]


def _tcl_arrow(chart: Chart, arrow: Arrow, columns: dict[int, int]) -> str:
    x0, x1 = (columns.get(chart.events[i].pid, 60) for i in (arrow.start, arrow.end))
    color, heads = ("darkred", "both") if arrow.rendezvous else ("darkblue", "last")
    return f".c create line {x0} {_row(arrow.start) + 9} {x1} {_row(arrow.end) - 9} -fill {color} -arrow {heads}"


def _tcl_word(text: str) -> str:
    """Any text as one word of Tcl."""
    quoted = "".join(f"\\{c}" if c in '\\"[]{}$;' else c for c in text.replace("\n", " "))
    return f'"{quoted}"'
