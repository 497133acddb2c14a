"""What other programs ask of SPIN and read from its answers: their command lines and patterns, on both tools.

The programs are iSpin, jSpin, the Promela plugins of VS Code and IntelliJ, umaudemc and RTEMS's test builder. None
of them is needed here: each test gives SPIN and hsfpy the same command line and reads both answers as the client does.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from oracle import EXAMPLES, TESTS, Hsfpy, Run, Spin, copy_model, execute, quick_compiler, with_root

from hsfpy.cli import main

HANDSHAKE, FORMULA = TESTS / "ispin" / "handshake.pml", TESTS / "ispin" / "formula.pml"
MODELS = sorted(path.relative_to(EXAMPLES) for path in EXAMPLES.rglob("*.pml"))

Call = Callable[..., Run]
Both = Callable[..., tuple[Run, Run]]


@pytest.fixture
def ours(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls hsfpy in this process, in a folder."""

    def call(where: Path, *args: str) -> Run:
        monkeypatch.setenv("CC", quick_compiler()[0])
        monkeypatch.chdir(where)
        capsys.readouterr()
        code = main(list(args))
        printed = capsys.readouterr()
        return Run(("spin", *args), code, printed.out, printed.err, {})

    return call


@pytest.fixture
def both(ours: Call, spin_small: Spin, tmp_path: Path) -> Both:
    """Gives both tools the same command line, each in a folder of its own with the model in it."""

    def call(model: Path, *args: str, trail: str | None = None) -> tuple[Run, Run]:
        runs = []
        for tool in ("theirs", "ours"):
            where = tmp_path / tool
            copy_model(model, where)
            if trail is not None:
                (where / f"{model.name}.trail").write_text(trail)
            words = [*args, model.name]
            runs.append(execute(["spin", *words], where) if tool == "theirs" else ours(where, *words))
        return runs[0], runs[1]

    return call


@pytest.fixture
def handshake_trail(spin_small: Spin) -> str:
    return spin_small.run(HANDSHAKE, (), (), ()).trail


# ---------------------------------------------------------------- iSpin


def test_version_line(both: Both) -> None:
    theirs, ours = both(HANDSHAKE, "-V")
    assert ours.code == theirs.code == 0
    assert ours.out == theirs.out and ours.out.startswith("Spin Version 6")


@pytest.mark.parametrize("name", MODELS, ids=str)
def test_symbol_table(name: Path, both: Both) -> None:
    """iSpin shows it, and looks in it for labels that ask for a search for cycles."""
    theirs, ours = both(EXAMPLES / name, "-d")
    if theirs.code != 0:
        assert ours.code != 0
        return
    claims = {line.split(":")[0].split()[1] for line in theirs.out.splitlines() if line.startswith("ltl ")}
    listed = [_without_translated_labels(run.out, claims) for run in (theirs, ours)]
    assert listed[0] == listed[1]
    for prefix in ("label\taccept", "label\tprogress"):
        assert (prefix in theirs.out) == (prefix in ours.out)


def _without_translated_labels(text: str, claims: set[str]) -> list[str]:
    """The table, without labels of claims made of formulas: the tools translate differently."""
    of_claims = re.compile(r"label\t.*<(" + "|".join(map(re.escape, claims)) + r")>") if claims else None
    return [line for line in text.splitlines() if of_claims is None or not of_claims.match(line)]


# Where SPIN takes a formula, or an assertion without variables, for no criterion, hsfpy has a closer look.
NO_CRITERIA = "spin: warning: no slice criteria found (no assertions and no claim)\n"
# hsfpy keeps what depends on _nr_pr if something that matters does.
CAUTIOUS = {Path("LTL/ltl_gen.pml")}


@pytest.mark.parametrize("name", MODELS, ids=str)
def test_redundancies(name: Path, both: Both) -> None:
    theirs, ours = both(EXAMPLES / name, "-A")
    if ours.code != 0 or theirs.code != 0:
        assert name == Path("LTL/patterns.pml")  # its formulas name what is not declared; SPIN does not look
        return
    assert _advice(ours.out) == _advice(theirs.out)
    if NO_CRITERIA in theirs.out or name in CAUTIOUS:
        assert "spin: redundant in" not in ours.out or name == Path("test_mtype.pml")
    else:
        assert sorted(ours.out.splitlines()) == sorted(theirs.out.splitlines())


def _advice(text: str) -> list[str]:
    """What is said besides the slice."""
    return re.findall(r"^spin: proctype .*|^\tto reduce.*|^spin: consider.*(?:\n\t(?!to).*)*", text, re.M)


