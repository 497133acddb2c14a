"""`hsfpy.ltl`: parser, automata against SPIN and against the meaning of formulas, claims."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from ltl_words import (
    ATOMS,
    holds,
    random_formula,
    random_word,
    read_claim,
    spin_claim,
)

from hsfpy.claims import add_ltl_claims, formula_of, formula_text
from hsfpy.diagnostics import PromelaError
from hsfpy.frontend import FrontOptions, load_model, load_text
from hsfpy.ltl import LtlError, parse, to_never, translate
from hsfpy.ltl.formula import (
    FALSE,
    TRUE,
    always,
    conj,
    disj,
    equivalent,
    eventually,
    has_next,
    implies,
    neg,
    nnf,
    nxt,
    prop,
    release,
    until,
    weak_until,
)
from hsfpy.ltl.graph import Arc, Graph
from hsfpy.ltl.guards import Guards
from hsfpy.ltl.patterns import PATTERNS, Pattern
from hsfpy.ltl.reduce import prune
from hsfpy.ltl.simplify import simplify

A, B, C = prop("a"), prop("b"), prop("c")

# ---------------------------------------------------------------- parser

SPELLINGS = [
    (["[] a", "always a", "G a", "[]a", "G(a)", "false V a", "always(a)"], always(A)),
    (["<> a", "eventually a", "F a", "true U a", "F (a)"], eventually(A)),
    (["! a", "not a", "!a", "a -> false", "not(a)"], neg(A)),
    (["X a", "next a", "X(a)"], nxt(A)),
    (["a && b", "a and b", "a /\\ b", "b && a"], conj(A, B)),
    (["a || b", "a or b", "a \\/ b"], disj(A, B)),
    (["a -> b", "a implies b", "!a || b"], implies(A, B)),
    (["a <-> b", "a equivalent b", "(a && b) || (!a && !b)"], equivalent(A, B)),
    (["a U b", "a until b", "a stronguntil b"], until(A, B)),
    (["a W b", "a weakuntil b"], weak_until(A, B)),
    (["a V b", "a R b", "a release b"], release(A, B)),
    (["true", "1", "(1)", "skip", "!false", "[] true", "a || !a"], TRUE),
    (["false", "0", "<> false", "a && !a"], FALSE),
]


@pytest.mark.parametrize(
    ("text", "formula"),
    [(text, formula) for texts, formula in SPELLINGS for text in texts],
)
@pytest.mark.parametrize("inline", [False, True])
def test_every_spelling_of_an_operator(text: str, formula: object, inline: bool) -> None:
    assert parse(text, inline) is formula


@pytest.mark.parametrize(
    ("text", "flat", "inline"),
    [
        ("a || b && c", "(a || b) && c", "a || (b && c)"),
        ("a && b || c", "(a && b) || c", "(a && b) || c"),
        ("a -> b || c", "(a -> b) || c", "a -> (b || c)"),
        ("a -> b -> c", "(a -> b) -> c", "(a -> b) -> c"),
        ("a U b U c", "(a U b) U c", "(a U b) U c"),
        ("a U b V c", "(a U b) V c", "(a U b) V c"),
        ("a U b && c", "(a U b) && c", "(a U b) && c"),
        ("a && b U c", "a && (b U c)", "a && (b U c)"),
        ("[] a U b", "([] a) U b", "([] a) U b"),
        ("! a U b", "(! a) U b", "(! a) U b"),
        ("[] <> a && b", "([] <> a) && b", "([] <> a) && b"),
        ("[] a -> <> b", "([] a) -> (<> b)", "([] a) -> (<> b)"),
        ("a <-> b -> c", "(a <-> b) -> c", "(a <-> b) -> c"),
        ("[] (a || b && c)", "[] (a || (b && c))", "[] (a || (b && c))"),
        ("[] (a || b && <> c)", "[] ((a || b) && (<> c))", "[] (a || (b && (<> c)))"),
    ],
)
def test_grouping_is_that_of_spin(text: str, flat: str, inline: str) -> None:
    assert parse(text) is parse(flat)
    assert parse(text, inline=True) is parse(inline, inline=True)


@pytest.mark.parametrize(
    "text",
    [
        "x < 3",
        "P[0]@cs",
        "P@cs",
        "P[1]:count == 2",
        "P:count == 2",
        "len(q) == 2",
        "q?[msg]",
        "q??[msg, eval(x), 3]",
        "q[1]?[ack, _]",
        "c_expr { now.x > 3 && f(\"}\") == '}' }",
        "c_expr [p] { *p > 3 }",
        "full(q)",
        "x == y + 1",
        "a.b[2].c >= -1",
        "x & 1",
        "x << 2 != ~y",
        "!x == y",
        "enabled(2)",
        "np_",
        "_last == 0",
        "(x + 1) * 2 > y % 3",
        "m == 'a'",
    ],
)
def test_a_state_expression_is_one_atom(text: str) -> None:
    atom = prop(text)
    for inline in (False, True):
        assert parse(text, inline) is atom
        assert parse(f"({text})", inline) is atom
        assert parse(f"[]({text})", inline) is always(atom)
        assert parse(f"[] {text} -> <>b", inline) is parse(f"([] ({text})) -> (<> b)", inline)
        assert parse(f"{text} U b", inline) is until(atom, B)
        assert parse(f"{text} && b", inline) is conj(atom, B)


def test_boolean_operators_between_state_expressions_are_structure() -> None:
    formula = parse("[](x < 3 && P[0]@cs -> !(y == 2) || full(q))", inline=True)
    low, inside, two, full = map(prop, ["x < 3", "P[0]@cs", "y == 2", "full(q)"])
    assert formula is always(implies(conj(low, inside), disj(neg(two), full)))


def test_spaces_do_not_make_atoms_different() -> None:
    assert parse("[](x<3) || <>(x < 3)") is parse("[](x<3) || <>(x<3)")
    assert parse("x ==\n\ty") is prop("x == y")


def test_operator_letters_are_operators_only_where_one_can_stand() -> None:
    assert parse("<>R -> (!P U R)") is implies(eventually(prop("R")), until(neg(prop("P")), prop("R")))
    assert parse("R R R") is release(prop("R"), prop("R"))
    assert parse("[]G") is always(prop("G"))
    assert parse("G == 3") is prop("G == 3")
    assert parse("F && G[2] == 1") is conj(prop("F"), prop("G[2] == 1"))
    assert parse("G F a") is always(eventually(A))
    assert parse("pUq") is prop("pUq")
    assert parse("Xa") is prop("Xa")


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 0, "expected a state expression or a unary operator, saw the end of the formula"),
        ("a U", 3, "expected a state expression or a unary operator, saw the end of the formula"),
        ("a && ", 5, "expected a state expression or a unary operator, saw the end of the formula"),
        ("[](a -> b", 9, "expected ')', saw the end of the formula"),
        ("a b", 2, "expected an operator or the end of the formula, saw 'b'"),
        ("a)", 1, "expected an operator or the end of the formula, saw ')'"),
        ("a U U b", 4, "expected a state expression or a unary operator, saw 'U'"),
        ("a and or b", 6, "expected a state expression or a unary operator, saw 'or'"),
        ("a $ b", 2, "expected a formula, saw '$'"),
        ("P[0]@", 5, "expected a name, saw the end of the formula"),
        ("q?x", 2, "expected '[', saw 'x'"),
        ("len(<> q)", 4, "expected a state expression, saw a temporal formula"),
        ("x[<>q", 2, "expected a state expression, saw a temporal formula"),
        ("(<>a) == b", 6, "'==' works on values, not on temporal formulas"),
        ("c_expr + x", 6, "expected '{' after c_expr"),
        ("c_expr (x", 9, "expected ')' at the end of c_expr"),
        ("a <- b", 2, "expected '<->', saw '<-'"),
        ("a; b", 1, "expected an operator or the end of the formula, saw ';'"),
        ("[](a & <>b)", 5, "'&' works on values"),
        ("[](a => b)", 5, "expected a formula, saw '='"),
        ("c_expr { x", 10, "expected '}' at the end of c_expr"),
    ],
)
def test_a_bad_formula_names_the_place_and_what_was_expected(text: str, column: int, expected: str) -> None:
    with pytest.raises(LtlError) as caught:
        parse(text)
    assert caught.value.column == column
    assert expected in caught.value.message


def test_text_of_a_formula_reads_back_as_the_same_formula() -> None:
    rng = random.Random(4)
    for _ in range(500):
        formula = parse(random_formula(rng, rng.randint(1, 20), with_next=True))
        assert parse(str(formula)) is formula
        assert parse(str(formula), inline=True) is formula
    assert str(parse("[](p -> <>q)")) == "[] ((! (p)) || (<> (q)))"


def test_next_is_reported() -> None:
    assert has_next(parse("[](a -> X b)"))
    assert not has_next(parse("[](a -> <> b)"))


# ---------------------------------------------------------------- meaning


def test_rewriting_keeps_the_meaning() -> None:
    rng = random.Random(5)
    for _ in range(1500):
        formula = parse(random_formula(rng, rng.randint(2, 14), with_next=True))
        normal, simple = nnf(formula), simplify(formula)
        for _ in range(15):
            word = random_word(rng)
            expected = holds(formula, word)
            assert holds(normal, word) == expected, f"nnf of {formula}"
            assert holds(simple, word) == expected, f"{formula} became {simple}"


@pytest.mark.parametrize(
    ("text", "smaller"),
    [
        ("<><>a", "<>a"),
        ("[]<>[]<>a", "[]<>a"),
        ("<>[]<>a", "[]<>a"),
        ("a U <>b", "<>b"),
        ("[]a && []b", "[](a && b)"),
        ("<>a || <>b", "<>(a || b)"),
        ("[]<>a || []<>b", "[]<>(a || b)"),
        ("<>[]a && <>[]b", "<>[](a && b)"),
        ("a && (b U a)", "a"),
        ("a && (a || b U c)", "a"),
        ("a && (!a || b U c)", "a && (b U c)"),
        ("a U (a U b)", "a U b"),
        ("(a && !b) U b", "a U b"),
        ("(a U b) && (c U b)", "(a && c) U b"),
        ("[]a -> <>a", "true"),
        ("X a U X b", "X(a U b)"),
        ("X []<>a", "[]<>a"),
        ("[](a || []<>b)", "[]a || []<>b"),
        ("(a U b) U a", "b U a"),
        ("a <-> a", "true"),
        ("(a || b) && (a || !b) && <>c", "a && <>c"),
    ],
)
def test_rewriting_finds(text: str, smaller: str) -> None:
    assert simplify(parse(text)) is parse(smaller)


def check_meaning(seed: int, count: int, sizes: tuple[int, int], with_next: bool) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        formula = parse(random_formula(rng, rng.randint(*sizes), with_next))
        automaton = translate(formula)
        for _ in range(25):
            word = random_word(rng)
            expected = holds(formula, word)
            assert automaton.accepts_word(*word) == expected, f"{formula} on {word}"


def test_automata_accept_the_words_that_satisfy_the_formula() -> None:
    check_meaning(seed=6, count=500, sizes=(2, 14), with_next=True)


@pytest.mark.slow
def test_automata_of_large_formulas_accept_the_right_words() -> None:
    check_meaning(seed=7, count=3000, sizes=(2, 16), with_next=True)
    check_meaning(seed=8, count=300, sizes=(20, 32), with_next=True)


def test_a_word_and_its_negation() -> None:
    rng = random.Random(9)
    for _ in range(200):
        text = random_formula(rng, rng.randint(2, 12), with_next=True)
        yes, no = translate(text), translate(f"!({text})")
        for _ in range(10):
            word = random_word(rng)
            assert yes.accepts_word(*word) != no.accepts_word(*word), text


# ---------------------------------------------------------------- against SPIN


def compare_with_spin(seed: int, count: int, sizes: tuple[int, int]) -> tuple[int, int]:
    """Compare languages on random words; return the numbers of states, hsfpy's and SPIN's."""
    formulas, rng = random.Random(seed), random.Random(seed)  # what SPIN gives up on must not change the rest
    ours = spins = compared = 0
    while compared < count:
        text = random_formula(formulas, formulas.randint(*sizes), with_next=False)
        claim = spin_claim(text, seconds=5)
        if claim is None:
            continue  # SPIN gave up on it
        compared += 1
        formula, automaton, other = parse(text), translate(text), read_claim(claim)
        written = read_claim(to_never(automaton, comment=text))
        assert len(written.states) == len(automaton.states)
        ours, spins = ours + len(automaton.states), spins + len(other.states)
        for _ in range(12):
            word = random_word(rng)
            expected = holds(formula, word)
            assert other.accepts_word(*word) == expected, f"SPIN's {text} on {word}"
            assert automaton.accepts_word(*word) == expected, f"{text} on {word}"
            assert written.accepts_word(*word) == expected, f"claim of {text} on {word}"
    return ours, spins


def test_same_language_as_spin_on_a_thousand_formulas() -> None:
    ours, spins = compare_with_spin(seed=10, count=1000, sizes=(2, 9))
    assert ours < 0.7 * spins


@pytest.mark.slow
def test_same_language_as_spin_on_larger_formulas() -> None:
    ours, spins = compare_with_spin(seed=11, count=500, sizes=(6, 13))
    assert ours < 0.6 * spins


def test_formulas_without_parentheses_mean_what_they_mean_to_spin() -> None:
    rng = random.Random(12)
    for _ in range(120):
        words = [rng.choice(ATOMS)]
        for _ in range(rng.randint(1, 4)):
            words.append(rng.choice(["U", "V", "&&", "||", "->", "<->", "until"]))
            words.append(rng.choice(["", "", "!", "[]", "<>", "not", "always"]))
            words.append(rng.choice(ATOMS))
        text = " ".join(words)
        claim = spin_claim(text, seconds=5)
        if claim is None:
            continue
        other, formula = read_claim(claim), parse(text)
        for _ in range(20):
            word = random_word(rng)
            assert other.accepts_word(*word) == holds(formula, word), text


SPIN_WORDS = "a b c a b c U V && || -> <-> ! [] <> ( ) ( ) true false until always eventually not /\\ \\/".split()


TEMPORAL = re.compile(r"\[\]|<>|->|\b(U|V|until|always|eventually)\b")


def random_text(rng: random.Random) -> str:
    """A formula in SPIN's words that may have lost, gained or doubled some of them."""
    words = random_formula(rng, rng.randint(2, 8), with_next=False).replace("(", " ( ").replace(")", " ) ").split()
    for _ in range(rng.choice([0, 1, 1, 2])):
        at = rng.randrange(len(words))
        words[at : at + 1] = rng.choice(
            [[], [words[at]] * 2, [rng.choice(SPIN_WORDS)], [rng.choice(SPIN_WORDS), words[at]]]
        )
        words = words or ["a"]
    return " ".join(words)


