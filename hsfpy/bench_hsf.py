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
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from hsfpy.build import build_verifier
from hsfpy.driver import translate_model
from hsfpy.emit import render_model, resource_dir
from hsfpy.frontend import FrontOptions
from hsfpy.program import make_program

LIMITS = ("--time=10", "--memory=3000", "--no-claim")


@dataclass(slots=True)
class Figures:
    """What the papers print of a search; None where it found nothing within the limits."""

    expanded: int | None = None
    generated: int | None = None
    length: int | None = None
    seconds: float | None = None

    def text(self) -> str:
        if self.length is None:
            return "-"
        time = f" ({self.seconds:.2f} s)" if self.seconds is not None else ""
        return f"{self.expanded:,} / {self.generated:,} / {self.length:,}{time}"


@dataclass(slots=True)
class Entry:
    """A model in a table: how to run it and what was published, by column."""

    title: str
    model: str
    defines: tuple[str, ...] = ()
    only: tuple[str, ...] = ()  # options that choose the kind of error
    published: dict[str, tuple[int, int, int]] = field(default_factory=dict)


SEARCHES: dict[str, tuple[str, ...]] = {
    "BFS": ("--bfs",),
    "DFS": ("--dfs",),
    "A*, H_ap": ("--astar", "--heuristic=ap"),
    "A*, H_f": ("--astar", "--heuristic=formula"),
    "Best-first, H_ap": ("--bestfirst", "--heuristic=ap"),
    "Best-first, H_f": ("--bestfirst", "--heuristic=formula"),
}
DEADLOCK_COLUMNS = ("BFS", "DFS", "A*, H_ap", "A*, H_f", "Best-first, H_ap")
FORMULA_COLUMNS = ("BFS", "DFS", "A*, H_f", "Best-first, H_f")


def _published(columns: Iterable[str], *rows: tuple[int, ...]) -> dict[str, tuple[int, int, int]]:
    """Rows expanded, generated, length of a printed table, by column."""
    expanded, generated, length = rows
    names = [*columns, "SPIN DFS"]
    return {name: (expanded[i], generated[i], length[i]) for i, name in enumerate(names)}


def _deadlock(title: str, model: str, defines: tuple[str, ...], *rows: tuple[int, ...]) -> Entry:
    return Entry(title, model, defines, ("-A",), _published(DEADLOCK_COLUMNS, *rows) if rows else {})


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
    _philosophers(12), _philosophers(16), _philosophers(50), _philosophers(100), _philosophers(250),
]  # fmt: skip
for _p, _rows in {
    12: {"A*, H_ap": (61, 193, 50), "A*, H_f": (50, 127, 50), "Best-first, H_ap": (539, 1468, 98)},
    16: {"A*, H_ap": (81, 321, 66), "A*, H_f": (66, 201, 66), "Best-first, H_ap": (941, 2626, 130)},
}.items():
    next(entry for entry in TABLE_5 if entry.defines == (f"-DN={_p}",)).published = _rows

TABLE_6 = [
    Entry("Elevator (3 floors)", "elevator", ("-DN=3",), ("-E",),
          _published(FORMULA_COLUMNS, (228479, 310, 227868, 16955, 305), (1046983, 388, 1045061, 53871, 363),
                     (205, 521, 205, 493, 521))),
    Entry("POTS", "pots", (), ("-E",),
          _published(FORMULA_COLUMNS, (49143, 1465103, 409, 68, 2012345), (154874, 4460586, 1287, 185, 2962232),
                     (66, 1055, 66, 66, 872))),
]  # fmt: skip

