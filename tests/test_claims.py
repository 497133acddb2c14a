"""Claims: their components and classes, and what the verifier's tables say of them."""

# ruff: noqa: E501 (one claim, one line)

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from ltl_words import holds, random_formula, random_word, read_claim
from oracle import Hsfpy, with_root

from hsfpy.automaton import System
from hsfpy.bench_liveness import PUBLISHED, bench, class_row, remark, size_row
from hsfpy.claim_draw import claim_dot, claim_svg
from hsfpy.claim_graph import (
    UNREACHABLE,
    ClaimAnalysis,
    ClaimClass,
    ClaimEdge,
    ClaimGraph,
    ClaimNode,
    analyse,
    claim_graph,
    formula_graph,
    until_violated,
)
from hsfpy.claim_product import product_claim
from hsfpy.claim_view import claim_text, claim_views, formula_view
from hsfpy.claims import add_ltl_claims
from hsfpy.diagnostics import PromelaError
from hsfpy.frontend import load_text
from hsfpy.layered import Box, Link, lay_out
from hsfpy.lower import lower
from hsfpy.ltl import neg, parse, prop, translate
from hsfpy.ltl.automaton import Automaton, Edge, State
from hsfpy.ltl.finite import closure
from hsfpy.ltl.formula import FALSE, TRUE, Formula, nnf, props
from hsfpy.ltl.guards import Guards
from hsfpy.ltl.merge import share_no_word
from hsfpy.ltl.never import _buchi
from hsfpy.ltl.patterns import PATTERNS, SCOPES

MODEL = "byte x; bool p, q, r;\nactive proctype A() { here: do :: x++ :: p = !p :: q = !q :: r = !r od }\n"


def system_of(claim: str) -> System:
    model = load_text(MODEL + claim)
    add_ltl_claims(model)
    return lower(model)


def analysis(claim: str) -> ClaimAnalysis:
    (automaton,) = system_of(claim).claims()
    return analyse(claim_graph(automaton))


def by_label(found: ClaimAnalysis, label: str) -> int:
    return next(i for i in found.reachable if found.graph.nodes[i].name == label)


# ---------------------------------------------------------------- classes


CLASSES = [
    # the classes of components, in the order they are met from the start; is it safety; the claim
    ("N F", False, "never { T0: do :: true :: p && !q -> goto accept od; accept: do :: !q od }"),
    ("F", False, "never { accept: do :: !p od }"),
    ("N", True, "never { do :: true od }"),
    ("P", False, "never { T0: do :: p :: q -> goto accept od; accept: do :: p -> goto T0 od }"),
    ("F", False, "never { T0: if :: q -> goto accept fi; accept: if :: p -> goto T0 fi }"),
    ("N", True, "never { T0: do :: true :: p -> goto T0 od }"),
    # A location with an accept label on no cycle is of no use to a search for cycles.
    ("N N N", True, "never { T0: do :: true :: p -> goto accept od; accept: q -> T1: do :: true od }"),
    # Leaving the claim is a violation; the last N is the -end- behind it.
    ("N N N", True, "never { do :: p -> break :: else od }"),
    ("N N N N", True, "never { do :: p -> goto accept_all :: else od; accept_all: skip }"),
    # Universal accepting locations make safety, others do not.
    ("N F", True, "never { T0: do :: p -> goto accept :: else od; accept: do :: true od }"),
    ("N F", True, "never { T0: do :: p -> goto accept :: else od; accept: do :: q :: else od }"),
    ("N F", True, "never { T0: do :: p -> goto accept :: else od; accept: do :: q && r :: !q :: !r od }"),
    ("N F", False, "never { T0: do :: p -> goto accept :: else od; accept: do :: q && r :: !q od }"),
    ("N F", True, "never { T0: do :: p -> goto accept :: else od; accept: do :: x != 3 :: x == 3 od }"),
    ("N P", True, "never { T0: do :: p -> goto accept :: else od; accept: do :: true :: true -> T1: do :: q -> goto accept :: true od od }"),
    # Two labels at one location: it accepts if one of them says so.
    ("N F", False, "never { T0: do :: true :: p -> goto T1 od; progress1: T1: accept_x: do :: !q od }"),
    ("N", True, "never { T0: do :: true :: false -> goto accept od; accept: do :: !q od }"),
    # Escapes go first, so nobody is sure to stay in the accepting loop.
    ("N F N", False, "never { T0: do :: true :: p -> goto accept od; { accept: do :: true od } unless { q; T1: do :: true od } }"),
]  # fmt: skip


