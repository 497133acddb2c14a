"""Time from a model to its verifier and to its verdict, hsfpy against SPIN, as Markdown. Run by `make bench`.

    python tests/bench/turnaround.py [--repeat N] [--lines N ...]

Four cases, in each of which runs of both tools alternate and the median counts:

- bare:    nothing is compiled: hsfpy runs from the checkout, with an empty cache folder
- first:   the very first run of an hsfpy that was installed from its wheel, with an empty cache folder
- another: another model was verified before
- again:   this very model was verified before

Every cell has seconds of the clock and, in parentheses, of the processors. hsfpy's Python code is
compiled beforehand, as an installation does.
"""

from __future__ import annotations

import argparse
import compileall
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
HSFPY = [sys.executable, "-m", "hsfpy"]
BARE = "bare"
CASES = (BARE, "first", "another", "again")
_salt = count(1)


def model_text(lines: int, salt: int) -> str:
    """A ring of stations, each with code of its own. `salt` makes it different from all others without
    changing how much there is to do."""
    stations = max(1, (lines - 8) // 14)
    text = [
        "mtype = { token, data };",
        f"int salt = {salt};",
        f"byte seen[{stations}];",
        f"chan ring[{stations}] = [1] of {{ mtype, byte }};",
        "",
    ]
    for number in range(stations):
        text += [
            f"proctype Station{number}(byte me)",
            "{",
            "\tbyte value;",
            "",
            "\tdo",
            "\t:: ring[me]?token,value -> atomic {",
            "\t\tseen[me]++;",
            f"\t\tring[(me + 1) % {stations}]!data,(value + {number}) % 4 }}",
            "\t:: ring[me]?data,value -> assert(value < 4);",
            f"\t\tif :: seen[me] < 3 -> ring[(me + 1) % {stations}]!token,value :: else -> break fi",
            f"\t:: salt == {number} && seen[me] > 3 -> salt = value",
            "\tod",
            "}",
            "",
        ]
    runs = "; ".join(f"run Station{number}({number})" for number in range(stations))
    text += ["init {", f"\tatomic {{ {runs} }};", "\tring[0]!token,1", "}"]
    return "\n".join(text) + "\n"


@dataclass(frozen=True)
class Time:
    """How long something took, by the clock and on the processors."""

    clock: float
    processor: float

    def __str__(self) -> str:
        return f"{self.clock:.2f} ({self.processor:.2f})"


def middle(times: list[Time]) -> Time:
    return Time(median(t.clock for t in times), median(t.processor for t in times))


def timed(work: Callable[[], object]) -> Time:
    """Runs something whose work is done by child processes."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    work()
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Time(clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def install(folder: Path) -> Path:
    """Builds the wheel and installs it in `folder`, as users do; hsfpy's dependencies are those that are here."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    site = folder / "site"
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, ROOT], check=True)
    subprocess.run([*pip, "install", "--no-deps", "--target", site, *folder.glob("*.whl")], check=True)
    return site


class Bench:
    """A folder to work in, a cache, and an installation."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.empty_cache()
        self.installed = install(folder)
        self.home = self.installed  # where hsfpy is

    def empty_cache(self) -> None:
        shutil.rmtree(self.cache, ignore_errors=True)
        self.cache.mkdir()

    def write(self, lines: int) -> int:
        """Writes a model nobody has seen before; returns its number of lines."""
        text = model_text(lines, next(_salt))
        (self.folder / "m.pml").write_text(text)
        return text.count("\n")

    def env(self) -> dict[str, str]:
        return dict(os.environ, PYTHONPATH=str(self.home), XDG_CACHE_HOME=str(self.cache))

    def call(self, *command: str) -> None:
        subprocess.run(command, cwd=self.folder, env=self.env(), check=True, stdout=subprocess.DEVNULL)

    def spin_a(self) -> None:
        self.call("spin", "-a", "m.pml")
        self.call("cc", "-O2", "-o", "pan", "pan.c")

    def spin_run(self) -> None:
        self.call("spin", "-run", "m.pml")

    def hsfpy_a(self) -> None:
        self.call(*HSFPY, "-a", "m.pml")

    def hsfpy_run(self) -> None:
        self.call(*HSFPY, "-run", "m.pml")

    def prepare(self, case: str, lines: int, ours: Callable[[], None]) -> None:
        """Brings the cache into the state that a case is about, with a new model in place."""
        self.write(lines)
        self.home = ROOT if case == BARE else self.installed
        if case in (BARE, "first"):
            self.empty_cache()
        elif case == "again":
            ours()
        elif not any(self.cache.iterdir()):
            ours()
            self.write(lines)


def compare(bench: Bench, lines: int, repeat: int, theirs: Callable[[], None], ours: Callable[[], None]) -> str:
    """A row: SPIN's time, and ours in every case with the ratio."""
    their_times: list[Time] = []
    our_times: dict[str, list[Time]] = {case: [] for case in CASES}
    for _ in range(repeat):
        for case in CASES:
            bench.prepare(case, lines, ours)
            our_times[case].append(timed(ours))
        bench.write(lines)
        their_times.append(timed(theirs))
    spin = middle(their_times)
    cells = [str(bench.write(lines)), str(spin)]
    for case in CASES:
        time_ = middle(our_times[case])
        cells += [str(time_), f"{time_.clock / spin.clock:.2f}"]
    return "| " + " | ".join(cells) + " |"


