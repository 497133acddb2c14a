"""The front end against SPIN: what is accepted, what is refused, and how that is said.

`tests/bad/NAME.pml` is a malformed model and `NAME.expected` the message hsfpy shows for it. After a
deliberate change of messages, `python tests/test_front_end.py` writes the expected texts again.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from oracle import EXAMPLES

from hsfpy.diagnostics import PromelaError
from hsfpy.frontend import FrontOptions, load_model, load_text, parse_claim_text
from hsfpy.nodes import (
    Assign,
    Binary,
    Block,
    Const,
    DeclStmt,
    Do,
    ExprStmt,
    For,
    If,
    Kind,
    Labelled,
    Model,
    Process,
    ProcKind,
    Select,
    Stmt,
    Temporal,
    Unless,
    VarRef,
)
from hsfpy.preprocess import preprocess
from hsfpy.walk import statements

BAD = Path(__file__).with_name("bad")
BAD_MODELS = sorted(path.name for path in BAD.glob("*.pml"))

# What SPIN refuses by mistake, and hsfpy takes: an mtype variable as argument of `run`, and a probe in
# ltl, which SPIN's own translation of the formula cannot read back.
ACCEPTED_ON_TOP = ("run P(v)", "ltl p { full(q) && empty(q) }")


@contextmanager
def folder(path: Path) -> Iterator[None]:
    """Works in a folder, so that messages show plain file names."""
    before = Path.cwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)


def spin_analyse(file: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """`spin -a -o3` on a model, run from the model's folder but leaving nothing there."""
    with tempfile.TemporaryDirectory() as scratch:
        return subprocess.run(
            ["spin", "-a", "-o3", *options, str(file.resolve())],
            cwd=scratch,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )


def message_for(name: str) -> str:
    with folder(BAD):
        try:
            load_model(name)
        except PromelaError as error:
            return error.display() + "\n"
    return "accepted\n"


def refused(text: str) -> PromelaError:
    with pytest.raises(PromelaError) as caught:
        load_text(text, "m.pml")
    return caught.value


def process(model: Model, name: str) -> Process:
    return next(process for process in model.processes if process.name == name)


# ---------------------------------------------------------------- malformed models


def test_there_are_enough_malformed_models() -> None:
    assert len(BAD_MODELS) >= 30


@pytest.mark.parametrize("name", BAD_MODELS)
def test_message_is_the_expected_one(name: str) -> None:
    assert message_for(name) == (BAD / name).with_suffix(".expected").read_text()


@pytest.mark.parametrize("name", BAD_MODELS)
def test_spin_refuses_it_too(name: str) -> None:
    answer = spin_analyse(BAD / name)
    assert answer.returncode != 0, answer.stdout


@pytest.mark.parametrize("name", BAD_MODELS)
def test_first_line_has_the_form_scripts_look_for(name: str) -> None:
    first = message_for(name).splitlines()[0]
    assert re.fullmatch(r"spin: (\S+:\d+, Error: \S.*|preprocessing failed .*)", first)


SYNTAX_ERRORS = [name for name in BAD_MODELS if "Error: syntax error" in message_for(name)]


@pytest.mark.parametrize("name", SYNTAX_ERRORS)
def test_syntax_error_names_the_same_token_as_spin(name: str) -> None:
    """Except where SPIN stops earlier, at a name it does not know."""
    ours = message_for(name).splitlines()[0]
    theirs = [line for line in spin_analyse(BAD / name).stdout.splitlines() if ", Error: " in line]
    assert theirs
    if "syntax error" in theirs[0] and ":0," not in theirs[0]:
        assert ours.partition(", Error: ")[2] == theirs[0].partition(", Error: ")[2]


def test_command_ends_with_status_1_and_shows_the_message() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hsfpy", "-a", "undeclared_variable.pml"],
        cwd=BAD,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(BAD.parent.parent)},
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == (BAD / "undeclared_variable.expected").read_text()
    assert done.stderr == ""


@pytest.mark.parametrize("text", ["", "\0", "\x01", "init { \xff }", "(" * 3000, "init {" + "{" * 500, "#", "'"])
def test_garbage_is_refused_without_a_traceback(text: str, tmp_path: Path) -> None:
    file = tmp_path / "m.pml"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(PromelaError):
        load_model(str(file))


