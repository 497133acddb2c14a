"""A sample of models with the address and undefined-behaviour sanitizers: no report, same figures."""

from __future__ import annotations

from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from oracle import (
    DEEP,
    EXAMPLES,
    PLAIN,
    PROMELA,
    Hsfpy,
    execute,
    parse_report,
    read_expectation,
)

SANITIZE = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
SAMPLE = [
    "array_bits_packed",
    "array_index_out_of_bounds",
    "atomic_rendezvous_into_atomic",
    "atomic_self_loop_cycle",
    "c_state_local",
    "c_track_matched",
    "chan_copy_random_receive",
    "chan_local_passed_on",
    "chan_message_loss",
    "chan_sorted_send",
    "chan_uninitialised_receive",
    "dstep_loop",
    "enabled_function",
    "expr_division_by_zero",
    "hidden_variable",
    "never_claim_nondeterministic",
    "notrace_failing",
    "priority_set_get",
    "remote_variable",
    "run_dynamic_tree",
    "run_limit_255",
    "type_short_wraps",
    "typedef_nested_arrays",
    "unless_rendezvous_escape",
]
# The language lets int wrap; the verifier's own sums must not rely on it.
WRAPS = ["type_int_overflow", "expr_shift_and_bits"]
QUICK = {
    "atomic_rendezvous_into_atomic",
    "c_state_local",
    "chan_sorted_send",
    "dstep_loop",
    "run_dynamic_tree",
    "type_int_overflow",
    "unless_rendezvous_escape",
}


def test_sanitizers_are_there(hsfpy_small: Hsfpy) -> None:
    """A compiler that ignores the options would let all other tests of this kind pass."""
    folder = hsfpy_small.build(PROMELA / "dstep_loop.pml", PLAIN, (), SANITIZE)
    pan = (folder / "pan").read_bytes()
    assert b"__asan_init" in pan and b"__ubsan_handle" in pan


def some_quick(names: list[str], quick: set[str]) -> list[ParameterSet]:
    """Compiling with sanitizers takes long: most are left to the slow suite."""
    return [pytest.param(name, marks=() if name in quick else pytest.mark.slow) for name in names]


@pytest.mark.parametrize("search", ["--dfs", "--bfs"])
@pytest.mark.parametrize("name", some_quick(SAMPLE + WRAPS, QUICK))
def test_small_model(name: str, search: str, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = PROMELA / f"{name}.pml"
    expect = read_expectation(model)
    flags = (*PLAIN, *expect.flags)
    folder = hsfpy_small.build(model, flags, expect.cc, SANITIZE)
    run = execute([folder / "pan", search, "-c0", DEEP, *expect.pan], tmp_path)
    assert (run.code, run.err) == (0, "")
    report = parse_report(run.out)
    assert (report.errors > 0) == (expect.values["error"] != "none")
    if search == "--dfs" and "stored" in expect.values:
        assert str(report.stored) == expect.values["stored"]


CHOSEN = ["abp.pml", "snoopy.pml", "leader0.pml", "pathfinder.pml", "eratosthenes.pml"]


@pytest.mark.parametrize("name", some_quick(CHOSEN, {"snoopy.pml"}))
def test_example(name: str, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    folder = hsfpy_small.build(EXAMPLES / name, PLAIN, (), SANITIZE)
    for options in (("-c0", "-m2000"), ("--bfs", "-m30"), ("-d",), ("-D",)):
        run = execute([folder / "pan", *options], tmp_path)
        assert run.code == 0
        assert "runtime error" not in run.err and "AddressSanitizer" not in run.err, run.err


def test_replay(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = PROMELA / "chan_sorted_send.pml"
    folder = hsfpy_small.build(model, PLAIN, (), SANITIZE)
    assert execute([folder / "pan"], tmp_path).code == 0
    run = execute([folder / "pan", "-r"], tmp_path)
    assert (run.code, run.err) == (0, "")
