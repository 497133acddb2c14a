"""Random models: hsfpy and SPIN agree on them, and all searches agree with each other."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from oracle import FULL_CC, PLAIN, Report, Spin, parse_report, quick_compiler
from random_models import MAX_STATES, random_condition, random_model

from hsfpy.build import build_verifier
from hsfpy.driver import translate_model
from hsfpy.emit import render_model
from hsfpy.frontend import FrontOptions
from hsfpy.program import make_program

CHUNK, SLOW_FROM = 20, 300
CHUNKS = [
    *(pytest.param(n, id=f"from-{n}") for n in range(0, SLOW_FROM, CHUNK)),
    *(pytest.param(n, id=f"from-{n}", marks=pytest.mark.slow) for n in range(SLOW_FROM, 4000, CHUNK)),
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
        return comparable(parse_report(self.run("-n", "--reduce=off", *args)))

    def search(self, *args: str) -> dict[str, Any]:
        return dict(json.loads(self.run("--json", *args).splitlines()[-1]))

    def run(self, *args: str) -> str:
        done = subprocess.run(["./pan", *args], cwd=self.model.parent, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and "internal error" not in done.stderr, f"model {self.seed}, {args}: {done.stderr}"
        return done.stdout


def build(seed: int, folder: Path) -> Verifier:
    """Builds a verifier in this process: a new one for each model would take most of the time. It knows an
    invariant, random_condition(seed)."""
    model = folder / f"random{seed}.pml"
    model.write_text(random_model(seed) + f"ltl holds {{ [] ({random_condition(seed)}) }}\n")
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
        ours = verifier.report("--no-claim")
        assert (ours.error, ours.depth) == (theirs.error, theirs.depth), f"model {verifier.seed}"
        full = spin_small.run(verifier.model, PLAIN, FULL_CC, ("-n", "-c0", *SMALL)).out
        ours = verifier.report("-c0", "--no-claim")
        assert ours.stored < MAX_STATES or first >= SLOW_FROM
        assert ours == comparable(parse_report(full)) or RUN_TIME_ERROR.search(full), f"model {verifier.seed}"


# ---- directed searches

# Which errors a heuristic speaks of: the option that leaves only these, and run-time errors.
KINDS = {"deadlock": "-A", "assertion": "-E"}
EXACT = (("--astar",), ("--astar", "--ties=fifo"), ("--weight=0.75",), ("--idastar",))
ANY = (("--dfs",), ("--bestfirst",), ("--weight=0.3",), ("--astar", "--h-and=sum"), ("--idastar", "--bitstate=20"))


def spin_error_within(spin: Spin, verifier: Verifier, only: str, limit: int) -> int | None:
    """The length of an error that SPIN finds within a depth. With -DREACH it comes back to states on shorter ways."""
    if limit < 1:
        return None
    run = spin.run(verifier.model, PLAIN, (*FULL_CC, "-DREACH"), ("-n", "-w12", f"-m{limit}", only))
    depth = parse_report(run.out).depth
    return None if depth is None else depth + 1


def goes_on(spin: Spin, verifier: Verifier) -> bool:
    """Does SPIN go on behind run-time errors, and may it find there what is none?"""
    return RUN_TIME_ERROR.search(spin.run(verifier.model, PLAIN, FULL_CC, ("-n", "-c0", *SMALL)).out) is not None


def check_shortest(spin: Spin, verifier: Verifier, only: str, found: dict[str, Any]) -> None:
    """SPIN finds an error of this length, and none within one step less. A state one below the limit is entered,
    but not checked for being a valid end state; errors of other kinds may be found there, which are longer."""
    length = found["length"]
    limit = length + (2 if found["error"] == "invalid end state" else 0)
    context = f"model {verifier.seed}: {found}"
    assert spin_error_within(spin, verifier, only, limit) is not None or goes_on(spin, verifier), context
    for less in {limit - 1, length - 1}:
        other = spin_error_within(spin, verifier, only, less)
        assert other is None or other >= length or goes_on(spin, verifier), context


def check_directed(verifier: Verifier, heuristic: str, plain: dict[str, Any], *args: str) -> None:
    """Verdicts are the same, and what is called shortest is as short as what breadth-first search finds."""
    for way in (*EXACT, *ANY):
        more = () if way == ("--dfs",) else (f"--heuristic={heuristic}",)
        found = verifier.search(*way, *more, *args)
        context = f"model {verifier.seed}: {way}, {heuristic}, {args}: {found}"
        lossy = any(word.startswith("--bitstate") for word in way) and plain["verdict"] == "no error"
        assert found["verdict"] == ("incomplete" if lossy else plain["verdict"]), context
        if not found["errors"] or error_kind(found["error"]) != error_kind(plain["error"]):
            continue
        assert found["length"] >= plain["length"], context
        assert found["length"] == plain["length"] or not found["optimal"], context
        if way in ANY:
            assert not found["optimal"] or heuristic == "none", context


def promises(verifier: Verifier, heuristic: str) -> bool:
    """Estimates know nothing of provided clauses: where a process is kept waiting, they promise nothing."""
    return heuristic != "deadlock" or "provided" not in verifier.model.read_text()


@pytest.mark.parametrize("first", CHUNKS)
def test_shortest_errors(first: int, spin_small: Spin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for verifier in verifiers(first, tmp_path, monkeypatch):
        for heuristic, only in KINDS.items():
            if heuristic == "assertion" and "assert(" not in verifier.model.read_text():
                continue
            plain = verifier.search("--bfs", only, "--no-claim")
            check_directed(verifier, heuristic, plain, only, "--no-claim")
            if not plain["errors"]:
                continue
            assert plain["optimal"]
            check_shortest(spin_small, verifier, only, plain)
            of_its_kind = (heuristic, error_kind(plain["error"])) in (
                ("deadlock", "invalid end"),
                ("assertion", "assertion violated"),
            )
            best = verifier.search("--astar", f"--heuristic={heuristic}", only, "--no-claim")
            if error_kind(best["error"]) == error_kind(plain["error"]):
                assert best["optimal"] == (of_its_kind and promises(verifier, heuristic)), f"model {verifier.seed}"


@pytest.mark.parametrize("first", CHUNKS)
def test_shortest_violations_of_invariants(
    first: int, spin_small: Spin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for verifier in verifiers(first, tmp_path, monkeypatch):
        plain = verifier.search("--bfs", "--invariant=holds", "-A", "-E")
        check_directed(verifier, "invariant", plain, "--invariant=holds", "-A", "-E")
        claimed = verifier.model.with_stem("claimed")
        condition = random_condition(verifier.seed)
        claimed.write_text(random_model(verifier.seed) + f"never {{ do :: {condition} :: !({condition}) -> break od }}")
        theirs = parse_report(spin_small.run(claimed, PLAIN, ("-DSAFETY", "-DNOREDUCE"), ("-n", "-A", *SMALL)).out)
        same = (theirs.errors > 0) == (plain["errors"] > 0)
        assert same or goes_on(spin_small, verifier), f"model {verifier.seed}"
