"""Global arrays: what a process depends on is noted element by element, and nothing is missed, whether elements have
words of their own or share them."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle import FULL_CC, PLAIN, Hsfpy, Spin, parse_report
from test_packing import SANITIZE, figures, search
from test_plain_levels import GUESSES, REDUCTIONS

# Places of an array are read and changed by what another array and locals say, in steps of several kinds.
WANDERING = """
#define SIZE 12
bool taken[SIZE];
byte next[SIZE];
byte wanderers;

active [2] proctype Wanderer() {
    byte at = _pid, to;
    atomic { taken[at] = true; next[at] = at + 1; wanderers++ };
    wanderers == 2;
    do
    :: at < SIZE - 1 && !taken[at + 1] -> atomic { taken[at] = false; at++; taken[at] = true }
    :: at > 0 && !taken[at - 1] -> d_step { taken[at] = false; at--; taken[at] = true; next[10] = (next[10] + at) % 2 }
    :: to = next[10 + at % 2]; taken[to + 5] == taken[at]; to = 0
    od
}
"""

# Elements that are structs, short, int or channels; messages received into elements.
KINDS = """
typedef Box { byte a, b; short c };
Box box[5];
short level[6];
int sum[3];
byte small[9];
chan q[10] = [1] of { byte };
chan r[9] = [0] of { byte };
mtype = { one, two, three };
mtype name[12];

active proctype Left() {
    byte i;
    do
    :: box[i].a < 1 -> box[i].a++; level[i] = box[i + 1].c - 1
    :: small[i] < 1 -> small[i]++; sum[i + 1] = small[8 - i]
    :: q[9 - i]!box[i].b
    :: r[8 - i]!small[i]
    :: i < 1 -> i++
    :: i == 1 -> name[i + small[i] + 8] = two; i = 0
    od
}

active proctype Right() {
    byte j;
    do
    :: q[9 - j]?box[j].b; box[j].c = level[j]
    :: r[8 - j]?eval(small[j])
    :: name[9] == two -> name[9] = one
    :: j < 1 -> j++
    :: d_step { j == 1 && sum[1] > 0 -> sum[1] = 0; j = 0 }
    :: small[j] == 1 && level[1] == -1 -> level[j + 4] = 1
    od
}
"""

# More words than there are bits to note them by.
MANY = """
byte far[2500];
active [2] proctype Walker() {
    short at = 8 * _pid;
    do
    :: far[at] < 2 -> far[at] = far[at] + 1; at = (at + 2048) % 4096
    :: at == 8 && far[264 - at] == 1 -> far[at] = 0
    :: at == 2048 && far[0] > 0 -> far[256] = 1 - far[256]; at = 0
    od
}
"""

# With so many variables none has a word of its own.
CROWD = "".join(f"byte crowd{i};" for i in range(17))

MODELS = {
    "wandering": WANDERING,
    "kinds": KINDS,
    "many": MANY,
    "crowded": CROWD + WANDERING,
    "crowded kinds": CROWD + KINDS,
}
# An index out of bounds, behind which SPIN goes on in another way.
BEYOND = KINDS.replace("level[j + 4]", "level[j + 5]")


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.pml"
    path.write_text(text)
    return path


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return written(tmp_path, request.param, MODELS[request.param])


@pytest.mark.parametrize("extra", [(), (GUESSES,), ("-DMOST_PACKED_BITS=24",)])
def test_the_same_as_by_whole_vectors(model: Path, extra: tuple[str, ...], hsfpy: Hsfpy) -> None:
    """The search on whole vectors remembers nothing about steps."""
    folder = hsfpy.build(model, PLAIN, (*FULL_CC, *extra))
    wanted = figures(folder, "--store=plain")
    assert figures(folder) == wanted
    assert figures(folder, "--store=hc")[1:] == wanted[1:]
    assert figures(folder, "--bfs")[0] == wanted[0]


def test_faults_are_the_same_too(hsfpy: Hsfpy, tmp_path: Path) -> None:
    folder = hsfpy.build(written(tmp_path, "beyond", BEYOND), PLAIN, FULL_CC)
    wanted = figures(folder, "--store=plain")
    assert wanted[-1], "no index is out of bounds"
    assert figures(folder) == figures(folder, "--store=hc") == wanted


def test_the_same_as_spin(model: Path, spin: Spin, hsfpy: Hsfpy) -> None:
    folder = hsfpy.build(model, PLAIN, FULL_CC)
    theirs = parse_report(spin.run(model, PLAIN, (*FULL_CC, "-DVECTORSZ=4096"), ("-c0", "-m100000")).out)
    ours = search(folder)
    assert (ours["stored"], ours["matched"], ours["errors"]) == (theirs.stored, theirs.matched, theirs.errors)


@pytest.mark.parametrize("name", ["kinds", pytest.param("crowded kinds", marks=pytest.mark.slow)])
def test_sanitizers_find_nothing(name: str, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    folder = hsfpy_small.build(written(tmp_path, "model", MODELS[name]), PLAIN, (*FULL_CC, GUESSES), SANITIZE)
    for options in REDUCTIONS:
        assert figures(folder, *options)[1], options
