"""Other orders of the depth-first search: they change what is found first, never what is found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from oracle import FULL_CC, PLAIN, PROMELA, Hsfpy, Run, Spin, execute, parse_report
from replay import assert_replays_in_spin

# Nothing ends and nothing is atomic: there SPIN's own orders leave nothing out.
ENDLESS = """byte x, y, turn;
chan c = [0] of { byte };
active proctype A() { byte i; do :: x = (x + 1) % 4 :: i < 3 -> i++; c!i :: i == 3 -> i = 0; y = x od }
active proctype B() { byte j; do :: c?j; turn = (turn + j) % 5 :: y > 0 -> y-- od }
active proctype C() { byte k; do :: c?k -> turn = k :: turn != 4 || y != 3 -> assert(x != 3 || k < 2 || y == 0) od }
"""
ORDERS = ("-p_permute", "-p_permute -RS3", "-p_rotate", "-p_rotate2", "-p_randrot", "-p_reverse", "-RS4 -rhash", "-T1")
SAMPLE = (
    "atomic_rendezvous_into_atomic",
    "chan_rendezvous",
    "dstep_nondeterminism_first_choice",
    "expr_logical",
    "never_claim_nondeterministic",
    "nr_pr_variable",
    "provided_and_timeout",
    "run_dynamic_tree",
    "timeout_with_rendezvous",
    "unless_escape_checked_first",
)
RANDOM_CC = (("-DT_RAND=3",), ("-DP_RAND=9",), ("-DRANDOMIZE=5", "-DP_RAND"))
SAFE = ("-DNOREDUCE", "-DSAFETY")


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("order") / "endless.pml"
    path.write_text(ENDLESS)
    return path


def figures(run: Run) -> tuple[int, int, int]:
    report = parse_report(run.out)
    return report.errors, report.stored, report.transitions


@pytest.mark.parametrize("name", SAMPLE)
def test_orders_leave_nothing_out(name: str, hsfpy_small: Hsfpy) -> None:
    model = PROMELA / f"{name}.pml"
    usual = figures(hsfpy_small.run(model, PLAIN, SAFE, ("-c0", "-n")))
    for order in ORDERS:
        assert figures(hsfpy_small.run(model, PLAIN, SAFE, ("-c0", "-n", *order.split()))) == usual, order


@pytest.mark.parametrize("name", ["expr_logical", "nr_pr_variable", "timeout_with_rendezvous"])
@pytest.mark.parametrize("directives", RANDOM_CC)
def test_random_directives_leave_nothing_out(name: str, directives: tuple[str, ...], hsfpy_small: Hsfpy) -> None:
    """SPIN's -DP_RAND finds no error in nr_pr_variable: it forgets processes once one has ended."""
    model = PROMELA / f"{name}.pml"
    usual = figures(hsfpy_small.run(model, PLAIN, FULL_CC, ("-c0", "-n")))
    assert figures(hsfpy_small.run(model, PLAIN, (*FULL_CC, *directives), ("-c0", "-n"))) == usual


def same_search(model: Path, tools: tuple[Spin, Hsfpy], cc: Sequence[str], ours: str, theirs: str) -> None:
    """Both tools find the same error, after as many states, and write the same trail."""
    spin, hsfpy = tools
    a = spin.run(model, PLAIN, (*SAFE, *cc), tuple(theirs.split()))
    b = hsfpy.run(model, PLAIN, (*SAFE, *cc), tuple(ours.split()))
    left, right = parse_report(a.out), parse_report(b.out)
    assert (left.error, left.depth, left.stored, left.matched) == (
        right.error,
        right.depth,
        right.stored,
        right.matched,
    )
    assert a.trails == b.trails
    heads = [[line for line in run.out.splitlines() if line.startswith("\t+ ")] for run in (a, b)]
    assert heads[0] == heads[1]