def spin_ignores(text: str, column: int, claim: str) -> bool:
    """Whether SPIN makes the same claim of the text up to a column: it cannot have understood the rest."""
    shorter = spin_claim(text[:column])
    return shorter is not None and shorter.splitlines()[1:] == claim.splitlines()[1:]


def is_inside_predicate(text: str, column: int) -> bool:
    """Whether a column lies in parentheses without temporal operators: SPIN does not look into them."""
    opened = []
    for at, char in enumerate(text):
        if char == "(":
            opened.append(at)
        elif char == ")" and opened:
            first = opened.pop()
            if first < column <= at and not TEMPORAL.search(text[first:at]):
                return True
    return False


def test_formulas_are_accepted_and_refused_as_by_spin() -> None:
    rng = random.Random(18)
    counts = {(True, True): 0, (True, False): 0, (False, False): 0}
    for _ in range(400):
        text = random_text(rng)
        claim = spin_claim(text, seconds=5)
        try:
            formula = parse(text)
        except LtlError as error:
            counts[claim is not None, False] += 1
            assert claim is None or spin_ignores(text, error.column, claim) or is_inside_predicate(text, error.column)
            continue
        assert claim is not None, f"SPIN does not read {text}"
        counts[True, True] += 1
        other = read_claim(claim)
        for _ in range(5):
            word = random_word(rng)
            assert other.accepts_word(*word) == holds(formula, word), text
    assert counts[True, True] > 100 and counts[False, False] > 100, counts


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: str(pattern.name))
def test_no_more_states_than_spin_on_the_pattern_catalogue(pattern: Pattern) -> None:
    rng = random.Random(13)
    for text, spins in (
        (pattern.formula, pattern.spin),
        (f"!({pattern.formula})", pattern.spin_negated),
    ):
        automaton, formula = translate(text), parse(text)
        assert spins is None or len(automaton.states) <= spins
        for _ in range(30):
            word = random_word(rng, tuple("PQRSTZ"))
            assert automaton.accepts_word(*word) == holds(formula, word)


