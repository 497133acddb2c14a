"""Seconds from a long model to C, `hsfpy -a` without the compiler against `spin -a`."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from statistics import median

from bench.figures import Translation
from bench.measure import HSFPY, ROOT


def long_model(lines: int) -> str:
    """A model of many lines and many proctypes."""
    body = ["chan q[8] = [2] of { byte, byte };", "byte g[8];", ""]
    number = 0
    while len(body) < lines:
        body += [
            f"proctype P{number}(byte me)",
            "{",
            "\tbyte x, y;",
            "\tdo",
            "\t:: q[me]?x,y ->",
            "\t\tif",
            f"\t\t:: x > {number % 5} && g[me] < 9 -> g[me] = g[me] + (x * y) % 7",
            "\t\t:: x == y -> q[(me + 1) % 8]!x,y + 1",
            "\t\t:: else -> atomic { g[me]--; y = x + 1 }",
            "\t\tfi",
            f"\t:: g[me] > {number % 9} -> q[me]!g[me],{number % 200}",
            "\t:: else -> break",
            "\tod",
            "}",
            "",
        ]
        number += 1
    return "\n".join([*body, "init { atomic { run P0(1); run P1(2) } }", ""])


def translation(folder: Path, lines: int, repeat: int) -> Translation:
    """Medians of runs that alternate. A new model each time, since hsfpy remembers models."""
    folder.mkdir(parents=True, exist_ok=True)
    ours, theirs = [], []
    for number in range(repeat):
        (folder / "m.pml").write_text(f"byte salt = {number};\n{long_model(lines)}")
        theirs.append(_timed(["spin", "-a", "m.pml"], folder))
        ours.append(_timed([*HSFPY, "-a", "m.pml"], folder))
    return Translation((folder / "m.pml").read_text().count("\n"), median(theirs), median(ours))


def _timed(command: list[str], where: Path) -> float:
    env = dict(os.environ, PYTHONPATH=str(ROOT), XDG_CACHE_HOME=str(where / "cache"), CC="true")
    start = time.perf_counter()
    subprocess.run(command, cwd=where, check=True, stdout=subprocess.DEVNULL, env=env)
    return time.perf_counter() - start
