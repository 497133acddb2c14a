"""Speed of hsfpy's verifier against SPIN's, as a Markdown table. Run by `make bench`.

    python tests/bench/throughput.py [--repeat N] [--only NAME ...]

Both verifiers are compiled with `cc -O2` and explore everything: statement merging, dataflow
optimisation and reduction off, no limit on errors. Runs alternate, so that a change of the machine's
speed hits both; the best of N runs counts. Memory is the peak resident size that the system reports.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models" / "bench"
PLAIN = ["-o1", "-o2", "-o3"]
FULL_CC = ["-O2", "-w", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM"]
PAN = ["-c0", "-n", "-m10000000"]
HSFPY = [sys.executable, "-m", "hsfpy"]

CASES: list[tuple[str, list[str]]] = [
    ("peterson", ["-DN=4"]),
    ("philosophers", ["-DN=8"]),
    ("sliding_window", ["-DW=2", "-DSIZE=5"]),
    ("leader_ring", ["-DN=10"]),
    ("pipeline_sort", ["-DN=8"]),
    ("tokens", ["-DN=5"]),
]


@dataclass(frozen=True)
class Measurement:
    """One run of a verifier."""

    states: int
    transitions: int
    seconds: float
    megabytes: float


def environment(**changes: str) -> dict[str, str]:
    return dict(os.environ, PYTHONPATH=str(ROOT), **changes)


def build(tool: list[str], model: Path, defines: list[str], where: Path) -> None:
    """Writes and compiles a verifier in a folder of its own."""
    where.mkdir(parents=True)
    shutil.copy(model, where)
    command = [*tool, *defines, *PLAIN, "-a", model.name]
    subprocess.run(command, cwd=where, check=True, stdout=subprocess.DEVNULL, env=environment(CC="true"))
    subprocess.run(["cc", *FULL_CC, "-o", "pan", "pan.c"], cwd=where, check=True)


def measure(where: Path) -> Measurement:
    """Runs ./pan once."""
    with open(where / "out", "w") as out:
        start = time.perf_counter()
        process = subprocess.Popen(["./pan", *PAN], cwd=where, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    text = (where / "out").read_text()
    if process.returncode != 0:
        raise SystemExit(f"{where}: ./pan ended with {process.returncode}\n{text}")
    return Measurement(count("states, stored", text), count("transitions", text), seconds, usage.ru_maxrss / 1024)


def count(what: str, text: str) -> int:
    found = re.search(rf"^\s*([\d.e+]+) {what}", text, re.M)
    if found is None:
        raise SystemExit(f"no '{what}' in the report:\n{text}")
    return int(float(found.group(1)))


def best(runs: Sequence[Measurement]) -> Measurement:
    return min(runs, key=lambda run: run.seconds)


def compare(name: str, defines: list[str], repeat: int, work: Path) -> tuple[str, float]:
    """A row of the table, and the ratio of speeds."""
    model = MODELS / f"{name}.pml"
    folders = {"spin": work / name / "spin", "hsfpy": work / name / "hsfpy"}
    build(["spin"], model, defines, folders["spin"])
    build(HSFPY, model, defines, folders["hsfpy"])
    runs: dict[str, list[Measurement]] = {"spin": [], "hsfpy": []}
    for _ in range(repeat):
        for tool, folder in folders.items():
            runs[tool].append(measure(folder))
    theirs, ours = best(runs["spin"]), best(runs["hsfpy"])
    ratio = (ours.states / ours.seconds) / (theirs.states / theirs.seconds)
    note = (
        "" if (ours.states, ours.transitions) == (theirs.states, theirs.transitions) else f" (SPIN: {theirs.states:,})"
    )
    label = " ".join([name, *(define.removeprefix("-D") for define in defines)])
    row = (
        f"| {label} | {ours.states:,}{note} | {theirs.seconds:.2f} | {ours.seconds:.2f} "
        f"| {theirs.states / theirs.seconds / 1e6:.2f} | {ours.states / ours.seconds / 1e6:.2f} "
        f"| {theirs.megabytes:.0f} | {ours.megabytes:.0f} | {ratio:.2f} |"
    )
    return row, ratio


def timed(command: list[str], where: Path, **changes: str) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=where, check=True, stdout=subprocess.DEVNULL, env=environment(**changes))
    return time.perf_counter() - start


def latency(repeat: int, work: Path) -> str:
    """From a model of some 50 lines to a compiled verifier."""
    where = work / "latency"
    where.mkdir()
    shutil.copy(MODELS / "sliding_window.pml", where / "m.pml")
    ours, theirs = [], []
    for _ in range(max(repeat, 3)):
        theirs.append(timed(["spin", "-a", "m.pml"], where) + timed(["cc", "-O2", "-o", "pan", "pan.c"], where))
        ours.append(timed([*HSFPY, "-a", "m.pml"], where))
    lines = len((where / "m.pml").read_text().splitlines())
    return (
        f"| model to verifier, {lines} lines | `spin -a` + `cc -O2`: {min(theirs):.2f} s "
        f"| `hsfpy -a`: {min(ours):.2f} s | {min(ours) / min(theirs):.2f} |"
    )


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


def translation(work: Path) -> str:
    where = work / "long"
    where.mkdir()
    text = long_model(2000)
    (where / "m.pml").write_text(text)
    theirs = timed(["spin", "-a", "m.pml"], where)
    ours = timed([*HSFPY, "-a", "m.pml"], where, CC="true")
    return (
        f"| model to C, {len(text.splitlines()):,} lines | `spin -a`: {theirs:.2f} s "
        f"| `hsfpy -a` without cc: {ours:.2f} s | {ours / theirs:.2f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=2, help="runs of each verifier; the best counts")
    parser.add_argument("--only", nargs="*", default=[], help="names of models")
    args = parser.parse_args()
    if shutil.which("spin") is None:
        raise SystemExit("SPIN is not installed: apt-get install spin")
    print("| model | states | SPIN s | hsfpy s | SPIN Mstates/s | hsfpy Mstates/s | SPIN MB | hsfpy MB | ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for name, defines in CASES:
            if not args.only or name in args.only:
                row, ratio = compare(name, defines, args.repeat, work)
                ratios.append(ratio)
                print(row, flush=True)
        print(f"\nmedian ratio of states per second: {median(ratios):.2f}\n")
        if not args.only:
            print("| step | SPIN | hsfpy | hsfpy / SPIN |")
            print("| --- | --- | --- | ---: |")
            print(latency(args.repeat, work), flush=True)
            print(translation(work))


if __name__ == "__main__":
    main()
