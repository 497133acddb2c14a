"""SPIN's own example models: hsfpy gives SPIN's answers.

Modes: *full* counts all states, *order* stops at the first error, *bfs* searches breadth first; in each,
statement merging, dataflow optimisation and reduction are off in both tools.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from oracle import (
    BFS_CC,
    DEEP,
    EXAMPLES,
    FULL_CC,
    PLAIN,
    Hsfpy,
    Rejected,
    Report,
    Run,
    Spin,
    parse_report,
)
from replay import assert_replays_in_spin

# Too large to explore to the end: compared up to a depth.
BOUNDS = {
    "Book_1991/App.F.pftp.pml": 100,
    "Exercises/ex_6.pml": 60,
    "LTL/ltl_gen.pml": 40,
    "LTL/petersonN.pml": 36,
    "life.pml": 200,
    "priorities.pml": 5000,
}
# Explored to the end by `make test-slow`, up to a depth by `make test`.
SLOW = {"LTL/leader.pml": 50, "LTL/leader_pre.pml": 50}
# STDIN exists in simulations only. A verifier receives from a channel that is not there, an error in both tools;
# SPIN's then complains twice more about the same step and breaks off.
NO_STDIN = {"wordcount.pml"}
# Prints constants of a named mtype, which SPIN calls by names of the plain one.
NAMED_MTYPES = {"test_mtype.pml"}
# SPIN stops here at its limit on the size of a state, which hsfpy does not have.
VECTOR_LIMIT = "VECTORSZ is too small, edit pan.h"

NAMES = sorted(str(path.relative_to(EXAMPLES)) for path in EXAMPLES.rglob("*.pml")) or ["(not installed)"]
EXHAUSTIVE = [
    pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in NAMES if name not in BOUNDS
]
BOUNDED = [pytest.param(name, bound) for name, bound in sorted((BOUNDS | SLOW).items())]
CASES = [(name, None) for name in NAMES if name not in BOUNDS | SLOW] + sorted((BOUNDS | SLOW).items())


def depth_option(bound: int | None) -> str:
    return DEEP if bound is None else f"-m{bound}"


def spin_report(run: Run) -> Report | None:
    """The figures of SPIN's run; None if SPIN refuses the model."""
    return None if run.command == ("spin",) else parse_report(run.out)


def hsfpy_report(hsfpy: Hsfpy, model: Path, cc: Sequence[str], pan: Sequence[str]) -> tuple[Report | None, Run | None]:
    """The figures of hsfpy's run; None if hsfpy refuses the model."""
    try:
        run = hsfpy.run(model, PLAIN, cc, pan)
    except Rejected:
        return None, None
    return parse_report(run.out), run


def check_full(name: str, bound: int | None, spin: Spin, hsfpy: Hsfpy) -> None:
    pan = ("-c0", "-n", depth_option(bound))
    theirs = spin_report(spin.run(EXAMPLES / name, PLAIN, FULL_CC, pan))
    ours, _ = hsfpy_report(hsfpy, EXAMPLES / name, FULL_CC, pan)
    if theirs is None or ours is None:
        assert ours is theirs is None
        return
    assert (ours.errors > 0) == (theirs.errors > 0)
    assert (ours.stored, ours.transitions) == (theirs.stored, theirs.transitions)
    assert (ours.matched, ours.atomic) == (theirs.matched, theirs.atomic)
    assert ours.errors == theirs.errors or name in NO_STDIN
    assert (ours.depth_reached, ours.truncated) == (theirs.depth_reached, theirs.truncated)


def check_order(name: str, bound: int | None, spin: Spin, hsfpy: Hsfpy, tmp_path: Path) -> None:
    pan = ("-n", depth_option(bound))
    model = EXAMPLES / name
    run = spin.run(model, PLAIN, FULL_CC, pan)
    theirs = spin_report(run)
    ours, our_run = hsfpy_report(hsfpy, model, FULL_CC, pan)
    if theirs is None or ours is None or our_run is None:
        assert ours is theirs is None
        return
    assert (ours.error, ours.depth) == (theirs.error, theirs.depth)
    assert our_run.trails == run.trails
    if our_run.trails and name not in NO_STDIN:
        assert_replays_in_spin(spin, model, our_run.trail, PLAIN, tmp_path)


def hits_vector_limit(name: str, spin: Spin) -> bool:
    report = spin_report(spin.run(EXAMPLES / name, PLAIN, FULL_CC, ("-n", DEEP)))
    return report is not None and report.error == VECTOR_LIMIT


@pytest.mark.parametrize("name", EXHAUSTIVE)
def test_full(name: str, spin: Spin, hsfpy: Hsfpy) -> None:
    if name not in SLOW and hits_vector_limit(name, spin):
        check_full(name, 100, spin, hsfpy)
    else:
        check_full(name, None, spin, hsfpy)


@pytest.mark.parametrize(("name", "bound"), BOUNDED)
def test_full_up_to_a_depth(name: str, bound: int, spin: Spin, hsfpy: Hsfpy) -> None:
    check_full(name, bound, spin, hsfpy)


@pytest.mark.parametrize("name", EXHAUSTIVE)
def test_order(name: str, spin: Spin, hsfpy: Hsfpy, tmp_path: Path) -> None:
    bound = 100 if name not in SLOW and hits_vector_limit(name, spin) else None
    check_order(name, bound, spin, hsfpy, tmp_path)


@pytest.mark.parametrize(("name", "bound"), BOUNDED)
def test_order_up_to_a_depth(name: str, bound: int, spin: Spin, hsfpy: Hsfpy, tmp_path: Path) -> None:
    check_order(name, bound, spin, hsfpy, tmp_path)


