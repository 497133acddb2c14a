"""Two-phase search: the figures of the paper, and the verdict of a search without reduction everywhere."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import liveness_models
import local_models
import pytest
import random_models
from oracle import EXAMPLES, PLAIN, ROOT, Hsfpy, Rejected, Spin, execute, parse_report
from replay import assert_replays_in_spin
from test_liveness import WRONG_ENDS, claims_of, selecting
from test_oracle_examples import BOUNDS, NAMES, NO_STDIN, SLOW

MODELS = ROOT / "models"
CACHES = ("all", "selective")
N_FORMULAS = 5


def answer(folder: Path, *options: str) -> dict[str, object]:
    run = execute(["./pan", "--json", *options], folder)
    assert run.code == 0 and "internal error" not in run.err, run.err
    found: dict[str, object] = json.loads(run.out.splitlines()[-1])
    assert found.get("confirmed", True), run.err
    return found


def build(hsfpy: Hsfpy, where: Path, text: str) -> Path:
    model = where / "m.pml"
    model.write_text(text)
    return hsfpy.build(model, PLAIN, ())


def check_verdicts(folder: Path, *options: str) -> None:
    expected = answer(folder, "--dfs", "--reduce=off", *options)["verdict"]
    for cache in CACHES:
        found = answer(folder, "--reduce=two-phase", f"--cache={cache}", *options)["verdict"]
        assert found == expected, f"--cache={cache} {options}"


# ---- the paper's figures


def stored(folder: Path, *options: str) -> int:
    found = answer(folder, *options)
    assert found["verdict"] == "no error"
    count = found["stored"]
    assert isinstance(count, int)
    return count


def counts(hsfpy: Hsfpy, model: str, *defines: str) -> tuple[int, int, int]:
    """States stored with ample sets, and by two-phase search: all, selective."""
    folder = hsfpy.build(MODELS / f"{model}.pml", (*PLAIN, *defines), ())
    everything, selective = (stored(folder, "--reduce=two-phase", f"--cache={cache}") for cache in CACHES)
    return stored(folder, "--reduce=stack-"), everything, selective


def test_b5_has_the_papers_states(hsfpy_small: Hsfpy) -> None:
    assert counts(hsfpy_small, "b5") == (243, 11, 1)
    assert counts(hsfpy_small, "b5", "-DN=7") == (3**7, 15, 1)


def test_w5_has_the_papers_states(hsfpy_small: Hsfpy) -> None:
    assert counts(hsfpy_small, "w5") == (63, 243, 243)


@pytest.mark.parametrize(("n", "factor"), [(3, 3), (4, 15)])
def test_two_phase_is_far_smaller_on_servers_and_clients(n: int, factor: int, hsfpy: Hsfpy, spin: Spin) -> None:
    ample, everything, selective = counts(hsfpy, "sc", f"-DN={n}")
    report = spin.run(MODELS / "sc.pml", (*PLAIN, f"-DN={n}"), ("-DSAFETY", "-DVECTORSZ=4096"), ("-m1000000",))
    spins = parse_report(report.out).stored
    assert everything * factor < ample and everything * factor < spins
    assert selective * 10 < everything


def test_phase_one_ends_in_circles(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """Processes that run in circles for ever, alone and together, hide nothing from phase two."""
    text = """
    byte total;
    chan there = [1] of { byte }; chan back = [1] of { byte };
    active proctype Alone() { byte i; do :: i = (i + 1) % 50 od }
    active proctype Ping() { byte i; do :: there!i; back?i od }
    active proctype Pong() { byte i; do :: there?i; back!i od }
    active proctype Work() { byte i; do :: i < 30 -> i++ :: else -> break od; total = i; assert(total != 30) }
    """
    folder = build(hsfpy_small, tmp_path, text)
    for cache in CACHES:
        found = answer(folder, "--reduce=two-phase", f"--cache={cache}")
        assert found["verdict"] == "error" and "total!=30" in str(found["error"])
        assert int(str(found["stored"])) < 200


# ---- the same verdict as without reduction

SAFETY = ((), ("-A",), ("-E",))


@pytest.mark.parametrize("seed", range(30))
def test_verdicts_of_safety(seed: int, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    folder = build(hsfpy_small, tmp_path, local_models.random_model(seed))
    for options in SAFETY:
        check_verdicts(folder, *options)


@pytest.mark.parametrize("seed", range(300, 320))
def test_verdicts_of_models_that_share_much(seed: int, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    folder = build(hsfpy_small, tmp_path, random_models.random_model(seed))
    for options in (("-A",), ("-E",), ("-l",)):
        check_verdicts(folder, *options)


@pytest.mark.parametrize("seed", range(400, 415))
def test_verdicts_of_labels(seed: int, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    folder = build(hsfpy_small, tmp_path, local_models.random_model(seed, labels=("accept", "progress", "end")))
    for options in (("-a",), ("-l",), ("-l", "--nested=classic")):
        check_verdicts(folder, *options)


@pytest.mark.parametrize("seed", range(500, 512))
def test_verdicts_of_formulas(seed: int, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    folder = build(hsfpy_small, tmp_path, local_models.random_model(seed, N_FORMULAS))
    for i in range(N_FORMULAS):
        check_verdicts(folder, "-a", "-N", f"p{i}")
        check_verdicts(folder, "-a", "--nested=classic", "-N", f"p{i}")


@pytest.mark.parametrize("seed", range(600, 606))
def test_verdicts_of_formulas_about_shared_variables(seed: int, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    folder = build(hsfpy_small, tmp_path, liveness_models.random_model(seed, N_FORMULAS))
    for i in range(N_FORMULAS):
        check_verdicts(folder, "-a", "-N", f"p{i}")


SHIPPED: dict[str, tuple[Sequence[str], Sequence[Sequence[str]]]] = {
    "abp": ((), SAFETY),
    "barlett": (("-DN=4",), SAFETY),
    "basic_call": (("-DN=2",), SAFETY),
    "elevator": (("-DN=3",), SAFETY),
    "garp": (("-DN=1",), SAFETY),
    "giop": (("-DN=1", "-DMOVES=0"), SAFETY),
    "leader": (("-DN=4",), SAFETY),
    "lynch": ((), SAFETY),
    "marriers": (("-DN=2",), SAFETY),
    "mutex": ((), SAFETY),
    "philosophers": (("-DN=6",), SAFETY),
    "pots": (("-DPATIENT", "-DCALLERS=1"), SAFETY),
    "relay": ((), SAFETY),
    "snoopy": (("-DN=2",), SAFETY),
    "telegraph": ((), SAFETY),
}
CORRECT: dict[str, Sequence[str]] = {
    "abp": ("-DCORRECT",),
    "barlett": ("-DCORRECT", "-DN=4"),
    "elevator": ("-DCORRECT", "-DN=3"),
    "giop": ("-DCORRECT", "-DSERVERS=1"),
    "leader": ("-DDISTINCT", "-DN=4"),
    "snoopy": ("-DCORRECT", "-DN=2"),
}
LIVE: dict[str, Sequence[str]] = {"abp": ("-DLTL",), "elevator": ("-DLTL", "-DN=3"), "giop": ("-DLTL", "-DSERVERS=1")}


@pytest.mark.parametrize("name", SHIPPED)
def test_verdicts_of_shipped_models(name: str, hsfpy: Hsfpy) -> None:
    defines, runs = SHIPPED[name]
    folder = hsfpy.build(MODELS / f"{name}.pml", (*PLAIN, *defines), ())
    for options in runs:
        check_verdicts(folder, *options)


@pytest.mark.parametrize("name", CORRECT)
def test_verdicts_of_shipped_models_without_error(name: str, hsfpy: Hsfpy) -> None:
    folder = hsfpy.build(MODELS / f"{name}.pml", (*PLAIN, *CORRECT[name]), ())
    for options in SAFETY:
        check_verdicts(folder, *options)


@pytest.mark.parametrize("name", LIVE)
@pytest.mark.parametrize("correct", [False, True])
def test_verdicts_of_shipped_models_with_formulas(name: str, correct: bool, hsfpy: Hsfpy) -> None:
    defines = (*LIVE[name], *(("-DCORRECT",) if correct else ()))
    folder = hsfpy.build(MODELS / f"{name}.pml", (*PLAIN, *defines), ())
    check_verdicts(folder, "-a")


SECONDS = 2  # examples of which a search without reduction takes longer are left to other tests,
PATIENCE = 120  # and these are for searches that are compared with it, however busy the machine


@pytest.mark.parametrize(
    "name", [name for name in NAMES if name not in BOUNDS | SLOW and name not in (*NO_STDIN, *WRONG_ENDS)]
)
def test_verdicts_of_examples(name: str, hsfpy_small: Hsfpy) -> None:
    """SPIN's examples, as far as a search without reduction comes to its end."""
    try:
        folder = hsfpy_small.build(EXAMPLES / name, PLAIN, ())
    except Rejected:
        return
    checks = [("-E",), ("-A",), ("-l", "-A"), *(("-a", *selecting(claim)) for claim in claims_of(EXAMPLES / name))]
    for options in checks:
        tried = answer(folder, "--dfs", "--reduce=off", *options, f"--time={SECONDS}", "--memory=1000")
        if tried["verdict"] != "incomplete":
            check_verdicts(folder, *options, f"--time={PATIENCE}", "--memory=4000")


