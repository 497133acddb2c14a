"""`hsfpy -t` prints what `spin -t` prints, line for line, for SPIN's trails and for ours.

The differences that are meant to be there are listed in docs/compatibility.md. Here each has a function that
takes it out of SPIN's text, or a test of its own.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from oracle import EXAMPLES, PLAIN, PROMELA, Hsfpy, Run, Spin, copy_model, execute, quick_compiler, read_expectation

from hsfpy.cli import main

ALL = ("-p", "-g", "-l", "-s", "-r")

# How trails are made: options of spin, of the C compiler, of pan.
MODES = {
    "default": ((), (), ()),  # statements merged, reduced
    "cycles": ((), (), ("-a",)),
    "nonprogress": ((), ("-DNP",), ("-l",)),
    "breadth": ((), ("-DBFS", "-DSAFETY"), ()),
    "plain": (PLAIN, ("-DNOREDUCE", "-DSAFETY"), ()),
}
LIMITS = ("-DMEMLIM=500",)
PAN = ("-n", "-m5000", "-w18")

# SPIN's examples with an error, by the way it is found.
BOOK = [
    f"Book_1991/p{n}.pml" for n in ("101", "104.1", "105.1", "107", "108", "116", "117", "312", "319", "96.1", "97.1")
]
SAFETY = [
    *BOOK, "Exercises/ex_1f.pml", "Exercises/ex_3a.pml", "Exercises/ex_3c.pml", "Exercises/ex_4.pml",
    "LTL/bakery.pml", "LTL/ltl_example.pml", "LTL/salesman1.pml", "LTL/salesman2.pml", "for_select_example.pml",
    "hajek.pml", "life.pml", "pathfinder.pml", "sat.pml", "snoopy.pml", "test_mtype.pml", "wordcount.pml",
]  # fmt: skip
REDUCED = [*SAFETY, "LTL/pftp.pml", "cambridge.pml"]  # wrong assumptions about exclusive channels
CYCLES = ["Book_1991/p123.pml", "LTL/ltl_always_eventually.pml", "LTL/petersonN.pml", "LTL/zune.pml", "loops.pml"]
NONPROGRESS = [
    "Book_1991/App.F.pftp.pml", "Book_1991/p104.2.pml", "Book_1991/p116.pml", "Book_1991/p123.pml",
    "Book_1991/p312.pml", "Book_1991/p319.pml", "Book_1991/p329.pml", "Book_1991/p330.pml", "Exercises/ex_1a.pml",
    "Exercises/ex_2.pml", "Exercises/ex_3c.pml", "Exercises/ex_4.pml", "Exercises/ex_5.pml", "Exercises/ex_6.pml",
    "LTL/bakery.pml", "LTL/mobile1.pml", "LTL/mobile2.pml", "LTL/petersonN.pml", "LTL/train.pml", "LTL/zune.pml",
    "abp.pml", "cambridge.pml", "hajek.pml", "life.pml", "manna_pnueli.pml", "pathfinder.pml", "peterson.pml",
    "priorities.pml", "sat.pml", "snoopy.pml",
]  # fmt: skip
NOT_BREADTH = {f"Book_1991/p{n}.pml" for n in ("101", "105.1", "117")} | {"life.pml"}
CASES = [
    *(("default", name) for name in REDUCED),
    *(("cycles", name) for name in CYCLES),
    *(("nonprogress", name) for name in NONPROGRESS),
    *(("breadth", name) for name in SAFETY if name not in NOT_BREADTH),
    *(("plain", name) for name in SAFETY),
]


# ---------------------------------------------------------------- running both


@pytest.fixture
def replay(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str]]:
    """Calls hsfpy in this process, in a folder; returns its exit status and what it printed."""

    def call(where: Path, *args: str) -> tuple[int, str]:
        monkeypatch.setenv("CC", quick_compiler()[0])
        monkeypatch.chdir(where)
        capsys.readouterr()
        status = main(list(args))
        return status, capsys.readouterr().out

    return call


def place_trail(model: Path, trail: str, where: Path) -> None:
    """Model and trail in a folder, the model older than its trail."""
    local = copy_model(model, where)
    os.utime(local, (0, 0))
    (where / f"{model.name}.trail").write_text(trail)


def spin_text(model: Path, trail: str, where: Path, flags: Sequence[str]) -> str:
    """What `spin -t` prints. It leaves its translation of formulas in the folder, where hsfpy finds it."""
    place_trail(model, trail, where)
    return execute(["spin", *flags, "-t", *ALL, model.name], where).out


# ---------------------------------------------------------------- differences


def without_labels(text: str, model: Path) -> str:
    """SPIN lists labels that claims refer to among the variables, with value 0."""
    labels = set(re.findall(r"@\s*(\w+)", model.read_text(errors="replace")))
    return "".join(
        line
        for line in text.splitlines(keepends=True)
        if not ((found := re.fullmatch(r"\t\t(\w+) = 0\n", line)) and found[1] in labels)
    )


def without_remote_notes(text: str) -> str:
    """SPIN repeats at every evaluation that `P@label` may mean several processes."""
    return re.sub(r"^spin: remote ref to proctype .*\n", "", text, flags=re.M)


def with_true_length(text: str, trail: str) -> str:
    """SPIN takes a mark of the trail (-4:-4:-4) for a step when no step follows it."""
    if any(not line.startswith("-") for line in trail.splitlines()):
        return text
    return re.sub(r"^ -\d:\t", "  0:\t", re.sub(r"ends after -\d steps", "ends after 0 steps", text), flags=re.M)


def expected(text: str, model: Path, trail: str) -> str:
    return with_true_length(without_remote_notes(without_labels(text, model)), trail)


# Prints names of named mtypes: see test_named_mtypes.
NAMED_MTYPES = "test_mtype.pml"
# The value of `run` under a claim SPIN does not find: see test_pids_under_an_unknown_claim. They also receive mtypes
# into a chan variable, which then seems to hold whichever channel has that number in the tool at hand.
USES_PIDS = ("LTL/mobile1.pml", "LTL/mobile2.pml")
# A run-time error that SPIN's simulator does not notice: see test_run_time_errors_are_told.
UNNOTICED = "LTL/ltl_example.pml"


def without_pids(text: str) -> str:
    return re.sub(r"([ap]_id) = \d+$|^\t\tqueue \d+ \(BS\(\d+\):v\): .*\n", r"\1", text, flags=re.M)


def mode_trail(mode: str, name: str, spin: Spin) -> str:
    flags, cc, pan = MODES[mode]
    return spin.run(EXAMPLES / name, flags, (*cc, *LIMITS), (*PAN, *pan)).trail


@pytest.mark.parametrize(("mode", "name"), CASES)
def test_spins_trails(
    mode: str, name: str, spin_small: Spin, tmp_path: Path, replay: Callable[..., tuple[int, str]]
) -> None:
    model = EXAMPLES / name
    trail = mode_trail(mode, name, spin_small)
    theirs = expected(spin_text(model, trail, tmp_path, ()), model, trail)
    status, ours = replay(tmp_path, "-t", *ALL, model.name)
    assert status == 0
    if name == NAMED_MTYPES:
        theirs, ours = without_mtypes(theirs), without_mtypes(ours)
    elif mode == "nonprogress" and name in USES_PIDS:
        theirs, ours = without_pids(theirs), without_pids(ours)
    elif name == UNNOTICED and mode != "breadth":
        return  # see test_run_time_errors_are_told
    assert ours.splitlines() == theirs.splitlines()


# p108 grows beyond what a depth-first search sees in a moment: SPIN stops at its limit on the size of a state.
OURS = [name for name in SAFETY if name not in (UNNOTICED, "wordcount.pml", "Book_1991/p108.pml")]


@pytest.mark.parametrize("name", OURS)
def test_our_trails(
    name: str, hsfpy_small: Hsfpy, spin_small: Spin, tmp_path: Path, replay: Callable[..., tuple[int, str]]
) -> None:
    """The first error of our depth-first search, and the shortest one."""
    model = EXAMPLES / name
    for search in ("--dfs", "--bfs"):
        pan = ("-n", "-m5000", search) if name != "life.pml" else ("-n", "-m5000", "--dfs")
        trail = hsfpy_small.run(model, PLAIN, ("-DSAFETY",), pan).trail
        where = tmp_path / search[2:]
        theirs = expected(spin_text(model, trail, where, ()), model, trail)
        status, ours = replay(where, "-t", *ALL, model.name)
        assert status == 0
        if name == NAMED_MTYPES:
            theirs, ours = without_mtypes(theirs), without_mtypes(ours)
        assert ours.splitlines() == theirs.splitlines()


LIVE = ["Book_1991/p123.pml", "LTL/petersonN.pml", "loops.pml", "LTL/zune.pml"]


@pytest.mark.parametrize("name", LIVE)
def test_our_cycles(
    name: str, hsfpy_small: Hsfpy, spin_small: Spin, tmp_path: Path, replay: Callable[..., tuple[int, str]]
) -> None:
    model = EXAMPLES / name
    trail = hsfpy_small.run(model, PLAIN, (), ("-n", "-a", "-m5000")).trail
    assert "-1:-1:-1" in trail
    theirs = expected(spin_text(model, trail, tmp_path, ()), model, trail)
    status, ours = replay(tmp_path, "-t", *ALL, model.name)
    assert status == 0
    assert "  <<<<<START OF CYCLE>>>>>\n" in ours
    assert ours.splitlines() == theirs.splitlines()


# ---------------------------------------------------------------- every feature of the language


def fails(model: Path) -> bool:
    expect = read_expectation(model)
    return expect.reject is None and expect.values.get("error", "none") != "none" and not expect.spin_crashes


# Where SPIN's simulator and SPIN's own verifier disagree, hsfpy shows what the verifier did.
SIMULATOR_DIFFERS = {
    "_last is 0 in every replay": {"last_in_claim", "last_initial", "last_variable"},
    "enabled() is true in every replay": {"enabled_function"},
    "arrays of bits hold single bits": {"type_bool_truncates"},
    "fields of structs hold whole integers": {"typedef_basic"},
    "run-time errors are not noticed": {
        "array_index_out_of_bounds", "chan_index_out_of_bounds", "chan_too_few_fields", "chan_uninitialised_full",
        "chan_uninitialised_len", "chan_uninitialised_poll", "expr_division_by_zero", "chan_too_many_fields",
        "chan_too_many_fields_of_two",
    },
    "processes and channels have no limit": {"active_too_many_channels", "active_too_many_processes"},
    "trace assertions are not evaluated": {
        "notrace_failing", "trace_failing", "trace_one_channel_of_two", "trace_rendezvous", "trace_values",
    },
    "a line that is no step ends the trail": {
        "pc_value_function", "remote_label", "remote_label_without_index",
    },
    "warnings of the parser have another text": {"else_with_rendezvous", "goto_forward_and_back"},
}  # fmt: skip
DIFFERENT = set().union(*SIMULATOR_DIFFERS.values())
EMBEDDED_C = re.compile(r"\bc_(code|expr|decl|state|track)\b")


def compared(model: Path) -> bool:
    if model.stem in DIFFERENT or EMBEDDED_C.search(model.read_text()):
        return False
    return fails(model) and not re.search(r"-D(T_)?REVERSE", " ".join(read_expectation(model).cc))


@pytest.mark.parametrize("merging", [True, False], ids=["merged", "plain"])
@pytest.mark.parametrize("model", [m for m in sorted(PROMELA.glob("*.pml")) if compared(m)], ids=lambda path: path.stem)
def test_language(
    model: Path, merging: bool, spin_small: Spin, tmp_path: Path, replay: Callable[..., tuple[int, str]]
) -> None:
    expect = read_expectation(model)
    flags = expect.flags if merging else (*PLAIN, *expect.flags)
    trails = spin_small.run(model, flags, expect.cc, ("-n", "-m100000", "-w18", *expect.pan)).trails
    if not trails:
        return  # an error of the search (a depth limit, say) without a run
    trail = next(iter(trails.values()))
    theirs = expected(spin_text(model, trail, tmp_path, expect.flags), model, trail)
    status, ours = replay(tmp_path, *expect.flags, "-t", *ALL, model.name)
    assert (status, ours.splitlines()) == (0, theirs.splitlines())


@pytest.mark.parametrize("stem", sorted(DIFFERENT))
def test_differences_run_to_the_end(
    stem: str, spin_small: Spin, tmp_path: Path, replay: Callable[..., tuple[int, str]]
) -> None:
    """Where the text differs, our replay reaches the last step all the same and nothing fails on the way."""
    model = PROMELA / f"{stem}.pml"
    expect = read_expectation(model)
    run = spin_small.run(model, (*PLAIN, *expect.flags), expect.cc, ("-n", "-m100000", "-w18", *expect.pan))
    if not run.trails:
        return
    place_trail(model, run.trail, tmp_path)
    status, ours = replay(tmp_path, *expect.flags, "-t", *ALL, model.name)
    last = run.trail.splitlines()[-1].split(":")[0] if run.trail else "0"
    assert status == 0
    assert f"spin: trail ends after {last} steps" in ours
    assert "transition failed" not in ours


def without_mtypes(text: str) -> str:
    """Statements and values of test_mtype.pml without the names SPIN mixes up."""
    return re.sub(r"\[.*\]$| = \w+$", "", text, flags=re.M)


def test_named_mtypes(tmp_path: Path, replay: Callable[..., tuple[int, str]]) -> None:
    """SPIN shows a value of a named mtype by the name that its number has in the plain one."""
    model = tmp_path / "m.pml"
    model.write_text(
        "mtype = { one, two };\nmtype:fruit = { pear, apple };\nmtype:fruit f;\n"
        "active proctype P() { mtype:fruit l; l = apple; f = pear; assert(false) }\n"
    )
    (tmp_path / "m.pml.trail").write_text("1:0:0\n2:0:1\n3:0:2\n")
    status, ours = replay(tmp_path, "-t", "-p", "-g", "-l", "m.pml")
    assert status == 0
    assert "[l = apple]\n\t\tP(0):l = apple\n" in ours and "[f = pear]\n\t\tf = pear\n" in ours
    theirs = execute(["spin", "-t", "-p", "-g", "-l", "m.pml"], tmp_path).out
    assert "P(0):l = one" in theirs or "P(0):l = two" in theirs


def test_first_values_that_do_not_fit(tmp_path: Path, replay: Callable[..., tuple[int, str]]) -> None:
    """SPIN's simulator keeps -1 in a byte and complains whenever it looks."""
    (tmp_path / "m.pml").write_text("byte b = -1;\nactive proctype P() { b == 255; assert(false) }\n")
    os.utime(tmp_path / "m.pml", (0, 0))
    (tmp_path / "m.pml.trail").write_text("1:0:0\n2:0:1\n")
    theirs = execute(["spin", "-t", "-p", "-g", "m.pml"], tmp_path).out
    complaint = "spin: m.pml:2, Error: value (-1->255 (8)) truncated in assignment\n"
    assert theirs.count(complaint) > 1
    assert replay(tmp_path, "-t", "-p", "-g", "m.pml") == (0, theirs.replace(complaint, ""))