def all_depths(text: str) -> list[int]:
    return [int(depth) for depth in re.findall(r"^pan:\s*\d+: .* \(at depth (-?\d+)\)$", text, re.M)]


def check_shortest(name: str, depth: int, spin: Spin) -> None:
    """SPIN agrees that no error is shorter.

    Its breadth-first search reports an invalid end state one step too deep and misses those that follow
    a rendezvous (it warns then). A depth-first search that remembers depths (-DREACH), bounded so that only
    shorter errors are in reach, has the last word.
    """
    model = EXAMPLES / name
    run = spin.run(model, PLAIN, BFS_CC, ("-n", DEEP))
    bfs = parse_report(run.out)
    if bfs.depth is not None:
        mended = bfs.depth - (bfs.error == "invalid end state")
        assert depth == mended or (depth < mended and "use of rendezvous with BFS" in run.err)
    shallow = spin.run(model, PLAIN, (*FULL_CC, "-DREACH"), ("-c0", "-n", f"-m{depth + 2}"))
    assert min(all_depths(shallow.out), default=depth) >= depth


def check_bfs(name: str, bound: int | None, spin: Spin, hsfpy: Hsfpy, tmp_path: Path) -> None:
    model = EXAMPLES / name
    theirs = spin_report(spin.run(model, PLAIN, FULL_CC, ("-n", depth_option(bound))))
    ours, run = hsfpy_report(hsfpy, model, FULL_CC, ("--bfs", "-n", depth_option(bound)))
    if theirs is None or ours is None or run is None:
        assert ours is theirs is None
        return
    assert (ours.error is None) == (theirs.error is None)
    if ours.depth is not None:
        check_shortest(name, ours.depth, spin)
        if name not in NO_STDIN:
            assert_replays_in_spin(spin, model, run.trail, PLAIN, tmp_path)


@pytest.mark.parametrize("name", EXHAUSTIVE)
def test_bfs(name: str, spin: Spin, hsfpy: Hsfpy, tmp_path: Path) -> None:
    bound = 30 if name not in SLOW and hits_vector_limit(name, spin) else None
    check_bfs(name, bound, spin, hsfpy, tmp_path)


@pytest.mark.parametrize(("name", "bound"), BOUNDED)
def test_bfs_up_to_a_depth(name: str, bound: int, spin: Spin, hsfpy: Hsfpy, tmp_path: Path) -> None:
    check_bfs(name, min(bound, 40), spin, hsfpy, tmp_path)


@pytest.mark.parametrize("cc", [("-DSAFETY",), FULL_CC], ids=["reduced", "full"])
@pytest.mark.parametrize("name", NAMES)
def test_state_table(name: str, cc: tuple[str, ...], spin: Spin, hsfpy: Hsfpy) -> None:
    """`pan -d` line by line: statement ids, state numbers, texts, lines, flags."""
    theirs = spin.run(EXAMPLES / name, ("-o3",), cc, ("-d",))
    if theirs.command == ("spin",):
        with pytest.raises(Rejected):
            hsfpy.build(EXAMPLES / name, ("-o3",), cc)
        return
    ours = hsfpy.run(EXAMPLES / name, ("-o3",), cc, ("-d",))
    assert comparable_table(name, ours.out) == comparable_table(name, theirs.out)


def comparable_table(name: str, text: str) -> list[str]:
    """The lines of `pan -d` that must be SPIN's; docs/compatibility.md says why others need not be."""
    formulas = formula_names(EXAMPLES / name)
    lines = without_formulas(text.splitlines(), "claim ", formulas)
    lines = [line for line in lines if not line.startswith(("pan: elapsed", "pan: rate"))]
    if formulas:
        lines = [re.sub(r"-\(tr +\d+\)->", "-(tr)->", line) for line in lines]
    if name in NAMED_MTYPES:
        lines = [line.partition(" => ")[0] for line in lines]
    return lines


def formula_names(model: Path) -> set[str]:
    """The claims that are translated from formulas: each tool has a translation of its own."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", model.read_text(errors="replace"), flags=re.S)
    names = re.findall(r"^\s*(?:#if.*\s)?ltl\s+(\w*)\s*\{", text, re.M)
    return {name or f"ltl_{number}" for number, name in enumerate(names)}


def without_formulas(lines: Sequence[str], head: str, formulas: set[str]) -> list[str]:
    """The lines outside of the sections about translated formulas."""
    kept, inside = [], False
    for line in lines:
        if not line.startswith("\t"):
            inside = line.startswith(head) and line.removeprefix(head) in formulas
        if not inside:
            kept.append(line)
    return kept


@pytest.mark.parametrize(("name", "bound"), CASES)
def test_unreached(name: str, bound: int | None, spin: Spin, hsfpy: Hsfpy) -> None:
    pan = ("-c0", depth_option(bound))
    if bound is None and hits_vector_limit(name, spin):
        pan = ("-c0", depth_option(100))
    theirs = spin_report(spin.run(EXAMPLES / name, PLAIN, FULL_CC, pan))
    ours, _ = hsfpy_report(hsfpy, EXAMPLES / name, FULL_CC, pan)
    if theirs is None or ours is None:
        assert ours is theirs is None
        return
    # These runs use no claim: what SPIN then lists of one says nothing about the search.
    claims = formula_names(EXAMPLES / name) | {"never_0"}
    expected = without_formulas(theirs.unreached, "unreached in claim ", claims)
    assert without_formulas(ours.unreached, "unreached in claim ", claims) == expected or name in NO_STDIN
