"""Cycles: the verdicts of pan -a, -a -f and -l are SPIN's, whichever search looks for them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from liveness_models import random_model
from oracle import EXAMPLES, PLAIN, Hsfpy, Rejected, Run, Spin, execute
from replay import assert_replays_in_spin
from test_oracle_examples import BOUNDS, NAMES, NO_STDIN, SLOW, VECTOR_LIMIT

from hsfpy import bench_cycles

ACCEPT_CC = ("-DNOREDUCE", "-DNFAIR=32")
PROGRESS_CC = (*ACCEPT_CC, "-DNP")
CHECKS = {
    "-a": (ACCEPT_CC, ("-a",)),
    "-a -f": (ACCEPT_CC, ("-a", "-f")),
    "-l": (PROGRESS_CC, ("-l",)),
}
N_MODELS, N_FORMULAS = 30, 10
WRONG_ENDS = {"cambridge.pml", "LTL/pftp.pml"}  # declare ends of channels (xr, xs) that others use: no reduction


def verdict(run: Run) -> bool:
    """Did the run find an error? It must have run to its end or to that error."""
    found = re.search(r"errors: (\d+)", run.out)
    assert found, run.out + run.err
    assert "internal error" not in run.err, run.err
    return found.group(1) != "0"


def claims_of(model: Path) -> list[str]:
    """The names of a model's claims; one empty name if there is no choice."""
    named = re.findall(r"^\s*(?:ltl|never)\s+(\w+)", model.read_text(errors="replace"), re.M)
    return named if len(named) > 1 else [""]


def selecting(claim: str) -> tuple[str, ...]:
    return ("-N", claim) if claim else ()


def depth_limit(name: str) -> str:
    bound = (BOUNDS | SLOW).get(name)
    return f"-m{bound}" if bound else "-m100000"