# ---------------------------------------------------------------- parts


# Run in a Python of its own; prints "name seconds" lines.
_STAGES = """
import time
start = time.perf_counter()
def lap(name):
    global start
    print(name, time.perf_counter() - start)
    start = time.perf_counter()
from hsfpy.spin_options import SpinOptions
from hsfpy.preprocess import FrontOptions, read_source
from hsfpy.verifier import own_digest, recall
lap("import what every run needs")
source = read_source("m.pml", FrontOptions())
own_digest()
recall(source, SpinOptions())
lap("read the model, look for it in the cache")
from hsfpy.driver import translate
from hsfpy.program import make_program
lap("import the front end")
translation = translate(source, FrontOptions())
lap("parse, check, lower")
program = make_program(translation.system)
lap("prepare C")
from hsfpy.emit import render_model
import hsfpy.emit
hsfpy.emit._environment()
lap("import jinja2")
text = render_model(program)
lap("fill the templates")
from hsfpy.emit import cold_unit, hot_unit, model_units, options_unit, warm_unit
units = model_units(text)
for name, unit in (("model", units.main), ("estimates", units.estimates), ("guards", "".join(units.others))):
    open(name + ".c", "w").write(unit)
for name, unit in (("hot", hot_unit), ("warm", warm_unit), ("cold", cold_unit), ("options", options_unit)):
    open(name + ".c", "w").write(unit())
"""


def stages(bench: Bench) -> Iterator[tuple[str, float]]:
    """Python's part, stage by stage."""
    command = [sys.executable, "-c", _STAGES]
    done = subprocess.run(command, cwd=bench.folder, env=bench.env(), check=True, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        name, _, seconds = line.rpartition(" ")
        yield name, float(seconds)


# What is compiled: the file, the level, and what it is. The runtime comes compiled with a wheel.
_COMPILED = (
    ("hot", "-O2", "runtime, hot (bare only)"),
    ("warm", "-O1", "runtime, warm (bare only)"),
    ("cold", "-O0", "runtime, cold (bare only)"),
    ("options", "-O0", "runtime, options (bare only)"),
    ("model", "-O1", "model"),
    ("guards", "-O1", "model, guards (long models only)"),
    ("estimates", "-Og", "model, estimates"),
)


def parts(bench: Bench, lines: int, repeat: int) -> list[str]:
    """The table of parts, for one model."""
    table: dict[str, list[float]] = {}

    def note(name: str, seconds: float) -> None:
        table.setdefault(name, []).append(seconds)

    def compile_(name: str, level: str) -> None:
        bench.call("cc", level, "-w", "-c", f"{name}.c")

    bench.prepare(BARE, lines, bench.hsfpy_a)
    for name, seconds in stages(bench):
        if name == "fill the templates":
            note("compile the templates (bare only)", seconds)
    bench.prepare("another", lines, bench.hsfpy_a)
    for _ in range(repeat):
        bench.write(lines)
        note("start Python", timed(lambda: bench.call(sys.executable, "-c", "pass")).clock)
        for name, seconds in stages(bench):
            note(name, seconds)
        objects = []
        for name, level, what in _COMPILED:
            if (bench.folder / f"{name}.c").stat().st_size > 0:
                note(f"cc {level}, {what}", timed(partial(compile_, name, level)).clock)
                objects.append(f"{name}.o")
        note("link", timed(partial(bench.call, "cc", "-o", "pan", *objects)).clock)
        note("run pan", timed(lambda: bench.call("./pan")).clock)
    return [f"| {name} | {1000 * median(values):.0f} |" for name, values in table.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5, help="runs of each; the median counts")
    parser.add_argument("--lines", type=int, nargs="*", default=[20, 50, 200], help="sizes of models")
    args = parser.parse_args()
    if shutil.which("spin") is None:
        raise SystemExit("SPIN is not installed: apt-get install spin")
    compileall.compile_dir(ROOT / "hsfpy", quiet=2)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        for title, spin_words, theirs, ours in (
            ("Model to verifier, `hsfpy -a`", "`spin -a`, `cc -O2 pan.c`", bench.spin_a, bench.hsfpy_a),
            ("Model to verdict, `hsfpy -run`", "`spin -run`", bench.spin_run, bench.hsfpy_run),
        ):
            print(f"### {title}\n")
            print(f"| lines | {spin_words} | " + " | / SPIN | ".join(CASES) + " | / SPIN |")
            print("| ---: " * (2 + 2 * len(CASES)) + "|")
            for lines in args.lines:
                print(compare(bench, lines, args.repeat, theirs, ours), flush=True)
            print()
        lines = args.lines[len(args.lines) // 2]
        print(f"### Parts, {bench.write(lines)} lines\n\n| part | milliseconds |\n| --- | ---: |")
        print("\n".join(parts(bench, lines, args.repeat)))
    print(f"\nload of the machine at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