REDUNDANT = """byte kept, seen, lost;
active proctype P() {
	byte i;
	do
	:: i < 3 ->
		kept = kept + i;
		if :: kept > 2 -> lost = 1 :: else fi;
		seen++;
		i++
	:: else -> break
	od;
	assert(kept == 3);
	lost == 1
}
"""


def test_a_choice_that_decides_nothing_is_redundant(tmp_path: Path, ours: Call) -> None:
    (tmp_path / "m.pml").write_text(REDUNDANT)
    told = ours(tmp_path, "-A", "m.pml").out
    statements = re.findall(r"^      m.pml:(\d+) \(state \d+\)\t\[(.*)\]$", told, re.M)
    assert sorted(statements) == [
        ("13", "((lost==1))"), ("7", "((kept>2))"), ("7", "lost = 1"), ("8", "seen = (seen+1)"),
    ]  # fmt: skip
    redundant = told[told.index("spin: redundant vars") : told.index("spin: consider")]
    assert re.findall(r"^\tbyte  \t(\w+)", redundant, re.M) == ["seen", "lost"]


def test_what_blocks_on_the_way_matters(tmp_path: Path, ours: Call) -> None:
    text = REDUNDANT.replace(":: else fi;", "fi;")  # now it may wait for ever
    (tmp_path / "m.pml").write_text(text)
    told = ours(tmp_path, "-A", "m.pml").out
    assert "kept>2" not in told and "lost==1" in told and "seen = (seen+1)" in told


def test_silence_about_a_model_without_faults(both: Both) -> None:
    """iSpin takes any text for a complaint."""
    theirs, ours = both(HANDSHAKE, "-a")
    assert (theirs.code, theirs.out, theirs.err) == (ours.code, ours.out, ours.err) == (0, "", "")


def test_automata_for_dot(hsfpy_small: Hsfpy, spin_small: Spin, tmp_path: Path) -> None:
    """iSpin takes the names between `digraph` and the brace, and gives the rest to dot."""
    theirs, ours = (tool.run(HANDSHAKE, ("-o3",), ("-w",), ("-D",)) for tool in (spin_small, hsfpy_small))
    assert ours.code == 0 and ours.err == ""
    names = [[line[8 : line.index("{")].strip() for line in run.out.splitlines() if "digraph" in line]
             for run in (theirs, ours)]  # fmt: skip
    assert names[0] == names[1] == ["p_Sender", "p_Receiver"]
    assert ours.out == theirs.out
    if shutil.which("dot"):
        (tmp_path / "a.dot").write_text(ours.out)
        assert execute(["dot", "-Tplain", "a.dot"], tmp_path).code == 0


def test_table_of_states(hsfpy_small: Hsfpy, spin_small: Spin) -> None:
    """iSpin reads the numbers of `state A -(tr B)-> state C  [id D tp E]` and the text behind the arrow."""
    row = re.compile(r"\tstate +(\d+) -\(tr +(\d+)\)-> state +(\d+) +\[id +(\d+) tp +(\d+)\].* => (.*)")
    theirs, ours = (tool.run(HANDSHAKE, ("-o3",), ("-w",), ("-d",)) for tool in (spin_small, hsfpy_small))
    rows = [[row.match(line) for line in run.out.splitlines() if line.startswith("\tstate")] for run in (theirs, ours)]
    assert all(rows[1]) and len(rows[1]) == 17
    assert [match and match.groups() for match in rows[0]] == [match and match.groups() for match in rows[1]]


VERIFICATIONS = [
    ("-DSAFETY", "-DNOCLAIM", "-DXUSAFE"), ("-DNOCLAIM", "-DCOLLAPSE"), ("-DNP", "-DNOCLAIM"), ("-DHC4", "-DNOREDUCE"),
    ("-DBFS", "-DSAFETY"), ("-DREACH", "-DSAFETY"), ("-DBCS", "-DSAFETY"), ("-DPEG", "-DVAR_RANGES"),
]  # fmt: skip


@pytest.mark.parametrize("directives", VERIFICATIONS, ids=" ".join)
def test_ispin_verifications(directives: tuple[str, ...], hsfpy_small: Hsfpy) -> None:
    """Without the last line iSpin waits for ever; it looks for errors in the line of the state vector."""
    pan = {"-DNP": ("-l",), "-DREACH": ("-i",), "-DBCS": ("-L3",)}.get(directives[0], ())
    run = hsfpy_small.run(HANDSHAKE, (), ("-DMEMLIM=1024", "-O2", *directives, "-w"), ("-m10000", *pan, "-c1"))
    report = run.out + run.err
    assert re.search(r"^State-vector \d+ byte, depth reached \d+, errors: [01]$", report, re.M)
    assert re.search(r"^pan: elapsed time ", report, re.M)
    assert ("errors: 0" in report) == ("-DNP" in directives)


