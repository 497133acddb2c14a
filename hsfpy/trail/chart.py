"""Message sequence charts: a lifeline for each process, an arrow for each message.

Here is what is in a chart and where; `svg` and `tcl` write it down."""

from __future__ import annotations

from dataclasses import dataclass

from hsfpy.simulate.library import CLAIM_PID
from hsfpy.trail.run import CYCLE, DEADLOCK, FAULT, RECEIVE, SEND, Run, RunStep, process_name

# One colour per process; the page and the chart use the same.
PALETTE = ("#2563a8", "#b4540a", "#177a4b", "#8a3a9e", "#a8324a", "#0f7384", "#6b6a12", "#4b4fb0")
CLAIM_COLOUR = "#6b7280"
ERROR_COLOUR = "#b91c1c"


@dataclass(frozen=True, slots=True)
class Arrow:
    """A message on its way. Without a receiver it stayed in its channel, or was lost."""

    send_step: int
    sender: int
    receive_step: int | None
    receiver: int | None
    channel: str
    text: str
    copied: bool = False

    @property
    def is_rendezvous(self) -> bool:
        return self.receive_step == self.send_step


def arrows(run: Run) -> list[Arrow]:
    """All messages of a run, in the order of their sends."""
    out: list[Arrow] = []
    for step in run:
        for t in step.transfers:
            if t.kind == RECEIVE and t.peer is not None and t.peer_pid is not None:
                out.append(Arrow(t.peer, t.peer_pid, step.number, t.pid, t.channel, t.text, t.copied))
            elif t.kind == SEND and t.peer is None:
                out.append(Arrow(step.number, t.pid, None, None, t.channel, t.text))
    return sorted(out, key=lambda arrow: arrow.send_step)


@dataclass(frozen=True, slots=True)
class Lifeline:
    """A column of the chart: all processes that had one pid, one after the other."""

    pid: int
    names: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]  # first and last state (0: initial) in which there was one

    @property
    def colour(self) -> str:
        return CLAIM_COLOUR if self.pid == CLAIM_PID else PALETTE[self.pid % len(PALETTE)]

    @property
    def title(self) -> str:
        return " / ".join(self.names)


def lifelines(run: Run) -> list[Lifeline]:
    """The columns from left to right; the claim last."""
    names: dict[int, list[str]] = {}
    spans: dict[int, list[tuple[int, int]]] = {}
    states = run.states
    for number, state in enumerate(states):
        for process in state.processes:
            seen = spans.setdefault(process.pid, [])
            if seen and seen[-1][1] == number - 1:
                seen[-1] = (seen[-1][0], number)
            else:
                seen.append((number, number))
            if process.name not in names.setdefault(process.pid, []):
                names[process.pid].append(process.name)
    out = [Lifeline(pid, tuple(names[pid]), tuple(spans[pid])) for pid in sorted(names)]
    if run.claim is not None:
        out.append(Lifeline(CLAIM_PID, (process_name(run.claim, CLAIM_PID),), ((0, len(run)),)))
    return out


# ---------------------------------------------------------------- where things are

MARGIN, HEAD, ROW = 56, 44, 28
_STEPS_SHOWN = 300  # longer runs with messages are drawn without the steps between them


class Layout:
    """Places in a chart: a column for each lifeline, a row for each step that is shown."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.arrows = arrows(run)
        self.lines = lifelines(run)
        self.steps = [step for step in run if self._is_shown(step)]
        self.rows = {step.number: i for i, step in enumerate(self.steps)}
        self.column = self._column_width()
        self.columns = {line.pid: MARGIN + self.column * i + self.column // 2 for i, line in enumerate(self.lines)}
        self.width = MARGIN + self.column * max(1, len(self.lines)) + 16
        self.bottom = HEAD + ROW * len(self.steps) + 12

    def _is_shown(self, step: RunStep) -> bool:
        if len(self.run) <= _STEPS_SHOWN or not self.arrows:
            return True
        return bool(step.transfers or step.printed or step.fault or step.started)

    def _column_width(self) -> int:
        longest = max([len(line.title) for line in self.lines], default=0)
        longest = max([longest, *(len(a.channel) + len(a.text) + 1 for a in self.arrows)])
        longest = max([longest, *(len(step.actor.shown) for step in self.steps if not step.transfers)])
        return min(240, max(120, 24 + 7 * longest))

    def y(self, number: int) -> int:
        """The height of a step; of one that is not shown, that of the next one that is."""
        if number in self.rows:
            return HEAD + ROW * self.rows[number] + ROW // 2
        return HEAD + ROW * sum(step.number < number for step in self.steps)

    @property
    def cycle_top(self) -> int | None:
        """Where the cycle begins, if there is one."""
        start = self.run.cycle_start
        if start is None:
            return None
        return self.y(start + 1) - ROW // 2 if start < len(self.run) else self.bottom - 12

    def title(self, line: Lifeline) -> str:
        return short(line.title, self.column // 7)

    def local_text(self, step: RunStep) -> str:
        """What stands in the box of a step without messages."""
        return short(step.printed.strip() or step.actor.shown, (self.column - 16) // 6)

    def box_width(self, text: str) -> int:
        return min(self.column - 8, 16 + 6 * len(text))

    def colour(self, step: RunStep) -> str:
        return ERROR_COLOUR if step.fault else next(line.colour for line in self.lines if line.pid == step.pid)

    def ending(self) -> list[tuple[str, str]]:
        """The lines below the chart: how each is meant ("error", "cycle-mark", "note"), and the text."""
        ending = self.run.ending
        text = self.run.problem or ending.text
        kind = "note"
        if ending.kind in (FAULT, DEADLOCK) or self.run.problem is not None:
            kind = "error"
        elif ending.kind == CYCLE:
            text, kind = f"back to step {(self.run.cycle_start or 0) + 1}, for ever", "cycle-mark"
        lines = [(kind, text)]
        if len(self.steps) < len(self.run):
            lines.append(("note", f"{len(self.run) - len(self.steps)} steps without messages are not drawn"))
        return lines


def short(text: str, room: int) -> str:
    """A text in one line, cut where there is no more room."""
    text = " ".join(text.split())
    return text if len(text) <= room else text[: max(1, room - 1)] + "…"
