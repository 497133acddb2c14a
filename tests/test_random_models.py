"""Random models: hsfpy and SPIN agree on them, and all searches agree with each other."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from oracle import FULL_CC, PLAIN, Report, Spin, parse_report, quick_compiler
from random_models import MAX_STATES, random_model

from hsfpy.build import build_verifier
from hsfpy.driver import translate_model
from hsfpy.emit import render_model
from hsfpy.frontend import FrontOptions
from hsfpy.program import make_program

CHUNK = 20
CHUNKS = [
    *(pytest.param(n, id=f"from-{n}") for n in range(0, 300, CHUNK)),
    *(pytest.param(n, id=f"from-{n}", marks=pytest.mark.slow) for n in range(300, 4000, CHUNK)),
]
# Behind an index out of bounds or a blocked d_step, SPIN goes on with values the model does not have.
RUN_TIME_ERROR = re.compile(r"^pan:\d+: (assertion violated -|block in d_step)", re.M)
SMALL = ("-w12", "-m100000")  # SPIN's table and stack: its defaults cost more than the search


@dataclass
class Verifier:
    """hsfpy's verifier of one model."""

    seed: int
    model: Path

    def report(self, *args: str) -> Report:
        return comparable(parse_report(self.run("-n", *args)))

    def run(self, *args: str) -> str:
        done = subprocess.run(["./pan", *args], cwd=self.model.parent, capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, ""), f"model {self.seed}, {args}: {done.stderr}"
        return done.stdout


def build(seed: int, folder: Path) -> Verifier:
    """Builds a verifier in this process: a new one for each model would take most of the time."""
    model = folder / f"random{seed}.pml"
    model.write_text(random_model(seed))
    program = make_program(translate_model(str(model), FrontOptions()).system)
    build_verifier(render_model(program), folder / "pan", "-O0")
    return Verifier(seed, model)


def verifiers(first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Verifier]:
    monkeypatch.setenv("CC", quick_compiler()[0])
    for seed in range(first, first + CHUNK):
        folder = tmp_path / str(seed)
        folder.mkdir()
        yield build(seed, folder)


def spin_report(spin: Spin, model: Path, cc: Sequence[str], *args: str) -> Report:
    return comparable(parse_report(spin.run(model, PLAIN, cc, ("-n", *SMALL, *args)).out))


def error_kind(text: str | None) -> str | None:
    return text and re.sub(r"^(assertion violated( -)?|\S+ \S+).*$", r"\1", text, flags=re.S)


def comparable(report: Report) -> Report:
    """Without the text of the failed expression, in which SPIN writes out how it tests channels."""
    return replace(report, error=error_kind(report.error))


def test_models_are_repeatable() -> None:
    assert random_model(7) == random_model(7) != random_model(8)


@pytest.mark.parametrize("first", CHUNKS)
def test_same_states_as_spin(first: int, spin_small: Spin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for verifier in verifiers(first, tmp_path, monkeypatch):
        theirs = spin_report(spin_small, verifier.model, FULL_CC)
        ours = verifier.report()
        assert (ours.error, ours.depth) == (theirs.error, theirs.depth), f"model {verifier.seed}"
        full = spin_small.run(verifier.model, PLAIN, FULL_CC, ("-n", "-c0", *SMALL)).out
        ours = verifier.report("-c0")
        assert ours.stored < MAX_STATES
        assert ours == comparable(parse_report(full)) or RUN_TIME_ERROR.search(full), f"model {verifier.seed}"
