"""When a search says "shortest", it is: errors, estimates and options that have tempted it to say so wrongly."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest
from oracle import FULL_CC, PLAIN, Hsfpy, Spin, parse_report

EXACT = ("--astar", "--weight=0.75", "--weight=1", "--idastar")  # with a lower bound, these find a shortest error


class Model:
    """A small model and the searches on it."""

    def __init__(self, text: str, folder: Path, hsfpy: Hsfpy, *flags: str) -> None:
        self.path = folder / "small.pml"
        self.path.write_text(textwrap.dedent(text))
        self.hsfpy = hsfpy
        self.flags = flags

    def search(self, *args: str) -> dict[str, Any]:
        run = self.hsfpy.run(self.path, self.flags, (), ("--json", *args))
        assert run.code == 0, run.out + run.err
        return dict(json.loads(run.out.splitlines()[-1]))

    def refused(self, *args: str) -> str:
        run = self.hsfpy.run(self.path, self.flags, (), args)
        assert run.code == 1, run.out
        return run.err


@pytest.fixture
def make(tmp_path: Path, hsfpy_small: Hsfpy) -> Any:
    return lambda text, *flags: Model(text, tmp_path, hsfpy_small, *flags)


def assert_exact(model: Model, length: int, heuristic: str, *args: str) -> None:
    """All searches that promise it find the error of this length and say that none is shorter."""
    runs = {"--bfs": model.search("--bfs", *args)}
    for way in EXACT:
        runs[way] = model.search(way, f"--heuristic={heuristic}", *args)
    assert {way: (run["length"], run["optimal"]) for way, run in runs.items()} == dict.fromkeys(runs, (length, True))


# ---- errors of other kinds than the estimate speaks of

RUN_TIME_ERROR = """
    byte a[2], i;
    active proctype P() { i = 1; i = 2; a[i] = 1 }
    active proctype Q() { byte n; do :: n < 9 -> n++ :: else -> break od; assert(false) }
