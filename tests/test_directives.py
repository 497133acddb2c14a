"""Compile-time directives of pan.c: what SPIN prints or does under them, hsfpy does too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from oracle import EXAMPLES, FULL_CC, PLAIN, PROMELA, Hsfpy, Run, Spin, execute, quick_compiler

COUNTS = (*FULL_CC, "-DPEG", "-DVAR_RANGES", "-DNSUCC")
SAFE_CLAIM = ("-DNOREDUCE", "-DSAFETY", "-DPEG", "-DVAR_RANGES", "-DNSUCC")


def counts(run: Run) -> str:
    """The parts of a report that directives add. SPIN has no place for jumps and prints a null pointer."""
    found = re.search(r"\nPeg Counts.*?(?=\npan: elapsed)", run.out, re.S)
    assert found is not None, run.out
    return found.group().replace("(null):0", "(jumps):0")


@pytest.mark.parametrize(
    ("name", "cc"),
    [
        ("array_bits_packed", COUNTS),
        ("atomic_rendezvous_into_atomic", COUNTS),
        ("chan_receive_into_array", COUNTS),
        ("dstep_loop", COUNTS),
        ("enabled_of_claimed_process", SAFE_CLAIM),
        ("pc_value_function", SAFE_CLAIM),
        ("timeout_with_rendezvous", COUNTS),
        ("typedef_nested_arrays", COUNTS),
        ("type_short_wraps", COUNTS),
        ("unless_rendezvous_escape", COUNTS),
    ],
)
def test_counts_are_spins(name: str, cc: tuple[str, ...], spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    """-DPEG, -DVAR_RANGES and -DNSUCC: statements executed, values assigned, successors of states."""
    model = PROMELA / f"{name}.pml"
    theirs, ours = (tool.run(model, PLAIN, cc, ("-c0", "-n")) for tool in (spin_small, hsfpy_small))
    assert counts(ours) == counts(theirs)


@pytest.mark.parametrize("name", ["leader0.pml", "peterson.pml", "abp.pml"])
def test_counts_of_examples_are_spins(name: str, spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    model = EXAMPLES / name
    theirs, ours = (tool.run(model, PLAIN, COUNTS, ("-c0",)) for tool in (spin_small, hsfpy_small))
    assert counts(ours) == counts(theirs)


def test_counts_stop_with_the_search(spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    """The statement that fails is not counted when the search ends there."""
    model = PROMELA / "assert_false_constant.pml"
    theirs, ours = (tool.run(model, PLAIN, COUNTS) for tool in (spin_small, hsfpy_small))
    assert counts(ours) == counts(theirs)


def test_counts_of_other_searches(hsfpy_small: Hsfpy) -> None:
    """Breadth first, statements are counted too; numbers of successors belong to depth-first search."""
    run = hsfpy_small.run(PROMELA / "dstep_loop.pml", PLAIN, COUNTS, ("--bfs", "-n"))
    assert "Peg Counts (transitions executed):\n" in run.out
    assert re.search(r"^ +\d+\ttrans +\d+ dstep_loop.pml:\d+$", run.out, re.M)
    assert "Successor counts" not in run.out


@pytest.mark.parametrize(
    ("words", "shows"),
    [
        (["-run", "-DPEG"], "Peg Counts"),
        (["-run", "-DVAR_RANGES"], "Values assigned"),
        (["-run", "-DNSUCC"], "Successor counts"),
        (["-DPEG", "-a"], "Peg Counts"),
        (["-a"], None),
    ],
)
def test_counts_by_hsfpy_itself(words: list[str], shows: str | None, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """The cached runtime is compiled anew for them, and only for them."""
    (tmp_path / "m.pml").write_text("byte g;\nactive [2] proctype P() { g++; g++ }\n")
    run = hsfpy_small.call(*words, "m.pml", cwd=tmp_path, env={"CC": " ".join(quick_compiler())})
    assert run.code == 0
    out = run.out if "-run" in words else execute(["./pan"], tmp_path).out
    titles = [title for title in ("Peg Counts", "Values assigned", "Successor counts") if title in out]
    assert titles == ([shows] if shows else [])


# --- -DCHECK: the search as it goes --------------------------------------------------------------

# What jSpin's SpinSpider adds to a model to see its states, and how it builds and runs it.
SPIDER_CLAIM = (
    'never {\n\tdo\n\t:: printf("*spd* 2 %d %d 1 turn %d\\n",\n\t\tpc_value(0), pc_value(1), turn)\n\tod\n}\n'
)
SPIDER_MODEL = """byte turn = 1;
active proctype p() { do :: turn == 1; turn = 2; od }
active proctype q() { do :: turn == 2; turn = 1; od }
"""
SPIDER_CC = ("-DCHECK", "-DSAFETY", "-DPRINTF", "-DNOREDUCE")


def told(run: Run) -> str:
    """Everything before the report."""
    return run.out.partition("\n(Spin Version")[0]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("atomic_rendezvous_into_atomic", "-c0"),
        ("chan_rendezvous", "-c0"),
        ("chan_rendezvous", ""),
        ("dstep_loop", "-c0"),
        ("enabled_of_claimed_process", "-c0"),
        ("label_accept_progress_safety", "-c0"),
        ("never_claim_atomic", "-c0"),
        ("pc_value_function", "-c0"),
        ("process_reversed_order", "-c0"),
        ("timeout_with_rendezvous", "-c0"),
        ("unless_rendezvous_escape", "-c0 -m9"),
        ("stop_at_second_error", "-i"),
    ],
)
@pytest.mark.parametrize("cc", [SPIDER_CC, ("-DCHECK", "-DNOREDUCE")])
def test_search_is_told_as_in_spin(
    name: str, words: str, cc: tuple[str, ...], spin_small: Spin, hsfpy_small: Hsfpy
) -> None:
    model = PROMELA / f"{name}.pml"
    also = ("-DP_REVERSE",) if "reversed" in name else ("-DREACH",) if words == "-i" else ()
    theirs, ours = (tool.run(model, PLAIN, (*cc, *also), tuple(words.split())) for tool in (spin_small, hsfpy_small))
    assert len(told(theirs).splitlines()) > 20
    assert told(ours) == told(theirs)


def test_spin_spider(spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model, claim = tmp_path / "first.pml", tmp_path / "first.h"
    model.write_text(SPIDER_MODEL)
    claim.write_text(SPIDER_CLAIM)  # copied beside the model, as headers are
    flags = ("-o3", "-N", claim.name)
    theirs, ours = (tool.run(model, flags, SPIDER_CC) for tool in (spin_small, hsfpy_small))
    assert "*spd* 2" in told(ours)
    assert told(ours) == told(theirs)


@pytest.mark.parametrize("words", ["--bfs", "-a"])
def test_other_searches_are_not_told(words: str, hsfpy_small: Hsfpy) -> None:
    run = hsfpy_small.run(PROMELA / "label_accept_progress_safety.pml", PLAIN, ("-DCHECK",), (words,))
    assert "-DCHECK shows only depth-first searches" in run.err
    assert "Down" not in run.out


# --- directives that this version does not follow, and small ones it does --------------------------

SMALL = "byte g;\nactive [2] proctype P() { g++; g++ }\n"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "m.pml"
    path.write_text(SMALL)
    return path


@pytest.mark.parametrize(
    ("directive", "says"),
    [
        ("-DBFS_PAR", "searches run on one core"),
        ("-DNCORE=4", "searches run on one core"),
        ("-DL_BOUND=3", "does not bound the length of cycles"),
        ("-DW_XPT=100", "no checkpoints"),
        ("-DSVDUMP", "states are not written out"),
        ("-DSDUMP", "states are not written out"),
    ],
)
def test_what_is_not_followed_is_said(directive: str, says: str, small: Path, hsfpy_small: Hsfpy) -> None:
    run = hsfpy_small.run(small, PLAIN, (directive,), ("-n",))
    assert run.code == 0
    assert run.err.startswith(f"pan: warning: {directive.partition('=')[0]}") or directive in ("-DSDUMP",)
    assert says in run.err
    assert len(run.err.splitlines()) == 1
    tables = execute([hsfpy_small.build(small, PLAIN, (directive,)) / "pan", "-d"], small.parent)
    assert tables.err == ""  # clients take any such text for a failure


@pytest.mark.parametrize(
    "directive",
    [
        "-DCOLLAPSE", "-DMA=20", "-DVECTORSZ=4096", "-DNOFAIR", "-DNFAIR=4", "-DXUSAFE", "-DREACH",
        "-DVMAX=64", "-DPMAX=4", "-DQMAX=4", "-DSPACE", "-DNXT", "-DSFH", "-DNIBIS", "-DNOBOUNDCHECK",
    ],
)  # fmt: skip
def test_what_is_not_needed_changes_nothing(directive: str, small: Path, hsfpy_small: Hsfpy) -> None:
    plain, given = (hsfpy_small.run(small, PLAIN, cc, ("-c0",)) for cc in ((), (directive,)))
    assert (given.code, given.err) == (0, "")
    left, right = (re.sub(r"(?m)^.*(elapsed|rate|memory|byte).*\n", "", run.out) for run in (plain, given))
    assert left == right


def test_compilation_is_told_as_in_spin(small: Path, spin_small: Spin, hsfpy_small: Hsfpy) -> None:
    cc = ("-DSAFETY", "-DNOREDUCE", "-DPEG", "-DVAR_RANGES", "-DMEMLIM=100", "-DT_RAND=3", "-DPERMUTED")
    theirs, ours = (tool.run(small, PLAIN, cc, ("-V",)).out for tool in (spin_small, hsfpy_small))
    assert [line for line in ours.splitlines() if "Compiled as" in line] == [
        line for line in theirs.splitlines() if "Compiled as" in line
    ]


@pytest.mark.parametrize("directives", [(), ("-DNOSTUTTER",)])
@pytest.mark.parametrize("search", ["", "-a"])
def test_stuttering(
    directives: tuple[str, ...], search: str, spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path
) -> None:
    """-DNOSTUTTER: a program that has ended does not go on standing still for the claim."""
    model = tmp_path / "m.pml"
    model.write_text("byte g;\nactive proctype P() { g = 1 }\nnever { accept: do :: g < 2 od }\n")
    words = ("-c0", *search.split())
    theirs, ours = (tool.run(model, PLAIN, ("-DNOREDUCE", *directives), words) for tool in (spin_small, hsfpy_small))
    found = [re.findall(r"errors: (\d+)", run.out)[0] != "0" for run in (theirs, ours)]
    assert found[0] == found[1] == bool(search and not directives)


def test_memory_by_its_logarithm(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    model.write_text("byte a[6];\nactive [6] proctype P() { do :: a[_pid]++ od }\n")
    assert "pan: reached -DMEMLIM bound" in hsfpy_small.run(model, PLAIN, ("-DMEMCNT=22",)).out


def test_progress_as_often_as_asked(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    model.write_text("byte a[2];\nactive [2] proctype P() { do :: a[_pid]++ od }\n")
    run = hsfpy_small.run(model, PLAIN, ("-DFREQ=10000",))
    assert len(re.findall(r"^Depth= +\d+ States= ", run.out, re.M)) == 6


@pytest.mark.parametrize("directive", ['-DC_EXIT=puts("over")', '-DON_EXIT=puts("over")'])
def test_code_at_the_end(directive: str, spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """C_EXIT runs at the end of every run, ON_EXIT at the end of a replay."""
    model = tmp_path / "m.pml"
    model.write_text("byte g;\nactive proctype P() { c_code { now.g = 1; }; assert(false) }\n")
    cc = ("-DNOREDUCE", "-DSAFETY", directive)
    for words in ((), ("-r",)):
        said = []
        for tool in (spin_small, hsfpy_small):
            folder = tool.build(model, PLAIN, cc)
            (tmp_path / "m.pml.trail").write_text("1:0:0\n2:0:1\n")
            said.append(execute([folder / "pan", *words], tmp_path).out.count("over\n"))
        assert said[0] == said[1] == int(bool(words) or "C_EXIT" in directive)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("-k2", "-k is for bitstate searches"),
        ("-M10", "-M and -G affect only -DBITSTATE"),
        ("-G1", "-M and -G affect only -DBITSTATE"),
        ("-R3", "-R repeats bitstate searches"),
        ("-u2", "searches run on one core"),
        ("-P5", "bad option -P[01], ignored"),
        ("-hash", ""),
        ("-h3", ""),
        ("-RS7", ""),
    ],
)
def test_options_of_other_searches(words: str, says: str, small: Path, hsfpy_small: Hsfpy) -> None:
    run = hsfpy_small.run(small, PLAIN, FULL_CC, words.split())
    assert run.code == 0
    assert says in run.err and len(run.err.splitlines()) == bool(says)
    assert "errors: 0" in run.out


@pytest.mark.parametrize("word", ["-swarm4,2", "-biterate3,5"])
def test_repeated_bitstate_searches_are_refused(word: str, small: Path, hsfpy_small: Hsfpy) -> None:
    run = hsfpy_small.call("-run", word, "m.pml", cwd=small.parent)
    assert run.code == 1
    assert f"{word} (bitstate searches) is not in this version of hsfpy" in run.out + run.err