FOR_INSTALLED_SPIN = [
    (text, states)
    for pattern in PATTERNS
    for text, states in (
        (pattern.formula, pattern.spin),
        (f"!({pattern.formula})", pattern.spin_negated),
    )
    if states is not None and "X" not in text
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "states"), FOR_INSTALLED_SPIN)
def test_recorded_sizes_are_those_of_spin(text: str, states: int) -> None:
    claim = spin_claim(text, seconds=120)
    assert claim is not None
    assert len(read_claim(claim, tuple("PQRSTZ")).states) == states


# ---------------------------------------------------------------- formulas in models

BLOCK_MODEL = """bool a, b, c;
byte x, y[3];
chan q = [2] of { byte };
mtype = { red, green };
mtype m = red;
#define p2 (x == 2)
#define wait <> (x == 1)
active proctype P() { cs: do :: a = !a :: b = !b :: x++ :: y[1] = 2; m = green; q!1 od }
"""
BLOCK_ATOMS = (
    "a;b;c;!a;! x;x;true;false;1;skip;x == 1;x != y[1];x < 3 - y[2];(x + 1 > 2);!x == 1;x & 3;-x < 2;m == red;P@cs;"
    "P[0]@cs;P:_pid == 0;P[0]:_pid;len(q) == 2;q?[1];q??[1];p2;enabled(0) == 1;(a && !b);c_expr { now.a > 0 }"
).split(";")
BLOCK_INFIX = "U V W && || -> <-> until weakuntil release implies equivalent stronguntil".split()