@pytest.mark.parametrize("seed", [1, 7, 4711])
def test_random_transitions_are_spins(seed: int, endless: Path, spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    same_search(endless, (spin_small, hsfpy_small), [f"-DT_RAND={seed}"], "-n", "-n")


@pytest.mark.parametrize("order", ["-RS12", "-RS13 -h7"])
def test_seed_is_spins(order: str, endless: Path, spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    same_search(endless, (spin_small, hsfpy_small), ["-DT_RAND"], order, order)


@pytest.mark.parametrize("seed", [1, 8])
def test_random_processes_are_spins(seed: int, endless: Path, spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    same_search(endless, (spin_small, hsfpy_small), [f"-DP_RAND={seed}"], "-n", "-n")


@pytest.mark.parametrize("order", ["-p_permute", "-p_rotate", "-p_rotate2", "-p_reverse", "-p_permute -t_reverse"])
def test_permuted_orders_are_spins(order: str, endless: Path, spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    """With -P1, because SPIN's -p_ options also reverse the creation of active processes."""
    same_search(endless, (spin_small, hsfpy_small), ["-DPERMUTED"], f"-P1 {order}", order)


@pytest.mark.parametrize("option", ["-T1", "-t_reverse", "-T0"])
def test_transition_order_is_spins(option: str, endless: Path, spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    same_search(endless, (spin_small, hsfpy_small), [], option, option)


def test_trails_of_permuted_searches_replay(
    endless: Path, spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path
) -> None:
    """They are runs of the model like any other."""
    run = hsfpy_small.run(endless, PLAIN, SAFE, ("-p_permute", "-RS5"))
    assert not run.trail.startswith("-5")
    assert_replays_in_spin(spin_small, endless, run.trail, PLAIN, tmp_path)


def shown_steps(folder: Path, words: Sequence[str], where: Path) -> list[str]:
    """What `pan -r` shows of the steps of a trail."""
    out = execute([folder / "pan", *words], where).out
    return [line for line in out.splitlines() if "proc " in line and "(state" in line and "[" in line]


def test_trails_of_reversed_creation_replay(
    endless: Path, spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path
) -> None:
    """They say that processes are numbered differently: `spin -t` refuses, pan -r of both tools knows."""
    run = hsfpy_small.run(endless, PLAIN, SAFE, ("-P1", "-p_rotate"))
    assert run.trail.startswith("-5:0:2\n-6:0:0\n-7:1:1\n-8:0:12344\n")
    refusal = spin_small.replay(endless, run.trail, PLAIN, tmp_path)
    assert "used search permutation, replay with ./pan -r" in refusal.out
    trail = tmp_path / "endless.pml.trail"
    trail.write_text(run.trail)
    ours = shown_steps(hsfpy_small.build(endless, PLAIN, SAFE), ["-r", trail.name], tmp_path)
    theirs = shown_steps(
        spin_small.build(endless, PLAIN, (*SAFE, "-DPERMUTED")),
        ["-r", trail.name, "-p_rotate1", "-RS12344"],
        tmp_path,
    )
    assert len(ours) > 5
    assert ours == theirs


def test_spins_permuted_trails_replay(endless: Path, spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    run = spin_small.run(endless, PLAIN, (*SAFE, "-DPERMUTED"), ("-p_permute",))
    (tmp_path / "endless.pml.trail").write_text(run.trail)
    folder = hsfpy_small.build(endless, PLAIN, SAFE)
    out = execute([folder / "pan", "-r"], tmp_path).out
    error = parse_report(run.out).error
    assert f"pan:1: {error} " in out
    assert "Error, proc" not in out


def test_reversed_creation(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    model.write_text("active proctype A() { assert(_pid == 0) }\nactive proctype B() { assert(_pid == 1) }\n")
    for words, errors in (((), 0), (("-p_permute",), 0), (("-P0",), 0), (("-P1",), 1), (("-i_reverse",), 1)):
        report = parse_report(hsfpy_small.run(model, PLAIN, SAFE, words).out)
        assert report.errors == errors, words


@pytest.mark.parametrize("words", ["--bfs -p_permute", "--astar -p_rotate"])
def test_other_searches_keep_their_order(words: str, endless: Path, hsfpy_small: Hsfpy) -> None:
    run = hsfpy_small.run(endless, PLAIN, SAFE, words.split())
    usual = hsfpy_small.run(endless, PLAIN, SAFE, words.split()[:1])
    assert run.trails == usual.trails
    assert "reordered in depth-first searches only" in run.err