def test_product_of_claims(both: Both) -> None:
    theirs, ours = both(FORMULA, "-e")
    assert ours.code == 0 and ours.out.startswith("never ") and ours.err.startswith("ltl served:")
    assert theirs.out.startswith("ltl served:") or "never" in theirs.out


ISPIN_SIMULATION = ("-p", "-s", "-r", "-X", "-v", "-n123", "-l", "-g")


def test_ispin_replay(both: Both, handshake_trail: str) -> None:
    name = f"{HANDSHAKE.name}.trail"
    theirs, ours = both(HANDSHAKE, *ISPIN_SIMULATION, "-k", name, "-u10000", trail=handshake_trail)
    assert ours.out == theirs.out
    seen = IspinSimulation(ours.out)
    assert seen.messages == [
        "1!data,0",
        "1?data,0",
        "2!ack",
        "2?ack",
        "1!data,1",
        "1?data,1",
        "2!ack",
        "2?ack",
        "1!data,2",
    ]
    assert seen.variables["Sender(0):k"] == "3" and seen.variables["last[1]"] == "1"
    assert seen.queues == {"1": "(line): [data,2]"}


class IspinSimulation:
    """What iSpin's panes hold after a run: it reads line by line."""

    def __init__(self, text: str) -> None:
        self.steps: list[tuple[int, int]] = []
        self.messages: list[str] = []
        self.variables: dict[str, str] = {}
        self.queues: dict[str, str] = {}
        for line in text.splitlines():
            self.read(line.split("<merge")[0].rstrip())

    def read(self, line: str) -> None:
        if "[values: " in line:
            self.messages.append(line[line.index("[values: ") + 9 : line.rindex("]")])
        elif found := re.match(r" *(\d+):\tproc +(\d+) ", line):
            self.steps.append((int(found[1]), int(found[2])))
        elif " = " in line:
            name, _, value = line.partition("=")
            self.variables[name.strip()] = value.strip()
        elif "\tqueue " in line:
            number, _, content = line.partition("\tqueue ")[2].partition(" ")
            self.queues[number] = content.strip()


def test_ispin_random_run(both: Both) -> None:
    theirs, ours = both(HANDSHAKE, *ISPIN_SIMULATION, "-u10000")
    ends = [IspinSimulation(run.out) for run in (theirs, ours)]
    assert ends[0].variables == ends[1].variables  # the order of steps is free, the outcome is not
    assert ends[0].messages == ends[1].messages and ends[0].queues == ends[1].queues


def test_ispin_questions(tmp_path: Path) -> None:
    copy_model(HANDSHAKE, tmp_path)
    answers = "2\n1\n2\n1\nq\n"
    words = [*ISPIN_SIMULATION, "-i", HANDSHAKE.name]
    theirs = execute(["spin", *words], tmp_path, stdin=answers)
    answered = execute_hsfpy(words, tmp_path, answers)
    assert answered.out == theirs.out
    assert len(re.findall(r"^Make Selection \d+$", answered.out, re.M)) >= 4
    assert re.search(r"^\tchoice \d+: ", answered.out, re.M)


def execute_hsfpy(words: list[str], where: Path, answers: str) -> Run:
    env = with_root({"CC": quick_compiler()[0]})
    return execute([sys.executable, "-m", "hsfpy", *words], where, env=env, stdin=answers)


# ---------------------------------------------------------------- jSpin

JSPIN_SIMULATION = ("-g", "-l", "-p", "-r", "-s")


class JspinFilter:
    """jSpin's table: a row per statement with the values of all variables and channels seen so far."""

    def __init__(self, text: str) -> None:
        self.values: dict[str, str] = {}
        self.rows: list[tuple[str, str, str, dict[str, str]]] = []
        self.messages: list[str] = []
        for line in text.splitlines():
            self.read(line)

    def read(self, line: str) -> None:
        if line.startswith("\t\tqueue"):
            self.values[line[line.index("(") + 1 : line.index(")")]] = line[line.index(":") + 1 :].strip()
        elif line.startswith("\t\t"):
            self.values[line[2 : line.index("=") - 1]] = line[line.index("=") + 1 :].strip()
        elif "proc" in line and "[" in line:
            at = line.index("proc") + 4
            colon = line.index(":", at)
            place = line[colon + 1 : line.index(" ", colon)]
            statement = line[line.index("[") + 1 : line.rindex("]")]
            self.rows.append((line[at : line.index(")") + 1].strip(), place, statement, dict(self.values)))
        elif line.startswith(("pan:", "spin:", "Error:", "error:")) or "<<<<<" in line:
            self.messages.append(line)


