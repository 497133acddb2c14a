"""Partial order reduction: the verdict with every condition that is sound for a search is the one without."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import liveness_models
import pytest
import random_models
from oracle import PLAIN, Hsfpy, execute

SAFETY = {
    "--dfs": ("stack-", "stack", "duplicate-", "duplicate", "static"),
    "--bfs": ("duplicate-", "duplicate", "static"),
    "--astar": ("duplicate-", "duplicate", "static"),
    "--bestfirst": ("duplicate-", "duplicate", "static"),
    "--idastar": ("stack-", "stack", "duplicate-", "duplicate", "static"),
}
LIVENESS = {"--dfs": ("stack", "duplicate", "static"), "--astar": ("static",), "--bfs": ("static",)}
N_FORMULAS = 6


def answer(folder: Path, *options: str) -> dict[str, object]:
    run = execute(["./pan", "--json", *options], folder)
    assert "internal error" not in run.err, run.err
    found: dict[str, object] = json.loads(run.out.splitlines()[-1])
    return found


def check_verdicts(folder: Path, searches: dict[str, tuple[str, ...]], *options: str) -> None:
    expected = answer(folder, "--dfs", "--reduce=off", *options)["verdict"]
    for search, conditions in searches.items():
        for condition in conditions:
            found = answer(folder, search, f"--reduce={condition}", *options)["verdict"]
            assert found == expected, f"{search} --reduce={condition} {options}"


def build(hsfpy_small: Hsfpy, where: Path, text: str) -> Path:
    model = where / "m.pml"
    model.write_text(text)
    return hsfpy_small.build(model, PLAIN, ())


@pytest.mark.parametrize("seed", range(100, 125))
def test_verdicts_of_safety(seed: int, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    folder = build(hsfpy_small, tmp_path, random_models.random_model(seed))
    for kind in ("-A", "-E"):
        check_verdicts(folder, SAFETY, kind)


@pytest.mark.parametrize("seed", range(100, 108))
def test_verdicts_of_liveness(seed: int, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    folder = build(hsfpy_small, tmp_path, liveness_models.random_model(seed, N_FORMULAS))
    for i in range(N_FORMULAS):
        check_verdicts(folder, LIVENESS, "-a", "-N", f"p{i}")


COUNTERS = """
byte total;
active proctype A() { byte i; do :: i < 20 -> i++ :: else -> break od; total++ }
active proctype B() { byte i; do :: i < 20 -> i++ :: else -> break od; total++ }
active proctype C() { byte i; do :: i < 20 -> i++ :: else -> break od; total++ }
"""


def test_local_work_is_not_interleaved(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    folder = build(hsfpy_small, tmp_path, COUNTERS)
    full = answer(folder, "--dfs", "--reduce=off")["stored"]
    assert isinstance(full, int)
    for search, condition in (("--dfs", "stack-"), ("--bfs", "duplicate-")):
        reduced = answer(folder, search, f"--reduce={condition}")["stored"]
        assert isinstance(reduced, int) and reduced * 50 < full


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--reduce=some",), "not 'some'"),
        (("--bfs", "--reduce=stack"), "only depth-first search has a stack"),
        (("-l", "--reduce=stack-"), "safety only"),
        (("-l", "-f", "--reduce=stack"), "fairness"),
        (("-l", "--astar", "--reduce=duplicate"), "static only"),
        (("--idastar", "--bitstate", "--reduce=stack"), "states on the path are not known"),
        (("-i", "--reduce=static"), "short errors"),
    ],
)
def test_unsound_combinations_are_refused(
    options: tuple[str, ...], sentence: str, hsfpy_small: Hsfpy, tmp_path: Path
) -> None:
    folder = build(hsfpy_small, tmp_path, COUNTERS)
    done = subprocess.run(["./pan", *options], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1
    assert sentence in done.stdout + done.stderr