@pytest.mark.parametrize(("classes", "is_safety", "claim"), CLASSES, ids=lambda v: None)
def test_classes(classes: str, is_safety: bool, claim: str) -> None:
    found = analysis(claim)
    shown = [found.locations[members[0]].class_.name for members in found.components()]
    assert (" ".join(shown), found.is_safety) == (classes, is_safety)


def test_distances() -> None:
    found = analysis(
        "never { T0: do :: true :: p -> goto T1 :: q -> goto T3 od; T1: if :: q -> goto T2 fi;"
        " T2: if :: q -> goto accept fi; accept: do :: !q od; T3: do :: true od }"
    )
    distances = {name: found.locations[by_label(found, name)].distance for name in ("T0", "T1", "T2", "accept", "T3")}
    assert distances == {"T0": 3, "T1": 2, "T2": 1, "accept": 0, "T3": UNREACHABLE}


def test_universal_locations() -> None:
    found = analysis("never { T0: do :: p -> goto accept :: q -> goto T0 od; accept: do :: true od }")
    assert [found.locations[by_label(found, name)].universal for name in ("T0", "accept")] == [False, True]
    found = analysis("never { T0: do :: p -> goto accept :: true -> goto accept od; accept: do :: true od }")
    assert all(found.locations[i].universal for i in found.reachable)


# ---------------------------------------------------------------- against definitions

P, Q = prop("p"), prop("q")
CONDITIONS: list[tuple[Formula, tuple[tuple[tuple[str, bool], ...], ...]]] = [
    (TRUE, ((),)),
    (P, ((("p", True),),)),
    (neg(P), ((("p", False),),)),
    (Q, ((("q", True),),)),
]


def random_graph(rng: random.Random) -> tuple[ClaimGraph, Automaton]:
    """A small graph, twice: as a claim and as an automaton that can be run on words."""
    count = rng.randint(1, 5)
    nodes, states = [], []
    for i in range(count):
        accepting = rng.random() < 0.4
        chosen = [(rng.choice(CONDITIONS), rng.randrange(count)) for _ in range(rng.randint(0, 3))]
        nodes.append(ClaimNode(accepting, False, [ClaimEdge(formula, to, "") for (formula, _), to in chosen]))
        states.append(State(f"s{i}", accepting, tuple(Edge(cubes, to) for (_, cubes), to in chosen)))
    return ClaimGraph(0, nodes), Automaton(tuple(states), 0, ("p", "q"))


def cycles_of(graph: ClaimGraph) -> list[list[int]]:
    """Every simple cycle, by trying all paths."""
    found = []

    def extend(path: list[int]) -> None:
        for edge in graph.nodes[path[-1]].edges:
            if edge.to == path[0]:
                found.append(path)
            elif edge.to > path[0] and edge.to not in path:
                extend([*path, edge.to])

    for i in range(len(graph.nodes)):
        extend([i])
    return found


def test_classes_follow_the_definition() -> None:
    rng = random.Random(20)
    seen = set()
    for _ in range(600):
        graph, _ = random_graph(rng)
        found = analyse(graph)
        by_component: dict[int, list[bool]] = {}
        for cycle in cycles_of(graph):
            components = {found.locations[i].component for i in cycle}
            assert len(components) == 1, "a cycle lies in one component"
            by_component.setdefault(components.pop(), []).append(any(graph.nodes[i].accepting for i in cycle))
        for row in found.locations:
            accepting = by_component.get(row.component, [])
            expected = ClaimClass.N if not any(accepting) else ClaimClass.F if all(accepting) else ClaimClass.P
            assert row.class_ is expected
            seen.add(expected)
    assert seen == set(ClaimClass)


def test_universal_locations_accept_every_word() -> None:
    rng = random.Random(21)
    universal = 0
    for _ in range(400):
        graph, automaton = random_graph(rng)
        if analyse(graph).locations[0].universal:
            universal += 1
            for _ in range(30):
                assert automaton.accepts_word(*random_word(rng, ("p", "q")))
    assert universal > 20


# ---------------------------------------------------------------- claims from formulas


