"""`hsfpy bench hsf`: Tables 4 to 7 of the HSF-SPIN paper, ours next to the published figures.

Source of the published figures: S. Edelkamp, A. Lluch Lafuente, S. Leue, Directed explicit model
checking with HSF-SPIN, SPIN Workshop 2001. The models are hsfpy's own, written after the
descriptions, so figures agree in kind, not to the last state.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from hsfpy.build import build_verifier
from hsfpy.driver import translate_model
from hsfpy.emit import render_model, resource_dir
from hsfpy.frontend import FrontOptions
from hsfpy.program import make_program
from hsfpy.spin_report import program_steps, read_report, stopped_by

SECONDS, MEGABYTES, DEPTH = 10, 3000, 1_000_000  # limits of every search; the depth is SPIN's stack
LIMITS = (f"--time={SECONDS}", f"--memory={MEGABYTES}", "--no-claim")
POOR = 0.75  # an estimate that saves less than the rest is worth a remark


@dataclass(slots=True)
class Figures:
    """What the papers print of a search; without a length it found nothing, and `stopped` says why."""

    expanded: int | None = None
    generated: int | None = None
    length: int | None = None
    seconds: float | None = None
    stopped: str | None = None  # "time", "memory", "depth", "not run" or "no error"
    estimates: tuple[int, int] | None = None  # the least and the greatest

    def text(self) -> str:
        if self.length is None:
            limits = {"time": f"> {SECONDS} s", "memory": f"> {MEGABYTES} MB", "depth": f"deeper than {DEPTH:,}"}
            return limits.get(self.stopped or "", self.stopped or "-")
        taken = f" ({self.seconds:.2f} s)" if self.seconds is not None else ""
        return f"{self.expanded:,} / {self.generated:,} / {self.length:,}{taken}"


@dataclass(slots=True)
class Entry:
    """A model in a table: how to run it and what was published, by column."""

    title: str
    model: str
    defines: tuple[str, ...] = ()
    only: tuple[str, ...] = ()  # options that choose the kind of error
    invariant: bool = False  # a claim for SPIN, whose steps are not the program's
    published: dict[str, tuple[int, int, int]] = field(default_factory=dict)


SEARCHES: dict[str, tuple[str, ...]] = {
    "BFS": ("--bfs",),
    "DFS": ("--dfs",),
    "A*, H_ap": ("--astar", "--heuristic=ap"),
    "A*, H_f": ("--astar", "--heuristic=formula"),
    "Best-first, H_ap": ("--bestfirst", "--heuristic=ap"),
    "Best-first, H_f": ("--bestfirst", "--heuristic=formula"),
}
PRINTED_COLUMNS = ("BFS", "DFS", "A*, H_ap", "A*, H_f", "Best-first, H_ap")
DEADLOCK_COLUMNS = (*PRINTED_COLUMNS, "Best-first, H_f")
FORMULA_COLUMNS = ("BFS", "DFS", "A*, H_f", "Best-first, H_f")


def _published(columns: Iterable[str], *rows: tuple[int, ...]) -> dict[str, tuple[int, int, int]]:
    """Rows expanded, generated, length of a printed table, by column."""
    expanded, generated, length = rows
    names = [*columns, "SPIN DFS"]
    return {name: (expanded[i], generated[i], length[i]) for i, name in enumerate(names)}


def _deadlock(title: str, model: str, defines: tuple[str, ...], *rows: tuple[int, ...]) -> Entry:
    published = _published(PRINTED_COLUMNS, *rows) if rows else {}
    return Entry(title, model, defines, ("-A",), published=published)


def _philosophers(p: int, *rows: tuple[int, ...]) -> Entry:
    return _deadlock(f"Philosophers (p = {p})", "philosophers", (f"-DN={p}",), *rows)


TABLE_4 = [
    _deadlock("GARP", "garp", (), (834, 62, 1145, 53, 33, 56), (2799, 70, 3417, 194, 60, 64), (16, 50, 16, 18, 28, 58)),
    _philosophers(8, (1801, 1365, 41, 69, 249, 1365), (10336, 1797, 97, 69, 646, 1797), (34, 1362, 34, 34, 66, 1362)),
    _deadlock("Snoopy", "snoopy", (), (37191, 5823, 32341, 6872, 152, 1243), (131475, 7406, 110156, 24766, 299, 1646),
              (40, 4676, 40, 40, 40, 1113)),
    _deadlock("Telegraph (p = 6)", "telegraph", ("-DN=6",), (75759, 44, 38, 366, 38, 44),
              (445434, 45, 108, 1897, 108, 45), (38, 44, 38, 38, 38, 44)),
    _deadlock("Marriers (p = 4)", "marriers", ("-DN=4",), (403311, 294549, 333529, 284856, 6281, 36340),
              (1429380, 1088364, 1176336, 996603, 16595, 47221), (62, 112, 62, 62, 112, 112)),
    _deadlock("GIOP", "giop", (), (49679, 247, 38834, 27753, 315, 338), (168833, 357, 126789, 89491, 504, 377),
              (61, 136, 61, 61, 83, 136)),
    _deadlock("Basic call (p = 2)", "basic_call", ("-DN=2",), (80137, 115, 4170, 36, 57, 117),
              (199117, 136, 8785, 60, 89, 140), (30, 96, 30, 30, 42, 96)),
]  # fmt: skip

TABLE_5 = [
    _philosophers(2, (10, 12, 10, 10, 10, 12), (12, 14, 12, 12, 12, 14), (10, 10, 10, 10, 10, 10)),
    _philosophers(3, (18, 19, 16, 14, 32, 19), (30, 22, 22, 19, 52, 22), (14, 14, 14, 14, 14, 18)),
    _philosophers(4, (33, 57, 21, 21, 69, 57), (77, 75, 33, 27, 155, 75), (18, 54, 18, 18, 26, 54)),
    _philosophers(8, (1801, 1365, 41, 69, 249, 1365), (10336, 1797, 97, 69, 646, 1797), (34, 1362, 34, 34, 66, 1362)),
    *(_philosophers(p) for p in (12, 16, 50, 100, 150, 200, 250)),
]  # fmt: skip
for _p, _rows in {
    12: {
        "A*, H_ap": (61, 193, 50),
        "A*, H_f": (50, 127, 50),
        "Best-first, H_ap": (539, 1468, 98),
        "SPIN DFS": (278097, 46435, 9998),
    },
    16: {"A*, H_ap": (81, 321, 66), "A*, H_f": (66, 201, 66), "Best-first, H_ap": (941, 2626, 130)},
}.items():
    next(entry for entry in TABLE_5 if entry.defines == (f"-DN={_p}",)).published = _rows

TABLE_6 = [
    Entry("Elevator (3 floors)", "elevator", ("-DN=3", "-DINVARIANT"), ("--invariant=safe", "-E"), True,
          _published(FORMULA_COLUMNS, (228479, 310, 227868, 16955, 305), (1046983, 388, 1045061, 53871, 363),
                     (205, 521, 205, 493, 521))),
    Entry("POTS", "pots", ("-DINVARIANT",), ("--invariant=silent", "-E"), True,
          _published(FORMULA_COLUMNS, (49143, 1465103, 409, 68, 2012345), (154874, 4460586, 1287, 185, 2962232),
                     (66, 1055, 66, 66, 872))),
]  # fmt: skip


def _assertion(title: str, model: str, defines: tuple[str, ...] = (), *rows: tuple[int, ...]) -> Entry:
    return Entry(title, model, defines, ("-E",), published=_published(FORMULA_COLUMNS, *rows) if rows else {})


TABLE_7 = [
    _assertion("Lynch", "lynch", (), (79, 50, 72, 63, 47), (96, 52, 89, 79, 50), (29, 46, 29, 29, 46)),
    _assertion("Barlett", "barlett", (), (82, 348, 61, 26, 262), (99, 383, 76, 33, 289), (20, 246, 20, 20, 251)),
    _assertion("Mutex", "mutex", (), (349, 202, 150, 24, 202), (699, 363, 300, 48, 363), (15, 54, 15, 15, 54)),
    _assertion("Relay", "relay", (), (707, 342, 665, 151, 341), (2701, 719, 2292, 1069, 870), (12, 190, 12, 120, 190)),
    _assertion("GARP", "garp", ("-DASSERTION",), (17798, 1040, 18968, 4727, 150), (53001, 2818, 56406, 13107, 187),
               (29, 54, 29, 39, 55)),
    _assertion("Elevator (3 floors)", "elevator", ("-DN=3",)),
    _assertion("POTS", "pots"),
    _assertion("Alternating bit", "abp"),
    _assertion("Leader election", "leader"),
]  # fmt: skip

TABLES: list[tuple[str, tuple[str, ...], list[Entry]]] = [
    ("HSF Table 4: deadlocks", DEADLOCK_COLUMNS, TABLE_4),
    ("HSF Table 5: philosophers", DEADLOCK_COLUMNS, TABLE_5),
    ("HSF Table 6: invariants", FORMULA_COLUMNS, TABLE_6),
    ("HSF Table 7: assertions", FORMULA_COLUMNS, TABLE_7),
]


@dataclass(slots=True)
class Row:
    title: str
    ours: dict[str, Figures] = field(default_factory=dict)
    spin: dict[str, Figures] = field(default_factory=dict)
    published: dict[str, tuple[int, int, int]] = field(default_factory=dict)


def run_search(pan: Path, args: Iterable[str]) -> Figures:
    """One search of our verifier."""
    command = [str(pan), "--json", *LIMITS, *args]
    result = subprocess.run(command, cwd=pan.parent, capture_output=True, text=True)
    answer = json.loads(result.stdout.splitlines()[-1])
    if not answer["errors"]:
        return Figures(seconds=answer["seconds"], stopped=answer["stopped_by"] or "no error")
    names = ("stored", "transitions") if answer["search"] == "dfs" else ("expanded", "generated")
    found = Figures(answer[names[0]], answer[names[1]], answer["length"], answer["seconds"])
    if answer.get("h_max") is not None:
        found.estimates = (answer["h_min"], answer["h_max"])
    return found


def run_spin(model: Path, entry: Entry, directives: tuple[str, ...]) -> Figures:
    """The installed SPIN on the same model; nothing if there is none."""
    if shutil.which("spin") is None:
        return Figures(stopped="not installed")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(model, folder)
        # -o3: without merged statements, so that steps are the same steps.
        subprocess.run(["spin", "-o3", *entry.defines, "-a", model.name], cwd=folder, capture_output=True)
        claim = () if entry.invariant else ("-DNOCLAIM",)
        limits = (f"-DMEMLIM={MEGABYTES}", "-DVECTORSZ=16384")
        cc = ["cc", "-O2", "-w", "-DSAFETY", *claim, *limits, *directives, "-o", "pan", "pan.c"]
        if subprocess.run(cc, cwd=folder, capture_output=True).returncode != 0:
            return Figures(stopped="does not compile")
        return run_spin_verifier(folder, entry)


def run_spin_verifier(folder: Path, entry: Entry) -> Figures:
    """One run of SPIN's verifier within the limits."""
    only = [] if entry.invariant else [word for word in entry.only if word in ("-A", "-E")]
    command = ["./pan", f"-m{DEPTH}", "-n", *only]
    begin = time.monotonic()
    try:
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return Figures(seconds=float(SECONDS), stopped="time")
    seconds = time.monotonic() - begin
    stored, transitions, length = read_report(run.stdout)
    if length is None:
        return Figures(seconds=seconds, stopped=stopped_by(run.stdout + run.stderr) or "no error")
    if entry.invariant:
        length = program_steps(next(folder.glob("*.trail")).read_text())
    return Figures(stored, transitions, length, seconds)


