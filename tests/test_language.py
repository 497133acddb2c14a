"""Every model in tests/promela: SPIN and hsfpy both give what is written on top of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from oracle import (
    DEEP,
    PLAIN,
    PROMELA,
    SELF_LOOP,
    Expectation,
    Hsfpy,
    Rejected,
    Report,
    Run,
    Spin,
    parse_report,
    read_expectation,
)

MODELS = sorted(PROMELA.glob("*.pml"))
SMALL = "-w18"
ORDER = ("-n", DEEP, SMALL)
FULL = ("-c0", *ORDER)


def answers(order: Report, full: Report) -> dict[str, str]:
    """The two reports in the words of an expectation."""
    found = {"error": order.error or "none"}
    if order.depth is not None:
        found["depth"] = str(order.depth)
    return found | {
        "errors": str(full.errors),
        "stored": str(full.stored),
        "transitions": str(full.transitions),
    }


def wanted(expect: Expectation) -> dict[str, str]:
    keys = ("error", "depth", "errors", "stored", "transitions")
    return {key: expect.values[key] for key in keys if key in expect.values}


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_spin_gives_the_expectation(model: Path, spin_small: Spin) -> None:
    expect = read_expectation(model)
    flags = (*PLAIN, *expect.flags)
    order = spin_small.run(model, flags, expect.cc, (*ORDER, *expect.pan))
    if expect.reject is not None:
        assert expect.reject in order.out
        return
    if expect.spin_crashes:
        assert order.code < 0
        return
    full = spin_small.run(model, flags, expect.cc, (*FULL, *expect.pan))
    found = answers(parse_report(order.out), parse_report(full.out))
    agrees = {key: value for key, value in found.items() if key in expect.compared} == wanted(expect)
    assert agrees != expect.spin_is_wrong, found


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_hsfpy_gives_the_expectation(model: Path, hsfpy_small: Hsfpy) -> None:
    expect = read_expectation(model)
    flags = (*PLAIN, *expect.flags)
    if expect.reject is not None:
        assert_refused(model, flags, expect, hsfpy_small)
        return
    order = hsfpy_small.run(model, flags, expect.cc, (*ORDER, *expect.pan))
    full = hsfpy_small.run(model, flags, expect.cc, (*FULL, *expect.pan))
    assert order.code == full.code == 0
    found = answers(parse_report(order.out), parse_report(full.out))
    expected = wanted(expect)
    assert {key: found.get(key) for key in expected} == expected
    assert ("depth" in found) == ("depth" in expected)


def assert_refused(model: Path, flags: tuple[str, ...], expect: Expectation, hsfpy: Hsfpy) -> None:
    """SPIN refuses some models when the verifier is made and some when it starts."""
    try:
        run: Run = hsfpy.run(model, flags, expect.cc, (*ORDER, *expect.pan))
    except Rejected as refusal:
        first = str(refusal).splitlines()[0]
        assert re.match(rf"spin: {re.escape(model.name)}:\d+, Error: \S", first), first
        assert "Traceback" not in str(refusal)
    else:
        assert expect.reject == SELF_LOOP and SELF_LOOP in run.out
