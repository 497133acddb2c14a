"""How states are kept (--store, -DHC4, -DBITSTATE): the same search whatever the store, and losses as announced."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from liveness_models import random_model as liveness_model
from oracle import (
    DEEP,
    FULL_CC,
    PLAIN,
    PROMELA,
    ROOT,
    Hsfpy,
    Report,
    Run,
    Spin,
    execute,
    parse_report,
    read_expectation,
)
from random_models import random_model

BENCH = ROOT / "models" / "bench"
# Every state can be reached on several ways, so that what hides behind lost states is next to nothing.
GRID = """byte c[3];
active [3] proctype P() { do :: c[_pid] = (c[_pid] + 1) % 60 :: c[_pid] = (c[_pid] + 59) % 60 od }
"""
N_STATES = 60**3
SANITIZE = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
STORES = ("plain", "hc", "bitstate")
ACCEPTED = [model for model in sorted(PROMELA.glob("*.pml")) if not read_expectation(model).reject]
SAMPLE = ACCEPTED[::3]


def figures(report: Report) -> tuple[object, ...]:
    return (report.errors, report.error, report.depth, report.stored, report.matched, report.depth_reached)


def answer(run: Run) -> dict[str, Any]:
    assert run.code == 0, run.err
    return dict(json.loads(run.out.splitlines()[-1]))


@pytest.fixture(scope="module")
def grid(hsfpy: Hsfpy, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A verifier of a model with many states, without reduction."""
    model = tmp_path_factory.mktemp("grid") / "grid.pml"
    model.write_text(GRID)
    return hsfpy.build(model, PLAIN, FULL_CC)


def search(folder: Path, *args: str) -> dict[str, Any]:
    return answer(execute([folder / "pan", "--json", "-c0", *args], folder))


# --- the same states -----------------------------------------------------------------------------


