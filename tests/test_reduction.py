"""Partial order reduction: the verdict with every condition that is sound for a search is the one without."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import liveness_models
import private_models
import pytest
import random_models
from many_models import Workshop, answer
from oracle import EXAMPLES, PLAIN, ROOT, Hsfpy, Spin

from hsfpy.driver import translate
from hsfpy.preprocess import FrontOptions, read_source
from hsfpy.sticky import sticky_locations

SAFETY = {
    "--dfs": ("stack-", "stack", "duplicate-", "duplicate", "static"),
    "--bfs": ("duplicate-", "duplicate", "static"),
    "--astar": ("duplicate-", "static"),
    "--bestfirst": ("duplicate-", "static"),
    "--idastar": ("stack-", "stack", "duplicate-", "static"),
}
LIVENESS = {"--dfs": ("stack", "duplicate", "static"), "--astar": ("static",), "--bfs": ("static",)}
N_FORMULAS = 3
# Iterative deepening visits states again and again.
FEW_STATES = 400


@pytest.fixture(scope="session")
def workshop(scratch: Path) -> Workshop:
    scratch.mkdir(parents=True, exist_ok=True)
    return Workshop(scratch)


def check_verdicts(pan: Path, searches: dict[str, tuple[str, ...]], *options: str) -> None:
    """All searches and conditions find an error, or none finds one."""
    full = answer(pan, "--dfs", "--reduce=off", *options)
    stored = full["stored"]
    assert isinstance(stored, int)
    for search, conditions in searches.items():
        for condition in conditions if search != "--idastar" or stored < FEW_STATES else ():
            found = answer(pan, search, f"--reduce={condition}", *options)
            assert found["verdict"] == full["verdict"], f"{search} --reduce={condition} {options}"


def check_safety(pan: Path) -> None:
    for kind in ("-A", "-E"):
        check_verdicts(pan, SAFETY, kind, "--no-claim")


def check_formulas(pan: Path, prefix: str) -> None:
    for i in range(N_FORMULAS):
        check_verdicts(pan, LIVENESS, "-a", "-N", f"{prefix}{i}")
        check_verdicts(pan, {"--dfs": SAFETY["--dfs"]}, "-N", f"{prefix}{i}")


def some(n_quick: int, n: int) -> Sequence[object]:
    """Seeds: the first ones for every run of the suite, the others for `make test-slow`."""
    return [pytest.param(seed, marks=pytest.mark.slow if seed >= n_quick else ()) for seed in range(n)]


@pytest.mark.parametrize("seed", some(60, 300))
def test_private_models(seed: int, workshop: Workshop, tmp_path: Path) -> None:
    pan = workshop.build(private_models.random_model(seed, N_FORMULAS), tmp_path)
    stored = answer(pan, "--reduce=off", "--no-claim", "--max-depth=2000", "-A", "-E")["stored"]
    if isinstance(stored, int) and stored > 20_000:
        pytest.skip("too many states for all searches")
    check_safety(pan)
    check_formulas(pan, "f")


@pytest.mark.parametrize("seed", some(20, 120))
def test_random_models(seed: int, workshop: Workshop, tmp_path: Path) -> None:
    check_safety(workshop.build(random_models.random_model(seed), tmp_path))


@pytest.mark.parametrize("seed", some(15, 80))
def test_liveness_models(seed: int, workshop: Workshop, tmp_path: Path) -> None:
    check_formulas(workshop.build(liveness_models.random_model(seed, N_FORMULAS), tmp_path), "p")


# ---- models of our own and of SPIN, of moderate size

OWN = sorted(path for path in (ROOT / "models").rglob("*.pml"))
MODERATE = """Book_1991/p104.2.pml Book_1991/p117.pml Book_1991/p123.pml Book_1991/p312.pml Book_1991/p319.pml
Exercises/ex_1a.pml Exercises/ex_3a.pml Exercises/ex_3c.pml Exercises/ex_5.pml LTL/bakery.pml LTL/diskhead.pml
LTL/mobile2.pml abp.pml leader0.pml peterson.pml priorities.pml""".split()
N_STATES = 40_000


def moderate_models() -> Sequence[object]:
    """Models of ours with what a limited search of them costs."""
    found = [EXAMPLES / name for name in MODERATE if (EXAMPLES / name).exists()]
    return [pytest.param(path, id=path.name) for path in found] + [
        pytest.param(path, id=str(path.relative_to(ROOT)), marks=pytest.mark.slow) for path in OWN
    ]


@pytest.mark.parametrize("model", moderate_models())
def test_moderate_models(model: Path, hsfpy: Hsfpy) -> None:
    pan = hsfpy.build(model, PLAIN, ()) / "pan"
    full = answer(pan, "--dfs", "--reduce=off", "-E", "--no-claim", "--max-depth=20000")
    stored = full["stored"]
    assert isinstance(stored, int)
    if stored > N_STATES or full["verdict"] not in ("error", "no error"):
        pytest.skip("too many states for all searches")
    check_safety(pan)


# ---- how much it saves

COUNTERS = """
byte total;
active proctype A() { byte i; do :: i < 20 -> i++ :: else -> break od; total++ }
active proctype B() { byte i; do :: i < 20 -> i++ :: else -> break od; total++ }
active proctype C() { byte i; do :: i < 20 -> i++ :: else -> break od; total++ }
"""


def test_local_work_is_not_interleaved(workshop: Workshop, tmp_path: Path) -> None:
    pan = workshop.build(COUNTERS, tmp_path)
    full = answer(pan, "--dfs", "--reduce=off")["stored"]
    assert isinstance(full, int)
    for search, condition in (("--dfs", "stack-"), ("--bfs", "duplicate-")):
        reduced = answer(pan, search, f"--reduce={condition}")["stored"]
        assert isinstance(reduced, int) and reduced * 50 < full


ATOMIC = """
byte total;
active [3] proctype A() { byte i, j; atomic { j = i; i = j + 1; j = i }; atomic { i = 0; j = 0; i++ }; total++ }
"""
CHANNELS = """
chan a = [3] of { byte };
chan b = [3] of { byte };
active proctype A() { byte i; do :: i < 9 -> a!i; i++ :: else -> break od }
active proctype B() { byte i, x; do :: i < 9 -> a?x; b!x; i++ :: else -> break od }
active proctype C() { byte i, x; do :: i < 9 -> b?x; i++ :: else -> break od }
"""
NAMELESS = """
proctype A(chan c) { xs c; byte i; do :: i < 9 -> c!i; i++ :: else -> break od }
proctype B(chan c) { xr c; byte i, x; do :: i < 9 -> c?x; i++ :: else -> break od }
init { chan c = [3] of { byte }; atomic { run A(c); run B(c) } }
"""


@pytest.mark.parametrize(("text", "states"), [(ATOMIC, 25), (CHANNELS, 120), (NAMELESS, 80)])
def test_states_stored(text: str, states: int, workshop: Workshop, tmp_path: Path) -> None:
    pan = workshop.build(text, tmp_path)
    full, reduced = (answer(pan, *option)["stored"] for option in (("--reduce=off",), ()))
    assert isinstance(full, int) and isinstance(reduced, int)
    assert reduced <= states and reduced * 2 < full


# ---- where it goes wrong

# A waits for C to read its message, in the middle of an atomic sequence that has set x: B may see x then.
INTERRUPTED = """
chan c = [1] of { byte };
byte x;
active proctype A() { c!1; atomic { x = 1; c!2; x = 0 } }
active proctype B() { assert(x == 0) }
active proctype C() { c?_; c?_ }
"""
# The escape is taken only before the message arrives.
ESCAPE = """
chan c = [1] of { byte };
byte x;
active proctype A() { byte i; c!1; i = 1 }
active proctype B() { { x = 1; x = 2; x = 3 } unless { c?_ }; assert(x == 3 || x == 0) }
"""
# What a new process begins with depends on when it is started.
INITIAL = """
byte x;
proctype P() { byte y = x; assert(y == 0) }
active proctype A() { x = 1 }
init { run P() }
"""
# An empty channel is seen before the message comes.
LOOKING = """
chan c = [1] of { byte };
active proctype A() { c!1 }
active proctype B() { if :: c?_ :: else -> assert(false) fi }
"""
# d_steps must not block, and this one does before the message is read.
BLOCKING = """
chan c = [1] of { byte };
byte n;
active proctype A() { c!1; d_step { n = 1; c!2 } }
active proctype B() { c?_; c?_ }
"""


@pytest.mark.parametrize("text", [INTERRUPTED, ESCAPE, INITIAL, LOOKING, BLOCKING])
def test_errors_that_hide(text: str, workshop: Workshop, tmp_path: Path) -> None:
    pan = workshop.build(text, tmp_path)
    assert answer(pan, "--reduce=off")["verdict"] == "error"
    for condition in SAFETY["--dfs"]:
        assert answer(pan, f"--reduce={condition}")["verdict"] == "error", condition


# ---- declared ends of channels

WRONG = """
chan c = [2] of { byte };
active proctype A() { xs c; c!1 }
active proctype B() { c!2 }
active proctype C() { xr c; c?_; c?_ }
"""


def test_wrong_declarations_are_errors(spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    model.write_text(WRONG)
    text = "error, partial order reduction invalid"
    for tool in (spin_small, hsfpy_small):
        run = tool.run(model, PLAIN, ("-DSAFETY",), ())
        assert text in run.out and "pan: xs assertion violated: access to chan" in run.out
        for cc in (("-DSAFETY", "-DXUSAFE"), ("-DSAFETY", "-DNOREDUCE")):
            assert text not in tool.run(model, PLAIN, cc, ()).out


# ---- what is said


def output(pan: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([pan, *options], cwd=pan.parent, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--reduce=some",), "not 'some'"),
        (("--bfs", "--reduce=stack"), "only depth-first search has a stack"),
        (("-l", "--reduce=stack-"), "safety only"),
        (("-l", "-f", "--reduce=stack"), "fairness"),
        (("-l", "--astar", "--reduce=duplicate"), "static only"),
        (("--idastar", "--bitstate", "--reduce=stack"), "states on the path are not known"),
        (("-i", "--reduce=static"), "short errors"),
    ],
)
def test_unsound_combinations_are_refused(
    options: tuple[str, ...], sentence: str, workshop: Workshop, tmp_path: Path
) -> None:
    done = output(workshop.build(COUNTERS, tmp_path), *options)
    assert done.returncode == 1
    assert sentence in done.stdout + done.stderr


LINE = "+ Partial Order Reduction"


def test_reduction_is_usual(workshop: Workshop, tmp_path: Path) -> None:
    pan = workshop.build(COUNTERS, tmp_path)
    for options in ((), ("-l",), ("--bfs", "--reduce=duplicate-"), ("--astar", "--reduce=static")):
        assert LINE in output(pan, *options).stdout, options
    for options in (("--reduce=off",), ("-l", "-f"), ("--bfs",), ("--astar",), ("-i",), ("-L2",)):
        assert LINE not in output(pan, *options).stdout, options


def test_directive_switches_it_off(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    model.write_text(COUNTERS)
    for cc, is_on in (((), True), (("-DNOREDUCE",), False), (("-DBFS",), True), (("-DBFS", "-DNOREDUCE"), False)):
        assert (LINE in hsfpy_small.run(model, PLAIN, cc, ("-n",)).out) == is_on, cc


def test_optimality_is_not_claimed(workshop: Workshop, tmp_path: Path) -> None:
    pan = workshop.build(COUNTERS.replace("total++ }", "total++; assert(total < 3) }"), tmp_path)
    assert "a shortest error" in output(pan, "--astar").stdout
    for search in ("--astar", "--idastar", "--bfs"):
        said = output(pan, search, "--reduce=static").stdout
        assert "a shortest error" not in said
        assert search == "--bfs" or "shorter errors may exist (partial order reduction)" in said


# ---- sticky locations

RING = """
chan a = [2] of { byte };
chan b = [2] of { byte };
int up;
active proctype A() { do :: a!1 od }
active proctype B() { byte x; do :: a?x; b!x od }
active proctype C() { byte x; do :: b?x -> x = 0; up++ od }
active proctype D() { byte x; do :: x = 1 - x od }
"""


def sticky(text: str, where: Path) -> dict[str, int]:
    """How many sticky locations each process has."""
    model = where / "m.pml"
    model.write_text(text)
    front = FrontOptions()
    system = translate(read_source(str(model), front), front).system
    found = sticky_locations(system)
    return {a.process.name: len(found[a.index]) for a in system.automata}


def test_cycles_that_depend_on_others_are_not_broken(tmp_path: Path) -> None:
    """B cannot go round without A, and C counts for ever."""
    assert sticky(RING, tmp_path) == {"A": 1, "B": 0, "C": 0, "D": 1}
    assert sticky(RING.replace("up++", "x = 0"), tmp_path) == {"A": 1, "B": 0, "C": 1, "D": 1}


def test_counting_up_ends(tmp_path: Path) -> None:
    """An int that is only counted up never comes back; a byte does."""
    counting = "int n; active proctype A() { do :: n++ od }"
    assert sticky(counting, tmp_path) == {"A": 0}
    assert sticky(counting.replace("int", "byte"), tmp_path) == {"A": 1}
    assert sticky(counting + " active proctype B() { do :: n-- od }", tmp_path) in ({"A": 0, "B": 1}, {"A": 1, "B": 0})
    assert sticky(counting + " active proctype B() { do :: n = 0 od }", tmp_path) == {"A": 1, "B": 1}