def test_pids_under_an_unknown_claim(tmp_path: Path, replay: Callable[..., tuple[int, str]]) -> None:
    """Under the claim of pan -l SPIN's replay lets `run` return one more than the process number."""
    model = tmp_path / "m.pml"
    model.write_text("byte p;\nproctype Q() { skip }\ninit { p = run Q(); progress: skip }\n")
    (tmp_path / "m.pml.trail").write_text("-2:2:-2\n2:1:2\n")
    status, ours = replay(tmp_path, "-t", "-p", "-g", "m.pml")
    assert status == 0 and "\t\tp = 1\n" in ours
    assert "\t\tp = 2\n" in execute(["spin", "-t", "-p", "-g", "m.pml"], tmp_path).out


def test_run_time_errors_are_told(tmp_path: Path, replay: Callable[..., tuple[int, str]]) -> None:
    """The error a trail is about: SPIN's simulator takes the length of no channel for 0 and goes on."""
    model = tmp_path / "m.pml"
    model.write_text("chan q;\nbyte a[2], i = 2;\nactive proctype P() { if :: len(q) == 0 -> skip fi }\n")
    (tmp_path / "m.pml.trail").write_text("1:0:0\n")
    status, ours = replay(tmp_path, "-t", "-p", "m.pml")
    assert status == 0
    assert "spin: m.pml:3, Error: ref to uninitialized chan name (len)\n" in ours


