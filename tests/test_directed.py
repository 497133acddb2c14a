"""Directed searches: what breadth-first search finds they find too, never longer than promised."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from oracle import EXAMPLES, PLAIN, PROMELA, ROOT, Hsfpy, Spin, read_expectation

# Models for measuring reduction, which have no error unless asked for.
WITHOUT_ERROR = {"b5", "invalidate", "migratory", "pftp", "sc", "w5"}
MODELS = [path for path in sorted((ROOT / "models").glob("*.pml")) if path.stem not in WITHOUT_ERROR]
# Examples of SPIN with an error that breadth-first search reaches within seconds.
WITH_ERROR = [
    "Book_1991/p101.pml", "Book_1991/p104.1.pml", "Book_1991/p105.1.pml", "Book_1991/p107.pml", "Book_1991/p116.pml",
    "Book_1991/p117.pml", "Book_1991/p312.pml", "Book_1991/p319.pml", "Book_1991/p96.1.pml", "Book_1991/p97.1.pml",
    "Exercises/ex_1f.pml", "Exercises/ex_3c.pml", "Exercises/ex_4.pml", "LTL/salesman1.pml", "LTL/salesman2.pml",
    "for_select_example.pml",
    "hajek.pml", "pathfinder.pml", "sat.pml", "snoopy.pml", "test_mtype.pml", "werkplaats.pml", "wordcount.pml",
]  # fmt: skip
# Here the error lies behind millions of states (life: 359 steps, 8.6 million) or out of reach (p108 computes
# Ackermann's function by processes; 255 of them are too many, and even that takes more than the 5 million states
# up to step 211). Up to these depths all searches must see the same states, and no error.
TOO_DEEP = {"life.pml": 215, "Book_1991/p108.pml": 140}
# One search finds a longer witness than SPIN's depth-first search, and `hsfpy bench hsf` says so: best-first search
# by the number of active processes.
LONG_WITNESS = ("telegraph",)
LIMITS = ("--no-claim", "--time=100", "--memory=3000")
# Which errors an admissible heuristic speaks of; the others are switched off for the comparison.
ADMISSIBLE = {"deadlock": "-A", "assertion": "-E", "none": ""}


def feature_models() -> list[Path]:
    """The models of single language features that have an error and need no special flags."""
    found = []
    for path in sorted(PROMELA.glob("*.pml")):
        expect = read_expectation(path)
        plain = not {"cc", "pan", "reject", "spin"} & set(expect.values)
        if plain and expect.values.get("error", "none") != "none":
            found.append(path)
    return found


LARGE = [*MODELS, *(EXAMPLES / name for name in WITH_ERROR)]


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def search(hsfpy: Hsfpy, model: Path, *args: str, flags: tuple[str, ...] = PLAIN) -> dict[str, Any]:
    """What `pan --json` says."""
    run = hsfpy.run(model, (*flags, *read_expectation(model).flags), (), ("--json", *LIMITS, *filter(None, args)))
    assert run.code == 0, run.out + run.err
    return dict(json.loads(run.out.splitlines()[-1]))


def refused(hsfpy: Hsfpy, model: Path, *args: str) -> str:
    run = hsfpy.run(model, PLAIN, (), args)
    assert run.code == 1
    return run.err + run.out


@pytest.mark.parametrize("heuristic", ADMISSIBLE)
@pytest.mark.parametrize("model", LARGE, ids=name_of)
def test_astar_is_as_short_as_breadth_first(model: Path, heuristic: str, hsfpy: Hsfpy) -> None:
    compare_lengths(model, heuristic, hsfpy)


@pytest.mark.parametrize(("name", "bound"), TOO_DEEP.items())
def test_astar_sees_what_breadth_first_search_sees(name: str, bound: int, hsfpy: Hsfpy) -> None:
    for heuristic, only in ADMISSIBLE.items():
        if heuristic == "assertion" and "assert" not in (EXAMPLES / name).read_text():
            continue
        plain = search(hsfpy, EXAMPLES / name, "--bfs", f"-m{bound}", only)
        directed = search(hsfpy, EXAMPLES / name, "--astar", f"--heuristic={heuristic}", f"-m{bound}", only)
        assert plain["verdict"] == directed["verdict"] == "incomplete"
        assert (
            (plain["errors"], plain["depth_reached"]) == (directed["errors"], directed["depth_reached"]) == (0, bound)
        )
        assert plain["stored"] == directed["stored"] > 4000


@pytest.mark.slow
def test_astar_is_as_short_where_millions_of_states_come_first(hsfpy: Hsfpy) -> None:
    limits = ("--time=2000", "-A")
    plain = search(hsfpy, EXAMPLES / "life.pml", "--bfs", *limits)
    directed = search(hsfpy, EXAMPLES / "life.pml", "--astar", "--heuristic=deadlock", *limits)
    assert plain["error"] == directed["error"] == "invalid end state"
    assert plain["length"] == directed["length"] == 359
    assert directed["optimal"]


@pytest.mark.parametrize("model", feature_models(), ids=name_of)
def test_astar_on_every_feature(model: Path, hsfpy_small: Hsfpy) -> None:
    for heuristic in ADMISSIBLE:
        compare_lengths(model, heuristic, hsfpy_small)


def compare_lengths(model: Path, heuristic: str, hsfpy: Hsfpy) -> None:
    """A* with an admissible heuristic finds errors as short as breadth-first search does."""
    only = ADMISSIBLE[heuristic]
    plain = search(hsfpy, model, "--bfs", only)
    if heuristic == "assertion" and not plain["errors"]:
        return
    if heuristic == "assertion" and not plain["error"].startswith("assertion violated"):
        return  # a run-time error came first; assertions are not what it is about
    directed = search(hsfpy, model, "--astar", f"--heuristic={heuristic}", only)
    assert directed["verdict"] == plain["verdict"]
    if not plain["errors"]:
        return
    if promises_nothing(model, heuristic):
        assert directed["length"] >= plain["length"]
    else:
        assert directed["length"] == plain["length"]
        assert directed["optimal"] or not plain["error"].startswith(("invalid end state", "assertion violated"))


def promises_nothing(model: Path, heuristic: str) -> bool:
    """C code can change anything in one step; labels, provided clauses and priorities decide where
    a process can block."""
    text = model.read_text()
    loose = ("danger", "provided", "priority") if heuristic == "deadlock" else ()
    return heuristic != "none" and any(word in text for word in ("c_code", "c_expr", "c_state", *loose))


@pytest.mark.parametrize("model", MODELS, ids=name_of)
def test_guidance_pays(model: Path, hsfpy: Hsfpy, spin: Spin) -> None:
    """A* or best-first expands fewer states than breadth-first search, and no witness is longer
    than the one of SPIN's depth-first search."""
    plain = search(hsfpy, model, "--bfs")
    runs = [
        search(hsfpy, model, way, *more) for way in ("--astar", "--bestfirst") for more in ((), ("--heuristic=ap",))
    ]
    assert all(run["errors"] for run in [plain, *runs])
    assert min(run["expanded"] for run in runs) < plain["expanded"]
    dfs = spin.run(model, PLAIN, ("-DNOREDUCE", "-DSAFETY", "-DNOCLAIM"), ("-n", "-m1000000"))
    depth = int(dfs.out.split("(at depth ")[1].split(")")[0])
    lengths = [run["length"] for run in runs]
    if model.stem in LONG_WITNESS:
        lengths.remove(max(lengths))
    assert max(lengths) <= depth + 1


