"""Measures hsfpy's verifier against SPIN's and writes build/bench/report.md, .json and .svg.

    make bench                                     # everything, some twenty minutes
    make bench BENCH=--quick                       # fewer and smaller models, a few minutes
    PYTHONPATH=tests python -m bench.throughput [--quick] [--repeat N] [--only NAME ...]

docs/bench.md says what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from bench.cases import CASES, GROWTH, MODES, OUR_DFS, REDUCED_MODES, Case, Mode
from bench.figures import Cell, Growth, Results, Row, Translation, VerdictTime, best, typical
from bench.measure import ROOT, Refused, Report, Run, Unfinished, Workshop, empty_options, options_for
from bench.plot import svg
from bench.tables import as_json, markdown
from bench.translation import translation
from bench.verdict_time import verdict_times

OUTPUT = ROOT / "build" / "bench"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Measuring:
    """Measures one model in all modes, so that runs of both tools alternate."""

    def __init__(self, shop: Workshop, case: Case, modes: Sequence[Mode]) -> None:
        self.shop = shop
        self.modes = modes
        self.row = Row(case)
        self.known: Report | None = None  # an exact search of ours
        self.runs: dict[Mode, list[Run]] = {}
        self.empty: dict[Mode, int] = {}

    def measure(self, repeat: int) -> Row:
        """The row of the model; of `repeat` runs the best counts."""
        self.learn()
        for _ in range(repeat):
            self.run()
        return self.result(best)

    def run(self) -> None:
        """Runs all modes once."""
        for mode in self.modes:
            if mode not in self.row.notes:
                self._run_once(mode)

    def result(self, choose: Callable[[Iterable[Run]], Run]) -> Row:
        """The row of the model, with one of the runs of each mode."""
        for mode, runs in self.runs.items():
            if mode not in self.row.notes:
                self.row.cells[mode] = Cell(choose(runs), self.empty[mode])
        return self.row

    def learn(self) -> None:
        """An unmeasured run: SPIN needs to be told the depth, and the first run of a machine is slow."""
        where = self.shop.build(self.row.case, OUR_DFS)
        self.known = self.shop.run(where, options_for(OUR_DFS, None)).report

    def _run_once(self, mode: Mode) -> None:
        try:
            where = self.shop.build(self.row.case, mode)
            options = options_for(mode, self.known)
            if mode not in self.empty:
                self.empty[mode] = self.shop.run(where, empty_options(options)).resident
            run = self.shop.run(where, options)
            if not run.report.complete:
                raise Unfinished("the search was not completed")
            self.runs.setdefault(mode, []).append(run)
            say(f"  {mode.key}: {run.report.states:,} states, {run.seconds:.2f} s")
        except (Refused, Unfinished) as reason:
            self.row.notes[mode] = str(reason)
            say(f"  {mode.key}: {reason}")


def measure_growth(shop: Workshop, small: Case, large: Case, repeat: int) -> Growth:
    """One model small and large, with our default search.

    A machine may become slower or faster while the large one runs, so the small one runs before and after it.
    """
    say(f"{small.label}, {large.label}")
    few, many = (Measuring(shop, case, [OUR_DFS]) for case in (small, large))
    few.learn()
    for _ in range(repeat):
        for measuring in (few, few, few, many, few, few, few):
            measuring.run()
    cells = [measuring.result(typical).cells[OUR_DFS] for measuring in (few, many)]
    return Growth(cells[0], cells[1], (small.label, large.label))


def machine() -> dict[str, str]:
    """What was measured on."""
    cpu = next(
        (line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.machine(),
    )
    return {
        "processor": f"{cpu}, {os.cpu_count()} cores",
        "compiler": _first_line(["cc", "--version"]) + ", -O2",
        "SPIN": _first_line(["spin", "-V"]),
        "load before": f"{os.getloadavg()[0]:.1f}",
    }


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []


def _first_line(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def write_report(results: Results) -> None:
    """Files in build/bench, and Markdown on standard output."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    text = markdown(results)
    (OUTPUT / "report.md").write_text(text)
    (OUTPUT / "report.json").write_text(json.dumps(as_json(results), indent=1) + "\n")
    (OUTPUT / "report.svg").write_text(svg(results))
    print(text)
    say(f"written: {OUTPUT}/report.md, report.json, report.svg")


def measure_all(args: argparse.Namespace, folder: Path) -> Results:
    about = machine()
    shop = Workshop(folder)
    cases = [case for case in CASES if case.name in args.only] if args.only else list(CASES)
    repeat = args.repeat or (1 if args.quick else 2)
    about["runs"] = f"the best of {repeat}"
    rows = []
    for case in cases:
        if args.quick and not case.quick:
            continue
        say(case.label)
        rows.append(Measuring(shop, case, (*MODES, *REDUCED_MODES)).measure(repeat))
        shutil.rmtree(folder / case.label.replace(" ", "-"), ignore_errors=True)
    growth: list[Growth] = []
    verdicts: list[VerdictTime] = []
    long: Translation | None = None
    if not args.only:
        growth = [measure_growth(shop, *pair, repeat) for pair in GROWTH if not args.quick]
        say("model to verdict")
        verdicts = verdict_times(folder / "verdict", [20, 50, 200], 3 if args.quick else 5)
        long = translation(folder / "long", 2000, 3)
    about["load after"] = f"{os.getloadavg()[0]:.1f}"
    return Results(rows, growth, verdicts, long, about)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer models, one run each")
    parser.add_argument("--repeat", type=int, default=0, help="runs of each verifier; the best counts")
    parser.add_argument("--only", nargs="*", default=[], help="names of models")
    args = parser.parse_args()
    if shutil.which("spin") is None:
        raise SystemExit("SPIN is not installed: apt-get install spin")
    with tempfile.TemporaryDirectory() as folder:
        write_report(measure_all(args, Path(folder)))


if __name__ == "__main__":
    main()
