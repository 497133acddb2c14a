"""Values nobody will read: found where they are, forgotten by searches, shown by replays."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from many_models import Workshop, answer
from oracle import DEEP, EXAMPLES, FULL_CC, PLAIN, Hsfpy, Rejected, Spin, execute, parse_report
from test_reduction_states import ENDLESS, NAMES, SLOW
from value_models import random_model

from hsfpy.automaton import System
from hsfpy.dead_values import DeadValues, ForgetOptions, find_dead_values
from hsfpy.driver import translate_model
from hsfpy.frontend import FrontOptions
from hsfpy.text import element_text
from hsfpy.value_use import Cell

BOTH = ForgetOptions(resets=True, unread=True)


@pytest.fixture(scope="module")
def workshop(scratch: Path) -> Workshop:
    return Workshop(scratch)


# ---- the analysis


def system_of(text: str, folder: Path) -> System:
    model = folder / "m.pml"
    model.write_text(text)
    return translate_model(str(model), FrontOptions()).system


def name(cell: Cell) -> str:
    return ".".join(symbol.name for symbol in cell)


def forgotten(system: System, options: ForgetOptions = BOTH) -> dict[str, list[str]]:
    """By the text of a statement, what it forgets."""
    found = find_dead_values(system, [], options)
    elements = [el for automaton in system.automata for el in automaton.body.elements]
    return {element_text(el): [name(cell) for cell in found.after[el.id]] for el in elements if el.id in found.after}


def dead_in(body: str, folder: Path, head: str = "byte g; chan q = [2] of { byte };") -> dict[str, list[str]]:
    return forgotten(system_of(f"{head}\nactive proctype P() {{ byte x, y; byte v[2]; {body} }}\n{READER}", folder))


# Somebody reads the global, so that it has a meaning.
READER = "active proctype R() { g == 7 }"


def test_after_its_last_read(tmp_path: Path) -> None:
    assert dead_in("x = 1; g = x; g = 2", tmp_path) == {"g = x": ["x"]}


def test_before_it_is_replaced(tmp_path: Path) -> None:
    found = dead_in("x = 1; g = x; g = 2; x = 2; g = x + 1", tmp_path)
    assert found == {"g = x": ["x"], "g = (x+1)": ["x"]}


def test_not_while_another_way_reads_it(tmp_path: Path) -> None:
    """The first option replaces it, the second one reads it."""
    found = dead_in("x = 1; g = 3; if :: x = 2 :: g = x fi; g = 4", tmp_path)
    assert found == {"x = 2": ["x"], "g = x": ["x"]}


def test_loops(tmp_path: Path) -> None:
    found = dead_in("do :: x < 2 -> x++ :: else -> break od; g = 1", tmp_path)
    assert found == {"else": ["x"]}


def test_elements_do_not_replace_an_array(tmp_path: Path) -> None:
    found = dead_in("v[1] = 1; v[0] = 0; g = v[1]; v[0] = 2", tmp_path)
    assert found == {"g = v[1]": ["v"], "v[0] = 2": ["v"]}


def test_fields_have_lives_of_their_own(tmp_path: Path) -> None:
    head = "typedef T { byte a; byte b }; byte g;"
    found = dead_in("T s; s.a = 1; s.b = 2; g = s.a; g = s.b", tmp_path, head)
    assert found == {"g = s.a": ["s.a"], "g = s.b": ["s.b"]}


def test_escapes_read(tmp_path: Path) -> None:
    found = dead_in("x = 1; { g = 1; g = 2 } unless { x == 5 }; g = 3", tmp_path)
    assert found == {"g = 2": ["x"], "((x==5))": ["x"]}


def test_inside_a_d_step(tmp_path: Path) -> None:
    """x is set before it is read, so it is dead before; y is read first."""
    d_step = "d_step { x = 0; do :: x < 2 -> g = g + y; x++ :: else -> break od }"
    found = dead_in(f"x = 1; y = 2; {d_step}; g = 1", tmp_path)
    assert found["x = 1"] == ["x"] and "y = 2" not in found
    assert [cells for text, cells in found.items() if "D_STEP" in text] == [["x", "y"]]


def test_messages(tmp_path: Path) -> None:
    found = dead_in("x = 1; q?x; q!x; y = 1; q?eval(y)", tmp_path)
    assert found == {"x = 1": ["x"], "q!x": ["x"], "q?eval(y)": ["y"]}


def test_prints_do_not_read(tmp_path: Path) -> None:
    assert dead_in('x = 1; printf("%d", x)', tmp_path) == {"x = 1": ["x"]}


def test_what_decides_on_faults_is_read(tmp_path: Path) -> None:
    """Though nobody reads what is computed."""
    found = dead_in("x = 1; y = 3; g = 1; v[x] = y; x = 4; y = 2 / x", tmp_path)
    assert found == {"y = 3": ["y"], "v[x] = y": ["x", "v"], "y = (2/x)": ["x", "y"]}


def test_values_for_dead_values_are_dead(tmp_path: Path) -> None:
    assert dead_in("x = 1; y = x; x = y + 1; g = 1", tmp_path) == {
        "x = 1": ["x"], "y = x": ["y"], "x = (y+1)": ["x"],
    }  # fmt: skip


@pytest.mark.parametrize(
    "reader",
    ["never { do :: P:x == 2 -> break :: else od }", "ltl p { [] (P:x < 2) }", "active proctype Q() { P:x == 2 }"],
)
def test_others_may_look(reader: str, tmp_path: Path) -> None:
    system = system_of(f"byte g; active proctype P() {{ byte x; x = 1; g = x; g = 2 }} {READER} {reader}", tmp_path)
    assert forgotten(system) == {}


def test_parameters(tmp_path: Path) -> None:
    """One that is never read, one that only an initial value reads, one that is read."""
    text = "byte g; proctype P(byte a, b, c) { byte x = b; g = x; g = c } init { run P(1, 2, 3); g == 7 }"
    system = system_of(text, tmp_path)
    found = find_dead_values(system, [], BOTH)
    assert [name(cell) for cell in found.at_start[0]] == ["a", "b"]
    assert forgotten(system) == {"g = x": ["x"], "g = c": ["c"]}


def test_channels_are_left_alone(tmp_path: Path) -> None:
    assert dead_in("chan c; c = q; c!1", tmp_path) == {}


def test_embedded_c_may_read_anything(tmp_path: Path) -> None:
    assert dead_in("x = 1; g = x; c_code { now.g = 2; }", tmp_path) == {}


def test_globals_nobody_reads(tmp_path: Path) -> None:
    text = "byte g, n, k, p; active proctype P() provided (p == 0) { do :: n++ :: k = n; g = 1 :: p = 1 od }"
    found = find_dead_values(system_of(text + READER, tmp_path), [], BOTH)
    assert [name(cell) for cell in found.unread] == ["n", "k"]
    assert [symbol.name for symbol in found.unread_symbols()] == ["n", "k"]


def test_nothing_is_forgotten_unless_asked_for(tmp_path: Path) -> None:
    system = system_of("byte n; active proctype P() { byte x, w; x = 1; w = 2; n = x }", tmp_path)
    assert find_dead_values(system, [], ForgetOptions()) == DeadValues()
    assert forgotten(system, ForgetOptions(resets=True)) == {"w = 2": ["w"], "n = x": ["x"]}
    assert forgotten(system, ForgetOptions(unread=True)) == {"x = 1": ["x"], "w = 2": ["w"], "n = x": ["n"]}


# ---- searches

STALE = """byte g;
active [2] proctype P()
{	byte x, n;
	do
	:: x = 1; g = x; n++
	:: x = 2; g = 0
	:: x = 3; assert(x == 3); printf("x is %d\\n", x); g = 3
	od
}
never { do :: skip :: g == 3 -> break od }
"""


def stored(pan: Path, *options: str) -> int:
    found = answer(pan, "-c0", "--reduce=off", "--no-claim", *options)["stored"]
    assert isinstance(found, int)
    return found


def build(workshop: Workshop, text: str, folder: Path, switched: str = "") -> Path:
    (folder / f"o{switched}").mkdir()
    return workshop.build(text, folder / f"o{switched}", switched)


def test_options(workshop: Workshop, tmp_path: Path) -> None:
    """-o1 keeps dead values (n is never read at all), -o2 would keep values nobody reads, but those are dead too."""
    counts = {switched: stored(build(workshop, STALE, tmp_path, switched)) for switched in ("12", "1", "2", "")}
    assert counts["12"] > counts["1"] > counts[""] == counts["2"]


def test_replays_show_all_values(workshop: Workshop, tmp_path: Path) -> None:
    pan = build(workshop, STALE, tmp_path)
    assert answer(pan, "--bfs")["verdict"] == "error"
    shown = execute([pan, "-r"], pan.parent).out
    assert "byte   x:\t3" in shown and "x is 3" in shown


def test_printed_values_are_kept(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    (tmp_path / "m.pml").write_text(STALE)
    run = hsfpy_small.run(tmp_path / "m.pml", (), (*FULL_CC, "-DPRINTF"), ("-c0",))
    assert "x is 3" in run.out and "x is 0" not in run.out


def test_ranges_are_those_of_the_program(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    (tmp_path / "m.pml").write_text("byte n; active proctype P() { do :: n < 3 -> n++ :: n == 3 -> n = 0 od }")
    (tmp_path / "w.pml").write_text("byte n, m; active proctype P() { do :: m < 3 -> m++; n = n + 1 :: m == 3 od }")
    for model in ("m.pml", "w.pml"):
        run = hsfpy_small.run(tmp_path / model, (), (*FULL_CC, "-DVAR_RANGES"))
        assert any(line.split()[:1] == ["n"] and "0-3" in line for line in run.out.splitlines()), run.out


def test_cycles_through_forgotten_values(spin_small: Spin, workshop: Workshop, tmp_path: Path) -> None:
    """No state of the program comes back for a long time, but what is left of it does."""
    text = "int n; active proctype P() { int k; accept: do :: k++; n = n + k od }"
    pan = build(workshop, text, tmp_path)
    found = answer(pan, "-a")
    assert (found["verdict"], found["error"]) == ("error", "acceptance cycle") and int(str(found["stored"])) < 10
    assert (
        "trail ends"
        in spin_small.replay(pan.parent / "m.pml", (pan.parent / "m.pml.trail").read_text(), PLAIN, tmp_path).out
    )


@pytest.mark.parametrize("way", ["static", "stack", "two-phase"])
def test_counters_nobody_reads_put_nobody_off(way: str, workshop: Workshop, tmp_path: Path) -> None:
    text = "int n; active proctype P() { do :: n++ od } active proctype Q() { assert(false) }"
    pan = build(workshop, text, tmp_path)
    assert answer(pan, f"--reduce={way}")["verdict"] == "error"


def test_lost_messages(tmp_path: Path, hsfpy_small: Hsfpy) -> None:
    text = """chan q = [1] of { byte }; byte g;
    active proctype P() { byte x, y = 1; do :: x = 2; q!x; d_step { x = 1; q!x; g = y; y = 2 }; assert(y < 3) od }"""
    (tmp_path / "m.pml").write_text(text)
    runs = [hsfpy_small.run(tmp_path / "m.pml", flags, FULL_CC, ("-c0",)) for flags in (("-m",), ("-m", *PLAIN))]
    ours, plain = (parse_report(run.out) for run in runs)
    assert ours.errors == plain.errors and ours.stored <= plain.stored


# ---- with and without

CHUNK = 10
CHUNKS = [
    *(pytest.param(first, id=f"from-{first}") for first in range(0, 60, CHUNK)),
    *(pytest.param(first, id=f"from-{first}", marks=pytest.mark.slow) for first in range(60, 1000, CHUNK)),
]
SEARCHES = (
    ("--reduce=off",), (), ("-E",), ("-A", "--bfs"), ("-E", "--bfs"), ("-a", "--reduce=off"), ("-a",), ("-a", "-f"),
    ("-l",), ("-a", "--reduce=two-phase"),
)  # fmt: skip


def check_same(plain: Path, ours: Path, seed: int) -> None:
    for options in SEARCHES:
        theirs, found = (answer(pan, *options, timeout=20) for pan in (plain, ours))
        assert theirs["verdict"] == found["verdict"], (seed, options)
        if "--bfs" in options:
            assert theirs.get("length") == found.get("length"), (seed, options)
    assert stored(ours) <= stored(plain), seed


@pytest.mark.parametrize("first", CHUNKS)
def test_same_verdicts(first: int, workshop: Workshop, tmp_path: Path) -> None:
    for seed in range(first, first + CHUNK):
        (tmp_path / str(seed)).mkdir()
        ours, plain = (build(workshop, random_model(seed), tmp_path / str(seed), switched) for switched in ("", "12"))
        try:
            check_same(plain, ours, seed)
        except subprocess.TimeoutExpired:
            continue  # some of these have very many states


# ---- SPIN's examples

EXAMPLE_CASES = [
    pytest.param(name, marks=pytest.mark.slow if name in SLOW else ())
    for name in NAMES or ["(not installed)"]
    if name not in ENDLESS
]


@pytest.mark.parametrize("example", EXAMPLE_CASES)
def test_no_more_states_than_spin(example: str, spin: Spin, hsfpy: Hsfpy) -> None:
    """Both tools forget what they can; statements are not merged and nothing is reduced."""
    model, flags, options = EXAMPLES / example, ("-o3",), ("-c0", "-n", DEEP)
    theirs = spin.run(model, flags, FULL_CC, options)
    try:
        ours = hsfpy.run(model, flags, FULL_CC, options)
    except Rejected:
        pytest.skip("not a model for both tools")
    if theirs.command == ("spin",) or "states, stored" not in theirs.out or "VECTORSZ" in theirs.out:
        pytest.skip("not explored by both tools")
    assert parse_report(ours.out).stored <= parse_report(theirs.out).stored