def random_block(rng: random.Random) -> str:
    words: list[str] = []
    for i in range(rng.randint(1, 5)):
        atom = rng.choice(BLOCK_ATOMS)
        prefix = rng.choice(["", "", "", "!", "[]", "<>", "always ", "eventually "])
        words += [rng.choice(BLOCK_INFIX)] * (i > 0) + [f"{prefix}({atom})" if prefix or rng.random() < 0.3 else atom]
    return " ".join(words)


def test_blocks_are_read_as_by_spin(tmp_path: Path) -> None:
    rng = random.Random(19)
    formulas = [random_block(rng) for _ in range(400)] + ["[] (a -> wait)"]
    blocks = "".join(f"ltl f{i} {{ {formula} }}\n" for i, formula in enumerate(formulas))
    (tmp_path / "m.pml").write_text(BLOCK_MODEL + blocks)
    # -C asks for a report on channels; SPIN then reads formulas without translating them.
    done = subprocess.run(["spin", "-C", "m.pml"], cwd=tmp_path, capture_output=True, text=True, check=False)
    theirs = [line for line in done.stdout.splitlines() if line.startswith("ltl f")]
    assert len(theirs) == len(formulas), done.stdout[-500:]
    model = load_model(str(tmp_path / "m.pml"), FrontOptions())
    assert [f"ltl {block.name}: {formula_text(block.formula)}" for block in model.ltls] == theirs
    for block in model.ltls:
        assert parse(formula_text(block.formula), inline=True) is formula_of(block.formula)


