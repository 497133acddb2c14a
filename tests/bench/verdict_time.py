"""Seconds from a small model to its verdict, `hsfpy -run` against `spin -run`.

turnaround.py has the same in more detail: every case, and where the time goes."""

from __future__ import annotations

import compileall
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from bench.figures import VerdictTime
from bench.turnaround import CASES, ROOT, Bench, timed


def verdict_times(folder: Path, lines: Sequence[int], repeat: int) -> list[VerdictTime]:
    """Medians of runs that alternate. hsfpy's Python code is compiled beforehand, as an installation does."""
    compileall.compile_dir(ROOT / "hsfpy", quiet=2)
    folder.mkdir(parents=True, exist_ok=True)
    bench = Bench(folder)
    return [_verdict_time(bench, size, repeat) for size in lines]


def _verdict_time(bench: Bench, lines: int, repeat: int) -> VerdictTime:
    theirs: list[float] = []
    ours: dict[str, list[float]] = {case: [] for case in CASES}
    for _ in range(repeat):
        for case, times in ours.items():
            bench.prepare(case, lines, bench.hsfpy_run)
            times.append(timed(bench.hsfpy_run).clock)
        bench.write(lines)
        theirs.append(timed(bench.spin_run).clock)
    written = bench.write(lines)
    return VerdictTime(written, median(theirs), {case: median(times) for case, times in ours.items()})