@pytest.mark.parametrize("model", feature_models()[::4], ids=name_of)
def test_idastar_agrees_with_astar(model: Path, hsfpy_small: Hsfpy) -> None:
    for heuristic, only in ADMISSIBLE.items():
        best = search(hsfpy_small, model, "--bfs", only)
        if best["errors"] and (heuristic != "assertion" or best["error"].startswith("assertion violated")):
            found = search(hsfpy_small, model, "--idastar", f"--heuristic={heuristic}", only)
            assert found["verdict"] == "error"
            assert found["length"] == best["length"] or promises_nothing(model, heuristic)


def philosophers(hsfpy: Hsfpy, n: int, *args: str) -> dict[str, Any]:
    return search(hsfpy, ROOT / "models" / "philosophers.pml", *args, flags=(f"-DN={n}",))


def test_philosophers_as_published(hsfpy: Hsfpy) -> None:
    """HSF Table 5: witness length 4p+2, A* with H_ap expands at most 5p+1 states."""
    for n in (2, 3, 4, 8):
        assert philosophers(hsfpy, n, "--bfs")["length"] == 4 * n + 2
        for heuristic in ("ap", "deadlock"):
            found = philosophers(hsfpy, n, "--astar", f"--heuristic={heuristic}")
            assert found["length"] == 4 * n + 2
            assert found["expanded"] <= 5 * n + 1


def test_philosophers_grow_linearly(hsfpy: Hsfpy) -> None:
    for n in (50, 250):
        found = philosophers(hsfpy, n, "--astar")
        assert found["length"] == 4 * n + 2
        assert found["expanded"] <= 5 * n + 1


def test_weights(hsfpy: Hsfpy) -> None:
    plain = philosophers(hsfpy, 4, "--bfs")
    assert philosophers(hsfpy, 4, "--weight=1")["length"] == plain["length"]
    assert philosophers(hsfpy, 4, "--weight=0")["search"] == "bestfirst"
    greedy = philosophers(hsfpy, 4, "--weight=0.2")
    assert greedy["errors"] and not greedy["optimal"]


@pytest.mark.parametrize("ties", ["deep", "fifo", "lifo"])
def test_ties_do_not_change_the_length(ties: str, hsfpy: Hsfpy) -> None:
    assert philosophers(hsfpy, 4, "--astar", f"--ties={ties}")["length"] == 18


def test_statistics_in_json(hsfpy: Hsfpy) -> None:
    found = philosophers(hsfpy, 4, "--astar")
    fields = (
        "verdict error length optimal expanded generated stored reopened seconds memory_bytes heuristic h_min h_max"
    )
    assert set(fields.split()) <= set(found)
    assert found["heuristic"] == "deadlock"
    assert found["expanded"] <= found["stored"] <= found["generated"] + 1