"""


@pytest.mark.parametrize("way", EXACT[:2] + EXACT[3:])
def test_a_run_time_error_is_no_shortest_assertion(way: str, make: Any) -> None:
    found = make(RUN_TIME_ERROR).search(way, "--heuristic=assertion", "-E")
    assert found["error"].startswith(("assertion violated - invalid array index", "assertion violated 0"))
    assert found["optimal"] is (found["error"] == "assertion violated 0")
    none = make(RUN_TIME_ERROR).search(way, "--heuristic=none", "-E")
    assert none["error"].startswith("assertion violated - ") and none["optimal"] and none["length"] == 3


def test_an_assertion_of_the_claim_is_no_shortest_assertion(make: Any) -> None:
    model = make("""
        byte n;
        active proctype P() { do :: n < 9 -> n++ :: else -> break od; assert(false) }
        never { do :: n < 3 :: n >= 3 -> assert(n > 3); break od; do :: true od }
    """)
    found = model.search("--astar", "--heuristic=assertion")
    assert found["error"] == "assertion violated (n>3)"
    assert not found["optimal"]


def test_a_deadlock_is_no_shortest_assertion_nor_the_other_way_round(make: Any) -> None:
    model = make("""
        byte n;
        active proctype P() { n++; n++; assert(n < 2) }
        active proctype Q() { n == 9 }
    """)
    for way in ("--astar", "--idastar", "--weight=0.75"):
        found = model.search(way, "--heuristic=assertion", "-A")
        assert (found["error"], found["optimal"]) == ("invalid end state", False)
        found = model.search(way, "--heuristic=deadlock", "-E")
        assert (found["error"], found["optimal"]) == ("assertion violated (n<2)", False)


def test_searches_that_promise_nothing_say_nothing(make: Any) -> None:
    model = make("byte n; active proctype P() { n++; n++; assert(n < 2) }")
    for args in (
        ("--bestfirst",),
        ("--weight=0.4",),
        ("--astar", "--h-and=sum"),
        ("--astar", "--heuristic=ap"),
        ("--idastar", "--bitstate=20"),
    ):
        found = model.search(*args)
        assert (found["verdict"], found["optimal"]) == ("error", False), args


def test_without_a_way_to_an_assertion_other_errors_are_found(make: Any) -> None:
    """The estimate sees no way to an assertion from the start; the deadlock is there nevertheless."""
    model = make("""
        byte n;
        proctype Never() { assert(n == 0) }
        active proctype P() { if :: n == 0 -> n = 1 :: n == 2 -> run Never() fi; n == 2 }
    """)
    for way in ("--astar", "--idastar", "--bestfirst", "--weight=0.3"):
        found = model.search(way, "--heuristic=assertion")
        assert (found["error"], found["length"], found["optimal"]) == ("invalid end state", 2, False), way
    gone = make("byte n; active proctype P() { assert(n == 0); n = 1; n == 2 }")
    for way in ("--astar", "--idastar", "--bestfirst"):
        assert gone.search(way, "--heuristic=assertion")["error"] == "invalid end state", way


# ---- steps of different length


def test_a_rendezvous_into_a_d_step_is_two_steps(make: Any) -> None:
    """Two assertions fail from the same state; in one order of processes the longer step is found first."""
    model = make("""
        chan r = [0] of { byte };
        byte x;
        active proctype A() { assert(x == 1) }
        active proctype B() { d_step { r?x; assert(x == 0) } }
        active proctype C() { r!1 }
    """)
    for args in ((), ("-p_reverse",)):
        assert_exact(model, 1, "assertion", "-E", *args)
        assert_exact(model, 1, "none", "-E", *args)


def test_late_errors_are_all_counted(make: Any, spin_small: Spin) -> None:
    model = make(
        """
        chan r = [0] of { byte };
        byte x;
        active proctype B() { do :: r!1 :: r!2 od }
        active proctype C() {
            do
            :: d_step { r?x; assert(x == 0) }
            :: d_step { r?x; assert(x == 1) }
            :: x < 3 -> assert(x < 2); x = 0
            od
        }
    """,
        *PLAIN,
    )
    theirs = parse_report(spin_small.run(model.path, PLAIN, FULL_CC, ("-c0", "-n", "-E", "-w16")).out)
    for way in ("--bfs", "--astar", "--dfs"):
        found = model.search(way, "-c0", "-E")
        assert (found["errors"], found["stored"]) == (theirs.errors, theirs.stored), way


def test_claim_and_program_errors_in_order_of_length(make: Any) -> None:
    """A program's fault takes the claim's step and its own, the claim's end only its own."""
    model = make("""
        byte n;
        active proctype P() { n++; assert(n == 0) }
        never { do :: n == 0 :: n == 1 -> break :: n == 1 od }
    """)
    found = model.search("--bfs")
    assert (found["error"], found["optimal"]) == ("end state in claim reached", True)


# ---- estimates: what they count must not be had in fewer steps
#
# Each model has two ways to an error, chosen by its first steps. Too large an estimate on the shorter one makes the
# longer one look better.


def test_other_values_to_poll_for(make: Any) -> None:
    """The head is to be x: x may change sooner than the message comes to the head."""
    model = make("""
        chan q = [4] of { byte };
        byte x = 9, n;
        active proctype P() {
            atomic { q!1; q!2; q!3; q!9 };
            if
            :: n = 1; x = 1; assert(!q?[eval(x)])
            :: n = 2; n = 3; n = 4; assert(n == 0)
            fi
        }
    """)
    assert_exact(model, 7, "assertion", "-E")


def test_another_channel_of_the_array(make: Any) -> None:
    """One channel of the array is full already: the index gets there at once."""
    model = make("""
        chan q[2] = [3] of { byte };
        byte i, n;
        active proctype P() {
            atomic { q[1]!1; q[1]!1; q[1]!1 };
            if
            :: n = 1; i = 1; q[i]!2
            :: n = 2; n = 3; n = 4; n == 9
            fi
        }
    """)
    assert_exact(model, 5, "deadlock", "-A")


