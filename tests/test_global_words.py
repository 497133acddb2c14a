"""Which globals have words of their own (hsfpy/global_words.py), and what that makes of C and reports."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from oracle import FULL_CC, PLAIN, Hsfpy, execute

from hsfpy import nodes as n
from hsfpy.driver import translate_model
from hsfpy.emit import render_model
from hsfpy.global_words import GlobalWords, global_words
from hsfpy.preprocess import FrontOptions
from hsfpy.program import make_program

ARRAYS = """
typedef Box { byte a; int b };
bool flag[3];
byte number[20], far[30];
unsigned few : 3;
short level[2];
mtype = { one, two };
mtype name[2];
Box box[2];
chan q[4] = [1] of { byte };
hidden byte scratch[2];
int sum;
active [2] proctype P() { flag[_pid] = !flag[_pid]; number[_pid]++; few++; name[_pid] = two; level[_pid]--;
  far[29] = box[_pid].a + sum; q[_pid]!1 }
"""


def model_of(text: str, folder: Path) -> n.Model:
    path = folder / "model.pml"
    path.write_text(text)
    return translate_model(str(path), FrontOptions()).system.model


def spread(model: n.Model, words: GlobalWords) -> set[str]:
    return {s.name for s in model.symbols if id(s) in words.spread}


def test_short_arrays_come_first(tmp_path: Path) -> None:
    """Words are for 3 + 20 + 2 + 2 elements; structs and channels have none, and `far` finds too few left."""
    model = model_of(ARRAYS, tmp_path)
    assert spread(model, global_words(model)) == {"flag", "number", "level", "name"}


def test_a_word_has_the_bits_of_its_variable(tmp_path: Path) -> None:
    model = model_of(ARRAYS, tmp_path)
    words = global_words(model)
    bits = {s.name: words.bits(s) for s in model.symbols if not s.hidden}
    assert bits == {
        "flag": 1, "number": 8, "few": 3, "level": 16, "name": 8, "sum": 32, "far": 0, "box": 0, "q": 0,
    }  # fmt: skip


def test_many_variables_share_words(tmp_path: Path) -> None:
    model = model_of("".join(f"byte crowd{i};" for i in range(17)) + ARRAYS, tmp_path)
    words = global_words(model)
    assert not words.apart and not words.spread
    assert {words.bits(s) + words.padding(s) for s in model.symbols} == {0}


def test_embedded_c_sees_arrays_as_c_has_them(tmp_path: Path) -> None:
    path = tmp_path / "model.pml"
    path.write_text("byte a[3];\nactive proctype P() { c_code { now.a[1] = now.a[0] + 1; }; assert(a[1] == 1) }")
    c = render_model(make_program(translate_model(str(path), FrontOptions()).system))
    assert "unsigned char a[3];" in c


@pytest.mark.parametrize("options", [(), ("--bfs",), ("--astar",), ("--store=hc",)])
def test_padding_is_not_reported(options: tuple[str, ...], hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """A vector of 10 bytes of globals fills no words of their own."""
    path = tmp_path / "model.pml"
    path.write_text("byte a[10];\nactive proctype P() { a[3] = 1; a[4] = a[3] + 1 }")
    folder = hsfpy_small.build(path, PLAIN, FULL_CC)
    told = re.search(r"State-vector (\d+) byte", execute([folder / "pan", *options], folder).out)
    assert told is not None and 20 <= int(told[1]) < 80


def test_ranges_of_elements_are_told(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """-DVAR_RANGES: an array goes by one name for all its elements, those that keep their first value too."""
    path = tmp_path / "model.pml"
    path.write_text("byte a[4] = 7;\nactive proctype P() { a[2] = 9 }")
    out = hsfpy_small.run(path, PLAIN, (*FULL_CC, "-DVAR_RANGES")).out
    assert "a[l_in]\t: 7, \n" in out and "a[2]\t: 9, \n" in out
