"""Random and interactive simulation: SPIN's words, runs that SPIN's semantics allow, the same run for a seed."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from oracle import EXAMPLES, PROMELA, Spin, copy_model, execute, quick_compiler, read_expectation, with_root

from hsfpy.cli import main
from hsfpy.driver import translate_model
from hsfpy.frontend import FrontOptions
from hsfpy.lower import LowerOptions
from hsfpy.program import ProgramOptions
from hsfpy.simulate.course import Chance, choose_at_random
from hsfpy.simulate.session import Machine, Step
from hsfpy.simulate.simulation import Simulation
from hsfpy.simulate.text_options import TextOptions

ALL = ("-p", "-g", "-l", "-s", "-r")


@pytest.fixture
def simulate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str]]:
    """Calls hsfpy in this process, in a folder; returns its exit status and what it printed."""

    def call(where: Path, *args: str, answers: str = "") -> tuple[int, str]:
        monkeypatch.setenv("CC", quick_compiler()[0])
        monkeypatch.chdir(where)
        monkeypatch.setattr(sys, "stdin", StringIO(answers))
        capsys.readouterr()
        status = main(list(args))
        return status, capsys.readouterr().out

    return call


# Models with a single run, whatever the seed: SPIN's text is ours.
SINGLE = [
    *(PROMELA / f"{stem}.pml" for stem in (
        "assert_ignored_in_dstep", "chan_rendezvous_constant_match", "deadlock_initial", "dstep_assert_before_block",
        "label_end_on_guard", "label_progress_end_accept_on_one", "priority_inversion", "priority_of_init",
        "priority_set_get", "run_limit_255",
    )),
    *(EXAMPLES / name for name in (
        "Book_1991/p101.pml", "Book_1991/p107.pml", "Book_1991/p95.1.pml", "Book_1991/p99.pml", "Exercises/ex_1a.pml",
        "Exercises/ex_2.pml", "LTL/ltl_example.pml", "for_example.pml", "hello.pml", "rtos1.pml",
    )),
]  # fmt: skip


@pytest.mark.parametrize("source", SINGLE, ids=lambda path: path.stem)
def test_runs_without_choice(
    source: Path, spin_small: Spin, tmp_path: Path, simulate: Callable[..., tuple[int, str]]
) -> None:
    model = copy_model(source, tmp_path)
    runs = [execute(["spin", f"-n{seed}", "-u300", *ALL, model.name], tmp_path) for seed in range(1, 6)]
    if len({run.out for run in runs}) > 1:
        pytest.fail(f"{source.stem} has several runs: take it out of the list")
    assert simulate(tmp_path, "-n7", "-u300", *ALL, model.name) == (runs[0].code, runs[0].out)


# SPIN's own replay of these goes astray: docs/compatibility.md, "Replay".
ASTRAY = ("_last", "enabled(", "c_code", "c_expr", "c_state", "c_track", "trace")


def can_be_replayed(model: Path) -> bool:
    expect = read_expectation(model)
    return expect.reject is None and not any(word in model.read_text() for word in ASTRAY)


def recorded_run(model: Path, seed: int, limit: int) -> str:
    """A random run as a trail."""
    flags = read_expectation(model).flags
    lowering = LowerOptions(old_priorities="-o6" in flags)
    directives = [flag for flag in flags if flag.startswith(("-D", "-U"))]
    front = FrontOptions(
        cpp_args=directives, old_scope="-O" in flags, no_implied_semis="-o7" in flags, need_process=False
    )
    system = translate_model(model.name, front, lowering, lambda _: []).system
    by_chance = choose_at_random(Chance(seed))
    lines: list[str] = []

    def choose(steps: list[Step]) -> Step:
        step = by_chance(steps)
        for half in filter(None, (step, step.partner)):
            lines.append(f"{len(lines) + 1}:{half.pid}:{half.element.id}")
        return step

    machine = Machine(system, ProgramOptions(loses_messages="-m" in flags))
    machine.library.session_set_unless_order("-J" in flags)
    Simulation(machine, TextOptions(limit=limit), lambda _: None, choose).run()
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize(
    "model", [m for m in sorted(PROMELA.glob("*.pml")) if can_be_replayed(m)], ids=lambda path: path.stem
)
def test_a_simulation_is_a_run_for_spin(
    model: Path, spin_small: Spin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every step of a simulated run can be taken in SPIN's replay."""
    monkeypatch.setenv("CC", quick_compiler()[0])
    monkeypatch.chdir(copy_model(model, tmp_path).parent)
    for seed in (1, 2):
        trail = recorded_run(model, seed, 120)
        (tmp_path / f"{model.name}.trail").write_text(trail)
        flags = read_expectation(model).flags
        replay = execute(["spin", *flags, "-t", "-p", model.name], tmp_path)
        assert replay.code == 0
        assert not re.search("transition failed|invalid statement|no matching stmnt|stop error", replay.out), replay.out