def test_every_prefix_of_a_model_is_handled(tmp_path: Path) -> None:
    text = (EXAMPLES / "snoopy.pml").read_text()
    for end in range(0, len(text), 97):
        try:
            load_text(text[:end], "m.pml")
        except PromelaError as error:
            assert error.display()


def test_missing_file_and_missing_preprocessor(tmp_path: Path) -> None:
    with pytest.raises(PromelaError, match="preprocessing failed"):
        load_model(str(tmp_path / "nowhere.pml"))
    with pytest.raises(PromelaError, match="preprocessing failed"):
        load_model(str(tmp_path))
    (tmp_path / "m.pml").write_text("init { skip }")
    with pytest.raises(PromelaError, match="preprocessing failed no-such-program -E"):
        load_model(str(tmp_path / "m.pml"), FrontOptions(preprocessor="no-such-program -E"))


# ---------------------------------------------------------------- accepting and refusing as SPIN does


def constructs() -> list[str]:
    text = (BAD / "constructs.txt").read_text().partition("\n")[2]
    return [model.strip("\n") + "\n" for model in text.split("\n----\n")]


def test_constructs_are_accepted_and_refused_as_by_spin(tmp_path: Path) -> None:
    differing = []
    for number, text in enumerate(constructs()):
        file = tmp_path / f"m{number}.pml"
        file.write_text(text)
        theirs = spin_analyse(file).returncode == 0
        try:
            load_model(str(file))
            ours = True
        except PromelaError:
            ours = False
        if ours != theirs and not (ours and any(mark in text for mark in ACCEPTED_ON_TOP)):
            differing.append((text, "spin accepts" if theirs else "spin refuses"))
    assert differing == []


EXAMPLE_MODELS = sorted(str(path.relative_to(EXAMPLES)) for path in EXAMPLES.rglob("*.pml"))


def test_all_examples_are_there() -> None:
    assert len(EXAMPLE_MODELS) == 78


@pytest.mark.parametrize("name", EXAMPLE_MODELS)
def test_examples_are_accepted(name: str) -> None:
    """SPIN refuses one of the 78, for an operator its translation of ltl does not know."""
    load_model(str(EXAMPLES / name))
    assert (spin_analyse(EXAMPLES / name).returncode == 0) == (name != "LTL/patterns.pml")


# ---------------------------------------------------------------- symbols as in `spin -d`


