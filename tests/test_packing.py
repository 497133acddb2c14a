"""States as numbers: the same search however few bits there are, and whatever has to be laid out anew on the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from oracle import FULL_CC, PLAIN, ROOT, Hsfpy, execute
from random_models import random_model

BENCH = ROOT / "models" / "bench"
# With so few bits for a state, leaves have to be joined, again and again.
FEW_BITS = (24, 28, 40, 64)
KEYS = ("stored", "matched", "depth_reached", "atomic_steps", "vector_bytes", "errors")
SANITIZE = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")

# Values come up late, one after the other, in many fields and in shapes that come and go.
GROWING = """
byte a[6];
chan q = [3] of { byte, byte };

proctype Child(byte k) { byte mine = k; q!k,mine; atomic { q?_,mine; a[k] = mine } }

active proctype Main() {
    byte i;
    do
    :: i < 6 -> atomic { a[i] = (a[i] + i) % 5; i++ }
    :: i > 0 -> d_step { i--; a[i] = (a[i] * 3 + 1) % 7 }
    :: i == 2 && _nr_pr < 3 -> run Child(i)
    :: a[3] == 5 && a[4] == 4 -> break
    od
}
"""


def search(folder: Path, *args: str) -> dict[str, Any]:
    run = execute([folder / "pan", "--json", "-c0", *args], folder)
    assert run.code == 0, run.err
    return dict(json.loads(run.out.splitlines()[-1]))


def figures(folder: Path, *args: str) -> list[object]:
    found = search(folder, *args)
    return [found["verdict"], *(found.get(key) for key in KEYS)]


def build(hsfpy: Hsfpy, model: Path, bits: int | None, *extra: str) -> Path:
    limit = () if bits is None else (f"-DMOST_PACKED_BITS={bits}",)
    return hsfpy.build(model, PLAIN, (*FULL_CC, *limit), extra)


@pytest.fixture(scope="module")
def growing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    model = tmp_path_factory.mktemp("growing") / "growing.pml"
    model.write_text(GROWING)
    return model


@pytest.mark.parametrize("bits", FEW_BITS)
def test_few_bits_change_nothing(bits: int, growing: Path, hsfpy: Hsfpy) -> None:
    limit = ("-m300",)
    wanted = figures(build(hsfpy, growing, None), *limit, "--store=plain")
    folder = build(hsfpy, growing, bits)
    assert figures(folder, *limit) == figures(folder, *limit, "--store=hc") == wanted


@pytest.mark.parametrize("bits", FEW_BITS)
def test_few_bits_change_no_breadth_first_search(bits: int, growing: Path, hsfpy: Hsfpy) -> None:
    limit = ("-m80", "--bfs")
    wanted = figures(build(hsfpy, growing, None), *limit)
    assert figures(build(hsfpy, growing, bits), *limit) == wanted


@pytest.mark.parametrize("bits", FEW_BITS[1:])
@pytest.mark.parametrize(("name", "define"), [("cache", "N=3"), ("peterson", "N=3"), ("pipeline_sort", "N=5")])
def test_models_in_few_bits(name: str, define: str, bits: int, hsfpy: Hsfpy) -> None:
    model = BENCH / f"{name}.pml"
    flags = (*PLAIN, f"-D{define}")
    plain = hsfpy.build(model, flags, FULL_CC)
    few = hsfpy.build(model, flags, (*FULL_CC, f"-DMOST_PACKED_BITS={bits}"))
    wanted = figures(plain, "--store=plain")
    assert figures(plain) == figures(few) == wanted
    assert figures(few, "--bfs") == figures(plain, "--bfs")


@pytest.mark.parametrize("seed", range(3, 60, 8))
def test_random_models_in_few_bits(seed: int, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """With reduction too: what is on the stack is known by sums, which do not change when leaves are joined."""
    model = tmp_path / f"random{seed}.pml"
    model.write_text(random_model(seed))
    wide = hsfpy_small.build(model, PLAIN, ())
    few = hsfpy_small.build(model, PLAIN, ("-DMOST_PACKED_BITS=20",))
    for options in ((), ("--reduce=off",), ("--reduce=stack",), ("--store=hc",)):
        assert figures(few, *options) == figures(wide, *options), options


def test_sanitizers_find_nothing_when_leaves_are_joined(growing: Path, hsfpy_small: Hsfpy) -> None:
    folder = build(hsfpy_small, growing, 24, *SANITIZE)
    for options in (("-m200",), ("-m60", "--bfs"), ("-m100", "--store=bitstate", "-w20")):
        assert search(folder, *options)["stored"] > 1000, options