# ---- trails


COUNTING = """
byte total;
active [2] proctype Count() { byte i; do :: i < 5 -> i++ :: else -> break od; total = total + i }
active proctype Idle() { byte i; do :: i = 1 - i od }
"""
NEVER = {
    "end": "never { do :: total < 10 :: total >= 10 -> break od }",
    "cycle": "never { accept: do :: total != 7 od }",
    "later": "never { do :: true :: total == 10 -> break od; accept: do :: total == 10 od }",
}


@pytest.mark.parametrize("cache", CACHES)
@pytest.mark.parametrize("claim", ["", *NEVER])
def test_trails_replay_in_spin(claim: str, cache: str, hsfpy_small: Hsfpy, spin_small: Spin, tmp_path: Path) -> None:
    """The steps of phase one are in the trail, and so are the claim's steps beside them."""
    model = tmp_path / "m.pml"
    watch = "active proctype Watch() { total == 10 -> assert(false) }"
    model.write_text(f"{COUNTING}\n{NEVER[claim] if claim else watch}\n")
    options = ("--reduce=two-phase", f"--cache={cache}", *(("-a",) if claim in ("cycle", "later") else ()))
    run = hsfpy_small.run(model, PLAIN, (), options)
    assert parse_report(run.out).errors == 1, run.out + run.err
    assert_replays_in_spin(spin_small, model, run.trail, PLAIN, tmp_path / "replay")