def spin_symbols(file: Path, *options: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Variables (type, name, owner, scope) and labels (name, owner, scope) as SPIN lists them."""
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            ["spin", "-d", *options, str(file)], cwd=scratch, capture_output=True, text=True, check=False
        )
    variables: list[tuple[str, ...]] = []
    labels: list[tuple[str, ...]] = []
    for line in done.stdout.splitlines():
        parts = line.split("\t")
        scope = re.search(r"\{scope (\S+)\}", line)
        where = scope.group(1) if scope else ""
        if parts[0] == "label":
            labels.append((parts[1], parts[3], where))
        elif len(parts) > 4 and "<:struct-field:>" not in line and parts[0] != "proctype":
            variables.append((parts[0].strip(), parts[1], parts[3][1:-1], where))
    return variables, sorted(labels)


def our_symbols(model: Model, *, scoped: bool) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    variables: list[tuple[str, ...]] = []
    labels: list[tuple[str, ...]] = []
    for owner, symbols in [
        (":global:", model.symbols),
        *((one.name, one.variables) for one in model.processes),
    ]:
        for symbol in symbols:
            size = f"[{symbol.length}]" if symbol.is_array else ""
            scope = symbol.scope if scoped else ""
            variables.append((symbol.kind.value, symbol.name + size, owner, scope))
    for one in model.processes:
        for step in statements(one.body.steps):
            if isinstance(step, Labelled):
                owner = f"<{one.name} i{step.inline_id}>" if step.inline_id else f"<{one.name}>"
                labels.append((step.name, owner, step.scope if scoped else ""))
    return variables, sorted(labels)


SYMBOL_MODELS = [name for name in EXAMPLE_MODELS if name != "LTL/patterns.pml"]


@pytest.mark.parametrize("options", [(), ("-O",)], ids=["scopes", "old scopes"])
@pytest.mark.parametrize("name", SYMBOL_MODELS)
def test_symbols_and_labels_equal_those_of_spin(name: str, options: tuple[str, ...]) -> None:
    model = load_model(str(EXAMPLES / name), FrontOptions(old_scope="-O" in options))
    constants = {constant for names in model.mtypes.values() for constant in names}
    ours, our_labels = our_symbols(model, scoped=not options)
    theirs, their_labels = spin_symbols(EXAMPLES / name, *options)
    theirs = [entry for entry in theirs if not (entry[0] == "mtype" and entry[1] in constants)]
    formulas = {f"<{ltl.name}>" for ltl in model.ltls}  # SPIN has made claims of them by now
    their_labels = [label for label in their_labels if label[1] not in formulas]
    for owner in {entry[2] for entry in theirs}:  # the order within a process, and among globals
        assert [one for one in ours if one[2] == owner] == [one for one in theirs if one[2] == owner]
    assert len(ours) == len(theirs)
    assert our_labels == their_labels


def test_scopes_inside_inlines_and_blocks(tmp_path: Path) -> None:
    file = tmp_path / "m.pml"
    file.write_text(
        """
        mtype = { a, b, c } ; mtype = { d }
        typedef T { byte f; chan g }
        inline twice(v) { byte t; t = v; { int t2; t2 = 1; again: skip; goto again }; v = t }
        chan glob = [2] of { byte, T }
        proctype P(byte p; T s) { byte x; { int y; { short z; z = 1 }; y = 2 }; twice(x); twice(x) }
        init {
            chan q = [1] of { byte };
            atomic { int y; y = 3; if :: byte o; o = 1 :: skip fi };
            T t; t.f = 1
        }
        """
    )
    model = load_model(str(file))
    ours, our_labels = our_symbols(model, scoped=True)
    theirs, their_labels = spin_symbols(file)
    assert [entry for entry in theirs if entry[1] not in "abcd"] == ours
    assert our_labels == their_labels


# ---------------------------------------------------------------- tokens and trees


def steps(text: str, declarations: str = "byte x, y;") -> list[Stmt]:
    model = load_text(declarations + " init { " + text + " }", "m.pml")
    return process(model, ":init:").body.steps


def test_line_ends_separate_statements_only_where_spin_says_so() -> None:
    assert len(steps("x = 1\ny = 2\nskip")) == 3
    assert len(steps("x = (1\n+ 2)\ny = 3")) == 2
    assert len(steps("{ x = 1 }\nunless { y = 1 }\nx = 2")) == 2
    assert len(steps("if :: x == 1 :: else fi\nx = 2")) == 2
    assert len(steps("x++\ny--\ntimeout\nskip")) == 4
    with pytest.raises(PromelaError):
        load_text("byte x, y; init { x = 1\ny = 2 }", "m.pml", FrontOptions(no_implied_semis=True))


def test_precedence_is_that_of_spin() -> None:
    (step,) = steps("x = 1 + 2 * 3 == 7 && x | 1 ^ 2")
    assert isinstance(step, Assign) and isinstance(step.value, Binary) and step.value.op == "&&"
    assert isinstance(step.value.left, Binary) and step.value.left.op == "=="
    assert isinstance(step.value.right, Binary) and step.value.right.op == "|"


def test_select_is_rewritten_for_constant_ranges_only() -> None:
    (choice,) = steps("select (x : 1 .. 4)")
    assert isinstance(choice, If) and len(choice.options) == 4
    assert [type(step).__name__ for step in steps("select (x : 1 .. 40)")] == ["Assign", "Do"]
    assert [type(step).__name__ for step in steps("select (x : 1 .. y)")] == ["Select"]
    (call,) = steps("pick(x)", "byte x; inline pick(v) { select (v : 1 .. 4) }")
    assert isinstance(call, Block) and type(call.body.steps[0]).__name__ == "Select"


def test_inline_arguments_are_text() -> None:
    (call,) = steps("f(x, 1 + 2)", "byte x; inline f(a, b) { a = 2 * b }")
    assert isinstance(call, Block) and call.inline == "f"
    assign = call.body.steps[0]
    assert isinstance(assign, Assign) and isinstance(assign.value, Binary) and assign.value.op == "+"


def test_inline_with_result() -> None:
    (call,) = steps("x = f(3)", "byte x; inline f(a) { return a + 1 }")
    assert isinstance(call, Block) and isinstance(call.body.steps[0], Assign)
    assert call.body.steps[0].target is call.result


def test_mtype_numbers_run_backwards() -> None:
    model = load_text("mtype = { a, b }; mtype = { c }; mtype:t = { d, e }; init { skip }", "m.pml")
    assert model.mtypes == {"": ["b", "a", "c"], "t": ["e", "d"]}


def test_declarations_after_a_statement_run() -> None:
    first, _, second = steps("byte a = 1; skip; byte b = 2", "byte x;")
    assert isinstance(first, DeclStmt) and not first.runs
    assert isinstance(second, DeclStmt) and second.runs and second.symbols[0].init_runs


def test_names_of_claims_and_formulas() -> None:
    text = "byte x; never { skip } never { skip } ltl { [] (x == 0) } ltl q { <> (x == 1) } init { skip }"
    model = load_text(text, "m.pml")
    assert [one.name for one in model.processes if one.kind is ProcKind.NEVER] == ["never_0", "never_1"]
    assert [ltl.name for ltl in model.ltls] == ["ltl_0", "q"]


@pytest.mark.parametrize(
    "formula",
    [
        "[] (x == 0)",
        "always (x == 0)",
        "G (x == 0)",
        "(x == 1) V (x == 0)",
        "(x == 1) R (x == 0)",
        "X (x == 0)",
    ],
)
def test_spellings_of_temporal_operators(formula: str) -> None:
    model = load_text(f"byte x; ltl p {{ {formula} }} init {{ skip }}", "m.pml")
    assert isinstance(model.ltls[0].formula, Temporal)


def test_a_variable_named_like_an_operator_stays_a_variable() -> None:
    model = load_text("byte G, and; ltl p { [] (G == and) } init { G = 1; and = 2 }", "m.pml")
    formula = model.ltls[0].formula
    assert isinstance(formula, Temporal) and isinstance(formula.left, Binary)
    assert isinstance(formula.left.left, VarRef) and formula.left.left.name == "G"


def test_claims_are_read_in_the_context_of_the_model() -> None:
    model = load_text("mtype = { a }; byte x; proctype P() { L: skip } init { run P() }", "m.pml")
    text = "never p {\nT0_init:\n\tdo\n\t:: (! ((x==a))) -> goto accept_all\n"
    text += "\t:: (P@L)\n\tod;\naccept_all:\n\tskip\n}\n"
    claim = parse_claim_text(text, "_spin_nvr.tmp", model)
    assert claim.kind is ProcKind.NEVER and claim.name == "p" and claim in model.processes
    assert claim.body.steps[0].span.loc.file == "_spin_nvr.tmp"


def test_claims_of_the_command_line_see_the_macros_of_the_model(tmp_path: Path) -> None:
    file = tmp_path / "m.pml"
    file.write_text("#define p (x == 1)\nbyte x;\ninit { x = 1 }\n")
    text = "never { do :: !p od }"
    model = load_model(str(file), FrontOptions(claim_texts=[text]))
    assert [one.kind for one in model.processes] == [ProcKind.INIT, ProcKind.NEVER]
    (tmp_path / "claim").write_text(text)
    model = load_model(str(file), FrontOptions(never_files=[str(tmp_path / "claim")]))
    assert [one.kind for one in model.processes] == [ProcKind.INIT, ProcKind.NEVER]


def test_preprocessor_options(tmp_path: Path) -> None:
    file = tmp_path / "m.pml"
    file.write_text("byte a[N]; init { skip }\n")
    model = load_model(str(file), FrontOptions(cpp_args=["-DN=5"]))
    assert model.symbols[0].length == 5 and model.symbols[0].kind is Kind.BYTE
    assert "# 1" not in preprocess(str(EXAMPLES / "hello.pml")).text


# ---------------------------------------------------------------- line numbers


def test_lines_are_those_of_spin() -> None:
    text = "init {\n  byte x;\n  x = 1 +\n    2;\n  L:\n\n  do\n  :: x > 1 -> break\n  od\n\n  x = 3\n}\n"
    body = process(load_text(text, "m.pml"), ":init:").body.steps
    assign, label, loop = body[1], body[2], body[2]
    assert assign.span.loc.line == 3 and isinstance(assign, Assign) and assign.value.span.at == 4
    assert isinstance(label, Labelled) and label.stmt.span.loc.line == 7
    assert loop.span.ahead == 11
    text = "init {\n  byte x;\n  L:\n\n\n}\n"
    label = process(load_text(text, "m.pml"), ":init:").body.steps[1]
    assert isinstance(label, Labelled) and isinstance(label.stmt, ExprStmt)
    assert label.stmt.span.at == 6 and isinstance(label.stmt.expr, Const)


def test_lines_of_inlines_and_after_ltl_blocks() -> None:
    text = "inline f(a)\n{\n  a = 1\n}\nltl p {\n  true\n}\nbyte x;\ninit {\n  f(x)\n}\n"
    body = process(load_text(text, "m.pml"), ":init:")
    call = body.body.steps[0]
    assert isinstance(call, Block) and call.body.steps[0].span.loc.line == 3
    assert call.body.steps[0].span.loc.expansion[0].shown_line == 10
    assert call.body.steps[0].span.loc.expansion[0].line == 8  # SPIN does not count inside ltl
    assert body.end_line == 9


LAYOUT = """#define STEP(x)	x = x + 1; \\
	x = x + 2
byte g;
inline f(a)
{
	a = 1;










	if
	:: a > 3 -> STEP(a)
	:: else
	fi
}

active proctype P()
{	byte k;
	f(k);
	STEP(k)
	k = 7
	byte late;
	byte later = 3

	late = later +
		k
L1:
	do
	:: k > 3 -> k--
	:: timeout -> break
	od

	{ k = 1 }
	unless { k > 5 }
	for (k : 1 .. 3) {
		g++
	}
	select (k : 1 ..
		g);
end:	goto L1
}
"""


def lines_of(stmt: Stmt) -> list[int]:
    """The lines SPIN may show for a statement itself, without those inside it."""
    match stmt:
        case DeclStmt():
            return [symbol.init_line for symbol in stmt.symbols] if stmt.runs else []
        case For() | Select():
            return [stmt.var.span.at, stmt.high.span.at, stmt.span.last, stmt.span.ahead]
        case If() | Do() | Unless() | Labelled():
            return [stmt.span.at, stmt.span.ahead]
    return [stmt.span.at]


def test_lines_equal_those_of_pan(tmp_path: Path) -> None:
    """Every line in SPIN's table of transitions is one that the tree gives to some statement."""
    (tmp_path / "m.pml").write_text(LAYOUT)
    for command in (["spin", "-o3", "-a", "m.pml"], ["gcc", "-w", "-o", "pan", "pan.c"]):
        subprocess.run(command, cwd=tmp_path, check=True)
    table = subprocess.run(["./pan", "-d"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    theirs = [int(line) for line in re.findall(r"m\.pml:(\d+) =>", table)]
    body = process(load_model(str(tmp_path / "m.pml")), "P")
    ours = {line for step in statements(body.body.steps) for line in lines_of(step)} | {body.end_line}
    assert len(theirs) > 20
    assert set(theirs) <= ours


def test_variables_that_nobody_reads_are_known() -> None:
    """SPIN leaves such globals out of the state, so the front end must agree on them."""
    for name in SYMBOL_MODELS:
        answer = spin_analyse(EXAMPLES / name, "-v").stdout
        theirs = re.findall(r"warning, (?:proctype )?(\S+), '\w+\s+(\w+)' variable is never used", answer)
        model = load_model(str(EXAMPLES / name))
        owners = [("global", model.symbols), *((one.name, one.variables) for one in model.processes)]
        ours = [
            (owner, symbol.name)
            for owner, symbols in owners
            for symbol in symbols
            if symbol.kind not in (Kind.CHAN, Kind.STRUCT) and not symbol.is_read
        ]
        assert sorted(ours) == sorted(theirs), name


def test_error_after_an_ltl_block_shows_the_real_line() -> None:
    error = refused("ltl p {\n  true\n}\ninit { x = 1 }\n")
    assert error.first_line == "spin: m.pml:4, Error: undeclared variable: x"


def rewrite_expectations() -> None:
    for name in BAD_MODELS:
        (BAD / name).with_suffix(".expected").write_text(message_for(name))


if __name__ == "__main__":
    rewrite_expectations()
