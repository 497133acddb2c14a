"""hsfpy from Python: read a model, check it, look at the error.

A check builds the same verifier as `hsfpy -a` and runs it as a process of its own, so a search that needs too
much memory takes nothing else down. Trails and simulations run inside Python (`hsfpy.simulate`).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from hsfpy.build import Build
from hsfpy.diagnostics import BuildError
from hsfpy.driver import translate
from hsfpy.emit import render_model
from hsfpy.files import write_program
from hsfpy.lower import LowerOptions
from hsfpy.preprocess import FrontOptions, Source, preprocess_unsaved, read_source
from hsfpy.program import ProgramOptions, make_program
from hsfpy.simulate.session import Machine, Session
from hsfpy.simulate.spin_claims import TrailClaims
from hsfpy.simulate.trail_file import TrailFile, find_trail, read_trail
from hsfpy.trail.record import random_run, replay_run
from hsfpy.trail.run import Run
from hsfpy.verifier import own_digest

ERROR, NO_ERROR, INCOMPLETE = "error", "no error", "incomplete"

# Searches that look for cycles by themselves in models that have accept labels.
_FINDS_CYCLES = ("dfs", "astar")
_SEARCHES = ("dfs", "bfs", "astar", "bestfirst", "idastar")


class CheckError(Exception):
    """A check could not be run; the text is what the verifier said."""


@dataclass(frozen=True)
class Result:
    """What a check found."""

    verdict: str  # "error", "no error", or "incomplete": stopped by a limit before it could know
    error: str | None  # what is wrong, in SPIN's words
    length: int | None  # number of steps to the error
    optimal: bool  # the search proved that no error of this kind is shorter
    statistics: dict[str, Any] = field(repr=False)  # all figures of the verifier's JSON report
    output: str = field(repr=False)  # what the verifier said besides
    _model: Model = field(repr=False)
    _trail: TrailFile | None = field(repr=False)

    @property
    def ok(self) -> bool:
        """No error, and everything was searched."""
        return self.verdict == NO_ERROR

    @cached_property
    def trail(self) -> Run | None:
        """The way to the error, with all states; None if no error was found."""
        if self._trail is None:
            return None
        return replay_run(self._model.machine, self._trail, error=self.error)

    def _repr_html_(self) -> str:
        from html import escape

        head = f"<p>{escape(self.verdict)}{': ' + escape(self.error) if self.error else ''}</p>"
        return head + (self.trail._repr_html_() if self.trail is not None else "")


class Model:
    """A Promela model, ready to be checked and run."""

    def __init__(
        self, source: Source, options: FrontOptions, link: Sequence[str] = (), loses_messages: bool = False
    ) -> None:
        """Use `from_file` or `from_text`."""
        translation = translate(source, options, LowerOptions(find_merges=True))
        self.name = source.file
        self._source, self._options = source, options
        self.warnings = [warning.text for warning in translation.model.warnings]
        self.system = translation.system
        self._loses_messages = loses_messages
        self._link = [str(Path(name).resolve()) if Path(name).exists() else name for name in link]

    @classmethod
    def from_file(
        cls,
        path: str | Path,
        *,
        defines: Mapping[str, object] | None = None,
        link: Sequence[str] = (),
        loses_messages: bool = False,
    ) -> Model:
        """The model in a file. `defines` are macros for the preprocessor, `link` names C files and libraries that
        embedded C needs; with `loses_messages`, sends to full channels lose their message instead of waiting. Raises
        PromelaError if something is wrong with the model."""
        options = FrontOptions(cpp_args=_words(defines))
        return cls(read_source(str(path), options), options, link, loses_messages)

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        name: str = "model.pml",
        defines: Mapping[str, object] | None = None,
        link: Sequence[str] = (),
        loses_messages: bool = False,
    ) -> Model:
        """The model in a text; `name` is what it is called in messages."""
        options = FrontOptions(cpp_args=_words(defines))
        return cls(preprocess_unsaved(text, name, options.cpp_args), options, link, loses_messages)

    @property
    def claims(self) -> list[str]:
        """The names of its never claims and ltl formulas."""
        return [claim.process.name for claim in self.system.claims()]

    # ---- checking

    def check(
        self,
        search: str = "dfs",
        *,
        heuristic: str | None = None,
        weight: float | None = None,
        claim: str | bool | None = None,
        acceptance: bool | None = None,
        progress: bool = False,
        fairness: bool = False,
        memory: float | None = None,
        time: float | None = None,
        depth: int | None = None,
        options: Sequence[str] = (),
    ) -> Result:
        """Searches for an error.

        search: "dfs", "bfs", "astar", "bestfirst" or "idastar"; the last three take a heuristic by its name
        (`./pan --heuristic=help`), "astar" also a weight between 0 and 1.
        claim: the name of the claim or formula to check, False for none; else the verifier's default.
        acceptance: look for acceptance cycles; by default when the model has accept labels and the search can.
        progress: look for non-progress cycles. fairness: only cycles that are weakly fair.
        memory in megabytes, time in seconds and depth are limits; options are further options of pan.
        """
        if search not in _SEARCHES:
            raise ValueError(f"search is {', '.join(_SEARCHES[:-1])} or {_SEARCHES[-1]}, not {search!r}")
        if isinstance(claim, str) and claim not in self.claims:
            raise ValueError(f"{self.name} has no claim {claim!r}; it has {', '.join(self.claims) or 'none'}")
        if acceptance is None:
            acceptance = self.system.features.accept and search in _FINDS_CYCLES and not progress and claim is not False
        values = {"heuristic": heuristic, "weight": weight, "memory": memory, "time": time, "max-depth": depth}
        words = [f"--{search}"] if weight is None or search != "astar" else []
        words += [f"--{name}={value}" for name, value in values.items() if value is not None]
        words += [f"--claim={claim}"] if isinstance(claim, str) else ["--no-claim"] if claim is False else []
        flags = {"-a": acceptance, "-l": progress, "-f": fairness}
        return self._run([*words, *(flag for flag, is_set in flags.items() if is_set), *options])

    def _run(self, words: list[str]) -> Result:
        with tempfile.TemporaryDirectory(prefix="hsfpy-") as folder:
            command = [str(self._verifier), "--json", *words]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
            try:
                report = json.loads(done.stdout)
            except ValueError:
                said = (done.stderr or done.stdout).strip()
                raise CheckError(said or f"the verifier ended with status {done.returncode}") from None
            name = report.get("trail")
            trail = read_trail(find_trail(name, given=str(Path(folder) / name))) if name else None
        if trail is not None:
            trail.path = name
        return Result(
            report["verdict"],
            report["error"],
            report.get("length"),
            report["optimal"],
            report,
            done.stderr,
            self,
            trail,
        )

    @cached_property
    def _verifier(self) -> Path:
        """pan, in a folder that goes with the model."""
        folder = Path(tempfile.mkdtemp(prefix="hsfpy-"))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        options = ProgramOptions(self._loses_messages, merges=True, forgets_dead=True, forgets_unread=True)
        program = make_program(self.system, options)
        with Build() as build:  # embedded C may include files, which may change
            pan = build.make(render_model(program), self._link, own_digest(), keep=not self.system.features.c_code)
        if pan is None:
            raise BuildError("the C compiler made no verifier")
        write_program(folder / "pan", pan)
        return folder / "pan"

    # ---- running

    @cached_property
    def machine(self) -> Machine:
        """The model compiled for running inside Python."""
        return Machine(self.system, ProgramOptions(self._loses_messages), self._link)

    def session(self) -> Session:
        """A run to be steered step by step: `steps`, `take`, `state`, `save`, `load`."""
        return self.machine.session()

    def simulate(self, *, seed: int = 0, steps: int = 1000) -> Run:
        """A random run of at most `steps` steps, up to the first error; the same seed gives the same run, here and on
        the command line (`hsfpy -n SEED`)."""
        return random_run(self.machine, seed, steps)

    def replay(self, trail: str | Path) -> Run:
        """The run of a trail file made by hsfpy's verifier or SPIN's. If SPIN found it under an `ltl` formula, its
        claim moves along where SPIN's translation (_spin_nvr.tmp) is beside the trail or in the current folder."""
        read = read_trail(str(trail))
        claims = TrailClaims(read)
        if not claims.texts:
            return replay_run(self.machine, read)
        system = translate(self._source, self._options, LowerOptions(find_merges=True), claims.add).system
        if not claims.are_spins:
            return replay_run(self.machine, read)
        machine = Machine(system, ProgramOptions(self._loses_messages), self._link)
        return replay_run(machine, read, knows_claims=True)


def _words(defines: Mapping[str, object] | None) -> list[str]:
    return [f"-D{name}={_define(value)}" for name, value in (defines or {}).items()]


def _define(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


__all__ = ["CheckError", "Model", "Result"]