def test_claims_that_count_repetitions_are_refused(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """A claim that sees how long nothing happens: no reduction is sound, and no trail could be right."""
    folder = build(hsfpy_small, tmp_path, COUNTING + "never { total == 0 -> total == 5 }")
    done = subprocess.run(["./pan", "--reduce=two-phase"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1
    assert "how often a state is repeated" in done.stdout + done.stderr


# ---- what it does not go with


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--bfs", "--reduce=two-phase"), "two-phase is a depth-first search"),
        (("--astar", "--reduce=two-phase"), "two-phase is a depth-first search"),
        (("--bestfirst", "--reduce=two-phase"), "two-phase is a depth-first search"),
        (("--idastar", "--reduce=two-phase"), "two-phase is a depth-first search"),
        (("-l", "--astar", "--reduce=two-phase"), "two-phase is a depth-first search"),
        (("-l", "-f", "--reduce=two-phase"), "fairness"),
        (("-i", "--reduce=two-phase"), "short errors"),
        (("-L2", "--reduce=two-phase"), "without"),
        (("--cache=all",), "add --reduce=two-phase"),
        (("--cache=some", "--reduce=two-phase"), "not 'some'"),
    ],
)
def test_what_it_does_not_go_with(options: tuple[str, ...], sentence: str, hsfpy_small: Hsfpy) -> None:
    folder = hsfpy_small.build(MODELS / "b5.pml", PLAIN, ())
    done = subprocess.run(["./pan", *options], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1
    assert sentence in done.stdout + done.stderr


def test_the_report_names_it(hsfpy_small: Hsfpy) -> None:
    run = hsfpy_small.run(MODELS / "b5.pml", PLAIN, (), ("--reduce=two-phase",))
    assert "+ Two-Phase Partial Order Reduction (states of phase one are not stored)" in run.out
    assert "10 steps in phase one" in run.out