def test_embedded_c_is_executed(
    spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path, replay: Callable[..., tuple[int, str]]
) -> None:
    """SPIN prints embedded C instead of executing it, and warns; hsfpy executes it."""
    model = PROMELA / "c_code_globals.pml"
    text = model.read_text()
    assert "c_code" in text
    failing = tmp_path / "failing.pml"
    failing.write_text(
        'byte x;\nactive proctype P() { c_code { now.x = 7; printf("C %d\\n", now.x); }; assert(x != 7) }\n'
    )
    trail = hsfpy_small.run(failing, PLAIN, ("-DSAFETY",), ("-n",)).trail
    place_trail(failing, trail, tmp_path / "run")
    status, ours = replay(tmp_path / "run", "-t", "-p", "-g", failing.name)
    assert status == 0
    assert "\t\tx = 7\n" in ours and "      C 7\n" in ours
    assert "spin: text of failed assertion: assert((x!=7))\n" in ours
    assert "not be executed" in execute(["spin", "-t", failing.name], tmp_path / "run").out


CHANNELS_IN_STRUCTS = """typedef A { byte v[2]; bit f }
typedef B { A a[2]; chan c = [1] of { A } }
chan s = [0] of { chan };
active proctype P() {
	B b;
	A x;
	chan mine = [1] of { chan };
	b.a[1].v[1] = 3;
	b.c!b.a[1];
	b.c?x;
	mine!b.c;
	s!mine;
	assert(x.v[1] != 3)
}
active proctype Q() { chan got; s?got }
"""