@pytest.mark.parametrize(
    "name", ["hello.pml", "snoopy.pml", "leader0.pml", "eratosthenes.pml", "LTL/pftp.pml", "sort.pml"]
)
def test_examples(name: str, tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    model = copy_model(EXAMPLES / name, tmp_path)
    status, out = simulate(tmp_path, "-n5", "-u300", *ALL, model.name)
    assert status == 0
    assert not [line for line in out.splitlines() if line.startswith("spin: ") and "truncated" not in line]


def test_seeds_make_different_runs(tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    model = copy_model(PROMELA / "mutex_peterson.pml", tmp_path)
    runs = {simulate(tmp_path, f"-n{seed}", "-u60", "-p", model.name)[1] for seed in range(1, 9)}
    assert len(runs) > 4


def test_the_same_seed_makes_the_same_run(tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    model = copy_model(EXAMPLES / "leader0.pml", tmp_path)
    runs = {simulate(tmp_path, "-n11", *ALL, model.name)[1] for _ in range(3)}
    assert len(runs) == 1
    # By content: another machine or another version of Python must make this run too.
    assert hashlib.sha256(runs.pop().encode()).hexdigest()[:16] == "23957a2d852f0ada"


def test_failed_assertion_ends_the_run(tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "m.pml").write_text("byte x;\nactive proctype P() { x = 1; assert(x == 2); x = 3 }\n")
    theirs = execute(["spin", "-p", "-g", "m.pml"], tmp_path)
    assert simulate(tmp_path, "-p", "-g", "m.pml") == (theirs.code, theirs.out)
    assert theirs.code == 1


def test_truncated_values_count_as_errors(tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "m.pml").write_text("active proctype P() { byte x; x = 300; x = 400 }\n")
    theirs = execute(["spin", "m.pml"], tmp_path)
    assert simulate(tmp_path, "m.pml") == (theirs.code, theirs.out)
    assert theirs.code == 2


def test_run_time_errors_block(tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    """A step whose test is an error cannot be taken: it is told once, and the run ends when nothing else is left."""
    model = "chan q, r = [1] of { byte };\nbyte x;\nactive proctype P() { x = 1; q!1; x = 2 }\n"
    (tmp_path / "m.pml").write_text(model)
    status, out = simulate(tmp_path, "-g", "m.pml")
    assert out.count("Error: sending to an uninitialized chan\n") == 1
    assert "\t\tx = 1\n" in out and "#processes: 1\n" in out
    assert status == 0


def test_seed_is_told(tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "m.pml").write_text("byte x;\nactive proctype P() { x = 1 }\n")
    assert simulate(tmp_path, "-h", "-n42", "m.pml") == (0, "1 process created\nseed used: 42\n")


def test_claims_and_traces_are_left_out(tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    model = copy_model(PROMELA / "never_claim_assert.pml", tmp_path)
    assert simulate(tmp_path, "-u0", model.name)[1].startswith("warning: never claim not used in random simulation\n")


def test_lost_messages(tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "m.pml").write_text("chan q = [1] of { byte };\nactive proctype P() { q!1; q!2; q!3 }\n")
    theirs = execute(["spin", "-m", "-p", "-s", "-g", "m.pml"], tmp_path)
    assert simulate(tmp_path, "-m", "-p", "-s", "-g", "m.pml") == (theirs.code, theirs.out)


def test_columns(tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "m.pml").write_text(
        "chan q = [1] of { byte }; chan r = [0] of { byte };\n"
        'active proctype P() { q!1; r!2; printf("done\\n") }\nactive proctype Q() { byte x; q?x; r?x }\n'
    )
    theirs = execute(["spin", "-n1", "-c", "m.pml"], tmp_path)
    assert simulate(tmp_path, "-n1", "-c", "m.pml") == (theirs.code, theirs.out)


def test_standard_input(tmp_path: Path) -> None:
    """The channel STDIN stands for standard input; the run ends with it."""
    model = copy_model(EXAMPLES / "wordcount.pml", tmp_path)
    run = execute([sys.executable, "-m", "hsfpy", "-n1", model.name], tmp_path, stdin="two words\nand three more\n",
                  env=with_root(None))  # fmt: skip
    assert run.code == 0
    assert "\t\tnl = 2\n" in run.out and "\t\tnw = 5\n" in run.out and "\t\tnc = 25\n" in run.out


NOTED = """byte x, y, unused;
show byte seen; show byte all[2];
active proctype P() {
	show byte own;
	atomic {
		x++;
		atomic { y++; d_step { x = 0; d_step { y = 1 } } };
		d_step { x = y; atomic { y = 2 } }
	};
	seen = x; all[1] = y; own = 3;
	if
	:: skip; skip; skip; x++
	:: y > 7 -> skip; skip
	fi
}
"""


@pytest.mark.parametrize("options", ["-v", "-v -p -g -l", "-v -p -X", "-Y -p -g -l", "-Y -p -g -l -X"])
def test_notes_and_tracked_variables(options: str, tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "m.pml").write_text(NOTED)
    words = [*options.split(), "-n1", "m.pml"]
    theirs = execute(["spin", *words], tmp_path).out
    assert simulate(tmp_path, *words) == (0, theirs)
    assert ("redundant skip" in theirs) == ("-v" in options)
    assert ("(TRACK)" in theirs) == (options == "-Y -p -g -l -X")


# ---------------------------------------------------------------- interactive

TWO = """byte x;
active proctype A() { do :: x < 3 -> x++ :: x > 0 -> x-- :: else -> break od }
active proctype B() { x = 2 }
"""


def test_questions_are_spins(tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "m.pml").write_text(TWO)
    answers = "2\n1\nq\n"
    theirs = execute(["spin", "-i", "-p", "m.pml"], tmp_path, stdin=answers).out
    status, ours = simulate(tmp_path, "-i", "-p", "m.pml", answers=answers)
    assert status == 0
    assert ours.splitlines()[:6] == theirs.splitlines()[:6]
    assert "Select a statement\n\tchoice 1: proc  1 (B:1) m.pml:3 (state 1) [x = 2]\n" in ours


GROUPED = """byte x;
inline f() { x = 1; x = 2 }
active proctype P() {
	x = 0; f(); atomic { x = 3; x = 4 }; d_step { x = 5; x = 6 }; { x = 7 } unless { x == 99 }; { { x = 8 } }
}
active proctype Q() { x == 100; { atomic { x = 1; x = 2 } } }
"""


def test_questions_about_groups_and_escapes(tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    """A group is shown by the statement it begins with, and an escape has no number of its own."""
    (tmp_path / "m.pml").write_text(GROUPED)
    answers = "2\n" * 12 + "q\n"
    theirs, end, _ = execute(["spin", "-i", "m.pml"], tmp_path, stdin=answers).out.partition("no executable choices")
    status, ours = simulate(tmp_path, "-i", "m.pml", answers=answers)
    assert status == 0 and end
    asked = theirs.removesuffix("Select a statement\n")
    assert "[x = 7 + Escape]" in asked and "(state 8) [x = 5]" in asked
    # Where nothing can be done SPIN stops; here the run ends like any other.
    assert ours.startswith(asked) and ours.removeprefix(asked).startswith("      timeout\n#processes: 2\n")


def test_end_of_input_ends_the_run(tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "m.pml").write_text(TWO)
    status, ours = simulate(tmp_path, "-i", "m.pml", answers="1\n")
    assert status == 0 and ours.count("Select [1-") == 2


def test_clients_are_asked_for_a_selection(tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "m.pml").write_text(TWO)
    status, ours = simulate(tmp_path, "-i", "-X", "-p", "m.pml", answers="1\nq\n")
    assert status == 0
    assert "Make Selection 4\n\n" in ours
    assert "\tchoice 3: proc  0 (A:1) m.pml:2 (state 7) unexecutable, [((x>0))]\n" in ours
    assert "  1:\tproc  1 (B:1) m.pml:3 (state 1)\t[x = 2]\n" in ours


def test_answers_that_make_no_sense(tmp_path: Path, simulate: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "m.pml").write_text(TWO)
    _, ours = simulate(tmp_path, "-i", "m.pml", answers="17 foo 0 1 q\n")
    assert ours.count("\tchoice is outside range\n") == 3
