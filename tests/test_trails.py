"""Trails go in both directions: SPIN replays ours, our pan replays SPIN's."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from oracle import (
    BFS_CC,
    DEEP,
    PLAIN,
    PROMELA,
    Hsfpy,
    Run,
    Spin,
    execute,
    parse_report,
    read_expectation,
)
from replay import assert_replays_in_spin, last_depth, spin_replay

SMALL = "-w18"


def has_error(model: Path) -> bool:
    expect = read_expectation(model)
    return expect.values.get("error", "none") != "none" and not expect.spin_crashes


FAILING = [model for model in sorted(PROMELA.glob("*.pml")) if has_error(model)]
EMBEDDED_C = re.compile(r"\bc_(code|expr|decl|state|track)\b")
# SPIN simulates no embedded C, and under a changed search order it refuses to replay at all.
NO_SIMULATION = re.compile(r"-D(T_)?REVERSE")


def can_simulate(model: Path) -> bool:
    return not EMBEDDED_C.search(model.read_text()) and not NO_SIMULATION.search(" ".join(read_expectation(model).cc))


def first_errors(model: Path, spin: Spin, hsfpy: Hsfpy) -> tuple[Run, Run]:
    """The runs of both tools that stop at the first error."""
    expect = read_expectation(model)
    flags, pan = (*PLAIN, *expect.flags), ("-n", DEEP, SMALL, *expect.pan)
    return spin.run(model, flags, expect.cc, pan), hsfpy.run(model, flags, expect.cc, pan)


# Found between two steps. SPIN counts such an error as a step and ends the trail with a line left
# over from an earlier path; ours ends with the last step taken.
BETWEEN_STEPS = ("end state in claim", "event_trace")


def between_steps(model: Path) -> bool:
    return read_expectation(model).values["error"].startswith(BETWEEN_STEPS)


def has_formula(model: Path) -> bool:
    """Claims made from formulas differ, so our trails name the program's steps only."""
    return re.search(r"^ltl\b", model.read_text(), re.M) is not None


def program_steps(trail: str) -> list[tuple[int, int]]:
    """The steps of a trail that are not the claim's, as (process, statement)."""
    lines = [tuple(int(number) for number in line.split(":")) for line in trail.splitlines()]
    shift = 1 if lines and lines[0][0] == -2 else 0
    return [(pid - shift, statement) for depth, pid, statement in lines if depth > 0 and pid >= shift]


@pytest.mark.parametrize("model", FAILING, ids=lambda path: path.stem)
def test_same_trail_as_spin(model: Path, spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    theirs, ours = first_errors(model, spin_small, hsfpy_small)
    if has_formula(model):
        assert program_steps(ours.trail) == program_steps(theirs.trail)
    elif between_steps(model):
        assert theirs.trail.startswith(ours.trail)
        assert len(theirs.trail.splitlines()) <= len(ours.trail.splitlines()) + 1
    else:
        assert ours.trails == theirs.trails


@pytest.mark.parametrize("model", [m for m in FAILING if can_simulate(m)], ids=lambda path: path.stem)
def test_spin_replays_ours(model: Path, spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """Where SPIN's own trail makes `spin -t` complain (a blocked last step, say), ours may do so too."""
    flags = (*PLAIN, *read_expectation(model).flags)
    theirs, ours = first_errors(model, spin_small, hsfpy_small)
    of_theirs = spin_replay(spin_small, model, theirs.trail, flags, tmp_path / "theirs")
    of_ours = spin_replay(spin_small, model, ours.trail, flags, tmp_path / "ours")
    if not between_steps(model) and not has_formula(model):
        assert of_ours.out == of_theirs.out


STEP = re.compile(r"^\s*\d+:\tproc .*\(state \d+\)\t\[.*\]$", re.M)
# When a process ends, SPIN has forgotten where it stood.
# SPIN's table of source files is at times short by an entry; it then prints "-".
NAMELESS = re.compile(r" \S+:(\d+) \(state")
ENDING = re.compile(r"\S+:\d+ \(state \d+\)\t\[-end-\]$")


@pytest.mark.parametrize("model", [m for m in FAILING if not has_formula(m)], ids=lambda path: path.stem)
def test_pan_replays_spins(model: Path, spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    expect = read_expectation(model)
    flags = (*PLAIN, *expect.flags)
    trail = first_errors(model, spin_small, hsfpy_small)[0].trail
    shown = []
    for tool, build in (
        ("spin", spin_small.build(model, flags, expect.cc)),
        ("hsfpy", hsfpy_small.build(model, flags, expect.cc)),
    ):
        where = tmp_path / tool
        where.mkdir()
        shutil.copy(build / "pan", where)
        (where / f"{model.name}.trail").write_text(trail)
        replay = execute(["./pan", "-r"], where)
        assert replay.code == 0, replay.out
        lines = STEP.findall(replay.out)
        shown.append([NAMELESS.sub(r" -:\1 (state", ENDING.sub("[-end-]", line)) for line in lines])
    theirs, ours = shown
    common = min(len(ours), len(theirs))
    assert ours[:common] == theirs[:common]
    if model.stem != "c_code_precondition":  # SPIN's replay does not ask for preconditions
        assert len(theirs) <= len(ours) + between_steps(model)  # SPIN's own replay loses its way under _last


@pytest.mark.parametrize("model", [m for m in FAILING if can_simulate(m)], ids=lambda path: path.stem)
def test_breadth_first_trail_replays(model: Path, spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """The shortest error is never deeper than the first one, and SPIN can walk to it."""
    expect = read_expectation(model)
    flags = (*PLAIN, *expect.flags)
    run = hsfpy_small.run(model, flags, expect.cc, ("--bfs", "-n", DEEP, *expect.pan))
    report = parse_report(run.out)
    if "-m" in expect.values.get("pan", "") and report.error is None:
        return
    assert report.depth is not None and report.depth <= int(expect.values["depth"])
    assert report.error is not None
    beyond = 0 if report.error.startswith(BETWEEN_STEPS) or has_formula(model) else 1
    assert last_depth(run.trail) <= report.depth + beyond
    replay = spin_replay(spin_small, model, run.trail, flags, tmp_path)
    if report.error == "invalid end state":
        assert "transition failed" not in replay.out


def test_every_error_gets_its_trail(spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """-e writes a numbered trail for each error."""
    model = PROMELA / "stop_at_second_error.pml"
    pan = ("-c0", "-e", "-n", DEEP)
    theirs = spin_small.run(model, pan=pan)
    ours = hsfpy_small.run(model, pan=pan)
    assert ours.trails == theirs.trails
    assert len(ours.trails) > 1


def test_deadlock_after_rendezvous_is_found(spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """SPIN's breadth-first search misses this one."""
    model = tmp_path / "rv.pml"
    model.write_text(
        "chan q = [0] of { byte };\nbyte g;\nactive proctype A() { q!1; g == 1 }\nactive proctype B() { q?_; g == 2 }\n"
    )
    run = hsfpy_small.run(model, PLAIN, BFS_CC, ("-n",))
    report = parse_report(run.out)
    assert (report.error, report.depth) == ("invalid end state", 1)
    assert_replays_in_spin(spin_small, model, run.trail, PLAIN, tmp_path / "replay")