def test_channels_in_structs_and_messages(tmp_path: Path, replay: Callable[..., tuple[int, str]]) -> None:
    """A message with a channel shows the number that SPIN's simulator gives it."""
    (tmp_path / "m.pml").write_text(CHANNELS_IN_STRUCTS)
    os.utime(tmp_path / "m.pml", (0, 0))
    (tmp_path / "m.pml.trail").write_text("1:0:0\n2:0:1\n3:0:2\n4:0:3\n5:0:4\n6:1:7\n7:0:5\n")
    theirs = execute(["spin", "-t", *ALL, "m.pml"], tmp_path).out
    assert replay(tmp_path, "-t", *ALL, "m.pml") == (0, theirs)
    assert "Send 2\t-> queue 1 (mine)" in theirs and "transition failed" not in theirs


# ---------------------------------------------------------------- options


OPTION_CASES = [
    (options, stem)
    for options in (
        "-p", "-c", "-p -X -s -r -v -g -l", "-X", "-w -g -l -p", "-c -p", "-T", "-b -B", "-u4 -p", "-j3 -p -g -l",
        "-s -q1", "-g", "-l -p", "-g -g -p", "-p -u3 -X",
    )
    for stem in (
        "chan_poll", "dstep_goto_inside", "unless_nested", "typedef_with_channel", "never_claim_assert",
        "chan_rendezvous_in_atomic_chain", "printf_formats", "priority_set_get", "stop_at_second_error",
    )
]  # fmt: skip


