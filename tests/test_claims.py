"""Claims: their components and classes, and what the verifier's tables say of them."""

# ruff: noqa: E501 (one claim, one line)

from __future__ import annotations

import re
from pathlib import Path

import pytest
from oracle import Hsfpy

from hsfpy.automaton import System
from hsfpy.claim_graph import UNREACHABLE, ClaimAnalysis, ClaimClass, analyse, claim_graph
from hsfpy.claims import add_ltl_claims
from hsfpy.frontend import load_text
from hsfpy.lower import lower

MODEL = "byte x; bool p, q, r;\nactive proctype A() { do :: x++ :: p = !p :: q = !q :: r = !r od }\n"


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