def test_bitstate_promises_nothing(hsfpy: Hsfpy) -> None:
    found = philosophers(hsfpy, 4, "--idastar", "--bitstate=20", "--runs=3")
    assert found["errors"] == 1 and found["optimal"] is False
    run = hsfpy.run(ROOT / "models" / "philosophers.pml", ("-DN=4",), (), ("--idastar", "--bitstate=20"))
    assert "lossy hashing" in run.out


COUNTER = """
byte x, y;
active proctype A() { do :: x < 20 -> x++ :: x > 0 -> x-- od }
active proctype B() { do :: y < 20 -> y++ :: y > 0 -> y-- od }
ltl small { [] (x < 15) }
"""


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("counter") / "counter.pml"
    path.write_text(COUNTER)
    return path


def test_invariant_from_the_command_line(counter: Path, hsfpy: Hsfpy) -> None:
    flags = ("--invariant", "!(x == 7 && y > 9)")
    plain = search(hsfpy, counter, "--bfs", flags=flags)
    best = search(hsfpy, counter, "--astar", flags=flags)
    assert plain["error"] == best["error"] == "invariant violated !(((x==7)&&(y>9)))"
    assert best["heuristic"] == "invariant" and best["optimal"]
    assert (best["length"], best["h_max"]) == (plain["length"], 7)
    assert best["expanded"] < plain["expanded"]


def test_invariant_from_ltl(counter: Path, hsfpy: Hsfpy) -> None:
    best = search(hsfpy, counter, "--astar", "--invariant=small")
    assert (best["error"], best["length"]) == ("invariant violated (x<15)", 30)


def test_invariant_with_a_syntax_error(counter: Path, hsfpy: Hsfpy, tmp_path: Path) -> None:
    shutil.copy(counter, tmp_path)
    run = hsfpy.call("-a", "--invariant", "x ==", counter.name, cwd=tmp_path)
    assert run.code == 1 and "Error:" in run.out and "Traceback" not in run.out + run.err


def test_costs_of_communication(hsfpy: Hsfpy) -> None:
    """With only communication counted, A* still finds the cheapest run: for philosophers, one send
    each."""
    best = philosophers(hsfpy, 4, "--astar", "--cost=comm")
    plain = philosophers(hsfpy, 4, "--astar", "--cost=comm", "--heuristic=none")
    assert best["cost"] == plain["cost"] == 4
    assert plain["optimal"]


def test_target_state(counter: Path, hsfpy: Hsfpy, tmp_path: Path) -> None:
    flags = ("--invariant", "!(x == 7 && y > 9)")
    first = hsfpy.run(counter, flags, (), ("--no-claim",))
    trail = tmp_path / "first.trail"
    trail.write_text(first.trail)
    plain = search(hsfpy, counter, "--bfs", flags=flags)
    for heuristic in ("fsm", "hamming"):
        found = search(hsfpy, counter, "--astar", f"--heuristic={heuristic}", f"--target={trail}", flags=flags)
        assert found["errors"] == 1
        assert found["length"] >= plain["length"]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--astar", "--heuristic=nix"), "there is no such heuristic"),
        (("--astar", "--heuristic=fsm"), "no target state is given"),
        (("--astar", "--heuristic=assertion"), "the model has no assertions"),
        (("--astar", "--heuristic=invariant"), "no invariant is given"),
        (("--heuristic=ap",), "needs a directed search"),
        (("--weight=2",), "--weight needs a number from 0"),
        (("--weight=1", "--bitstate"), "so they must be kept whole"),
        (("--astar", "--cost=nix"), "no such file"),
        (("--astar", "--target=nix.trail", "--heuristic=fsm"), "cannot read this trail"),
    ],
)
def test_unusable_combinations_are_refused(args: tuple[str, ...], sentence: str, hsfpy: Hsfpy) -> None:
    assert sentence in refused(hsfpy, ROOT / "models" / "philosophers.pml", *args)


@pytest.mark.slow
def test_bitstate_goes_where_memory_does_not_reach(hsfpy: Hsfpy) -> None:
    """GIOP with two users and two servers: A* runs out of 64 MB, IDA* with bits does not."""
    model, flags = ROOT / "models" / "giop.pml", ("-DN=2", "-DSERVERS=2")
    limits = ("--json", "--memory=64", "--no-claim")
    full = json.loads(hsfpy.run(model, flags, (), (*limits, "--astar")).out.splitlines()[-1])
    assert (full["verdict"], full["stopped_by"]) == ("incomplete", "memory")
    found = json.loads(
        hsfpy.run(model, flags, (), (*limits, "--idastar", "--bitstate=28"), timeout=1800).out.splitlines()[-1]
    )
    assert found["error"] == "invalid end state" and found["optimal"] is False


def test_list_of_heuristics(hsfpy: Hsfpy) -> None:
    run = hsfpy.run(ROOT / "models" / "philosophers.pml", PLAIN, (), ("--heuristic=help",))
    assert run.code == 0
    for name in ("ap", "deadlock", "assertion", "invariant", "fsm", "hamming", "formula"):
        assert f"\n{name} " in "\n" + run.out