@pytest.mark.parametrize("model", SAMPLE, ids=lambda model: model.stem)
def test_same_search_of_small_models(model: Path, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """With 64 bits or a large array nothing is lost among so few states."""
    expect = read_expectation(model)
    folder = hsfpy_small.build(model, (*PLAIN, *expect.flags), expect.cc)
    for options in (("-c0",), ("-c0", "--reduce=off")):
        runs = {
            store: execute([folder / "pan", "-n", DEEP, f"--store={store}", *options, *expect.pan], tmp_path)
            for store in ("exact", *STORES)
        }
        if "errors:" not in runs["exact"].out:
            continue
        exact = figures(parse_report(runs["exact"].out))
        for store in STORES:
            assert (store, runs[store].code, figures(parse_report(runs[store].out))) == (store, 0, exact)


def all_agree(folder: Path, options: tuple[str, ...]) -> bool:
    stores = ("exact", *STORES)
    runs = [execute([folder / "pan", "-n", "-c0", f"--store={store}", *options], folder) for store in stores]
    return len({figures(parse_report(run.out)) for run in runs}) == 1


@pytest.mark.parametrize("seed", range(0, 60, 4))
def test_same_search_of_random_models(seed: int, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / f"random{seed}.pml"
    model.write_text(random_model(seed))
    folder = hsfpy_small.build(model, PLAIN, ())
    assert all_agree(folder, ()) and all_agree(folder, ("--reduce=off",))


@pytest.mark.parametrize("seed", range(0, 60, 4))
def test_same_cycles_of_random_models(seed: int, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / f"random{seed}.pml"
    model.write_text(liveness_model(seed, n_formulas=1))
    folder = hsfpy_small.build(model, PLAIN, ())
    assert all_agree(folder, ("-a",)) and all_agree(folder, ("-a", "--reduce=off"))


def test_same_states_of_a_large_model(grid: Path) -> None:
    exact, plain, hashed = (search(grid, f"--store={store}") for store in ("exact", "plain", "hc"))
    keys = ("stored", "matched", "depth_reached", "atomic_steps", "vector_bytes")
    assert [exact[key] for key in keys] == [plain[key] for key in keys] == [hashed[key] for key in keys]
    assert exact["stored"] == N_STATES
    assert plain["memory_bytes"] > 2 * exact["memory_bytes"]


@pytest.mark.parametrize("words", [("--bfs",), ("--astar", "--heuristic=deadlock"), ("--idastar", "-m200")])
def test_plain_store_serves_other_searches(words: tuple[str, ...], hsfpy: Hsfpy) -> None:
    model = ROOT / "models" / "philosophers.pml"
    exact, plain = (
        answer(hsfpy.run(model, ("-DN=4",), (), ("--json", f"--store={store}", *words))) for store in ("exact", "plain")
    )
    for key in ("error", "length", "stored", "expanded"):
        assert exact[key] == plain[key]
    assert plain["store"] == "plain"


# --- cycles --------------------------------------------------------------------------------------

CYCLES = """byte a; bool w[2];
active [2] proctype P() {{ do :: w[_pid] = !w[_pid] :: atomic {{ a < {top} -> a++ }} :: atomic {{ a > 0 -> a-- }} od }}
ltl often {{ [] (<> (a == 3)) }}
ltl bound {{ [] (a <= {top} + 1) }}
"""


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("options", [(), ("--reduce=off",), ("-f",), ("--nested=classic",), ("--reduce=two-phase",)])
def test_cycles(store: str, options: tuple[str, ...], hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    model.write_text(CYCLES.format(top=20))
    for claim in ("often", "bound"):
        exact, other = (
            parse_report(hsfpy_small.run(model, (), (), ("-a", "-N", claim, f"--store={kind}", *options)).out)
            for kind in ("exact", store)
        )
        assert figures(exact) == figures(other)
        assert (exact.error == "acceptance cycle") == (claim == "often")


@pytest.mark.parametrize("store", [("--store=hc", "--hash-bits=16"), ("--store=bitstate", "-w12")])
def test_cycles_with_losses_are_real(store: tuple[str, ...], hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """A state that is taken for one on the stack closes no cycle: every cycle is replayed, also those only counted."""
    model = tmp_path / "m.pml"
    model.write_text(CYCLES.format(top=200).replace("[] (<> (a == 3))", "<> (a == 250)"))
    found = answer(hsfpy_small.run(model, PLAIN, (), ("-a", "-N", "often", "--json", *store)))
    assert found["error"] == "acceptance cycle" and found["confirmed"] is True
    holds = hsfpy_small.run(model, PLAIN, (), ("-a", "-N", "bound", "-c0", "--json", *store))
    assert answer(holds)["errors"] == 0 and "internal error" not in holds.err
    assert answer(holds)["expected_omissions"] > 1


# --- losses --------------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [22, 24, 25, 28, 34, 40])
def test_hash_compaction_loses_what_it_says(bits: int, grid: Path) -> None:
    """The number of states lost is Poisson distributed."""
    found = search(grid, "--store=hc", f"--hash-bits={bits}")
    lost, expected = N_STATES - found["stored"], found["expected_omissions"]
    assert expected == pytest.approx(found["stored"] ** 2 / 2 ** (bits + 1), rel=1e-4)
    assert abs(lost - expected) <= 4 * expected**0.5 + 0.1 * expected + 1
    assert found["omission_probability"] == pytest.approx(
        1 if expected > 30 else 1 - 2.718281828459**-expected, rel=1e-3
    )
    assert found["verdict"] == "incomplete"


@pytest.mark.parametrize("bits", [26, 28, 30])
def test_what_is_lost_behind_lost_states(bits: int, hsfpy: Hsfpy) -> None:
    """Some states have one way to them only. No more is lost than announced, but for chance."""
    folder = hsfpy.build(BENCH / "sliding_window.pml", (*PLAIN, "-DW=2", "-DSIZE=3"), FULL_CC)
    exact, found = search(folder), search(folder, "--store=hc", f"--hash-bits={bits}")
    lost, announced = exact["stored"] - found["stored"], found["expected_losses"]
    assert found["expected_omissions"] < lost <= announced + 4 * announced**0.5


@pytest.mark.parametrize(("log2", "bits"), [(20, 3), (22, 3), (24, 3), (22, 1), (22, 2), (23, 9)])
def test_bitstate_loses_what_it_says(log2: int, bits: int, grid: Path) -> None:
    found = search(grid, "--store=bitstate", f"-w{log2}", f"-k{bits}")
    lost, expected = N_STATES - found["stored"], found["expected_omissions"]
    assert found["array_bits"] == 2**log2 and found["bits_per_state"] == bits
    assert found["verdict"] == "incomplete"
    assert abs(lost - expected) <= 5 * expected**0.5 + 0.06 * expected + 1


def test_hash_functions_differ(grid: Path) -> None:
    """-hN, -hash with -RSn: other hash functions lose other states, and the same ones the same."""
    options = (("-h1",), ("-h2",), ("-hash", "-RS3"), ("-hash", "-RS4"), ())
    counts = [search(grid, "--store=bitstate", "-w20", *words)["stored"] for words in options]
    assert len(set(counts)) == len(counts)
    assert search(grid, "--store=bitstate", "-w20", "-h1")["stored"] == counts[0]


def test_repeated_runs(grid: Path) -> None:
    run = execute([grid / "pan", "-c0", "-n", "--store=bitstate", "-w20", "-R3"], grid)
    counts = [int(n) for n in re.findall(r"^ *(\d+) states, stored", run.out, re.M)]
    assert re.findall(r"^Run (\d):", run.out, re.M) == ["1", "2"]
    assert len(set(counts)) == 3
    coverage = re.search(r"^of all 3 runs together: ([\d.]+)%", run.out, re.M)
    once = re.search(r"^estimated coverage: ([\d.]+)%", run.out, re.M)
    assert coverage and once and float(once.group(1)) < float(coverage.group(1)) < 100
    found = search(grid, "--store=bitstate", "-w20", "--runs=2")
    assert found["runs"] == 2 and found["stored"] == counts[1]


# --- what the report says ------------------------------------------------------------------------


def storage_lines(text: str) -> list[str]:
    """Lines about the kind of search and its table, without figures that differ."""
    lines = re.findall(r"^.*(?:search for:|hash factor|bits set|hash array).*$", text, re.M)
    return [re.sub(r"hash factor: +\S+", "hash factor: N", line) for line in lines]


@pytest.mark.parametrize(
    ("directive", "words"),
    [("-DBITSTATE", ()), ("-DBITSTATE", ("-k2", "-w20")), ("-DBITSTATE", ("-M2",)), ("-DHC4", ()), ("-DHC", ()),
     ("-DHC0", ()), ("-DHC2", ())],
)  # fmt: skip
def test_texts_are_spins(directive: str, words: tuple[str, ...], spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    model = PROMELA / "dstep_loop.pml"
    cc = (*FULL_CC, directive)
    theirs, ours = (tool.run(model, PLAIN, cc, ("-c0", "-n", *words)) for tool in (spin_small, hsfpy_small))
    assert storage_lines(ours.out) == storage_lines(theirs.out) != []
    assert figures(parse_report(ours.out)) == figures(parse_report(theirs.out))
    assert ours.err == ""


def test_report_of_bits(hsfpy_small: Hsfpy) -> None:
    run = hsfpy_small.run(PROMELA / "dstep_loop.pml", PLAIN, FULL_CC, ("-c0", "-n", "--store=bitstate", "-w20"))
    assert re.search(
        r"\n +\d+ atomic steps\n\nhash factor: +\S+ \(best if > 100.\)\n\nbits set per state: 3 \(-k3\)\n"
        r"estimated coverage: 100% \(\S+ states taken for others, \S+ with those behind them\)\n\n"
        r"Stats on memory usage \(in Megabytes\):\n"
        r" +\S+\tequivalent memory usage .*\n    0.125\tmemory used for hash array \(-w20\)\n",
        run.out,
    )


def test_report_of_hashes(hsfpy_small: Hsfpy) -> None:
    words = ("-c0", "-n", "--store=hc", "--hash-bits=40")
    run = hsfpy_small.run(PROMELA / "dstep_loop.pml", PLAIN, FULL_CC, words)
    assert "\nHash-Compact 1 search for:\n" in run.out
    assert re.search(r"\(resolved\)\nhash compaction to 40 bits: \S+ states expected to be taken for others, \S+ lost "
                     r"with those behind them; probability of any: \S+\n\nStats", run.out)  # fmt: skip


@pytest.mark.parametrize(("directive", "store"), [("-DHC3", "hc"), ("-DBITSTATE", "bitstate"), ("-DCOLLAPSE", "exact")])
def test_options_change_what_directives_choose(directive: str, store: str, hsfpy_small: Hsfpy) -> None:
    model = PROMELA / "dstep_loop.pml"
    assert answer(hsfpy_small.run(model, PLAIN, (directive,), ("--json",)))["store"] == store
    assert answer(hsfpy_small.run(model, PLAIN, (directive,), ("--json", "--store=exact")))["verdict"] == "no error"


def test_words_of_run(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    (tmp_path / "m.pml").write_text("byte g;\nactive [2] proctype P() { g++; g++ }\n")
    for word, says in (("-bitstate", "Bit statespace"), ("-bit", "Bit statespace"), ("-hc", "Hash-Compact 4")):
        assert says in hsfpy_small.call("-run", word, "m.pml", cwd=tmp_path).out


# --- what does not go together -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--store=nix",), "--store is exact, plain, hc or bitstate, not 'nix'"),
        (("--bfs", "--store=hc", "--reduce=duplicate-"), "breadth-first search with reduction keeps states whole"),
        (("--astar", "--store=bitstate"), "so they must be kept whole: use --store=exact"),
        (("-i", "--store=bitstate"), "need numbers for states"),
        (("-L2", "--store=bitstate"), "need numbers for states"),
        (("--reduce=two-phase", "--cache=all", "--bitstate"), "--cache=all needs numbers for states"),
        (("--hash-bits=40",), "--hash-bits is for hash compaction: add --store=hc"),
        (("--store=hc", "--hash-bits=8"), "--hash-bits is a number from 16 to 64, not '8'"),
        (("--bitstate=99",), "--bitstate is a number from 13 to 40, not '99'"),
    ],
)
def test_refused(words: tuple[str, ...], sentence: str, hsfpy: Hsfpy) -> None:
    run = hsfpy.run(ROOT / "models" / "philosophers.pml", ("-DN=3",), (), words)
    assert run.code == 1 and sentence in run.err


@pytest.mark.parametrize(
    ("directive", "words"),
    [("-DBITSTATE", ("-i",)), ("-DBITSTATE", ("--bestfirst",)), ("-DHC4", ("--weight=1",))],
)
def test_directives_give_way(directive: str, words: tuple[str, ...], hsfpy: Hsfpy) -> None:
    """A script that compiles with a directive and then asks for such a search gets it, with exact states."""
    cc = tuple(word for word in words if word.startswith("-D"))
    pan = tuple(word for word in words if word not in cc)
    run = hsfpy.run(ROOT / "models" / "philosophers.pml", ("-DN=3",), (directive, *cc), (*pan, "--json"))
    found = answer(run)
    assert (found["store"], found["errors"] > 0) == ("exact", True)
    assert run.err.startswith(f"pan: warning: {directive}: ") and "they are stored exactly" in run.err


def test_memory_limit_holds(grid: Path) -> None:
    """The array counts from the start; hashes and vectors as they come."""
    for words in (("--store=bitstate", "-w28"), ("--store=plain",), ("--store=hc",)):
        limit = 1 if "hc" in words[0] else 8
        found = search(grid, *words, f"--memory={limit}")
        assert (found["verdict"], found["stopped_by"]) == ("incomplete", "memory")
        assert found["memory_bytes"] <= (limit + 1) << 20


# --- sanitizers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["atomic_rendezvous_into_atomic", "run_dynamic_tree", "hidden_variable"])
def test_sanitizers(name: str, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    expect = read_expectation(PROMELA / f"{name}.pml")
    folder = hsfpy_small.build(PROMELA / f"{name}.pml", (*PLAIN, *expect.flags), expect.cc, SANITIZE)
    for store in (("plain",), ("hc", "--hash-bits=31"), ("hc",), ("bitstate", "-R3", "-k9", "-w14")):
        for words in ((), ("--reduce=off",)):
            run = execute([folder / "pan", "-c0", f"--store={store[0]}", *store[1:], *words, *expect.pan], tmp_path)
            assert (run.code, run.err) == (0, "")


def test_sanitizers_on_many_states(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    folder = hsfpy_small.build(BENCH / "peterson.pml", ("-DN=3",), FULL_CC, SANITIZE)
    for words in ("--store=plain", "--store=hc", "--store=hc --hash-bits=24", "--store=bitstate -w16 -R2"):
        run = execute([folder / "pan", "-c0", *words.split()], tmp_path)
        assert (run.code, run.err) == (0, "")


# --- breadth first -------------------------------------------------------------------------------


def test_breadth_first_with_any_store(grid: Path) -> None:
    """The same states at the same distances; nothing is lost with 64 bits."""
    exact, hashed, bits = (search(grid, "--bfs", f"--store={store}", "-w27") for store in ("exact", "hc", "bitstate"))
    keys = ("stored", "matched", "depth_reached")
    assert [hashed[key] for key in keys] == [exact[key] for key in keys]
    assert exact["stored"] == N_STATES >= bits["stored"] >= 0.999 * N_STATES
    assert bits["verdict"] == "incomplete"


@pytest.mark.parametrize("directive", ["-DBITSTATE", "-DHC4"])
def test_directives_of_breadth_first_search(directive: str, hsfpy: Hsfpy) -> None:
    """As in SPIN, -DBFS goes with them; a shortest error is found."""
    model = ROOT / "models" / "philosophers.pml"
    run = hsfpy.run(model, ("-DN=3",), (directive, "-DBFS"), ())
    exact = hsfpy.run(model, ("-DN=3",), ("-DBFS", "-DNOREDUCE"), ())
    assert run.code == 0 and "warning" not in run.err
    assert parse_report(run.out).depth == parse_report(exact.out).depth
