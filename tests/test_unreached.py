"""What `pan -v` lists as unreached after a search that stopped at an error is what SPIN lists.

SPIN counts a statement as reached when it has tried it, and where a step leads when it has come back from there; so the
list depends on how far the search had come, and on its order.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from oracle import DEEP, EXAMPLES, FULL_CC, PLAIN, PROMELA, Hsfpy, Spin, parse_report, read_expectation
from test_oracle_examples import NAMED_MTYPES, formula_names, without_formulas

# SPIN's examples that have an error; life.pml and snoopy.pml only after thousands of states.
EXAMPLES_WITH_ERRORS = """
    Book_1991/p101.pml Book_1991/p104.1.pml Book_1991/p105.1.pml Book_1991/p107.pml Book_1991/p116.pml
    Book_1991/p117.pml Book_1991/p312.pml Book_1991/p319.pml Book_1991/p96.1.pml Book_1991/p97.1.pml
    Exercises/ex_1f.pml Exercises/ex_3c.pml Exercises/ex_4.pml LTL/salesman1.pml LTL/salesman2.pml
    for_select_example.pml hajek.pml life.pml pathfinder.pml sat.pml snoopy.pml test_mtype.pml werkplaats.pml
""".split()
# Models in which an error stops SPIN too, at the same place.
MODELS_WITH_ERRORS = [
    model
    for model in sorted(PROMELA.glob("*.pml"))
    if (expect := read_expectation(model)).values.get("error", "none") != "none" and "spin" not in expect.values
]
# dfs_batch.c, and dfs.c, which keeps whole vectors.
ENGINES = ((), ("--store=plain",))
# Cycles, with hand-written claims or labels: their search follows SPIN's.
CYCLES = [("Book_1991/p123.pml", "-a"), ("Book_1991/p123.pml", "-l"), ("loops.pml", "-a")]


def listed(out: str, model: Path) -> list[str]:
    """The list of unreached statements, without the claims that each tool translates in its own way."""
    return without_formulas(parse_report(out).unreached, "unreached in claim ", formula_names(model))


def assert_same_list(
    model: Path, spin: Spin, hsfpy: Hsfpy, flags: Sequence[str], cc: Sequence[str], pan: Sequence[str]
) -> None:
    theirs = spin.run(model, flags, cc, pan)
    assert parse_report(theirs.out).error is not None
    for engine in ENGINES if "-a" not in pan and "-l" not in pan else ENGINES[:1]:
        ours = hsfpy.run(model, flags, cc, (*pan, *engine))
        assert parse_report(ours.out).depth == parse_report(theirs.out).depth
        assert listed(ours.out, model) == listed(theirs.out, model), engine


@pytest.mark.parametrize("name", sorted(set(EXAMPLES_WITH_ERRORS) - NAMED_MTYPES))
def test_examples(name: str, spin: Spin, hsfpy: Hsfpy) -> None:
    assert_same_list(EXAMPLES / name, spin, hsfpy, PLAIN, FULL_CC, ("-v", DEEP))


@pytest.mark.parametrize("model", MODELS_WITH_ERRORS, ids=lambda path: path.stem)
def test_language(model: Path, spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    expect = read_expectation(model)
    flags = (*PLAIN, *expect.flags)
    assert_same_list(model, spin_small, hsfpy_small, flags, expect.cc, ("-v", DEEP, "-w18", *expect.pan))


@pytest.mark.parametrize(("name", "kind"), CYCLES)
def test_cycles(name: str, kind: str, spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    cc = ("-DNOREDUCE", "-DNP") if kind == "-l" else ("-DNOREDUCE",)
    assert_same_list(EXAMPLES / name, spin_small, hsfpy_small, PLAIN, cc, (kind, "-v"))


def test_no_list_without_v(hsfpy_small: Hsfpy) -> None:
    """A search that did not get to its end says nothing about the rest, unless it is asked."""
    model = EXAMPLES / "pathfinder.pml"
    assert parse_report(hsfpy_small.run(model).out).unreached == ()
    assert parse_report(hsfpy_small.run(model, pan=("-v", "-n")).out).unreached == ()


NEVER_STARTED = """
byte g;
proctype U() { g = 3; g = 4 }
proctype V() { do :: g = 3 :: g = 4 od }
active proctype Q() { g = 3 }
"""


def test_proctypes_that_never_start(spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / "never_started.pml"
    model.write_text(NEVER_STARTED)
    ours, theirs = hsfpy_small.run(model), spin_small.run(model)
    assert parse_report(ours.out).unreached == parse_report(theirs.out).unreached
    assert '\tnever_started.pml:3, state 1, "g = 3"' in parse_report(ours.out).unreached