SPINS: dict[str, tuple[str, ...]] = {"SPIN DFS": (), "SPIN BFS": ("-DBFS",)}


def run_entry(entry: Entry, columns: tuple[str, ...], given_up: set[str]) -> Row:
    """All searches of one model, but for those given up on a smaller one."""
    row = Row(entry.title, published=entry.published)
    model = resource_dir("models") / f"{entry.model}.pml"
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder)
        shutil.copy(model, directory)
        translation = translate_model(str(directory / model.name), FrontOptions(cpp_args=list(entry.defines)))
        program = make_program(translation.system)
        build_verifier(render_model(program), directory / "pan")
        for column in columns:
            if column not in given_up:
                row.ours[column] = run_search(directory / "pan", [*SEARCHES[column], *entry.only])
    for column, directives in SPINS.items():
        if column not in given_up:
            row.spin[column] = run_spin(model, entry, directives)
    return row


def heading(title: str, columns: tuple[str, ...]) -> str:
    """The head of a table."""
    heads = [*columns, *SPINS]
    return f"\n### {title}\n\n| model | {' | '.join(heads)} |\n" + "|---" * (len(heads) + 1) + "|"


def lines(columns: tuple[str, ...], row: Row) -> str:
    """A row: expanded / generated / witness length, the published figures below ours."""
    heads = [*columns, *SPINS]
    cells = [(row.ours | row.spin).get(head, Figures(stopped="not run")).text() for head in heads]
    text = f"| {row.title} | {' | '.join(cells)} |"
    if row.published:
        printed = [Figures(*row.published[head]).text() if head in row.published else "" for head in heads]
        text += f"\n| *published* | {' | '.join(printed)} |"
    return text


