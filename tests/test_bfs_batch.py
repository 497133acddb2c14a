"""Plain breadth-first search has an engine of its own; `--weight=1` is the same search by the general one."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from oracle import PLAIN, PROMELA, Hsfpy, execute, parse_report, quick_compiler, read_expectation
from random_models import random_condition, random_model
from test_sanitizers import SANITIZE

from hsfpy.build import build_verifier
from hsfpy.driver import translate_model
from hsfpy.emit import render_model
from hsfpy.frontend import FrontOptions
from hsfpy.program import make_program

BATCH = ("--bfs", "--no-claim", "--reduce=off")
GENERAL = ("--weight=1", "--heuristic=none", "--no-claim", "--reduce=off")
SEARCHED = [
    path
    for path in sorted(PROMELA.glob("*.pml"))
    if read_expectation(path).reject is None and read_expectation(path).values.get("stored") != "0"
]
# Half of them in every run of the suite, all with `make test-slow`.
MODELS = [
    pytest.param(path, marks=() if i % 2 == 0 else pytest.mark.slow, id=path.stem) for i, path in enumerate(SEARCHED)
]
FIGURES = (
    "verdict", "complete", "errors", "error", "depth", "length", "optimal", "cost", "confirmed", "stored", "matched",
    "atomic_steps", "truncated", "depth_reached", "vector_bytes", "expanded", "generated", "reopened",
)  # fmt: skip
# When a search stops at an error, the successors of some states may not have been counted yet.
STOPPED = FIGURES[:9]
CHUNK = 20
CHUNKS = [
    *(pytest.param(n, id=f"from-{n}") for n in range(0, 100, CHUNK)),
    *(pytest.param(n, id=f"from-{n}", marks=pytest.mark.slow) for n in range(100, 2000, CHUNK)),
]
# Which options a search is asked to go with, and whether it then goes through all states.
WAYS: list[tuple[tuple[str, ...], bool]] = [
    (("-c0",), True),
    ((), False),
    (("-c2", "-E"), False),
    (("-A",), False),
    (("-c0", "-e", "-q"), True),
    (("-c0", "-m9"), True),
    (("-m7", "-b"), False),
]


def run(pan: Path, *args: str) -> str:
    done = subprocess.run([pan, *args], cwd=pan.parent, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "internal error" not in done.stderr, f"{args}: {done.stderr}"
    return done.stdout


def figures(pan: Path, is_complete: bool, *args: str) -> dict[str, Any]:
    found = json.loads(run(pan, "--json", *args).splitlines()[-1])
    return {name: found.get(name) for name in (FIGURES if is_complete or not found["errors"] else STOPPED)}


def report(pan: Path, *args: str) -> list[str]:
    """The lines of a report that do not depend on how the search goes about it."""
    head, _, tail = run(pan, *args).partition("Stats on memory usage")
    other = re.compile(r"\t\+ |hash conflicts|Depth=")
    lines = [line for line in head.splitlines() if not other.match(line)]
    return lines + tail.partition("unreached in")[2].partition("pan: elapsed time")[0].splitlines()


def assert_same(pan: Path) -> None:
    for args, is_complete in WAYS:
        assert figures(pan, is_complete, *BATCH, *args) == figures(pan, is_complete, *GENERAL, *args), args
    assert report(pan, *BATCH, "-c0") == report(pan, *GENERAL, "-c0")


@pytest.mark.parametrize("model", MODELS)
def test_language(model: Path, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    expect = read_expectation(model)
    folder = hsfpy_small.build(model, (*PLAIN, *expect.flags), ("-DNOREDUCE",))
    (tmp_path / "pan").symlink_to(folder / "pan")
    assert_same(tmp_path / "pan")


@pytest.mark.parametrize("first", CHUNKS)
def test_random_models(first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", quick_compiler()[0])
    for seed in range(first, first + CHUNK):
        folder = tmp_path / str(seed)
        folder.mkdir()
        model = folder / f"random{seed}.pml"
        model.write_text(random_model(seed) + f"ltl holds {{ [] ({random_condition(seed)}) }}\n")
        build_verifier(
            render_model(make_program(translate_model(str(model), FrontOptions()).system)), folder / "pan", "-O0"
        )
        assert_same(folder / "pan")
        for args in (("-c0", "-A"), ()):
            holds = (*args, "--invariant=holds")
            assert figures(folder / "pan", bool(args), *BATCH, *holds) == figures(
                folder / "pan", bool(args), *GENERAL, *holds
            ), (seed, args)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 12))])
def test_sanitizers(seed: int, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / f"random{seed}.pml"
    model.write_text(random_model(seed))
    folder = hsfpy_small.build(model, PLAIN, ("-DNOREDUCE",), SANITIZE)
    done = execute([folder / "pan", "--bfs", "-c0", "-e"], tmp_path)
    assert (done.code, done.err) == (0, "")
    assert parse_report(done.out).stored > 0