TABLE_7 = [
    Entry("Lynch", "lynch", (), ("-E",), _published(FORMULA_COLUMNS, (79, 50, 72, 63, 47), (96, 52, 89, 79, 50),
                                                    (29, 46, 29, 29, 46))),
    Entry("Barlett", "barlett", (), ("-E",), _published(FORMULA_COLUMNS, (82, 348, 61, 26, 262),
                                                        (99, 383, 76, 33, 289), (20, 246, 20, 20, 251))),
    Entry("Mutex", "mutex", (), ("-E",), _published(FORMULA_COLUMNS, (349, 202, 150, 24, 202),
                                                    (699, 363, 300, 48, 363), (15, 54, 15, 15, 54))),
    Entry("Relay", "relay", (), ("-E",), _published(FORMULA_COLUMNS, (707, 342, 665, 151, 341),
                                                    (2701, 719, 2292, 1069, 870), (12, 190, 12, 120, 190))),
    Entry("GARP", "garp", (), ("-E",), _published(FORMULA_COLUMNS, (17798, 1040, 18968, 4727, 150),
                                                  (53001, 2818, 56406, 13107, 187), (29, 54, 29, 39, 55))),
    Entry("Alternating bit", "abp", (), ("-E",)),
    Entry("Leader election", "leader", (), ("-E",)),
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
        return Figures(seconds=answer["seconds"])
    if answer["search"] == "dfs":
        return Figures(answer["stored"], answer["transitions"], answer["length"], answer["seconds"])
    return Figures(answer["expanded"], answer["generated"], answer["length"], answer["seconds"])


def run_spin(model: Path, entry: Entry, directives: tuple[str, ...]) -> Figures:
    """The installed SPIN on the same model; nothing if there is none."""
    if shutil.which("spin") is None:
        return Figures()
    from hsfpy.spin_report import read_report

    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(model, folder)
        flags = [*entry.defines, "-a", model.name]
        subprocess.run(["spin", *flags], cwd=folder, capture_output=True)
        cc = [
            "cc",
            "-O2",
            "-w",
            "-DSAFETY",
            "-DNOCLAIM",
            "-DMEMLIM=3000",
            "-DVECTORSZ=16384",
            *directives,
            "-o",
            "pan",
            "pan.c",
        ]
        if subprocess.run(cc, cwd=folder, capture_output=True).returncode != 0:
            return Figures()
        only = [word for word in entry.only if word in ("-A", "-E")]
        try:
            run = subprocess.run(
                ["./pan", "-m1000000", "-n", *only], cwd=folder, capture_output=True, text=True, timeout=15
            )
        except subprocess.TimeoutExpired:
            return Figures()
        return Figures(*read_report(run.stdout))


def run_entry(entry: Entry, columns: tuple[str, ...]) -> Row:
    """All searches of one model."""
    row = Row(entry.title, published=entry.published)
    model = resource_dir("models") / f"{entry.model}.pml"
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder)
        shutil.copy(model, directory)
        translation = translate_model(str(directory / model.name), FrontOptions(cpp_args=list(entry.defines)))
        program = make_program(translation.system)
        build_verifier(render_model(program), directory / "pan")
        for column in columns:
            row.ours[column] = run_search(directory / "pan", [*SEARCHES[column], *entry.only])
    row.spin["SPIN DFS"] = run_spin(model, entry, ())
    row.spin["SPIN BFS"] = run_spin(model, entry, ("-DBFS",))
    return row


def heading(title: str, columns: tuple[str, ...]) -> str:
    """The head of a table."""
    heads = [*columns, "SPIN DFS", "SPIN BFS"]
    return f"\n### {title}\n\n| model | {' | '.join(heads)} |\n" + "|---" * (len(heads) + 1) + "|"


def lines(columns: tuple[str, ...], row: Row) -> str:
    """A row: expanded / generated / witness length, the published figures below ours."""
    heads = [*columns, "SPIN DFS", "SPIN BFS"]
    cells = [(row.ours | row.spin).get(head, Figures()).text() for head in heads]
    text = f"| {row.title} | {' | '.join(cells)} |"
    if row.published:
        printed = [Figures(*row.published[head]).text() if head in row.published else "" for head in heads]
        text += f"\n| *published* | {' | '.join(printed)} |"
    return text


def bench(tell: Callable[[str], None], only: str | None = None) -> list[dict[str, object]]:
    """Runs all tables (or those whose title contains `only`), telling each row as it is done."""
    tell("Each cell: expanded / generated / witness length in steps. SPIN: stored / transitions / steps.\n")
    results: list[dict[str, object]] = []
    for title, columns, entries in TABLES:
        if only is not None and only not in title:
            continue
        tell(heading(title, columns))
        rows = []
        for entry in entries:
            rows.append(run_entry(entry, columns))
            tell(lines(columns, rows[-1]))
        results.append({"table": title, "rows": [asdict(row) for row in rows]})
    return results