LTL = [
    ("[] p", True, "S+N"),
    ("<> p", False, "F"),
    ("[] (p -> <> q)", False, "N+F"),
    ("[] <> p", False, "N+F"),
    ("<> [] p", False, "P"),
    ("p U q", False, "S+F"),
    ("p W q", True, "S+N"),
    ("X p", True, "S+N"),
    ("[] (p -> X (q || X q))", True, "S+N"),
]


@pytest.mark.parametrize(("formula", "is_safety", "letters"), LTL)
def test_claims_of_formulas(formula: str, is_safety: bool, letters: str) -> None:
    found = analysis(f"ltl f {{ {formula} }}")
    assert (found.is_safety, found.letters()) == (is_safety, letters)


def is_safety(formula: Formula) -> bool:
    """By the definition: what can be continued to satisfy the formula for ever satisfies it."""
    guards = Guards(props(nnf(formula)))
    limit = closure(_buchi(nnf(formula), guards))
    return share_no_word(limit, _buchi(nnf(neg(formula)), guards))


def test_safety_is_recognised() -> None:
    rng = random.Random(22)
    counts = {True: 0, False: 0}
    for _ in range(250):
        formula = parse(random_formula(rng, rng.randint(2, 10), with_next=True, atoms=("p", "q", "r")))
        found = analyse(formula_graph(translate(neg(formula))))
        expected = is_safety(formula)
        assert found.is_safety == expected, str(formula)
        counts[expected] += 1
    assert min(counts.values()) > 50


@pytest.mark.parametrize(
    "text", ["(r U p) && X [] ! p", "([] p) <-> (X X <> ! p)", "((X r) && (X <> r)) U (([] p) V r)"]
)
def test_safety_that_does_not_show(text: str) -> None:
    rng = random.Random(23)
    formula = parse(text)
    automaton = translate(neg(formula))
    assert automaton.is_terminal
    for _ in range(300):
        word = random_word(rng, ("p", "q", "r"))
        assert automaton.accepts_word(*word) != holds(formula, word)


def test_lowered_claims_of_formulas_are_like_their_automata() -> None:
    rng = random.Random(24)
    for _ in range(60):
        text = random_formula(rng, rng.randint(2, 9), with_next=True, atoms=("p", "q", "r"))
        (automaton,) = system_of(f"ltl f {{ {text} }}").claims()
        lowered = analyse(until_violated(claim_graph(automaton)))
        found = analyse(formula_graph(translate(neg(parse(text, inline=True)))))
        assert (lowered.letters(), lowered.is_safety) == (found.letters(), found.is_safety), text
        assert analyse(claim_graph(automaton)).is_safety == found.is_safety, text


def test_only_assertions_that_must_fail_violate() -> None:
    found = analysis("never { T0: do :: atomic { p -> assert(!p) } :: atomic { q -> assert(!p) } :: r od }")
    nodes = [found.graph.nodes[i] for i in found.reachable]
    assert [(node.assertion, node.fails) for node in nodes if node.assertion] == [
        ("assert(!(p))", True),
        ("assert(!(p))", False),
    ]
    assert FALSE not in [edge.condition for node in nodes for edge in node.edges]


def test_stutter_sensitive_claims() -> None:
    system = system_of("ltl a { X p }\nltl b { [] <> X p }\nltl c { [] p }\nltl d { X [] <> p }\n")
    assert {a.process.name: a.process.stutter_sensitive for a in system.claims()} == {
        "a": True, "b": False, "c": False, "d": False,
    }  # fmt: skip


# ---------------------------------------------------------------- the verifier's tables


def test_tables_of_the_verifier(tmp_path: Path, hsfpy_small: Hsfpy) -> None:
    model = tmp_path / "m.pml"
    model.write_text(
        MODEL + "ltl f { [] (p -> X q) }\nnever { T0: do :: true :: p -> goto accept od; accept: do :: !q od }\n"
    )
    text = (hsfpy_small.build(model) / "pan.c").read_text()
    rows = re.findall(
        r"^    \{ (\".*\"), \(ProcessClass\).*, (true|false), (true|false), locations_P\d, (\w+), .*\},$", text, re.M
    )
    assert rows == [
        ('"A"', "false", "false", "NULL"),
        ('"never_0"', "false", "false", "claim_P1"),
        ('"f"', "true", "true", "claim_P2"),
        ('":np_:"', "false", "false", "claim_P3"),
    ]
    assert ".n_proctypes = 3," in text and ".nonprogress_claim = 3," in text


