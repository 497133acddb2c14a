"""A run as one HTML page that needs nothing else: no network, no other files.

The page gets the run as a table of numbers into lists of texts, and of every state only what differs from the one
before, so ten thousand steps are a file of a megabyte or two. templates/trail.js draws what is visible.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hsfpy.emit import resource_dir
from hsfpy.simulate.session import State
from hsfpy.trail.chart import arrows, lifelines
from hsfpy.trail.run import CYCLE, DEADLOCK, FAULT, Actor, Place, Run, RunStep, channel_text


def html(run: Run, filters: Sequence[str] = ()) -> str:
    """The page."""
    from html import escape

    import jinja2

    folder = resource_dir("templates")
    template = jinja2.Template((folder / "trail.html.j2").read_text(), undefined=jinja2.StrictUndefined)
    data = json.dumps(page_data(run, filters), ensure_ascii=True, separators=(",", ":"))
    page: str = template.render(
        title=escape(run.model),
        style=(folder / "trail.css").read_text(),
        script=(folder / "trail.js").read_text(),
        data=data.replace("<", "\\u003c"),  # inside a script element nothing else can end it
    )
    return page


class _Table:
    """Texts by number; each is kept once."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


def page_data(run: Run, filters: Sequence[str] = ()) -> dict[str, Any]:
    """What the page knows. Positions in the rows of `steps` and `arrows` are named in trail.js."""
    texts, paths = _Table(), _Table()
    files = list(run.sources)
    first = [[paths.number(path), value] for path, value in _values(run.initial).items()]
    before = run.initial
    steps = []
    for step in run:
        deltas = [[paths.number(path), value] for path, value in _delta(before, step.state)]
        moves = sorted(_standings(run, step.state, texts, files) - _standings(run, before, texts, files))
        steps.append([*_row(step, texts, files), deltas, moves])
        before = step.state
    return {
        "model": run.model,
        "claim": run.claim,
        "cycle": run.cycle_start,
        "problem": run.problem,
        "ending": _ending(run, files),
        "lifelines": [[line.pid, line.title, line.colour, line.spans] for line in lifelines(run)],
        "files": [[name, run.sources[name]] for name in files],
        "initial": first,
        "standing": sorted(_standings(run, run.initial, texts, files)),
        "steps": steps,
        "arrows": [
            [a.send_step, a.sender, a.receive_step, a.receiver, texts.number(f"{a.channel}!{a.text}"), int(a.copied)]
            for a in arrows(run)
        ],
        "texts": texts.texts,
        "paths": paths.texts,
        "filter": " ".join(filters),
    }


def _standings(run: Run, state: State, texts: _Table, files: list[str]) -> set[tuple[int, int, int, int]]:
    """Where every process stands: its pid, name, file and line."""
    places = [(process, run.where(process)) for process in state.processes]
    return {(p.pid, texts.number(p.name), _file(place, files), place.line) for p, place in places}


def _row(step: RunStep, texts: _Table, files: list[str]) -> list[Any]:
    partner = _who(step.partner, texts, files) if step.partner is not None else None
    started = [p.name for p in step.state.processes if p.pid in step.started]
    notes = [f"starts {name}" for name in started]
    notes += [f"prints {line}" for line in step.printed.splitlines()]
    return [
        _who(step.actor, texts, files),
        partner,
        texts.number("; ".join(notes)) if notes else None,
        texts.number(step.fault) if step.fault is not None else None,
    ]


def _who(actor: Actor, texts: _Table, files: list[str]) -> list[int]:
    place = actor.place
    name, text = texts.number(actor.name), texts.number(actor.shown)
    return [actor.pid, name, text, _file(place, files), place.line, max(place.line, place.end_line)]


def _file(place: Place, files: list[str]) -> int:
    return files.index(place.file) if place.file in files else -1


def _values(state: State) -> dict[str, int | str]:
    """All values of a state: variables, then channels by their contents."""
    values = {path: value for path, value in state.flat.items() if "?[" not in path}
    for name, channel in state.channels.items():
        values[name] = channel_text(channel) or "(empty)"
    return values


def _delta(before: State, after: State) -> list[tuple[str, int | str | None]]:
    if before.data == after.data:
        return []
    old, new = _values(before), _values(after)
    gone: list[tuple[str, int | str | None]] = [(path, None) for path in old if path not in new]
    return gone + [(path, value) for path, value in new.items() if old.get(path) != value]


def _ending(run: Run, files: list[str]) -> dict[str, Any]:
    ending = run.ending
    text = run.problem or ending.text
    if ending.kind == CYCLE:
        text = f"cycle: from step {len(run)} back to where step {(run.cycle_start or 0) + 1} begins, for ever"
    stuck = ending.processes if ending.kind == DEADLOCK or run.problem is not None else ()
    return {
        "text": text,
        "bad": ending.kind in (FAULT, DEADLOCK) or run.problem is not None,
        "where": [[s.pid, s.name, _file(s.place, files), s.place.line, s.waits_for] for s in stuck],
    }
