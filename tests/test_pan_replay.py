"""`pan -r` shows a trail, and the variables at its end, as SPIN's verifier does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from oracle import EXAMPLES, PROMELA, Hsfpy, Spin, copy_model, execute

SHOWN = """
byte written; byte both; byte arr[2]; byte plain; byte rcv; int z = 4; bool ini = 1; byte idx; byte printed;
unsigned u:3;
mtype = { m1, m2 };
mtype mm = m1; hidden byte h = 3; show byte sh; local byte lo;
mtype = { m3 };
typedef I { byte a; short b[2] }
typedef T { byte f; I i; I j[2]; chan c = [1] of { byte } }
T t; T s[2];
chan q = [1] of { byte, mtype };
proctype R(byte n) { byte k; int unread[2]; q?k,mm; assert(u == 1) }
active proctype P() {
    byte lw; byte lu; I lt[2]; chan lq = [1] of { byte };
    written = 3; both = 4; both == 4; arr[idx] = 2; lw = 3; lw++; plain++; printf("%d\\n", printed); lq!3; t.c!1;
    lt[1].b[1] = 3; s[1].i.a = 2; rcv = mm; z = rcv + z + h; run R(7); q!both,m2
}
"""
MODELS = [
    EXAMPLES / "pathfinder.pml", EXAMPLES / "sat.pml", EXAMPLES / "Book_1991/p312.pml",
    EXAMPLES / "Exercises/ex_3c.pml",
    PROMELA / "typedef_with_channel.pml", PROMELA / "chan_array.pml",
    PROMELA / "typedef_basic.pml",
]  # fmt: skip
CC = ("-DNOREDUCE", "-DNOCLAIM")


def assert_shown_alike(model: Path, flags: tuple[str, ...], spin: Spin, hsfpy: Hsfpy, tmp_path: Path) -> None:
    trail = spin.run(model, flags, CC).trail
    shown: list[dict[str, str]] = []
    for build in (spin.build(model, flags, CC), hsfpy.build(model, flags, CC)):
        where = tmp_path / str(len(shown))
        copy_model(model, where)
        (where / f"{model.name}.trail").write_text(trail)
        options = ("-r", "-r -n", "-C", "-S")
        shown.append({option: execute([build / "pan", *option.split()], where).out for option in options})
    # Where a process that ends stood, SPIN looks up when it is gone.
    gone = re.compile(r"(proc +\d+ \(\w+\)) \S+ \(state \d+\)\t\[-end-\]")
    theirs, ours = ({option: gone.sub(r"\1 ends", text) for option, text in tool.items()} for tool in shown)
    assert ours == theirs


@pytest.mark.parametrize("flags", [("-o3",), ("-o2", "-o3")], ids="_".join)
def test_variables(flags: tuple[str, ...], spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """Globals that nothing reads are hidden unless -o2 is given; constants stand where they were declared."""
    model = tmp_path / "shown.pml"
    model.write_text(SHOWN)
    assert_shown_alike(model, flags, spin_small, hsfpy_small, tmp_path)


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_models(model: Path, spin_small: Spin, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    assert_shown_alike(model, ("-o3",), spin_small, hsfpy_small, tmp_path)