def test_the_nonprogress_claim_is_hidden(tmp_path: Path, hsfpy_small: Hsfpy) -> None:
    model = tmp_path / "m.pml"
    model.write_text("active proctype A() { byte x; do :: x = 1 - x od }\n")
    assert "np_" not in hsfpy_small.run(model, pan=["-d"]).out + hsfpy_small.run(model, pan=["-d", "-d"]).out
    assert "np_" not in hsfpy_small.run(model).out


def test_class_numbers_are_those_of_the_runtime() -> None:
    header = (Path(__file__).parent.parent / "runtime_c" / "model.h").read_text()
    names = re.search(r"typedef enum ClaimClass \{ (.*) \} ClaimClass;", header)
    assert names is not None
    assert names[1].split(", ") == [f"CLAIM_{c.name}" for c in sorted(ClaimClass)]


# ---------------------------------------------------------------- products of claims


def readable(claim: str) -> Automaton:
    """The automaton of a product, by the reader of claims of formulas."""
    claim = re.sub(r"P(_end)+_U0", "accept_all", re.sub(r"/\* =.*\n", "", claim))
    claim = re.sub(r":: (.*) -> goto", r":: (\1) -> goto", claim)
    return read_claim(claim, ("p", "q", "r"))


def test_a_product_is_violated_where_all_its_claims_are() -> None:
    rng = random.Random(26)
    accepted = 0
    for _ in range(60):
        texts = [random_formula(rng, rng.randint(2, 7), True, ("p", "q", "r")) for _ in range(rng.choice([1, 2, 2, 3]))]
        blocks = "".join(f"ltl f{i} {{ {text} }}\n" for i, text in enumerate(texts))
        automaton = readable(product_claim(system_of(blocks).claims()))
        for _ in range(25):
            word = random_word(rng, ("p", "q", "r"))
            expected = not any(holds(parse(text, inline=True), word) for text in texts)
            assert automaton.accepts_word(*word) == expected, (texts, word)
            accepted += expected
    assert accepted > 100