def test_jspin_replay(both: Both, handshake_trail: str) -> None:
    theirs, ours = both(HANDSHAKE, *JSPIN_SIMULATION, "-t", "-X", "-u250", trail=handshake_trail)
    tables = [JspinFilter(run.out) for run in (theirs, ours)]
    assert tables[0].rows == tables[1].rows and tables[0].messages == tables[1].messages
    assert len(tables[1].rows) == 30 and tables[1].values["line"] == "[data,2]"


def test_jspin_random_run(both: Both) -> None:
    theirs, ours = both(HANDSHAKE, *JSPIN_SIMULATION, "-X", "-n3", "-u250")
    tables = [JspinFilter(run.out) for run in (theirs, ours)]
    assert sorted(row[:3] for row in tables[0].rows) == sorted(row[:3] for row in tables[1].rows)
    assert tables[0].values == tables[1].values


def test_jspin_verification(hsfpy_small: Hsfpy) -> None:
    run = hsfpy_small.run(HANDSHAKE, (), ("-DSAFETY",), ("-m2000", "-X"))
    assert run.code == 0 and re.search(r"^State-vector .* errors: 1$", run.out + run.err, re.M)
    assert f"pan: wrote {HANDSHAKE.name}.trail" in run.out + run.err


# ---------------------------------------------------------------- editors

EDITOR_SIMULATION = ("-p", "-s", "-r", "-X", "-v", "-n123", "-l", "-g", "-u500")
VSCODE_STEP = re.compile(r"([0-9]+):\s+proc\s+([0-9]+)\s+\((.*):([0-9]+)\)\s+(.*):([0-9]+)\s+\(state\s+([0-9]+)\)")
VSCODE_QUEUE = re.compile(r"queue\s+([0-9]+)\s+\((.*)\):\s+((\[.*?\])*)")
INTELLIJ_STEP = re.compile(r"\s*(\d+):\s+proc\s+(\d+)\s+\((.+)\)\s+(\S.+):(\d+)\s+\(state (.+)\)\s+\[(.+)]")
INTELLIJ_START = re.compile(r"\s*(\d+):\s+proc\s+(-|\d+)\s+\((.+)\)\s+creates proc.+")


@pytest.mark.parametrize("pattern", [VSCODE_STEP, VSCODE_QUEUE, INTELLIJ_STEP, INTELLIJ_START], ids=lambda p: p.pattern)
def test_editors_find_the_same_in_a_run(pattern: re.Pattern[str], both: Both) -> None:
    theirs, ours = both(HANDSHAKE, *EDITOR_SIMULATION)
    found = [sorted({m.group(0).split(":", 1)[-1] for m in pattern.finditer(run.out)}) for run in (theirs, ours)]
    assert found[0] == found[1] != []


def test_editors_find_the_place_of_an_error(tmp_path: Path, ours: Call) -> None:
    (tmp_path / "m.pml").write_text("byte x;\nactive proctype P() {\n\tx = = 1\n}\n")
    run = ours(tmp_path, "-a", "m.pml")
    assert run.code == 1
    found = re.search(r"spin: (.+):(\d+), Error: ([^:]*)", run.out)
    assert found is not None and found[1] == "m.pml" and found[2] == "3"
    assert re.search(r"^spin: (.*):(\d+), (Error: .*)$", run.out, re.M)


# ---------------------------------------------------------------- scripts


def test_umaudemc(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """`spin -run FILE -ltl NAME`, then `spin -t -p FILE`: both must end with 0."""
    copy_model(FORMULA, tmp_path)
    found = execute_hsfpy(["-run", "-ltl", "served", FORMULA.name], tmp_path, "")
    assert found.code == 0 and f"pan: wrote {FORMULA.name}.trail" in found.out
    replay = execute_hsfpy(["-t", "-p", FORMULA.name], tmp_path, "")
    assert replay.code == 0 and "  <<<<<START OF CYCLE>>>>>\n" in replay.out
    assert "spin: trail ends after" in replay.out


def test_rtems_test_builder(tmp_path: Path) -> None:
    """Every error gets its trail, and each is replayed by its number."""
    copy_model(HANDSHAKE, tmp_path)
    found = execute_hsfpy(["-DTEST_GEN", "-run", "-c0", "-e", HANDSHAKE.name], tmp_path, "")
    assert found.code == 0
    trails = sorted(path.name for path in tmp_path.glob("*.trail"))
    assert trails
    for number in range(1, len(trails) + 1):
        replay = execute_hsfpy(["-T", f"-t{number}", HANDSHAKE.name], tmp_path, "")
        assert replay.code == 0 and "\ngot 0\n" in "\n" + replay.out