def assert_same_verdict(theirs: Run, ours: Run) -> None:
    if VECTOR_LIMIT in theirs.out + theirs.err:
        return  # SPIN stops at a limit hsfpy does not have
    assert verdict(ours) == verdict(theirs), f"SPIN:\n{theirs.out}\nhsfpy:\n{ours.out}{ours.err}"


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in NO_STDIN])
def test_verdicts_on_examples(name: str, check: str, spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    cc, options = CHECKS[check]
    model = EXAMPLES / name
    for claim in claims_of(model) if "-a" in check else [""]:
        pan = (*options, depth_limit(name), *selecting(claim))
        theirs = spin_small.run(model, PLAIN, cc, pan)
        try:
            ours = hsfpy_small.run(model, PLAIN, ("-DNOREDUCE",) if name in WRONG_ENDS else (), pan)
        except Rejected:
            assert theirs.command == ("spin",)
            continue
        assert_same_verdict(theirs, ours)
        if ours.trails and "cycle" in ours.out and not BOUNDS.get(name):
            assert_replays_in_spin(spin_small, model, ours.trail, PLAIN, tmp_path)


def write_model(where: Path, text: str) -> Path:
    model = where / "m.pml"
    model.write_text(text)
    return model


def our_verdicts(folder: Path, options: tuple[str, ...], searches: tuple[str, ...]) -> dict[str, bool]:
    return {search: verdict(execute(["./pan", *options, *search.split()], folder)) for search in searches}


@pytest.mark.parametrize("seed", range(N_MODELS))
def test_verdicts_on_random_formulas(seed: int, spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """300 formulas; with fairness only depth-first search looks for cycles."""
    model = write_model(tmp_path, random_model(seed, N_FORMULAS))
    theirs, ours = spin_small.build(model, PLAIN, ACCEPT_CC), hsfpy_small.build(model, PLAIN, ())
    for i in range(N_FORMULAS):
        for fair in ((), ("-f",)):
            options = ("-a", *fair, "-N", f"p{i}")
            expected = verdict(execute(["./pan", "-m100000", *options], theirs))
            searches = ("--dfs", "--nested=classic") + (() if fair else ("--astar", "--bfs", "--bestfirst"))
            found = our_verdicts(ours, options, searches)
            assert found == dict.fromkeys(searches, expected), f"p{i} {fair}"


@pytest.mark.parametrize("label", ["accept", "progress"])
@pytest.mark.parametrize("seed", range(N_MODELS))
def test_verdicts_on_random_labels(seed: int, label: str, spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = write_model(tmp_path, random_model(seed, 0, (label,)))
    cc, (option,) = (ACCEPT_CC, ("-a",)) if label == "accept" else (PROGRESS_CC, ("-l",))
    theirs, ours = spin_small.build(model, PLAIN, cc), hsfpy_small.build(model, PLAIN, ())
    for fair in ((), ("-f",)):
        expected = verdict(execute(["./pan", "-m100000", option, *fair], theirs))
        searches = ("--dfs", "--astar") if label == "progress" and not fair else ("--dfs",)
        assert our_verdicts(ours, (option, *fair), searches) == dict.fromkeys(searches, expected)


RESPONSE = """
byte x, y;
active proctype A() { do :: x = (x + 1) % 7 :: x == 3 -> x = 0 od }
active proctype B() { do :: y = (y + 1) % 50 od }
ltl broken { [] (x == 4 -> <> (x == 2 && y > 20)) }
"""

HOLDING = """
byte x, y;
active proctype A() { do :: x = (x + 1) % 7; if :: y = (y + 1) % 50 :: y = 0 fi od }
ltl holds { [] (x == 4 -> <> (x == 2)) }
"""


def figures(folder: Path, *options: str) -> dict[str, int]:
    out = execute(["./pan", "-a", *options], folder).out
    transitions = re.search(r"([\d.e+]+) transitions", out)
    depth = re.search(r"cycle \(at depth (\d+)\)", out)
    assert transitions, out
    return {"transitions": int(float(transitions.group(1))), "depth": int(depth.group(1)) if depth else -1}


def test_improved_search_takes_fewer_transitions(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """HSF 7.4: on full validation of a response property that holds."""
    folder = hsfpy_small.build(write_model(tmp_path, HOLDING), PLAIN, ())
    improved, classic = figures(folder), figures(folder, "--nested=classic")
    assert improved["depth"] == classic["depth"] == -1
    assert improved["transitions"] < classic["transitions"]


def test_directed_search_gives_a_short_cycle(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    folder = hsfpy_small.build(write_model(tmp_path, RESPONSE), PLAIN, ())
    lengths = {}
    for search in ("--dfs", "--astar"):
        run = execute(["./pan", "-a", "-N", "broken", search], folder)
        assert "acceptance cycle" in run.out
        lengths[search] = len(run.trail.splitlines())
    # Four steps to x = 4, then round once: seven steps, or eight with one of the other process.
    assert lengths["--astar"] <= 14 < lengths["--dfs"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("-f",), "-f requires the use of -a or -l"),
        (("-a", "-f", "--astar"), "-f needs depth-first search"),
        (("-a", "--idastar"), "--idastar does not look for cycles"),
        (("-a", "--nested=other"), "--nested is classic or improved"),
    ],
)
def test_unusable_combinations_are_refused(
    options: tuple[str, ...], sentence: str, hsfpy_small: Hsfpy, tmp_path: Path
) -> None:
    folder = hsfpy_small.build(write_model(tmp_path, RESPONSE), PLAIN, ())
    done = subprocess.run(["./pan", *options], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1
    assert sentence in done.stdout + done.stderr


def test_bench_prints_table_8() -> None:
    """The alternating bit: every search finds the violation, the directed one the shortest witness."""
    row = bench_cycles.run_entry(bench_cycles.TABLE_8[0])
    lengths = {name: cell[2] for name, cell in row.ours.items() if cell is not None}
    assert lengths.keys() == {*bench_cycles.SEARCHES, "SPIN"}
    assert lengths["A*+DFS"] == min(length for length in lengths.values() if length is not None)


FINITE = """
byte x;
active proctype A() { do :: x < 9 -> x++ :: x > 3 -> x = 0 od }
never {
    do
    :: x == 5 -> break
    :: else
    od;
accept: do
    :: true
    od
}
"""


@pytest.mark.parametrize("search", ["--bfs", "--astar"])
def test_a_claim_that_needs_a_finite_run_is_searched_as_safety(search: str, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """Ten steps of the program and eleven of the claim, the last of which decides; no cycle is needed."""
    folder = hsfpy_small.build(write_model(tmp_path, FINITE), PLAIN, ())
    run = execute(["./pan", search], folder)
    assert "claim violated, whatever follows (at depth 21)" in run.out
    if search == "--astar":
        assert "a shortest error of its kind" in run.out


FAULTY_GUARD = """
byte x, zero;
active proctype A() { do :: 6 / zero == 1 -> x = 1 :: x = 1 - x od }
active proctype B() { accept: do :: x == 0 -> skip od }
"""


def test_fairness_asks_guards_that_fail(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """Whether a process can move is asked beside the search, which has told the fault already."""
    folder = hsfpy_small.build(write_model(tmp_path, FAULTY_GUARD), PLAIN, ())
    done = subprocess.run(["./pan", "-a", "-f", "-c0"], cwd=folder, capture_output=True, text=True, timeout=60)
    assert "division by zero" in done.stdout
