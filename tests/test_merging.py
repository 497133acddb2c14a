"""Statement merging: fewer states, the same errors, trails that name every statement."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import liveness_models
import private_models
import pytest
import random_models
from many_models import Workshop, answer
from oracle import PLAIN, Hsfpy, Spin, execute, parse_report
from replay import assert_replays_in_spin, last_depth, steps

LOCAL = """byte g;
active proctype A() { byte x; x = 1; x = x + 1; g = x; x = 3; x = x * 2; g = g + x }
active proctype B() { byte y; do :: y < 3 -> y++; y = y * 1 :: else -> break od; g = 7 }
"""
# The second assertion of A lies in the middle of a chain.
FAILS_INSIDE = """byte g;
active proctype A() { byte x; g = 1; x = 2; assert(x == 2); assert(x == 3); x = 4; g = 2 }
active proctype B() { g = 3; g = 4 }
"""
CYCLE = """bool stop; byte g;
active proctype A() { byte x; do :: g = 1 - g; x = 1; x = 2 od }
active proctype B() { byte y; y = 1; y = 2; stop = true }
"""
CLAIMS = {
    "formula": "ltl p { <> (g == 2) }",
    "written": "never { accept: do :: g != 2 od }",
    "finite": "never { do :: !stop :: stop -> break od }",
    # What it accepts depends on how many steps there are: merged statements are one step for it, as in SPIN.
    "counting": "never { T0: if :: true -> goto T1 fi; T1: if :: true -> goto T2 fi; T2: accept: do :: true od }",
}


def build(text: str, hsfpy: Hsfpy, where: Path, *flags: str) -> tuple[Path, Path]:
    """The model, and the folder of its verifier."""
    model = where / "m.pml"
    model.write_text(text)
    return model, hsfpy.build(model, flags, ())


def replays(spin: Spin, model: Path, trail: str) -> None:
    where = model.parent / "replay"
    where.mkdir()
    assert_replays_in_spin(spin, model, trail, PLAIN, where)


@pytest.fixture(scope="session")
def workshop(scratch: Path) -> Workshop:
    scratch.mkdir(parents=True, exist_ok=True)
    return Workshop(scratch)


def test_states_before_merged_statements_are_not_stored(hsfpy_small: Hsfpy, spin_small: Spin, tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    model.write_text(LOCAL)
    merged, apart = (
        parse_report(hsfpy_small.run(model, flags, (), ("-c0", "-n")).out) for flags in (("-o1", "-o2"), PLAIN)
    )
    theirs = parse_report(spin_small.run(model, ("-o1", "-o2"), ("-DSAFETY",), ("-c0", "-n", "-w16")).out)
    assert merged.stored <= theirs.stored < apart.stored
    assert merged.errors == apart.errors == 0


def test_merged_statements_count_as_reached(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    model.write_text(LOCAL)
    merged, apart = (parse_report(hsfpy_small.run(model, flags, (), ()).out) for flags in ((), PLAIN))
    assert merged.unreached == apart.unreached


def test_an_error_inside_a_chain(hsfpy_small: Hsfpy, spin_small: Spin, tmp_path: Path) -> None:
    """The trail ends with the statement that fails, not with the chain."""
    model, folder = build(FAILS_INSIDE, hsfpy_small, tmp_path)
    run = execute([folder / "pan"], tmp_path)
    assert "assertion violated (x==3)" in run.out and run.err == ""
    trail = (tmp_path / "m.pml.trail").read_text()
    assert f"(at depth {last_depth(trail) - 1})" in run.out
    replays(spin_small, model, trail)
    told = execute(["spin", "-t", "-p", "m.pml"], tmp_path)
    assert "text of failed assertion: assert((x==3))" in told.out


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("options", [("-a",), ("-a", "-f"), ()], ids=" ".join)
def test_trails_with_claims(
    claim: str, options: tuple[str, ...], hsfpy_small: Hsfpy, spin_small: Spin, tmp_path: Path
) -> None:
    model, folder = build(CYCLE + CLAIMS[claim], hsfpy_small, tmp_path)
    found, full = (answer(folder / "pan", *options, *more) for more in ((), ("--reduce=off",)))
    assert found["verdict"] == full["verdict"]
    if found["errors"]:
        trail = (folder / "m.pml.trail").read_text()
        assert steps(trail) and found["confirmed"] is True
        if claim != "formula":  # of these SPIN makes other claims
            replays(spin_small, model, trail)


@pytest.mark.parametrize("seed", range(12))
def test_verdicts_about_cycles(seed: int, workshop: Workshop, tmp_path: Path) -> None:
    """With and without fairness, where nothing else is reduced."""
    pan = workshop.build(liveness_models.random_model(seed, 3), tmp_path)
    checks = [("-l",), ("-l", "-f"), *((*kind, "-N", f"p{i}") for kind in (("-a",), ("-a", "-f")) for i in range(3))]
    for options in checks:
        merged, apart = (answer(pan, *options, *more) for more in ((), ("--reduce=off",)))
        assert merged["verdict"] == apart["verdict"], options
        assert merged.get("confirmed") is not False  # said of errors only


def figures(found: dict[str, Any]) -> tuple[object, ...]:
    """An error may be met more than once when another process is tried."""
    return found["verdict"], found["stored"]


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("models", [random_models, private_models], ids=lambda module: module.__name__)
def test_both_depth_first_searches_store_the_same(models: Any, seed: int, workshop: Workshop, tmp_path: Path) -> None:
    """The fast search decides at once who moves for all, the other one step by step; -p_rotate0 asks for the latter."""
    text = models.random_model(seed) if models is random_models else models.random_model(seed, 1)
    pan = workshop.build(text, tmp_path, "12")
    for reduction in ("stack-", "stack", "static"):
        options = ("-c0", "--no-claim", "--max-depth=2000", f"--reduce={reduction}")
        assert figures(answer(pan, *options)) == figures(answer(pan, "-p_rotate0", *options)), reduction
