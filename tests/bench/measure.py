"""Builds verifiers of both tools and measures their runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.cases import Case, Mode

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models" / "bench"
HSFPY = [sys.executable, "-m", "hsfpy"]
PLAIN = ["-o1", "-o2", "-o3"]
FULL_CC = ["-O2", "-w", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM"]
SPIN_CC = ["-DMEMLIM=12000"]
ALWAYS = ["-c0", "-n"]
BITS_PER_STATE = 3  # bits that bitstate search sets for a state, -k
BITSTATE_ROOM = 4  # logarithm of the bits of the array for a state
CPU_LIMIT = 600
SIGXCPU = -24


@dataclass(frozen=True)
class Report:
    """What a verifier printed about its search."""

    states: int
    transitions: int
    depth: int
    vector: int
    complete: bool


@dataclass(frozen=True)
class Run:
    """One run of a verifier: what it found and what it took. `seconds` are the processor's."""

    report: Report
    seconds: float
    clock: float
    resident: int


class Refused(Exception):
    """The verifier does not know an option."""


class Unfinished(Exception):
    """The run took too long or too much."""


def read_report(text: str) -> Report:
    """The figures of a report in SPIN's layout."""
    line = _find(r"State-vector (\d+) byte, depth reached (\d+)", text)
    cut = ("Search not completed", "max search depth too small", "out of memory", "-DMEMLIM bound")
    return Report(
        _count("states, stored", text),
        _count("transitions", text),
        int(line[2]),
        int(line[1]),
        not any(words in text for words in cut),
    )


def _find(pattern: str, text: str) -> re.Match[str]:
    found = re.search(pattern, text, re.MULTILINE)
    if found is None:
        raise ValueError(f"no '{pattern}' in the report:\n{text}")
    return found


def _count(what: str, text: str) -> int:
    return int(float(_find(rf"^\s*([\d.e+]+) {what}", text)[1]))


def fitting_w(states: int) -> int:
    """The logarithm of the hash table that has a slot for every state."""
    return max(16, (states - 1).bit_length())


class Workshop:
    """A folder with verifiers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runner = folder / "run_measured"
        source = Path(__file__).with_name("run_measured.c")
        subprocess.run(["cc", "-O2", "-o", self.runner, source], check=True)

    def build(self, case: Case, mode: Mode) -> Path:
        """The folder of a verifier; ours serves all modes."""
        where = self.folder / case.label.replace(" ", "-") / (mode.key if mode.tool == "spin" else "hsfpy")
        if (where / "pan").exists():
            return where
        where.mkdir(parents=True)
        shutil.copy(MODELS / f"{case.name}.pml", where)
        self._write(case, mode, where)
        cc = [*FULL_CC, *(SPIN_CC if mode.tool == "spin" else []), *mode.directives]
        subprocess.run(["cc", *cc, "-o", "pan", "pan.c"], cwd=where, check=True)
        return where

    def _write(self, case: Case, mode: Mode, where: Path) -> None:
        tool = ["spin"] if mode.tool == "spin" else HSFPY
        env = dict(os.environ, PYTHONPATH=str(ROOT), CC="true")
        command = [*tool, *case.flags, *PLAIN, "-a", f"{case.name}.pml"]
        subprocess.run(command, cwd=where, check=True, stdout=subprocess.DEVNULL, env=env)

    def run(self, where: Path, options: Sequence[str]) -> Run:
        """Runs a verifier once. Raises Refused or Unfinished."""
        command = [str(self.runner), str(CPU_LIMIT), "./pan", *ALWAYS, *options]
        done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=True)
        *_, last = done.stderr.splitlines()
        status, user, system, clock, kilobytes = last.split()
        if int(status) == SIGXCPU:
            raise Unfinished(f"more than {CPU_LIMIT} s")
        if int(status) != 0:
            said = done.stderr.strip().splitlines()
            raise Refused(said[0] if len(said) > 1 else f"exit status {status}")
        report = read_report(done.stdout)
        return Run(report, float(user) + float(system), float(clock), int(kilobytes) * 1024)


def options_for(mode: Mode, known: Report | None) -> list[str]:
    """Options of a run. SPIN has to be told how deep and how large a search will be, which an earlier
    run of ours knows; ours is told the size of the bit array only, so that it is the same."""
    options = list(mode.options)
    if known is None:
        return options
    if mode.is_bitstate:
        options += [f"-w{fitting_w(known.states) + BITSTATE_ROOM}", f"-k{BITS_PER_STATE}"]
    elif mode.tool == "spin":
        options.append(f"-w{fitting_w(known.states)}")
    if mode.tool == "spin":
        # What is taken for another state may end a path or let it go on for longer.
        options.append(f"-m{2 * known.depth + 1000 if mode.lossy else known.depth + 10}")
    return options


def empty_options(options: Sequence[str]) -> list[str]:
    """The same run, cut off at once: what a verifier takes without states."""
    return [*(word for word in options if not word.startswith("-m")), "-m1"]