def block_notes(formula: str, declarations: str = "bool a, b, c; byte x;") -> list[str]:
    model = load_text(f"{declarations}\nactive proctype P() {{ cs: x++ }}\nltl f {{ {formula} }}\n")
    notes = add_ltl_claims(model)
    return [*notes, *(warning.text for warning in model.warnings)]


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("G a", "[] (a)"),
        ("F a", "<> (a)"),
        ("X a", "X (a)"),
        ("next a", "X (a)"),
        ("a R b", "(a) V (b)"),
        ("a and not b or c", "((a) && (! (b))) || (c)"),
        ("G F a and b", "([] (<> (a))) && (b)"),
        ("always a until b", "([] (a)) U (b)"),
    ],
)
def test_blocks_take_more_spellings_than_spin(formula: str, shown: str) -> None:
    assert block_notes(formula) == [f"ltl f: {shown}"]


def test_names_of_the_model_are_no_operators() -> None:
    declarations = "bool a, b, c, G, R, and; byte x;"
    assert block_notes("[] G && <> R || and", declarations) == ["ltl f: (([] (G)) && (<> (R))) || (and)"]


@pytest.mark.parametrize("prefix", ["[]", "<>", "! []", "[] <>"])
def test_a_prefix_before_a_comparison_is_read_as_it_is_meant(prefix: str) -> None:
    note, warning = block_notes(f"{prefix} x == 1 && a")
    assert note == block_notes(f"{prefix} (x == 1) && a")[0]
    assert warning == (
        f"spin: model.pml:3, warning, '{prefix[-2:]}' in front of '==' is taken for '{prefix[-2:]} (... == ...)'; "
        "SPIN misreads it without the parentheses"
    )


