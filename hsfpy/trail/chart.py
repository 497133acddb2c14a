"""Message sequence charts: a lifeline for each process, an arrow for each message."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from hsfpy.simulate.library import CLAIM_PID
from hsfpy.trail.run import CYCLE, DEADLOCK, FAULT, RECEIVE, SEND, Run, RunStep, process_name

# One colour per process; the page and the chart use the same.
PALETTE = ("#2563a8", "#b4540a", "#177a4b", "#8a3a9e", "#a8324a", "#0f7384", "#6b6a12", "#4b4fb0")
CLAIM_COLOUR = "#6b7280"


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


# ---------------------------------------------------------------- as SVG

_MARGIN, _HEAD, _ROW = 56, 44, 28
_STEPS_SHOWN = 300  # longer runs with messages are drawn without the steps between them

_STYLE = """\
text{font:12px ui-sans-serif,system-ui,sans-serif;fill:#1f2937}
.head{font-weight:600;text-anchor:middle}.number{fill:#9ca3af;text-anchor:end;font-size:10px}
.label{paint-order:stroke;stroke:#fff;stroke-width:4px}.local{text-anchor:middle;font-size:11px}
.message{fill:none;stroke:#1f2937;stroke-width:1.4}.copied,.pending{stroke-dasharray:4 3}
.cycle{fill:#fef3c7}.cycle-mark{fill:#92400e;font-weight:600}.error{fill:#b91c1c;font-weight:600}"""


def svg(run: Run) -> str:
    """The chart as an SVG document."""
    return _Drawing(run).text()


class _Drawing:
    def __init__(self, run: Run) -> None:
        self.run = run
        self.arrows = arrows(run)
        self.lines = lifelines(run)
        rows = [step for step in run if self._is_shown(step)]
        self.rows = {step.number: i for i, step in enumerate(rows)}
        self.steps = rows
        self.column = self._column_width()
        self.columns = {line.pid: _MARGIN + self.column * i + self.column // 2 for i, line in enumerate(self.lines)}
        self.width = _MARGIN + self.column * max(1, len(self.lines)) + 16
        self.bottom = _HEAD + _ROW * len(rows) + 12

    def _is_shown(self, step: RunStep) -> bool:
        if len(self.run) <= _STEPS_SHOWN or not self.arrows:
            return True
        return bool(step.transfers or step.printed or step.fault or step.started)

    def _column_width(self) -> int:
        longest = max([len(line.title) for line in self.lines], default=0)
        longest = max([longest, *(len(a.channel) + len(a.text) + 1 for a in self.arrows)])
        longest = max([longest, *(len(step.actor.shown) for step in self.steps if not step.transfers)])
        return min(240, max(120, 24 + 7 * longest))

    def text(self) -> str:
        ending = self._ending()
        height = self.bottom + 20 * len(ending) + 12
        body = [*self._cycle(), *self._lifelines(), *self._steps(), *self._messages(), *ending]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{height}" '
            f'viewBox="0 0 {self.width} {height}">\n<style>{_STYLE}</style>\n'
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
            'orient="auto-start-reverse"><path d="M0,0 8,4 0,8z" fill="#1f2937"/></marker></defs>\n'
            f'<rect width="{self.width}" height="{height}" fill="#fff"/>\n' + "\n".join(body) + "\n</svg>\n"
        )

    def y(self, number: int) -> int:
        """The height of a step; of one that is not shown, that of the next one that is."""
        if number in self.rows:
            return _HEAD + _ROW * self.rows[number] + _ROW // 2
        return _HEAD + _ROW * sum(step.number < number for step in self.steps)

    # ---- parts

    def _cycle(self) -> Iterator[str]:
        start = self.run.cycle_start
        if start is None:
            return
        top = self.y(start + 1) - _ROW // 2 if start < len(self.run) else self.bottom - 12
        yield (
            f'<rect class="cycle" x="0" y="{top}" width="{self.width}" height="{max(4, self.bottom - top)}"/>'
            f'<text class="cycle-mark" x="4" y="{top + 12}">cycle</text>'
        )

    def _lifelines(self) -> Iterator[str]:
        for line in self.lines:
            x = self.columns[line.pid]
            title = _short(line.title, self.column // 7)
            for first, last in line.spans:
                top = _HEAD - 12 if first == 0 else self.y(first)
                bottom = self.bottom if last == len(self.run) else self.y(last + 1)
                yield f'<path d="M{x},{top}V{bottom}" stroke="{line.colour}" stroke-width="1.5" opacity=".5"/>'
                if last < len(self.run):
                    yield f'<path d="M{x - 6},{bottom}h12" stroke="{line.colour}" stroke-width="2"/>'
            yield f'<text class="head" x="{x}" y="20" style="fill:{line.colour}">{_safe(title)}</text>'

    def _steps(self) -> Iterator[str]:
        for step in self.steps:
            y = self.y(step.number)
            yield f'<text class="number" x="{_MARGIN - 12}" y="{y + 4}">{step.number}</text>'
            if not step.transfers:
                yield self._local(step, y)

    def _local(self, step: RunStep, y: int) -> str:
        x = self.columns[step.pid]
        text = _short(step.printed.strip() or step.actor.shown, (self.column - 16) // 6)
        width = min(self.column - 8, 16 + 6 * len(text))
        colour = "#b91c1c" if step.fault else next(line.colour for line in self.lines if line.pid == step.pid)
        return (
            f'<g><title>{_safe(self._tip(step))}</title><rect x="{x - width // 2}" y="{y - 10}" width="{width}" '
            f'height="20" rx="4" fill="#fff" stroke="{colour}"/>'
            f'<text class="local" x="{x}" y="{y + 4}">{_safe(text)}</text></g>'
        )

    def _tip(self, step: RunStep) -> str:
        return f"{step.actor.name}: {step.text} ({step.file}:{step.line})"

    def _messages(self) -> Iterator[str]:
        for arrow in self.arrows:
            x1, y1 = self.columns[arrow.sender], self.y(arrow.send_step)
            label = f"{arrow.channel}!{arrow.text}"
            side = 1  # the label stands beside the sender, on the side of the receiver
            if arrow.receiver is None or arrow.receive_step is None:
                path, kind = f"M{x1},{y1}h28", "message pending"
                end = f'<circle cx="{x1 + 32}" cy="{y1}" r="4" class="message"/>'
            else:
                x2, y2 = self.columns[arrow.receiver], self.y(arrow.receive_step)
                path, end, side = f"M{x1},{y1}L{x2},{y2}", "", -1 if x2 < x1 else 1
                if x1 == x2:
                    path = f"M{x1},{y1}C{x1 + 60},{y1} {x2 + 60},{y2} {x2},{y2}"
                kind = "message rendezvous" if arrow.is_rendezvous else "message buffered"
                kind += " copied" if arrow.copied else ""
            tip = "" if arrow.receiver is None else ' marker-end="url(#tip)"'
            anchor = "start" if side > 0 else "end"
            yield (
                f'<g><title>{_safe(label)}</title><path class="{kind}" d="{path}"{tip}/>{end}<text class="label" '
                f'text-anchor="{anchor}" x="{x1 + 8 * side}" y="{y1 - 5}">{_safe(_short(label, 32))}</text></g>'
            )

    def _ending(self) -> list[str]:
        ending = self.run.ending
        texts = [self.run.problem or ending.text]
        if ending.kind == CYCLE:
            texts = [f"back to step {(self.run.cycle_start or 0) + 1}, for ever"]
        if len(self.steps) < len(self.run):
            texts.append(f"{len(self.run) - len(self.steps)} steps without messages are not drawn")
        is_bad = ending.kind in (FAULT, DEADLOCK) or self.run.problem is not None
        colour = "error" if is_bad else "cycle-mark" if ending.kind == CYCLE else "note"
        heights = range(self.bottom + 18, self.bottom + 18 + 20 * len(texts), 20)
        kinds = [colour, *["note"] * (len(texts) - 1)]
        return [
            f'<text class="{kind}" x="{_MARGIN}" y="{y}">{_safe(text)}</text>'
            for kind, y, text in zip(kinds, heights, texts, strict=True)
        ]


def _short(text: str, room: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= room else text[: max(1, room - 1)] + "…"


def _safe(text: str) -> str:
    """Text for XML; control characters have no place there."""
    return escape("".join(c if c >= " " else "·" for c in text).encode("utf-8", "replace").decode())