def test_another_channel_in_the_variable(make: Any) -> None:
    model = make("""
        chan a = [3] of { byte };
        chan b = [3] of { byte };
        chan c;
        byte n;
        active proctype P() {
            atomic { c = a; b!1; b!1; b!1 };
            if
            :: n = 1; c = b; assert(nfull(c))
            :: n = 2; n = 3; n = 4; assert(n == 0)
            fi
        }
    """)
    assert_exact(model, 7, "assertion", "-E")


def test_channels_that_stay_are_counted(make: Any) -> None:
    """The same with indices that never change: here the messages may be counted, and that helps."""
    model = make("""
        chan q[2] = [6] of { byte };
        active [2] proctype P() { do :: assert(nfull(q[_pid])); q[_pid]!1 :: q[_pid]?_ od }
    """)
    assert_exact(model, 13, "assertion", "-E")
    assert model.search("--astar", "-E")["h_max"] == 6


def test_an_integer_wraps_around(make: Any) -> None:
    model = make("""
        int n = 2147483646;
        byte m;
        active proctype P() {
            if
            :: n++; n++; assert(n > 0)
            :: m = 1; m = 2; m = 3; assert(m == 0)
            fi
        }
    """)
    assert_exact(model, 3, "assertion", "-E")


def test_a_selection_without_options_blocks(make: Any) -> None:
    """`false` can never be chosen: where nothing else can, a process is stuck."""
    model = make("""
        byte n;
        active proctype P() {
            if
            :: n = 1; if :: n = 2; if :: false fi :: n = 3; n = 4; n = 5; n == 9 fi
            :: n = 6; n = 7; n = 8; n == 9
            fi
        }
    """)
    assert_exact(model, 2, "deadlock", "-A")


def test_timeout_in_an_estimate(make: Any) -> None:
    assert_exact(
        make("""
        byte n;
        active proctype P() { do :: timeout && n == 0 -> n = 1 :: n == 1 -> break od; n == 0 }
        active proctype Q() { n == 1; !timeout; n == 7 }
    """), 5, "deadlock", "-A",
    )  # fmt: skip


def test_locations_of_several_processes_add_up(make: Any) -> None:
    """Every step moves one process, so the distances of different processes may be added."""
    text = """
        byte n;
        proctype P() { n++; n++; n++; here: n++ }
        active proctype Q() { do :: n < 200 -> n++ od }
        init { run P(); run P(); run P() }
    """
    flags = ("--invariant", "!(P[2]@here && P[3]@here && P[4]@here)")
    model = make(text, *flags)
    assert_exact(model, 12, "invariant", "-E")
    guided = model.search("--astar", "-E")
    assert guided["h_max"] >= 9
    assert 3 * guided["expanded"] < model.search("--bfs", "-E")["expanded"]


def test_a_process_is_started_by_a_step_that_moves_another(make: Any) -> None:
    """One step takes a process to its label and makes the other one there."""
    model = make(
        """
        byte n;
        proctype P() { here: n++ }
        active proctype Main() {
            if
            :: n = 1; run P(); there: n = 2
            :: n = 3; n = 4; n = 5; n = 6
            fi
        }
    """, "--invariant", "!((Main[0]@there && P[1]@here) || n == 5)",
    )  # fmt: skip
    assert_exact(model, 2, "invariant", "-E")


# ---- invariants


INSIDE_ATOMIC = """
    byte n;
    active proctype P() { do :: atomic { n < 3 -> n++; n = 7; n = n - 6 } od }
"""
BLOCKED_INSIDE = """
    byte n, go;
    active proctype P() { atomic { n = 7; go == 1; n = 0 } }
    active proctype Q() { go = 1; n == 0 }
"""


