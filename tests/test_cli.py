"""The command line: options, exit codes, messages, what scripts written for SPIN do, and faults."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from oracle import EXAMPLES, HSFPY, PROMELA, Hsfpy, Run, Spin, execute, parse_report, with_root

MODEL = """byte g;
active [2] proctype P()
{
	byte x;
	x = g;
	g = x + 1;
	assert(g < 2)
}
"""
GOOD = "byte g;\nactive [2] proctype P() { g++; g++ }\n"
# Several million states: long enough to be stopped on its way.
BIG = """#define N 9
byte a[N];
active [N] proctype P() { do :: a[_pid] < 6 -> a[_pid]++ :: a[_pid] > 3 -> a[_pid] = 0 od }
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "m.pml"
    path.write_text(MODEL)
    return path


@pytest.fixture
def call(tmp_path: Path, hsfpy_small: Hsfpy) -> Callable[..., Run]:
    """Runs hsfpy in the folder of the test."""

    def run(*args: str, env: dict[str, str] | None = None, timeout: float = 120) -> Run:
        return hsfpy_small.call(*args, cwd=tmp_path, env=env, timeout=timeout)

    return run


def spin_links(tmp_path: Path) -> dict[str, str]:
    """An environment in which `spin` is hsfpy, as a drop-in user sets it up."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "spin"
    script.write_text("#!/bin/sh\nexec " + " ".join(map(shlex.quote, HSFPY)) + ' "$@"\n')
    script.chmod(0o755)
    return with_root({"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"})


def shell(script: str, cwd: Path, env: dict[str, str] | None = None) -> Run:
    return execute(["bash", "-c", script], cwd, env=env, timeout=120)


# --- hsfpy ---------------------------------------------------------------------------------------


def test_version_is_spins(call: Callable[..., Run], tmp_path: Path, spin_small: Spin) -> None:
    run = call("-V")
    assert (run.code, run.out) == (0, execute(["spin", "-V"], tmp_path).out)


def test_analysis_is_silent_and_builds_pan(model: Path, call: Callable[..., Run], tmp_path: Path) -> None:
    run = call("-a", "m.pml")
    assert (run.code, run.out, run.err) == (0, "", "")
    assert (tmp_path / "pan.c").exists()
    report = parse_report(execute(["./pan"], tmp_path).out)
    assert report.errors == 1


def test_pan_c_needs_nothing_else(model: Path, call: Callable[..., Run], tmp_path: Path) -> None:
    assert call("-a", "m.pml").code == 0
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "pan.c").write_bytes((tmp_path / "pan.c").read_bytes())
    built = execute(["cc", "-w", "-DSAFETY", "-DUNKNOWN_TO_ALL=3", "-o", "pan", "pan.c"], alone)
    assert (built.code, built.out, built.err) == (0, "", "")
    assert parse_report(execute(["./pan"], alone).out).errors == 1


def test_same_text_every_time(model: Path, call: Callable[..., Run], tmp_path: Path) -> None:
    assert call("-a", "m.pml").code == 0
    first = (tmp_path / "pan.c").read_bytes()
    assert call("-a", "m.pml").code == 0
    assert (tmp_path / "pan.c").read_bytes() == first


def test_companion_files(model: Path, call: Callable[..., Run], tmp_path: Path) -> None:
    """Scripts list or remove these by name."""
    assert call("-a", "m.pml").code == 0
    for name in ("pan.b", "pan.c", "pan.h", "pan.m", "pan.p", "pan.t"):
        assert (tmp_path / name).exists(), name


@pytest.mark.parametrize("word", ["-run", "-search"])
def test_run(word: str, model: Path, call: Callable[..., Run], tmp_path: Path) -> None:
    run = call(word, "m.pml")
    assert run.code == 0
    assert parse_report(run.out).errors == 1
    assert (tmp_path / "m.pml.trail").exists()
    assert (tmp_path / "pan").exists()
    assert not (tmp_path / "pan.c").exists()


@pytest.mark.parametrize(
    ("words", "shows"),
    [
        ("-run -bfs", r"\+ Breadth-First Search"),
        ("-run -safety", r"disabled by -DSAFETY"),
        ("-run -n -m100", r"depth reached"),
        ("-search -DSAFETY -E", r"invalid end states\t- \(disabled by -E flag\)"),
        ("-run -A", r"errors: 0"),
        ("-run -noclaim -O1", r"never claim"),
    ],
)
def test_words_after_run(words: str, shows: str, model: Path, call: Callable[..., Run]) -> None:
    run = call(*words.split(), "m.pml")
    assert run.code == 0
    assert re.search(shows, run.out), run.out


def test_formulas_by_name(call: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "m.pml").write_text(GOOD + "ltl low { [] (g < 9) }\nltl high { [] (g < 2) }\n")
    run = call("-a", "m.pml")
    assert run.code == 0
    assert "  the model contains 2 never claims: high, low\n" in run.out
    for name, errors in (("low", 0), ("high", 1)):
        assert parse_report(execute(["./pan", "-N", name], tmp_path).out).errors == errors


def test_definitions_reach_the_preprocessor(call: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "m.pml").write_text("byte g;\nactive proctype P() { g = LIMIT; assert(g == 3) }\n")
    for value, errors in (("3", 0), ("4", 1)):
        assert call(f"-DLIMIT={value}", "-a", "m.pml").code == 0
        assert parse_report(execute(["./pan"], tmp_path).out).errors == errors


def test_include_path(call: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "x.h").write_text("byte g;\n")
    (tmp_path / "m.pml").write_text('#include "x.h"\nactive proctype P() { g = 1 }\n')
    assert call("-E-Iinc", "-a", "m.pml").code == 0


def test_never_claim_from_a_file(model: Path, call: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "claim").write_text("never { do :: g == 1 -> break :: else od }\n")
    assert call("-N", "claim", "-a", "m.pml").code == 0
    assert parse_report(execute(["./pan"], tmp_path).out).error == "end state in claim reached"


def test_formula_on_the_command_line(call: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "m.pml").write_text(GOOD)
    run = call("-f", "[] p")
    assert run.code == 0
    assert run.out.startswith("never ") and "[] p" in run.out.splitlines()[0]


def test_no_file(call: Callable[..., Run], tmp_path: Path, spin_small: Spin) -> None:
    run, theirs = call("-a"), execute(["spin", "-a"], tmp_path)
    assert (run.code, run.out, run.err) == (theirs.code, theirs.out, theirs.err)


def test_unknown_option(call: Callable[..., Run]) -> None:
    run = call("-y", "m.pml")
    assert run.code == 1
    assert "use: spin [-option] ... [-option] file" in run.out + run.err


@pytest.mark.parametrize("option", ["-S1", "-S2"])
def test_options_to_come_are_refused(option: str, model: Path, call: Callable[..., Run]) -> None:
    """Either it works or it says that it does not; nothing is silently ignored."""
    run = call(option, "m.pml")
    assert run.code == 1
    assert option[:2] in run.out + run.err
    assert "Traceback" not in run.out + run.err


def test_missing_file(call: Callable[..., Run]) -> None:
    run = call("-a", "nowhere.pml")
    assert run.code == 1
    assert "nowhere.pml" in run.out + run.err
    assert "Traceback" not in run.out + run.err


def test_folder_instead_of_a_file(call: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    run = call("-a", "folder")
    assert run.code == 1
    assert "Traceback" not in run.out + run.err


def test_unreadable_include(call: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "m.pml").write_text('#include "gone.h"\nactive proctype P() { skip }\n')
    run = call("-a", "m.pml")
    assert run.code == 1
    assert "gone.h" in run.out + run.err
    assert "m.pml:1" in run.out + run.err
    assert not (tmp_path / "pan").exists()


def test_syntax_error_names_the_place(call: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "m.pml").write_text("byte g;\nactive proctype P()\n{\n\tg = = 1\n}\n")
    run = call("-a", "m.pml")
    assert run.code == 1
    assert re.match(r"spin: m\.pml:4, Error: ", run.out), run.out
    assert "^" in run.out
    assert not (tmp_path / "pan.c").exists()


def test_no_compiler(model: Path, call: Callable[..., Run], tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    run = call("-a", "m.pml", env={"PATH": str(empty), "CC": ""})
    assert run.code == 1
    assert re.search("compiler|preprocess", run.out + run.err)
    assert "Traceback" not in run.out + run.err


def test_named_compiler_that_is_not_there(model: Path, call: Callable[..., Run], tmp_path: Path) -> None:
    """Another compiler in its place would be a surprise."""
    run = call("-a", "m.pml", env={"CC": "no-such-compiler -O2"})
    assert run.code == 1
    assert "CC names a compiler that is not there: no-such-compiler" in run.out
    assert not (tmp_path / "pan").exists()


def test_pretty_printing_is_refused(call: Callable[..., Run]) -> None:
    """It is no -p, and reads a model from standard input."""
    run = call("-pp")
    assert run.code == 1
    assert run.err == "spin: -pp (pretty-printing standard input) is not in this version of hsfpy\n"


def test_broken_compiler(model: Path, call: Callable[..., Run]) -> None:
    run = call("-a", "m.pml", env={"CC": "false"})
    assert run.code == 1
    assert "compiler" in run.out + run.err


def test_unwritable_folder(model: Path, call: Callable[..., Run], tmp_path: Path) -> None:
    """A full disk, as a script meets it: pan.c cannot be written. A folder stands in its place."""
    (tmp_path / "pan.c").mkdir()
    (tmp_path / "pan.c" / "file").touch()
    run = call("-a", "m.pml")
    assert run.code == 1
    assert "pan.c" in run.out + run.err
    assert "Traceback" not in run.out + run.err


def test_file_size_limit(model: Path, tmp_path: Path) -> None:
    """A disk that is full in the middle of pan.c leaves no half-written file behind."""
    command = " ".join(map(shlex.quote, HSFPY))
    run = shell(f"trap '' XFSZ; ulimit -f 8; exec {command} -a m.pml", tmp_path, with_root(None))
    assert run.code == 1
    assert re.search(r"spin: \S+: File too large", run.out + run.err)
    assert "Traceback" not in run.out + run.err
    assert not (tmp_path / "pan.c").exists()


def test_full_standard_output(model: Path, tmp_path: Path) -> None:
    command = " ".join(map(shlex.quote, HSFPY))
    run = shell(f"{command} -V > /dev/full", tmp_path, with_root(None))
    assert run.code != 0
    assert "Traceback" not in run.err


def test_closed_pipe(model: Path, tmp_path: Path) -> None:
    command = " ".join(map(shlex.quote, HSFPY))
    run = shell(f"{command} --help | head -1", tmp_path, with_root(None))
    assert "Traceback" not in run.err


# --- pan -----------------------------------------------------------------------------------------


@pytest.fixture
def pan(tmp_path: Path, hsfpy_small: Hsfpy) -> Callable[..., Run]:
    """Builds the verifier of a text and runs it in the folder of the test."""

    def run(*args: str, text: str = MODEL, cc: tuple[str, ...] = ()) -> Run:
        path = tmp_path / "m.pml"
        path.write_text(text)
        folder = hsfpy_small.build(path, (), cc)
        return execute([folder / "pan", *args], tmp_path, timeout=120)

    return run


def test_exit_code_says_nothing_of_the_verdict(pan: Callable[..., Run]) -> None:
    assert pan().code == 0
    assert pan(text=GOOD).code == 0


def test_trail_only_on_error(pan: Callable[..., Run], tmp_path: Path) -> None:
    pan(text=GOOD)
    assert not list(tmp_path.glob("*.trail"))
    run = pan()
    assert "pan: wrote m.pml.trail\n" in run.out
    assert (tmp_path / "m.pml.trail").exists()


@pytest.mark.parametrize(
    "options",
    ["", "-c0", "-m3", "-n -w20", "-E -A", "-q", "-i", "-I", "-b -m4", "-v", "-e", "--bfs", "-X", "-Q1"],
)
def test_report_ends_with_the_time(options: str, pan: Callable[..., Run]) -> None:
    """Graphical clients wait for this line."""
    run = pan(*options.split())
    assert run.code == 0
    assert re.search(r"^pan: elapsed time [\d.e+-]+ seconds$", run.out, re.M), run.out
    assert re.search(r"^State-vector \d+ byte, depth reached -?\d+, errors: \d+$", run.out, re.M)


def test_unknown_pan_option(pan: Callable[..., Run]) -> None:
    run = pan("-H")
    assert run.code == 1
    assert "saw option -H" in run.err
    assert "Valid Options are:" in run.err


def test_replay_without_a_trail(pan: Callable[..., Run]) -> None:
    run = pan("-r", text=GOOD)
    assert run.code == 1


def test_pan_version(pan: Callable[..., Run]) -> None:
    run = pan("-V")
    assert run.code == 0
    assert run.out.startswith("Generated by ")


def test_depth_too_small_is_said(pan: Callable[..., Run]) -> None:
    run = pan("-m3", text=GOOD)
    assert run.out.startswith("error: max search depth too small\n")
    assert parse_report(run.out).errors == 0


def test_no_depth_limit_by_default(pan: Callable[..., Run]) -> None:
    text = "int n;\nactive proctype P() { do :: n < 60000 -> n++ :: n == 60000 -> break od; assert(n < 60000) }\n"
    report = parse_report(pan(text=text).out)
    assert (report.errors, report.truncated) == (1, False)
    assert report.depth is not None and report.depth > 100_000


def test_no_limit_on_the_size_of_a_state(pan: Callable[..., Run]) -> None:
    text = "int a[3000];\nactive [2] proctype P() { a[2999] = a[_pid] + 1; a[1] = 2; assert(a[2999] < 3) }\n"
    assert parse_report(pan(text=text).out).errors == 1


def test_bfs_at_run_time_equals_the_directive(pan: Callable[..., Run]) -> None:
    by_option = parse_report(pan("--bfs", "-n").out)
    by_directive = parse_report(pan("-n", cc=("-DBFS", "-DNOREDUCE")).out)
    assert by_option == by_directive
    assert by_option.depth is not None


def test_trail_suffix(pan: Callable[..., Run], tmp_path: Path) -> None:
    pan("-tother")
    assert (tmp_path / "m.pml.other").exists()


def test_trail_is_kept(pan: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "m.pml.trail").write_text("mine\n")
    pan("-x")
    assert (tmp_path / "m.pml.trail").read_text() == "mine\n"


def test_json(pan: Callable[..., Run]) -> None:
    run = pan("--json")
    value = json.loads(run.out)
    plain = parse_report(pan("-n").out)
    assert value["stored"] == plain.stored
    assert isinstance(value["verdict"], str)


def test_printf_is_silent_in_a_search(pan: Callable[..., Run]) -> None:
    text = 'active proctype P() { printf("hello\\n") }\n'
    assert "hello" not in pan(text=text).out


def test_claim_by_name(pan: Callable[..., Run]) -> None:
    text = GOOD + "never a { do :: g == 9 -> break :: else od }\nnever b { do :: g == 3 -> break :: else od }\n"
    assert parse_report(pan("-N", "a", text=text).out).errors == 0
    run = pan("-N", "b", text=text)
    assert "never claim         \t+ (b)" in run.out
    assert parse_report(run.out).error == "end state in claim reached"


def test_time_limit(pan: Callable[..., Run]) -> None:
    start = time.monotonic()
    run = pan("--time=1", text=BIG)
    assert time.monotonic() - start < 20
    assert "Search not completed" in run.out
    assert parse_report(run.out).stored > 0


def test_memory_limit(pan: Callable[..., Run]) -> None:
    run = pan("--memory=24", text=BIG)
    assert run.code == 0
    assert "Search not completed" in run.out
    assert run.out.startswith("pan: reached -DMEMLIM bound\n")
    report = parse_report(run.out)
    assert report.stored > 1000
    used = re.search(r"([\d.]+)\ttotal actual memory usage", run.out)
    assert used is not None and float(used.group(1)) < 36


@pytest.mark.parametrize("option", ["--dfs", "--bfs"])
def test_interrupt_prints_the_report(option: str, tmp_path: Path, hsfpy_small: Hsfpy) -> None:
    path = tmp_path / "m.pml"
    path.write_text(BIG)
    folder = hsfpy_small.build(path, (), ())
    process = subprocess.Popen([folder / "pan", option], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Interrupted" in out
    assert "Search not completed" in out
    assert parse_report(out).stored > 1000
    assert "pan: elapsed time" in out


def test_trail_that_cannot_be_written(pan: Callable[..., Run], tmp_path: Path) -> None:
    """The verdict must not get lost with the trail."""
    (tmp_path / "m.pml.trail").mkdir()
    (tmp_path / "m.trail").mkdir()
    run = pan()
    assert parse_report(run.out).errors == 1
    assert "pan: elapsed time" in run.out


def test_full_disk_for_the_report(pan: Callable[..., Run], tmp_path: Path, hsfpy_small: Hsfpy) -> None:
    path = tmp_path / "m.pml"
    path.write_text(GOOD)
    folder = hsfpy_small.build(path, (), ())
    run = shell(f"{shlex.quote(str(folder / 'pan'))} > /dev/full", tmp_path)
    assert run.code >= 0  # no crash


def test_embedded_c_with_a_strange_compiler_flag(tmp_path: Path, hsfpy_small: Hsfpy) -> None:
    """The generated C is C for every dialect scripts compile it with."""
    model = PROMELA / "c_track_matched.pml"
    for standard in ("-std=gnu99", "-std=gnu11", "-std=c17"):
        folder = hsfpy_small.build(model, (), (standard,))
        assert parse_report(execute([folder / "pan", "-c0"], tmp_path).out).errors > 0


# --- scripts and clients written for SPIN ---------------------------------------------------------


def test_script_by_hand(model: Path, tmp_path: Path) -> None:
    run = shell("spin -a m.pml && gcc -w -o pan pan.c && ./pan -m800000 -n", tmp_path, spin_links(tmp_path))
    assert run.code == 0
    assert parse_report(run.out).errors == 1


def test_script_that_greps_the_verdict(model: Path, tmp_path: Path) -> None:
    script = 'spin -a m.pml; cc -DSAFETY -O2 -o pan pan.c; ./pan | grep -q "errors: 0" && echo good || echo bad'
    assert shell(script, tmp_path, spin_links(tmp_path)).out.strip() == "bad"


def test_script_that_looks_for_the_trail(model: Path, tmp_path: Path) -> None:
    script = "spin -run -safety m.pml > log; test -f m.pml.trail && echo bad"
    assert shell(script, tmp_path, spin_links(tmp_path)).out.strip() == "bad"


def test_script_of_a_test_generator(model: Path, tmp_path: Path) -> None:
    """A trail for every error: `spin -run -E -c0 -e`."""
    run = shell("spin -DTEST_GEN -run -E -c0 -e m.pml", tmp_path, spin_links(tmp_path))
    assert run.code == 0
    assert {"m.pml1.trail", "m.pml2.trail"} <= set(run.trails) or {"m1.trail", "m2.trail"} <= set(run.trails)


def test_words_after_the_file_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "m.pml").write_text(MODEL)
    run = shell("spin -run m.pml -ltl p", tmp_path, spin_links(tmp_path))
    assert run.code == 0
    assert "pan: wrote m.pml.trail" in run.out


def test_graphical_client_builds(model: Path, tmp_path: Path) -> None:
    """The command lines of the usual front ends, each of which must print nothing and return 0."""
    env = spin_links(tmp_path)
    for script in (
        "spin -a m.pml",
        "spin -o3 -a m.pml && gcc -w -o pan pan.c",
        "spin -a -m -o3 m.pml && gcc -DMEMLIM=1024 -O2 -DXUSAFE -DSAFETY -DNOCLAIM -w -o pan pan.c",
        "spin -a m.pml && gcc -DMEMLIM=1024 -O2 -DBFS -DREACH -DVECTORSZ=4096 -w -o pan pan.c",
        "spin -a m.pml && cc -DNOREDUCE -DCOLLAPSE -w pan.c -o other",
    ):
        run = shell(script, tmp_path, env)
        assert (run.code, run.out, run.err) == (0, "", ""), script


def test_model_in_another_folder(tmp_path: Path, hsfpy_small: Hsfpy) -> None:
    """The trail goes to the current folder, without the folder of the model."""
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "m.pml").write_text(MODEL)
    run = shell("spin -a models/m.pml && ./pan", tmp_path, spin_links(tmp_path))
    assert run.code == 0
    assert (tmp_path / "m.pml.trail").exists()


def test_dot_output(model: Path, call: Callable[..., Run], tmp_path: Path, spin_small: Spin) -> None:
    theirs = spin_small.run(model, ("-o3",), (), ("-D",))
    assert call("-o3", "-a", "m.pml").code == 0
    ours = execute(["./pan", "-D"], tmp_path)
    keep = [line for line in theirs.out.splitlines() if not line.startswith("pan:")]
    assert [line for line in ours.out.splitlines() if not line.startswith("pan:")] == keep
    assert ours.err == ""


def test_report_reads_like_spins(tmp_path: Path, spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    """Line by line, numbers of memory and time aside."""
    model = EXAMPLES / "peterson.pml"
    flags, cc, options = ("-o1", "-o2", "-o3"), ("-DNOREDUCE", "-DSAFETY"), ("-m10000",)
    theirs = report_shape(spin_small.run(model, flags, cc, options).out)
    ours = report_shape(hsfpy_small.run(model, flags, cc, options).out)
    assert ours == theirs


def report_shape(text: str) -> list[str]:
    lines = []
    for line in text.splitlines():
        if line.startswith("(Spin Version"):
            line = "(Spin Version)"
        if "Megabytes" in line:
            lines.append(line)
            continue
        if re.search(r"memory|states/second|as stored|hash conflicts|fragmentation|proc and chan", line):
            continue
        lines.append(re.sub(r"State-vector \d+|elapsed time [\d.e+-]+", "N", line))
    return lines