@pytest.mark.parametrize(("options", "stem"), OPTION_CASES)
def test_options(
    options: str, stem: str, spin_small: Spin, tmp_path: Path, replay: Callable[..., tuple[int, str]]
) -> None:
    model = PROMELA / f"{stem}.pml"
    expect = read_expectation(model)
    trails = spin_small.run(model, (), expect.cc, ("-n", "-m100000", "-w18", *expect.pan)).trails
    # A model without an error has its first steps for a trail.
    trail = next(iter(trails.values())) if trails else "1:0:0\n"
    place_trail(model, trail, tmp_path)
    theirs = execute(["spin", "-t", *options.split(), model.name], tmp_path)
    status, ours = replay(tmp_path, "-t", *options.split(), model.name)
    shown = [line for line in theirs.out.splitlines() if not line.startswith(IGNORED)]
    assert (status, [line for line in ours.splitlines() if not line.startswith(IGNORED)]) == (theirs.code, shown)


# What -v adds about the parser's work.
IGNORED = ("unreachable code:",)


def test_model_newer_than_its_trail(tmp_path: Path, replay: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "m.pml.trail").write_text("1:0:0\n")
    (tmp_path / "m.pml").write_text("byte x;\nactive proctype P() { x = 1; x = 2 }\n")
    os.utime(tmp_path / "m.pml.trail", (0, 0))
    assert replay(tmp_path, "-t", "m.pml") == (0, execute(["spin", "-t", "m.pml"], tmp_path).out)


