"""The fast depth-first search: guessing what comes next, logging levels and parts of locations change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle import FULL_CC, PLAIN, ROOT, Hsfpy, execute
from random_models import random_model
from test_packing import SANITIZE, figures

BENCH = ROOT / "models" / "bench"
GUESSES = "-DGUESSED_FROM=0"  # else only sets of many megabytes make it guess
LOGS = "-DLEVELS_AT_HAND=32"  # else only stacks of thousands of levels are logged
REDUCTIONS = ((), ("--reduce=off",), ("--reduce=stack",), ("--reduce=stack-",), ("--reduce=duplicate",))
STORES = ((), ("--store=hc",), ("--store=bitstate", "-w24"))

# Every option of the loops names another channel or variable, some options fail, some block, one reaches an error.
PARTS = """
chan a = [1] of { byte };
chan b = [1] of { byte };
chan r = [0] of { byte };
byte x, y;

active proctype Left() {
    byte v;
    do
    :: a!x
    :: b?v -> y = v
    :: r!v
    :: x < 2 -> x++
    :: a?v
    od
}

active proctype Right() {
    byte v;
    do
    :: b!y
    :: a?v -> x = v % 2
    :: r?v -> assert(v < 2)
    :: y > 0 -> y--
    :: atomic { b?v -> a!v }
    od
}
"""
# Clauses keep the search from remembering steps; shapes change, so that what was found at one state misleads at others.
PROVIDED = """
byte x, left = 3;
chan q = [2] of { byte };

proctype Child(byte k) provided (x < 3) { byte i; i = k; i++; i = i + 2; q!i; left++ }

active proctype Parent() provided (left > 0) {
    byte mine;
    do
    :: left > 1 && _nr_pr < 4 -> left--; run Child(mine)
    :: q?mine -> mine = mine % 2
    :: x < 2 -> mine++; mine = mine % 2; x++
    :: x > 0 -> x--
    od
}
"""
# A deep stack, left and entered again all the time, with sequences that are atomic and errors here and there.
STEPS = """
byte x, y;
int turns;

active [2] proctype Count() {
    byte mine;
    do
    :: x < 5 -> x++; mine = x
    :: atomic { x > 0 -> x-- }
    :: atomic { y < 3 && mine > 0 && turns < 7000 -> y++; mine--; turns = turns + 1000 }
    :: atomic { y > 0 -> y-- }
    od
}

active proctype Watch() {
    do
    :: assert(x < 5 || y < 3 || turns < 7000)
    :: turns == 7000 -> turns = 0
    od
}
"""
MODELS = (
    ("peterson", "N=3"),
    ("cache", "N=3"),
    ("tokens", "N=4"),
    ("philosophers", "N=6"),
    ("sliding_window", "SIZE=2"),
)


@pytest.mark.parametrize(("name", "define"), MODELS)
def test_guessing_and_logging_change_nothing(name: str, define: str, hsfpy: Hsfpy) -> None:
    flags = (*PLAIN, f"-D{define}")
    usual = hsfpy.build(BENCH / f"{name}.pml", flags, FULL_CC)
    other = hsfpy.build(BENCH / f"{name}.pml", flags, (*FULL_CC, GUESSES, LOGS))
    for options in (*REDUCTIONS, *STORES):
        assert figures(other, *options) == figures(usual, *options), options
    assert figures(other) == figures(usual, "--store=plain")


@pytest.mark.parametrize("seed", range(5, 165, 8))
def test_guessing_and_logging_change_no_random_model(seed: int, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / f"random{seed}.pml"
    model.write_text(random_model(seed))
    usual = hsfpy_small.build(model, PLAIN, ())
    other = hsfpy_small.build(model, PLAIN, (GUESSES, LOGS))
    for options in REDUCTIONS:
        assert figures(other, *options) == figures(usual, *options), options


@pytest.mark.parametrize("extra", [(), (GUESSES,), ("-DMOST_PACKED_BITS=20", LOGS)])
def test_parts_of_locations(extra: tuple[str, ...], hsfpy: Hsfpy, tmp_path: Path) -> None:
    """All searches that remember steps find what the search on whole vectors finds, which does not."""
    model = tmp_path / "parts.pml"
    model.write_text(PARTS)
    folder = hsfpy.build(model, PLAIN, (*FULL_CC, *extra))
    wanted = figures(folder, "--store=plain")
    assert figures(folder) == figures(folder, "--store=hc") == wanted
    assert figures(folder, "--bfs")[0] == wanted[0]


@pytest.mark.parametrize("reduction", REDUCTIONS[:4])
def test_steps_that_are_not_remembered(reduction: tuple[str, ...], hsfpy: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / "provided.pml"
    model.write_text(PROVIDED)
    folder = hsfpy.build(model, PLAIN, (*FULL_CC, GUESSES, LOGS))
    assert figures(folder, *reduction) == figures(folder, "--store=plain", *reduction)


def trails(folder: Path, where: Path, *options: str) -> list[str]:
    """The trails of some of a run's errors."""
    found = []
    for number in (1, 9, 80):
        where.mkdir(exist_ok=True)
        run = execute([folder / "pan", f"-c{number}", *options], where)
        assert run.code == 0 and f"errors: {number}" in run.out, run.out + run.err
        found += [path.read_text() for path in where.iterdir()]
    return found


@pytest.mark.parametrize("reduction", REDUCTIONS[1:4])
def test_trails_of_logged_levels(reduction: tuple[str, ...], hsfpy: Hsfpy, tmp_path: Path) -> None:
    """Levels that were brought back from the log are in trails, whether or not they know what was taken there."""
    model = tmp_path / "steps.pml"
    model.write_text(STEPS)
    usual = hsfpy.build(model, PLAIN, FULL_CC)
    expected = trails(usual, tmp_path / "usual", *reduction)
    for extra in ((LOGS,), (LOGS, "-DMOST_PACKED_BITS=20")):
        logging = hsfpy.build(model, PLAIN, (*FULL_CC, *extra))
        assert trails(logging, tmp_path / f"logging{len(extra)}", *reduction) == expected
        assert figures(logging, *reduction) == figures(usual, *reduction)


def test_sanitizers_find_nothing_when_guessing_and_logging(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / "parts.pml"
    model.write_text(PARTS)
    folder = hsfpy_small.build(model, PLAIN, (*FULL_CC, GUESSES, LOGS), SANITIZE)
    for options in (*REDUCTIONS, *STORES):
        assert figures(folder, *options)[1], options
