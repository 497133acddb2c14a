"""The step list: a run in lines that a person reads, only what changed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import IO

from hsfpy.simulate.session import Change
from hsfpy.trail.run import CYCLE, DEADLOCK, FAULT, SEND, Actor, Place, Run, RunStep, Standing, Transfer, path_filter

# Colours of processes, by pid: readable on dark and on light terminals.
_COLOURS = (36, 33, 35, 32, 34, 31)
_BOLD, _DIM, _RED, _YELLOW = 1, 2, 31, 33


def wants_colour(out: IO[str]) -> bool:
    """Is this a terminal, and does nothing forbid colours (https://no-color.org)?"""
    return out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class Listing:
    """Writes a run as text."""

    def __init__(self, run: Run, colour: bool = False, names: Sequence[str] = ()) -> None:
        self.run = run
        self.colour = colour
        self.wanted = path_filter(names)
        self.width = len(str(len(run)))
        self.indent = " " * (self.width + 4)

    def lines(self) -> Iterator[str]:
        """Everything, line by line."""
        yield self._title()
        for step in self.run:
            if self.run.cycle_start == step.number - 1:
                yield self._paint("-- the cycle begins here --", _BOLD, _YELLOW)
            yield from self._step(step)
        if self.run.cycle_start == len(self.run):
            yield self._paint("-- the cycle begins here --", _BOLD, _YELLOW)
        yield from self._ending()

    # ---- steps

    def _title(self) -> str:
        count = f"{len(self.run)} step{'' if len(self.run) == 1 else 's'}"
        source = f", {self.run.trail_file}" if self.run.trail_file else ""
        claim = f", claim {self.run.claim}" if self.run.claim else ""
        return self._paint(f"{self.run.model}: {count}{claim}{source}", _BOLD)

    def _step(self, step: RunStep) -> Iterator[str]:
        number = f"{step.number:{self.width + 2}d}  "
        what = self._statement(step.actor)
        if step.partner is not None:
            what += f"  ->  {self._statement(step.partner)}"
        yield number + what
        yield from self._source(step.actor.place)
        if step.partner is not None:
            yield from self._source(step.partner.place)
        for transfer in step.transfers:
            if step.partner is None or transfer.kind == SEND:
                yield self.indent + self._transfer(transfer, step)
        yield from self._changes(step)
        for text in step.printed.splitlines():
            yield f"{self.indent}prints: {text}"
        if step.fault is not None:
            yield self.indent + self._paint(step.fault, _BOLD, _RED)

    def _statement(self, actor: Actor) -> str:
        return f"{self._name(actor.name, actor.pid)}  {actor.shown}"

    def _source(self, place: Place) -> Iterator[str]:
        text = self.run.source(place)
        if text:
            yield self.indent + self._paint(f"{self._place(place)} | {text}", _DIM)

    def _place(self, place: Place) -> str:
        return str(place.line) if place.file == self.run.model else f"{place.file}:{place.line}"

    def _transfer(self, transfer: Transfer, step: RunStep) -> str:
        what = f"{transfer.channel}: {transfer.text}"
        if step.partner is not None:
            return f"=> {what}"
        if transfer.kind == SEND:
            return f"-> {what}"
        verb = "looks at " if transfer.copied else ""
        origin = f"  (sent in step {transfer.peer})" if transfer.peer is not None else ""
        return f"<- {verb}{what}{origin}"

    def _changes(self, step: RunStep) -> Iterator[str]:
        names = {process.pid: process.name for process in step.state.processes}
        for pid in step.started:
            name = names.get(pid, f"process {pid}")
            values = [c for c in step.changes if c.path.startswith(f"{name}:") and c.before is None]
            shown = ", ".join(f"{c.path.partition(':')[2]} = {c.after}" for c in values if self.wanted(c.path))
            yield f"{self.indent}starts {self._name(name, pid)}{': ' + shown if shown else ''}"
        for change in step.changes:
            if change.before is None or change.after is None or not self.wanted(change.path):
                continue  # variables come and go with their process
            yield self.indent + self._change(change)

    def _change(self, change: Change) -> str:
        before = "empty" if change.before == "" else change.before
        after = "empty" if change.after == "" else change.after
        return f"{change.path}: {self._paint(str(before), _DIM)} -> {self._paint(str(after), _BOLD)}"

    # ---- the end

    def _ending(self) -> Iterator[str]:
        ending = self.run.ending
        if self.run.problem is not None:
            yield self._paint(f"after {len(self.run)} steps: {self.run.problem}", _BOLD, _RED)
        elif ending.kind == CYCLE:
            yield self._paint(self._cycle_text(), _BOLD, _YELLOW)
        else:
            is_error = ending.kind in (FAULT, DEADLOCK)
            yield self._paint(f"ends after step {len(self.run)}: {ending.text}", _BOLD, *([_RED] if is_error else []))
        if ending.kind == DEADLOCK or self.run.problem is not None:
            for standing in ending.processes:
                yield from self._standing(standing)

    def _cycle_text(self) -> str:
        start = self.run.cycle_start or 0
        if start >= len(self.run):
            return f"-- ends after step {len(self.run)}: nothing moves any more, for ever --"
        return f"-- ends after step {len(self.run)}: back to where step {start + 1} begins, for ever --"

    def _standing(self, standing: Standing) -> Iterator[str]:
        note = "" if not standing.may_end else "  (may end here)"
        where = f"at {self._place(standing.place)}: {standing.waits_for}{note}"
        yield f"  {self._name(standing.name, standing.pid)} {where}"

    # ---- colours

    def _name(self, name: str, pid: int) -> str:
        return self._paint(name, _DIM if pid < 0 else _COLOURS[pid % len(_COLOURS)])

    def _paint(self, text: str, *codes: int) -> str:
        if not self.colour or not codes:
            return text
        return f"\x1b[{';'.join(map(str, codes))}m{text}\x1b[0m"