@pytest.mark.parametrize(("text", "verdict"), [(INSIDE_ATOMIC, "no error"), (BLOCKED_INSIDE, "error")])
def test_an_atomic_sequence_is_not_seen_from_outside(text: str, verdict: str, make: Any, spin_small: Spin) -> None:
    """As with a claim, unless the process has to wait inside."""
    model = make(text, "--invariant", "n < 7")
    for way in ("--dfs", "--bfs", "--astar", "--bestfirst", "--idastar"):
        assert model.search(way, "-E")["verdict"] == verdict, way
    model.path.write_text(model.path.read_text() + "never { do :: n < 7 :: !(n < 7) -> break od }\n")
    theirs = parse_report(spin_small.run(model.path, PLAIN, ("-DSAFETY", "-DNOREDUCE"), ("-n", "-w16")).out)
    assert (theirs.errors > 0) == (verdict == "error")


def test_a_formula_that_is_switched_off_is_no_invariant(make: Any) -> None:
    model = make("byte n; active proctype P() { n++; n++ } ltl one { [] (n < 2) } ltl two { [] (n < 1) }")
    for way in ("--bfs", "--astar", "--idastar"):
        assert model.search(way, "--no-claim")["verdict"] == "no error", way
    chosen = model.search("--astar", "--claim=two")
    assert (chosen["error"], chosen["length"], chosen["optimal"]) == ("invariant violated (n<1)", 1, True)
    assert model.search("--astar", "--claim=one")["length"] == 2
    assert model.search("--astar", "--invariant=one")["length"] == 2


# ---- costs, limits, memory


def test_costs_of_the_first_error(make: Any) -> None:
    model = make("""
        chan q = [1] of { byte };
        active proctype P() { do :: q!1 :: q?_ od }
        active proctype Q() { byte n; q?n; assert(n == 0); assert(n == 2) }
    """)
    for way in ("--astar", "--idastar", "--weight=0.75"):
        found = model.search(way, "--cost=comm", "-E")
        assert (found["cost"], found["length"], found["optimal"]) == (2, 3, True), way
    assert model.search("--astar", "--cost=comm", "-E", "-c0")["cost"] == 2


def test_a_cheap_way_may_be_longer_than_the_limit(make: Any) -> None:
    model = make("""
        chan q = [9] of { byte };
        byte n;
        active proctype P() {
            if
            :: n = 1; n = 2; n = 3; n = 4; n = 5
            :: q!1; q!1
            fi;
            assert(false)
        }
    """)
    free = model.search("--astar", "--cost=comm")
    assert (free["cost"], free["optimal"]) == (0, True)
    for way in ("--astar", "--idastar"):
        limited = model.search(way, "--cost=comm", "-m4")
        assert (limited["cost"], limited["optimal"]) == (2, False), way


def test_idastar_knows_the_depth_limit(make: Any) -> None:
    model = make("byte n; active proctype P() { do :: n < 9 -> n++ :: else -> break od; assert(false) }")
    assert model.search("--idastar", "-m12")["verdict"] == "incomplete"
    assert model.search("--idastar")["length"] == 20
    assert model.search("--idastar", "-m12", "-b")["error"] == "depth limit reached"
    assert "stops at the first error" in model.refused("--idastar", "-c0")


def test_hopeless_states_cost_no_more_than_others(make: Any) -> None:
    """From most states no assertion can be reached any more, at thousands of different lengths."""
    model = make("""
        int n, m;
        active proctype P() { if :: true :: n == 9 -> assert(m < 0) fi; do :: m < 3000 -> m++ :: else -> break od }
        active proctype Q() { n = 1; n = 2; n == 5 }
    """)
    guided = model.search("--astar", "--heuristic=assertion", "-E")
    plain = model.search("--bfs", "-E")
    assert guided["verdict"] == plain["verdict"] == "no error"
    assert guided["stored"] == plain["stored"]
    assert guided["memory_bytes"] < plain["memory_bytes"] + (8 << 20)
