"""Bounded context switches: -LN and -DBCS."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from oracle import PLAIN, PROMELA, Hsfpy, Report, Spin, execute, parse_report

SAFE = ("-DNOREDUCE", "-DSAFETY")
READS = """byte x, y, z;
active proctype Writer() { x = 1; x = 2; x = 3 }
active proctype Reader() { y = x; z = x; assert(%s) }
"""
WAITING = """bit started, ready;
active proctype Waits() { started = 1; do :: ready -> break :: else od; assert(false) }
active proctype Sets() { started; ready = 1 }
"""
SAMPLE = (
    "array_basic",
    "atomic_loop",
    "chan_rendezvous",
    "else_basic",
    "never_claim_nondeterministic",
    "type_bool_truncates",
)


def bounded(tool: Spin | Hsfpy, model: Path, bound: int, cc: tuple[str, ...] = SAFE, *words: str) -> Report:
    return parse_report(tool.run(model, PLAIN, (*cc, "-DBCS", "-DCONSERVATIVE=4"), ("-n", f"-L{bound}", *words)).out)


@pytest.mark.parametrize(
    ("claim", "switches"), [("z != 3", 0), ("y != 1", 1), ("y > 0 || z != 1", 2), ("y != 1 || z != 2", 3)]
)
def test_errors_need_switches(claim: str, switches: int, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    model.write_text(READS % claim)
    found = [bounded(hsfpy_small, model, bound).errors for bound in range(5)]
    assert found == [int(bound >= switches) for bound in range(5)]


@pytest.mark.parametrize("name", SAMPLE)
def test_bounds(name: str, hsfpy_small: Hsfpy, spin_small: Spin) -> None:
    """A larger bound never finds less, a large one finds all, and what SPIN finds is found."""
    model = PROMELA / f"{name}.pml"
    usual = parse_report(hsfpy_small.run(model, PLAIN, SAFE, ("-n", "-c0")).out)
    stored = []
    for bound in (0, 1, 2, 3, 255):
        ours, theirs = (bounded(tool, model, bound, SAFE, "-c0") for tool in (hsfpy_small, spin_small))
        stored.append(ours.stored)
        assert ours.stored >= theirs.stored
        assert (ours.errors > 0) >= (theirs.errors > 0)
    assert stored == sorted(stored)
    assert stored[-1] == usual.stored


@pytest.mark.parametrize(("name", "bound"), [("chan_as_parameter", 0), ("expr_logical", 0)])
def test_without_choice_as_in_spin(name: str, bound: int, hsfpy_small: Hsfpy, spin_small: Spin) -> None:
    """Where no state is reached by two processes, SPIN forgets nothing and both searches are the same."""
    model = PROMELA / f"{name}.pml"
    ours, theirs = (bounded(tool, model, bound, SAFE, "-c0") for tool in (hsfpy_small, spin_small))
    assert (ours.stored, ours.matched, ours.errors, ours.depth_reached) == (
        theirs.stored,
        theirs.matched,
        theirs.errors,
        theirs.depth_reached,
    )


def test_running_in_circles_is_being_stuck(hsfpy_small: Hsfpy, spin_small: Spin, tmp_path: Path) -> None:
    """As in SPIN: a process that waits actively gives way for free, unless compiled with both directives."""
    model = tmp_path / "m.pml"
    model.write_text(WAITING)
    for cc, found in ((SAFE, [0, 1]), (("-DNOREDUCE",), [1, 1])):
        for tool in (hsfpy_small, spin_small):
            assert [bounded(tool, model, bound, cc).errors for bound in (0, 1)] == found


def test_bound_without_directive(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """-L alone turns the bound on; the report says so, and a bounded search proves nothing."""
    model = tmp_path / "m.pml"
    model.write_text(READS % "y != 1 || z != 2")
    run = hsfpy_small.run(model, PLAIN, SAFE, ("-L1",))
    assert "\t+ Scheduling Restriction (-L1)\n" in run.out
    assert parse_report(run.out).errors == 0
    folder = hsfpy_small.build(model, PLAIN, SAFE)
    assert json.loads(execute([folder / "pan", "-L1", "--json"], tmp_path).out)["verdict"] == "incomplete"


def test_largest_bound(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    model.write_text(READS % "y != 1 || z != 2")
    run = hsfpy_small.run(model, PLAIN, SAFE, ("-L300",))
    assert "warning: using max bound (255)\n" in run.err
    assert parse_report(run.out).errors == 1


@pytest.mark.parametrize("words", ["--bfs -L1", "--astar -L1"])
def test_other_searches_refuse_bounds(words: str, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    model.write_text(READS % "y != 1 || z != 2")
    run = hsfpy_small.run(model, PLAIN, SAFE, words.split())
    assert run.code == 1
    assert "only in depth-first searches" in run.out + run.err