@pytest.mark.parametrize("name", ["m.pml.trail", "m.pml.tra", "m.trail", "m.tra", "sub/m.pml.trail", "sub/m.trail"])
def test_where_a_trail_is_looked_for(name: str, tmp_path: Path, replay: Callable[..., tuple[int, str]]) -> None:
    """Where SPIN looks, and where pan leaves it: in the current folder."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "m.pml").write_text("byte x;\nactive proctype P() { x = 1; x = 2 }\n")
    os.utime(tmp_path / "sub" / "m.pml", (0, 0))
    (tmp_path / name).write_text("1:0:0\n")
    status, ours = replay(tmp_path, "-t", "-p", "sub/m.pml")
    assert (status, ours.splitlines()[0]) == (0, "  1:\tproc  0 (P:1) sub/m.pml:2 (state 1)\t[x = 1]")


def test_numbered_and_named_trails(tmp_path: Path, replay: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "m.pml").write_text("byte x;\nactive proctype P() { x = 1; x = 2 }\n")
    os.utime(tmp_path / "m.pml", (0, 0))
    (tmp_path / "m.pml3.trail").write_text("1:0:0\n2:0:1\n")
    (tmp_path / "other").write_text("1:0:0\n")
    assert "trail ends after 2 steps" in replay(tmp_path, "-t3", "m.pml")[1]
    assert "trail ends after 1 steps" in replay(tmp_path, "-k", "other", "m.pml")[1]
    assert "trail ends after 1 steps" in replay(tmp_path, "-replay", "-k", "other", "m.pml")[1]


# ---------------------------------------------------------------- trails that do not fit


MISFITS = {
    "no such statement": ("1:0:0\n2:0:99\n", "step 2", "no statement number 99"),
    "no such process": ("1:0:0\n2:4:1\n3:0:1\n", "step 2", "no process 4"),
    "a statement of another proctype": ("1:0:0\n2:0:5\n3:0:1\n", "step 2", "belongs to Q"),
    "a statement from elsewhere": ("1:0:0\n2:0:2\n3:0:1\n", "step 2", "cannot take `x = 3`"),
    "a statement that is blocked": ("1:1:4\n2:0:0\n", "step 1", "cannot execute `((x==2))`"),
    "no trail at all": ("hello\nworld\n", "line 1", "no trail"),
    "cut inside a line": ("1:0:0\n2:0", "line 2", "cut"),
    "steps that go back": ("1:0:0\n3:0:1\n2:0:2\n", "step 2", "follows step 3"),
}


@pytest.mark.parametrize("case", MISFITS)
def test_a_trail_that_does_not_fit(case: str, tmp_path: Path, replay: Callable[..., tuple[int, str]]) -> None:
    trail, where, why = MISFITS[case]
    (tmp_path / "m.pml").write_text(
        "byte x;\nactive proctype P() { x = 1; x = 2; x = 3 }\nactive proctype Q() { x == 2; x = 5 }\n"
    )
    (tmp_path / "m.pml.trail").write_text(trail)
    os.utime(tmp_path / "m.pml", (0, 0))
    status, ours = replay(tmp_path, "-t", "-p", "m.pml")
    last = ours.splitlines()[-1]
    assert status == 1
    assert last.startswith("spin: ") and where in last and why in last
    assert "Traceback" not in ours


def test_a_trail_of_another_version_of_the_model(
    spin_small: Spin, tmp_path: Path, replay: Callable[..., tuple[int, str]]
) -> None:
    model = PROMELA / "mutex_broken.pml"
    trail = spin_small.run(model, PLAIN, pan=("-n", "-w18")).trail
    newer = model.read_text().replace("in++;", "skip; in++;")
    assert newer != model.read_text()
    (tmp_path / model.name).write_text(newer)
    (tmp_path / f"{model.name}.trail").write_text(trail)
    status, ours = replay(tmp_path, "-t", model.name)
    assert status == 1 and "does not fit the model at step" in ours


def test_no_trail(tmp_path: Path, replay: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "m.pml").write_text("active proctype P() { skip }\n")
    status, ours = replay(tmp_path, "-t", "m.pml")
    assert status == 1 and ours.startswith("spin: cannot find trail file")


def test_a_trail_found_breadth_first_by_spin_ends_with_a_blocked_line(
    tmp_path: Path, replay: Callable[..., tuple[int, str]]
) -> None:
    """Such a line is shown as SPIN shows it; in the middle of a trail it would be an error."""
    (tmp_path / "m.pml").write_text("byte x;\nactive proctype P() { x = 1; x == 2 }\n")
    (tmp_path / "m.pml.trail").write_text("1:0:0\n2:0:1\n")
    os.utime(tmp_path / "m.pml", (0, 0))
    theirs = execute(["spin", "-t", "-p", "m.pml"], tmp_path).out
    assert replay(tmp_path, "-t", "-p", "m.pml") == (0, theirs)
    assert "transition failed" in theirs


# ---------------------------------------------------------------- charts


def test_chart_for_wish(tmp_path: Path, replay: Callable[..., tuple[int, str]]) -> None:
    model = PROMELA / "chan_rendezvous.pml"
    copy_model(model, tmp_path)
    status, _ = replay(tmp_path, "-M", "-n1", model.name)
    script = (tmp_path / f"{model.name}.tcl").read_text()
    assert status == 0
    assert ".c create line" in script and "-fill darkred -arrow last" in script
    if shutil.which("tclsh"):
        stubs = "proc wm args {}; proc canvas args {proc .c args {}}; proc scrollbar args {}; proc pack args {}\n"
        run: Run = execute(["tclsh"], tmp_path, stdin=f"{stubs}source {model.name}.tcl; puts fine\n")
        assert run.out == "fine\n", run.err


def test_chart_refuses_other_output(tmp_path: Path, replay: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "m.pml").write_text("active proctype P() { skip }\n")
    assert replay(tmp_path, "-M", "-p", "m.pml") == (1, "spin: -c precludes all flags except -t\n")
