"""Embedded C: which data lies outside the state, and what follows for the confirmation of errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from oracle import PLAIN, Hsfpy, Run, Spin, execute

from hsfpy.cdata import keeps_data_outside
from hsfpy.driver import translate_model
from hsfpy.frontend import FrontOptions

NOT_CONFIRMED = "pan: not confirmed by replay: the model keeps C data outside the state\n"
PROCESS = "byte g;\nactive proctype P() { %s; assert(g != 2) }\n"
SAFE = ("-DNOREDUCE", "-DSAFETY")


@pytest.mark.parametrize(
    ("units", "code", "outside"),
    [
        ("", "c_code { now.g = 2; }", False),
        ("", "c_code { int i; for (i = 0; i < 2; i++) now.g++; }", False),
        ("", "c_code { static int i; now.g = ++i; }", True),
        ("", "c_code { static const int i = 2; now.g = i; }", False),
        ("", "c_code { now.g = rand(); }", True),
        ("", 'c_code { printf("%d", abs(now.g)); }', False),
        ("", "c_code { now.g = getchar(); }", True),
        ("c_decl { int n; };", "c_code { n++; }", True),
        ('c_decl { int n; }; c_track "&n" "sizeof(int)"', "c_code { n++; }", False),
        ('c_decl { int n; }; c_track "& n" "sizeof(int)" "UnMatched"', "c_code { n++; }", False),
        ('c_decl { int n, m; }; c_track "&n" "sizeof(int)"', "c_code { n++; }", True),
        ('c_decl { int a[4]; }; c_track "a" "sizeof(a)"', "c_code { a[1]++; }", False),
        ('c_decl { int *p; }; c_track "p" "sizeof(int)"', "c_code { *p = 1; }", True),
        ('c_decl { struct S { int a; } s; }; c_track "&s" "sizeof(struct S)"', "c_code { s.a++; }", False),
        ("c_decl { struct S { int a; }; enum { A, B }; typedef struct S T; };", "c_code { T t; t.a = A; }", False),
        ("c_decl { int twice(int); int twice(int n) { return 2 * n; } };", "c_code { now.g = twice(1); }", False),
        ("c_decl { int next(void) { static int n; return ++n; } };", "c_code { now.g = next(); }", True),
        ("c_decl { int other(int); };", "c_code { now.g = other(1); }", True),
        ("c_decl { extern int n; };", "c_code { now.g = n; }", True),
        ("c_decl { int (*f)(int); };", "c_code { now.g = 1; }", True),
        ('c_decl { static const char *word = "a;b"; };', "c_code { now.g = word[0]; }", False),
        ('c_decl { static const char *word = "a;b"; };', "c_code { word++; }", True),
        ("c_decl { const int table[3] = { 1, 2, 3 }; };", "c_code { now.g = table[1]; }", False),
        ('c_decl { \\#include "mine.h"\n };', "c_code { now.g = 1; }", True),
        ("c_decl { \\#include <string.h>\n };", "c_code { now.g = 1; }", False),
        ("c_decl { \\#define INC(x) ((x)++)\n };", "c_code { INC(now.g); }", False),
        ('c_state "int n" "Global"', "c_code { now.n++; }", False),
        ('c_state "int n" "Local P"', "c_code { PP->n++; }", False),
        ('c_state "int n" "Hidden"', "c_code { n++; }", True),
    ],
)
def test_data_outside_the_state(units: str, code: str, outside: bool, tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    model.write_text(f"{units}\n{PROCESS % code}")
    assert keeps_data_outside(translate_model(str(model), FrontOptions()).system) is outside


@pytest.fixture
def run(hsfpy_small: Hsfpy, tmp_path: Path) -> Callable[..., Run]:
    """Verifies a model with some embedded C."""

    def verify(units: str, code: str, *words: str) -> Run:
        model = tmp_path / "m.pml"
        model.write_text(f"{units}\n{PROCESS % code}")
        return hsfpy_small.run(model, PLAIN, SAFE, words)

    return verify


def test_tracked_data_is_confirmed(run: Callable[..., Run]) -> None:
    tracked = 'c_decl { int n = 1; };\nc_track "&n" "sizeof(int)"\n'
    answer = run(tracked, "c_code { n++; now.g = n; }")
    assert "assertion violated (g!=2)" in answer.out
    assert (answer.code, answer.err) == (0, "")
    shown = json.loads(run(tracked, "c_code { n++; now.g = n; }", "--json").out)
    assert (shown["verdict"], shown["confirmed"]) == ("error", True)


def test_other_data_is_not(run: Callable[..., Run]) -> None:
    answer = run("c_decl { int n = 1; };", "c_code { n++; now.g = n; }")
    assert "assertion violated (g!=2)" in answer.out
    assert (answer.code, answer.err) == (0, NOT_CONFIRMED)
    shown = json.loads(run("c_decl { int n = 1; };", "c_code { n++; now.g = n; }", "--json").out)
    assert (shown["verdict"], shown["confirmed"]) == ("error", False)


def test_it_is_said_once(run: Callable[..., Run]) -> None:
    two = "if :: c_code { n = 1; } :: c_code { n = 2; } fi; g = 2"
    assert run("c_decl { int n; };", two, "-e").err == NOT_CONFIRMED


def test_data_that_escapes_the_analysis(run: Callable[..., Run]) -> None:
    """A size too small tracks half a variable: the replay sees another value, and that is no internal error."""
    answer = run('c_decl { struct { int a, b; } n = { 0, 1 }; };\nc_track "&n" "4"\n', "c_code { n.b++; now.g = n.b; }")
    assert "assertion violated (g!=2)" in answer.out
    assert answer.code == 0
    assert answer.err == "pan: not confirmed by replay: embedded C does something else when it runs again\n"


@pytest.mark.parametrize("call", ["printf", "Printf"])
def test_printing_is_heard_as_in_spin(
    call: str, run: Callable[..., Run], spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path
) -> None:
    """printf of C is heard whenever the search runs it, Printf only in a replay; confirming is silent."""
    answer = run("", f'c_code {{ {call}("heard\\n"); now.g = 2; }}')
    theirs = spin_small.run(tmp_path / "m.pml", PLAIN, SAFE)
    assert answer.out.count("heard\n") == theirs.out.count("heard\n") == (call == "printf")
    (tmp_path / "m.pml.trail").write_text(answer.trail)
    shown = execute([hsfpy_small.build(tmp_path / "m.pml", PLAIN, SAFE) / "pan", "-r"], tmp_path)
    assert shown.out.count("heard\n") == 1