def test_products_as_spin_makes_them() -> None:
    rng = random.Random(27)
    claims = (
        "never a { T0: do :: p -> goto accept :: true od; accept: do :: !q od }\n"
        "never b { accept_b: do :: !p :: else -> goto T1 od; T1: if :: q -> goto accept_b fi }\n"
        "never c { do :: r :: !q od }\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "m.pml").write_text(MODEL + claims)
        for strict in (False, True):
            options = ["-e", *["-L"] * strict, "m.pml"]
            theirs = subprocess.run(["spin", *options], cwd=folder, capture_output=True, text=True, check=True).stdout
            ours = readable(hsfpy_command(*options, cwd=Path(folder)).stdout)
            product = readable(theirs)
            words = [random_word(rng, ("p", "q", "r")) for _ in range(400)]
            expected = [product.accepts_word(*w) for w in words]
            assert [ours.accepts_word(*w) for w in words] == expected
            assert any(expected) != strict  # strictly, a claim without accept labels accepts nothing


@pytest.mark.parametrize(
    ("claim", "place"),
    [
        ("never { do :: atomic { p -> q } od }", "p"),
        ("never { do :: p -> assert(q) od }", "assert"),
    ],
)
def test_products_are_made_of_conditions(claim: str, place: str) -> None:
    with pytest.raises(PromelaError, match="cannot be combined"):
        product_claim(system_of(claim).claims())


def test_a_product_can_be_read_again(tmp_path: Path) -> None:
    model = MODEL + "chan c = [1] of { byte };\n"
    (tmp_path / "m.pml").write_text(model + "ltl f { [] (p -> <> q) }\nltl g { [] (len(c) == 0 || A@here) }\n")
    made = hsfpy_command("-e", "m.pml", cwd=tmp_path)
    assert made.returncode == 0, made.stdout
    assert made.stderr.startswith("ltl f: [] ((! (p)) || (<> (q)))\n")
    (tmp_path / "product").write_text(made.stdout)
    (tmp_path / "plain.pml").write_text(model)
    done = hsfpy_command("-a", "-N", "product", "plain.pml", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert (
        subprocess.run(["./pan", "-d"], cwd=tmp_path, capture_output=True, text=True).stdout.count("claim Product") == 1
    )
    (tmp_path / "none.pml").write_text(MODEL)
    done = hsfpy_command("-e", "none.pml", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "spin: none.pml has no never claims to combine\n")


# ---------------------------------------------------------------- what is shown

SHOWN = """claim f: [] ((! (p)) || (<> (q)))
  classes: N+F
  search:  liveness, one depth-first search finds accepting cycles

  component 0: N, no accepting cycle
    5: T0_init     start, violation 1 step ahead at least
  component 1: F, every cycle accepts
    10: accept_S1  accepting"""

SHOWN_BY_HAND = """claim never_0
  classes: S+P
  search:  liveness, a second search is needed inside P

  component 0: P, some cycles accept
    6: T0        start, violation 1 step ahead at least
    13: accept1  accepting
    12: S12      assert((x!=3)) may fail
  violated at once: S
    16: end1     end state"""


def test_text_of_a_claim() -> None:
    (view,) = claim_views(system_of("ltl f { [] (p -> <> q) }"))
    assert claim_text(view) == SHOWN
    claim = (
        "never { T0: do :: p -> goto accept1 :: q :: else -> goto end1 od;\n"
        "accept1: do :: q -> goto T0 :: p -> assert(x != 3) od; end1: skip }"
    )
    (view,) = claim_views(system_of(claim))
    assert claim_text(view) == SHOWN_BY_HAND


def test_text_of_other_claims() -> None:
    assert "search:  safety, a finite prefix shows every violation" in claim_text(formula_view("<> p"))
    assert "search:  none needed, the claim cannot be violated" in claim_text(formula_view("false"))
    assert "made from a formula with X" in claim_text(formula_view("[] (p -> X q)"))


def test_dot_of_a_claim() -> None:
    dot = claim_dot(formula_view('[] (p -> <> c_expr { f("a") })'))
    assert dot.startswith('digraph "formula" {')
    assert '1 -> 1 [label="!(c_expr { f(\\"a\\") })"]' in dot
    assert dot.count("{") == dot.count("}")


SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("pattern", PATTERNS[::3], ids=lambda pattern: pattern.name)
def test_drawings_are_well_formed_and_show_every_location(pattern: object) -> None:
    view = formula_view(f"!({PATTERNS[PATTERNS.index(pattern)].formula})")  # type: ignore[arg-type]
    root = ET.fromstring(claim_svg(view))
    texts = [node.text for node in root.iter(f"{SVG}text")]
    for place in view.places.values():
        assert place.name in texts
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for node in root.iter(f"{SVG}rect"):
        if "x" in node.attrib:
            assert 0 <= float(node.attrib["x"]) <= width and 0 <= float(node.attrib["y"]) <= height
    assert len(list(root.iter(f"{SVG}path"))) == 2 + sum(len(place.arrows) for place in view.places.values())


def test_nothing_in_a_drawing_overlaps() -> None:
    rng = random.Random(25)
    for _ in range(40):
        count = rng.randint(1, 12)
        boxes = [Box(rng.uniform(40, 120), 40) for _ in range(count)]
        pairs = {(rng.randrange(count), rng.randrange(count)) for _ in range(2 * count)}
        links = [Link(a, b, Box(rng.uniform(10, 200), 15)) for a, b in sorted(pairs)]
        drawing = lay_out(boxes, links, 0)
        shown = boxes + [link.label for link in links]
        for i, one in enumerate(shown):
            assert one.x - one.width / 2 >= 0 and one.x + one.width / 2 <= drawing.width
            assert one.y - one.height / 2 >= 0 and one.y + one.height / 2 <= drawing.height
            for other in shown[i + 1 :]:
                apart_x = abs(one.x - other.x) - (one.width + other.width) / 2
                apart_y = abs(one.y - other.y) - (one.height + other.height) / 2
                assert max(apart_x, apart_y) > -0.01
        for link in links:
            for end, point in ((link.source, link.points[0]), (link.target, link.points[-1])):
                box = boxes[end]
                assert abs(point[0] - box.x) <= box.width / 2 + 0.01 and abs(point[1] - box.y) <= box.height / 2 + 0.01


def hsfpy_command(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hsfpy", *args]
    return subprocess.run(command, cwd=cwd, env=with_root(None), capture_output=True, text=True, check=False)


def test_the_claim_command(tmp_path: Path) -> None:
    (tmp_path / "m.pml").write_text(MODEL + "ltl f { [] (p -> <> q) }\nltl g { [] GOOD }\n")
    done = hsfpy_command("claim", "m.pml", "-D", "GOOD=p", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(SHOWN + "\n\nclaim g: [] (p)\n")
    done = hsfpy_command(
        "claim", "m.pml", "-DGOOD=p", "--name", "g", "--dot", "g.dot", "--svg", "g.svg", cwd=tmp_path
    )  # fmt: skip
    assert done.returncode == 0 and done.stdout.startswith("claim g")
    assert (tmp_path / "g.dot").read_text().startswith('digraph "g"')
    ET.fromstring((tmp_path / "g.svg").read_text())


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("m.pml", "--svg", "x.svg"), "choose one claim to draw, with --name: f, g"),
        (("m.pml", "--name", "h"), "no claim 'h' in m.pml; there is f, g"),
        (("none.pml",), "none.pml has no never claim and no ltl formula"),
        (("-f", "[] (p -> "), "expected a state expression or a unary operator, saw the end of the formula"),
        (("bad.pml",), "undeclared variable: z"),
        (("missing.pml",), "missing.pml"),
        ((), "give a model, or a formula with -f"),
    ],
)
def test_what_the_claim_command_refuses(tmp_path: Path, args: tuple[str, ...], message: str) -> None:
    (tmp_path / "m.pml").write_text(MODEL + "ltl f { [] p }\nltl g { [] q }\n")
    (tmp_path / "none.pml").write_text(MODEL)
    (tmp_path / "bad.pml").write_text(MODEL + "ltl f { [] z }\n")
    done = hsfpy_command("claim", *args, cwd=tmp_path)
    assert done.returncode != 0
    assert message in done.stderr and "Traceback" not in done.stderr


# ---------------------------------------------------------------- tables

TABLE_2 = {
    "Absence": ("S+N", "S+N", "S+N", "S+N", "S+N"),
    "Universality": ("S+N", "S+N", "S+N", "S+N", "S+N"),
    "Existence": ("F", "S+N", "N+F", "S+N", "S+N+F"),
    "Response": ("N+F", "S+N", "N+F", "S+N", "S+N+F"),
    "Precedence": ("S+N", "S+N", "N+P", "S+N", "S+N"),
}


@pytest.mark.parametrize("group", PUBLISHED)
def test_table_2_of_hsf_spin(group: str) -> None:
    rows = [class_row(group, scope) for scope in range(len(SCOPES))]
    assert tuple(row.ours for row in rows) == TABLE_2[group]
    for row in rows:
        assert set(row.ours.split("+")) <= set(row.published.split("+")), "smaller automata lose classes only"
        assert bool(remark(row)) == (row.ours != row.published)
        assert row.spin_states is not None and row.states <= row.spin_states


def test_sizes_of_the_patterns() -> None:
    row = size_row("Response", "Until", next(pattern for pattern in PATTERNS if pattern.name == "r5"))
    assert (row.claim, row.spin_claim, row.formula, row.spin_formula) == (4, 12, 3, 19)


def test_the_bench_command(tmp_path: Path) -> None:
    done = hsfpy_command("bench", "liveness", "--table", "Table 2", "--json", "t.json", cwd=tmp_path)
    assert done.returncode == 0
    assert "| Response | Until | S+N+P+F |" in done.stdout
    (table,) = json.loads((tmp_path / "t.json").read_text())
    assert len(table["rows"]) == 25


def test_the_documented_tables_are_those_of_the_program() -> None:
    documented = (Path(__file__).parent.parent / "docs" / "ltl.md").read_text().splitlines()
    told: list[str] = []
    bench(told.append, "patterns")
    sizes = [line for text in told for line in text.splitlines() if line.startswith("|")]
    assert set(sizes) <= set(documented)
    for group in PUBLISHED:
        for scope in range(len(SCOPES)):
            row = class_row(group, scope)
            assert any(line.startswith(f"| {group} | {row.scope} | {row.published} | ") for line in documented)
            assert any(line.endswith(f" | {row.ours} | {row.states} | {row.remark} |") for line in documented)
