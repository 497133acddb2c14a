"""Trail files: finding and reading them. The format is SPIN's: three numbers per line."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path


class TrailError(Exception):
    """A trail cannot be found, read or followed; the text says why, and at which step."""


@dataclass(frozen=True, slots=True)
class TrailStep:
    """One line of a trail. `pid` is as written: with a claim, 0 is the claim and the others move up."""

    depth: int
    pid: int
    statement: int  # SPIN's statement number
    line: int  # of the file


@dataclass(slots=True)
class TrailFile:
    """What a trail file says."""

    path: str
    steps: list[TrailStep] = field(default_factory=list)
    claim: int | None = None  # proctype number of the never claim, if one was used
    merged: bool = False  # a line may stand for several statements
    permuted: bool = False  # made under another order of processes
    cycle_at: int | None = None  # number of steps before the cycle

    @property
    def shift(self) -> int:
        """By how much processes are moved up."""
        return 0 if self.claim is None else 1


_LINE = re.compile(r"\s*(-?\d+)\s*:\s*(-?\d+)\s*:\s*(-?\d+)\s*\Z")

# First number of a line that is no step.
_CYCLE, _CLAIM, _MERGED, _PERMUTED = -1, -2, -4, range(-8, -4)


def find_trail(model: str, number: int = 0, given: str | None = None) -> str:
    """The trail file of a model: where SPIN looks, then in the current folder, where pan writes it."""
    tried = [given] if given is not None else list(dict.fromkeys(_candidates(model, number)))
    for name in tried:
        if os.path.isfile(name):
            return name
    raise TrailError("cannot find trail file" + (f" {given}" if given is not None else "") + _looked_for(tried))


def _looked_for(names: list[str]) -> str:
    return "" if len(names) < 2 else "; looked for " + ", ".join(names)


def _candidates(model: str, number: int) -> list[str]:
    names = _spin_names(model, number)
    return names + _spin_names(os.path.basename(model), number)


def _spin_names(model: str, number: int) -> list[str]:
    digits = str(number) if number else ""
    short = model.partition(".")[0] if "." in model else model
    return [f"{stem}{digits}.{suffix}" for stem in (model, short) for suffix in ("trail", "tra")]


def read_trail(path: str) -> TrailFile:
    """Reads a trail file; raises TrailError if it is none or is cut."""
    try:
        text = Path(path).read_bytes().decode("ascii", "replace")
    except OSError as error:
        raise TrailError(f"cannot read {path}: {error.strerror or error}") from None
    return parse_trail(text, path)


def parse_trail(text: str, path: str = "trail") -> TrailFile:
    """The trail in a text."""
    trail = TrailFile(path)
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        match = _LINE.match(line)
        if match is None:
            at = f"line {number} of {path} is {line[:40]!r}"
            if number == len(lines):
                raise TrailError(f"the trail is cut: {at}, the last step before it is {_last(trail)}")
            raise TrailError(f"this is no trail: {at}")
        _add(trail, (int(match[1]), int(match[2]), int(match[3])), number)
    return trail


def _last(trail: TrailFile) -> int:
    return trail.steps[-1].depth if trail.steps else 0


def _add(trail: TrailFile, numbers: tuple[int, int, int], line: int) -> None:
    kind, second, third = numbers
    if kind >= 0:
        if kind < _last(trail):
            raise TrailError(
                f"this is no trail: step {kind} in line {line} of {trail.path} follows step {_last(trail)}"
            )
        trail.steps.append(TrailStep(kind, second, third, line))
    elif kind == _CLAIM:
        trail.claim = second
    elif kind == _MERGED:
        trail.merged = True
    elif kind == _CYCLE:
        trail.cycle_at = len(trail.steps)
    elif kind in _PERMUTED:
        trail.permuted = True
    else:
        raise TrailError(f"this is no trail: line {line} of {trail.path} begins with {kind}")
