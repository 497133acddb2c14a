"""Compile-time directives of pan.c: what SPIN prints or does under them, hsfpy does too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from oracle import EXAMPLES, FULL_CC, PLAIN, PROMELA, Hsfpy, Run, Spin, execute, quick_compiler

COUNTS = (*FULL_CC, "-DPEG", "-DVAR_RANGES", "-DNSUCC")
SAFE_CLAIM = ("-DNOREDUCE", "-DSAFETY", "-DPEG", "-DVAR_RANGES", "-DNSUCC")


def counts(run: Run) -> str:
    """The parts of a report that directives add. SPIN has no place for jumps and prints a null pointer."""
    found = re.search(r"\nPeg Counts.*?(?=\npan: elapsed)", run.out, re.S)
    assert found is not None, run.out
    return found.group().replace("(null):0", "(jumps):0")


@pytest.mark.parametrize(
    ("name", "cc"),
    [
        ("array_bits_packed", COUNTS),
        ("atomic_rendezvous_into_atomic", COUNTS),
        ("chan_receive_into_array", COUNTS),
        ("dstep_loop", COUNTS),
        ("enabled_of_claimed_process", SAFE_CLAIM),
        ("pc_value_function", SAFE_CLAIM),
        ("timeout_with_rendezvous", COUNTS),
        ("typedef_nested_arrays", COUNTS),
        ("type_short_wraps", COUNTS),
        ("unless_rendezvous_escape", COUNTS),
    ],
)
def test_counts_are_spins(name: str, cc: tuple[str, ...], spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    """-DPEG, -DVAR_RANGES and -DNSUCC: statements executed, values assigned, successors of states."""
    model = PROMELA / f"{name}.pml"
    theirs, ours = (tool.run(model, PLAIN, cc, ("-c0", "-n")) for tool in (spin_small, hsfpy_small))
    assert counts(ours) == counts(theirs)


@pytest.mark.parametrize("name", ["leader0.pml", "peterson.pml", "abp.pml"])
def test_counts_of_examples_are_spins(name: str, spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    model = EXAMPLES / name
    theirs, ours = (tool.run(model, PLAIN, COUNTS, ("-c0",)) for tool in (spin_small, hsfpy_small))
    assert counts(ours) == counts(theirs)


def test_counts_stop_with_the_search(spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    """The statement that fails is not counted when the search ends there."""
    model = PROMELA / "assert_false_constant.pml"
    theirs, ours = (tool.run(model, PLAIN, COUNTS) for tool in (spin_small, hsfpy_small))
    assert counts(ours) == counts(theirs)


def test_counts_of_other_searches(hsfpy_small: Hsfpy) -> None:
    """Breadth first, statements are counted too; numbers of successors belong to depth-first search."""
    run = hsfpy_small.run(PROMELA / "dstep_loop.pml", PLAIN, COUNTS, ("--bfs", "-n"))
    assert "Peg Counts (transitions executed):\n" in run.out
    assert re.search(r"^ +\d+\ttrans +\d+ dstep_loop.pml:\d+$", run.out, re.M)
    assert "Successor counts" not in run.out


@pytest.mark.parametrize(
    ("words", "shows"),
    [
        (["-run", "-DPEG"], "Peg Counts"),
        (["-run", "-DVAR_RANGES"], "Values assigned"),
        (["-run", "-DNSUCC"], "Successor counts"),
        (["-DPEG", "-a"], "Peg Counts"),
        (["-a"], None),
    ],
)
def test_counts_by_hsfpy_itself(words: list[str], shows: str | None, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """The cached runtime is compiled anew for them, and only for them."""
    (tmp_path / "m.pml").write_text("byte g;\nactive [2] proctype P() { g++; g++ }\n")
    run = hsfpy_small.call(*words, "m.pml", cwd=tmp_path, env={"CC": " ".join(quick_compiler())})
    assert run.code == 0
    out = run.out if "-run" in words else execute(["./pan"], tmp_path).out
    titles = [title for title in ("Peg Counts", "Values assigned", "Successor counts") if title in out]
    assert titles == ([shows] if shows else [])