def remarks(row: Row) -> list[str]:
    """Where an estimate is poor: it saves little against breadth-first search, or its witness is long."""
    found = []
    plain, deep = row.ours.get("BFS", Figures()), row.spin.get("SPIN DFS", Figures())
    for column, figures in row.ours.items():
        if figures.expanded is None or figures.length is None or figures.estimates is None:
            continue
        if plain.expanded is not None and figures.expanded > POOR * plain.expanded:
            share, (least, most) = 100 * figures.expanded / plain.expanded, figures.estimates
            found.append(
                f"{row.title}: {column} is a poor guide, it expands {share:.0f} % of what breadth-first search does "
                f"(estimates from {least} to {most})"
            )
        if deep.length is not None and figures.length > deep.length:
            found.append(f"{row.title}: the witness of {column} is longer than SPIN's ({figures.length:,} steps)")
    return found


INTRODUCTION = f"""\
Each cell: expanded / generated / witness length in steps (time). DFS and SPIN: stored / transitions / steps (time).
Every search has {SECONDS} s and {MEGABYTES} MB; a search that hit a limit is not run on larger instances of the model.
SPIN reduces by partial order, hsfpy does not here. SPIN's breadth-first search reports an invalid end state one step
too deep. For invariants SPIN runs a never claim; only the program's steps are counted.
"""


def run_table(columns: tuple[str, ...], entries: list[Entry], tell: Callable[[str], None]) -> list[Row]:
    """The rows of a table. A model follows its smaller instances; what was too large there is not tried again."""
    rows: list[Row] = []
    given_up: set[str] = set()
    for number, entry in enumerate(entries):
        if number and entries[number - 1].model != entry.model:
            given_up = set()
        row = run_entry(entry, columns, given_up)
        given_up |= {name for name, cell in (row.ours | row.spin).items() if cell.length is None}
        tell(lines(columns, row))
        rows.append(row)
    return rows


def bench(tell: Callable[[str], None], only: str | None = None) -> list[dict[str, object]]:
    """Runs all tables (or those whose title contains `only`), telling each row as it is done."""
    tell(INTRODUCTION)
    results: list[dict[str, object]] = []
    for title, columns, entries in TABLES:
        if only is not None and only not in title:
            continue
        tell(heading(title, columns))
        rows = run_table(columns, entries, tell)
        said = [remark for row in rows for remark in remarks(row)]
        tell("\n" + "\n".join(f"- {remark}" for remark in said) if said else "")
        results.append({"table": title, "rows": [asdict(row) for row in rows], "remarks": said})
    return results