@pytest.mark.parametrize(
    ("formula", "column", "message", "hint"),
    [
        ("([] a) == 1", 10, "a temporal formula is not a value", "temporal operators go outside"),
        ("x + [] (a) > 1", 13, "a temporal formula is not a value", "temporal operators go outside"),
        ("[] (1 == (a U b))", 19, "a temporal formula is not a value", "temporal operators go outside"),
        ("[] (a -> )", 18, "syntax error", ""),
        ("a U", 13, "syntax error", ""),
        ("[] (a || undeclared)", 18, "undeclared variable: undeclared", "declare it first"),
        ("<> P@nowhere", 12, "unknown label", ""),
        ("[]\n<> P[0]@nowhere", 4, "unknown label", ""),
        ("<> !full(x)", 13, "syntax error", "write 'nfull'"),
    ],
)
def test_errors_in_blocks_name_the_place(formula: str, column: int, message: str, hint: str) -> None:
    with pytest.raises(PromelaError) as caught:
        block_notes(formula)
    error = caught.value
    assert message in error.message
    assert error.loc is not None and error.loc.file == "model.pml"
    assert error.loc.shown_line == 3 + formula.count("\n")
    assert error.loc.column == column
    assert hint in (error.hint or "")


def test_what_is_too_large_is_refused_at_its_block() -> None:
    with pytest.raises(PromelaError) as caught:
        block_notes("!(" + " && ".join(f"([]<> (x == {i}) -> []<> (x == {i + 20}))" for i in range(9)) + ")")
    assert caught.value.message == "the automaton of the formula is too large"
    assert caught.value.loc is not None and caught.value.loc.line == 3
    with pytest.raises(PromelaError, match="nested too deeply"):
        block_notes("a U (" * 3000 + "b" + ")" * 3000)


# ---------------------------------------------------------------- the command line


def run_hsfpy(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "CC": "true"}
    command = [sys.executable, "-m", "hsfpy", *args]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def test_an_error_in_a_formula_shows_the_place(tmp_path: Path) -> None:
    (tmp_path / "f.ltl").write_text("[] (a -> <> (b)\nmore\n")
    (tmp_path / "m.pml").write_text("bool a, b; active proctype P() { a = 1 }\n")
    shown = (
        "tl_spin: expected ')', saw the end of the formula\n"
        "tl_spin: [] (a -> <> (b)\n"
        "------------------------^\n"
    )  # fmt: skip
    hint = "  hint: it would close the '(' in column 4\n"
    done = run_hsfpy("-f", "[] (a -> <> (b)", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, shown + hint)
    done = run_hsfpy("-F", "f.ltl", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, shown + "  in f.ltl:1:16\n" + hint)
    done = run_hsfpy("-a", "-f", "[] (a -> <> (b)", "m.pml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, shown + hint)


def test_formulas_of_the_command_line_see_the_macros_of_the_model(tmp_path: Path) -> None:
    (tmp_path / "m.pml").write_text(
        "#define p (x == 1)\n#define is(n) (x == n)\nbyte x; active proctype P() { x = 1 }\n"
    )
    (tmp_path / "f.ltl").write_text("[] p -> <> is(2)\n")
    for option in (("-f", "[] p -> <> is(2)"), ("-F", "f.ltl")):
        done = run_hsfpy("-a", *option, "m.pml", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, "")
        tables = (tmp_path / "pan.c").read_text()
        assert '"(((x==1)||(x==2)))"' in tables or "x==2" in tables


# ---------------------------------------------------------------- claims

MODEL = """bool a, b, c;
chan q = [2] of { byte };
active proctype P()
{   do
    :: q!1
    :: q?_
    :: a = !a
    :: b = !b
    :: c = a && b; cs: skip
    od
}
"""


def spin_accepts(claim: str, folder: Path) -> None:
    model = folder / "model.pml"
    model.write_text(MODEL + claim)
    done = subprocess.run(["spin", "-a", model.name], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "rror" not in done.stdout


def test_spin_reads_the_claims(tmp_path: Path) -> None:
    rng = random.Random(14)
    texts = ["true", "false", "a", "[]a", "<>a", "[]<>a", "a U (b || c && !a)"]
    texts += [
        "[] P[0]@cs",
        "len(q) == 2 U full(q)",
        "(full(q) || a) V nempty(q)",
        "!<> q?[1]",
        "[] c_expr { now.a > 0 }",
    ]
    texts += ["(a + b <= 1) W P@cs", "[] (" + " && ".join(f"(a == {i} || b)" for i in range(9)) + ")"]
    texts += [random_formula(rng, rng.randint(3, 12), with_next=True) for _ in range(40)]
    for i, text in enumerate(texts):
        spin_accepts(to_never(translate(text), name=f"claim{i}", comment=text), tmp_path)


@pytest.mark.slow
def test_verdicts_under_both_claims_are_the_same(tmp_path: Path) -> None:
    rng = random.Random(15)
    for _ in range(12):
        text = random_formula(rng, rng.randint(3, 9), with_next=False)
        claim = spin_claim(text)
        assert claim is not None
        verdicts = [errors_found(source, tmp_path) for source in (claim, to_never(translate(text)))]
        assert verdicts[0] == verdicts[1], text


def errors_found(claim: str, folder: Path) -> bool:
    spin_accepts(claim, folder)
    subprocess.run(["cc", "-w", "-o", "pan", "pan.c"], cwd=folder, check=True)
    done = subprocess.run(["./pan", "-a"], cwd=folder, capture_output=True, text=True, check=True)
    return "errors: 0" not in done.stdout


def test_layout_of_a_claim() -> None:
    assert to_never(translate("(a && !b) U (x < 3)"), comment="(a && !b) U (x < 3)") == (
        "never  {    /* (a && !b) U (x < 3) */\n"
        "T0_init:\n"
        "\tdo\n"
        "\t:: atomic { ((x < 3)) -> assert(!((x < 3))) }\n"
        "\t:: ((a) && ! ((b)) && ! ((x < 3))) -> goto T0_init\n"
        "\tod;\n"
        "accept_all:\n"
        "\tskip\n"
        "}\n"
    )
    assert to_never(translate("[](a -> b)"), name="p1", comment="x") == (
        "never p1 {    /* x */\naccept_init:\nT0_init:\n\tdo\n\t:: ((! ((a)) || (b))) -> goto T0_init\n\tod;\n}\n"
    )


def test_a_guard_is_written_as_its_negation_where_that_is_shorter() -> None:
    text = "[](" + " && ".join(f"(p{i} || q{i})" for i in range(12)) + ")"
    automaton = translate(text)
    (edge,) = automaton.states[0].edges
    assert edge.negated
    assert len(edge.guard) == 12
    everything = frozenset(automaton.atoms)
    claim = to_never(automaton)
    assert len(claim) < 500
    for either in (automaton, read_claim(claim, automaton.atoms)):
        assert either.accepts_word([], [everything, everything - {"p3"}])
        assert not either.accepts_word([], [everything, everything - {"p3", "q3"}])


def test_what_is_too_large_is_refused() -> None:
    many = " && ".join(f"([]<>e{i} -> []<>r{i})" for i in range(9))
    for text in (many, "(" * 2000 + "a" + ")" * 2000):
        with pytest.raises(LtlError):
            translate(text)


def test_states_before_a_cycle_without_acceptance_survive_pruning() -> None:
    guards = Guards(())
    # 0 -> 1 <-> 2 -> 3, where only 3 accepts: 0 and 1 live although 1 itself does not leave.
    targets = [[1], [2], [1, 3], [3]]
    graph = Graph(guards, 1, 0, [[Arc(1, int(i == 3), target) for target in row] for i, row in enumerate(targets)])
    assert prune(graph).size() == (4, 5)


def test_kinds_of_automata() -> None:
    assert translate("<>a").is_terminal
    assert translate("true").is_terminal
    assert translate("a && X b").is_terminal
    assert not translate("[]a").is_terminal
    assert translate("<>[]a").is_weak
    assert not translate("[]<>a").is_weak
    assert translate("[](a -> <>b)").is_deterministic
    assert not translate("<>[]a").is_deterministic


def test_the_same_formula_gives_the_same_claim_in_every_process() -> None:
    rng = random.Random(16)
    texts = [random_formula(rng, 16, with_next=True) for _ in range(12)]
    program = (
        "import sys\nfrom hsfpy.ltl import translate, to_never\n"
        "claims = {t: to_never(translate(t)) for t in sys.argv[2:][:: int(sys.argv[1])]}\n"
        "print(''.join(claims[t] for t in sys.argv[2:]))\n"
    )
    outputs = set()
    for seed, step in (("0", "1"), ("1", "1"), ("2", "-1")):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        done = subprocess.run(
            [sys.executable, "-c", program, step, *texts],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.add(done.stdout)
    assert outputs == {"".join(to_never(translate(text)) for text in texts) + "\n"}


def test_large_formulas_take_seconds_at_most() -> None:
    rng = random.Random(17)
    for _ in range(15):
        translate(random_formula(rng, 30, with_next=True))
    translate(" && ".join(f"[]<>p{i}" for i in range(10)))
    translate("!(" + " && ".join(f"[](p{i} -> <>q{i})" for i in range(6)) + ")")
    translate(" || ".join(f"x{i} == {i}" for i in range(60)) + " U y")
