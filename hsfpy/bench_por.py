"""`hsfpy bench por`: tables about partial order reduction, ours next to the published figures.

Sources of the published figures: A. Lluch Lafuente, S. Leue, S. Edelkamp, Partial order reduction and trail improvement
in directed model checking, STTT 6, 2004 (Tables 4 and 5); R. Nalumasu, G. Gopalakrishnan, A partial order reduction
algorithm without the proviso, UUCS-98-017, 1998 (Table 1). The models are hsfpy's own, written after the descriptions,
so figures agree in kind, not to the last state; B5 and W5 agree exactly.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from hsfpy.bench_models import MEMORY_MB, SECONDS, SPIN_SECONDS, answer, spin_report, verifier
from hsfpy.spin_report import read_counts, stopped_by

Tell = Callable[[str], None]


@dataclass(slots=True)
class Entry:
    """A model in a table: how to build it, what to look for, what guides A* to it."""

    title: str
    model: str | None  # None: the paper's model is not published
    defines: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    heuristic: str = ""  # "hamming" aims at the state a depth-first search finds
    published: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Cell:
    """The states a search stored, and the length of its witness if it was to find one."""

    states: int | None = None
    length: int | None = None
    megabytes: float | None = None
    seconds: float | None = None
    stopped: str | None = None  # a limit, or why there is no figure

    def text(self) -> str:
        if self.states is None or self.stopped:
            limits = {"time": f"> {SECONDS} s", "memory": f"> {MEMORY_MB} MB"}
            return limits.get(self.stopped or "", self.stopped or "-")
        length = "" if self.length is None else f" / {self.length:,}"
        memory = "" if self.megabytes is None else f"{self.megabytes:.0f} MB, "
        return f"{self.states:,}{length}" + (f" ({memory}{self.seconds:.2f} s)" if self.seconds is not None else "")


@dataclass(slots=True)
class Row:
    title: str
    ours: dict[str, Cell | None] = field(default_factory=dict)
    published: dict[str, str] = field(default_factory=dict)


def run_search(pan: Path, options: tuple[str, ...], wants_error: bool) -> Cell:
    """One of our searches."""
    found = answer(pan, options)
    stored, length, seconds, memory = found["stored"], found.get("length"), found["seconds"], found["memory_bytes"]
    assert isinstance(stored, int) and isinstance(seconds, float) and isinstance(memory, int)
    cell = Cell(stored, None, None, seconds, str(found["stopped_by"]) if found["stopped_by"] else None)
    if wants_error:
        cell.megabytes = memory / 2**20
        if found["verdict"] == "error" and isinstance(length, int):
            cell.length = length
        else:
            cell.stopped = cell.stopped or "no error"
    return cell


# ---------------------------------------------------------------- two-phase search, Table 1

EVERYTHING = ("-c0", "-A", "-E")  # errors are passed over: all states count
TWO_PHASE = {
    "none": ("--dfs", "--reduce=off"),
    "ample sets": ("--dfs", "--reduce=stack-"),
    "two-phase, all": ("--reduce=two-phase", "--cache=all"),
    "two-phase, selective": ("--reduce=two-phase", "--cache=selective"),
}
SPINS = {"SPIN -o3": ("-o3",), "SPIN": ()}


def _protocol(title: str, model: str | None, defines: tuple[str, ...], *published: str) -> Entry:
    columns = ("ample sets", "two-phase, all", "two-phase, selective")
    return Entry(title, model, defines, published=dict(zip(columns, published, strict=True)))


TABLE_1 = [
    _protocol("B5", "b5", (), "243", "11", "1"),
    _protocol("W5", "w5", (), "63", "243", "243"),
    _protocol("SC3", "sc", ("-DN=3",), "17,741", "2,687", "733"),
    _protocol("SC4", "sc", ("-DN=4",), "749,094", "102,345", "47,405"),
    _protocol("Mig", "migratory", (), "113,628", "22,805", "9,185"),
    _protocol("Inv", "invalidate", (), "961,089", "60,736", "27,600"),
    _protocol("Pftp", "pftp", (), "95,241", "187,614", "70,653"),
    _protocol("Snoopy", "snoopy", ("-DN=3", "-DWRITERS=1"), "16,279", "14,305", "8,611"),
    _protocol("WA", None, (), "4.8e+06", "706,192", "169,680"),
    _protocol("UPO", None, (), "4.9e+06", "733,546", "176,618"),
    _protocol("ROWO", None, (), "5.2e+06", "868,665", "222,636"),
]  # fmt: skip


def run_spin(entry: Entry, flags: tuple[str, ...]) -> Cell:
    """The installed SPIN, which reduces by ample sets."""
    assert entry.model is not None
    report = spin_report(entry.model, (*flags, *entry.defines), ("-DSAFETY", "-DNOCLAIM"), EVERYTHING)
    if report is None:
        return Cell(stopped=f"> {SPIN_SECONDS} s" if shutil.which("spin") else "not installed")
    stored, _ = read_counts(report)
    return Cell(stored, stopped=stopped_by(report))


def protocol_row(entry: Entry) -> Row:
    """All searches of one model."""
    row = Row(entry.title, published=entry.published)
    if entry.model is None:
        return row
    with verifier(entry.model, entry.defines) as pan:
        for column, options in TWO_PHASE.items():
            row.ours[column] = run_search(pan, (*options, *EVERYTHING), False)
    for column, flags in SPINS.items():
        row.ours[column] = run_spin(entry, flags)
    return row


TWO_PHASE_NOTES = """\
Each cell: states stored (time). Statements are not merged in hsfpy's columns and in SPIN -o3, which are comparable;
SPIN is its default run. The published ample sets are those of the SPIN of 1998. As in the paper, "all" counts the
states of both phases and "selective" those at the end of phase one; the paper's PV also counts there what phase one
keeps to notice circles, which here is one state at a time and is not stored. Phase one here goes on until no process is
deterministic, where the paper's asks each process once. The models of WA, UPO and ROWO are not published.
"""


def table_two_phase(tell: Tell) -> list[Row]:
    """States stored in full explorations."""
    columns = [*TWO_PHASE, *SPINS]
    tell(TWO_PHASE_NOTES)
    return _table(tell, columns, TABLE_1, protocol_row)


# ---------------------------------------------------------------- A* with reduction, Tables 4 and 5

CONDITIONS = {"no": "off", "C3 none": "none", "C3 duplicate-": "duplicate-", "C3 static": "static"}


def _directed(title: str, model: str, defines: tuple[str, ...], kind: str, heuristic: str, *published: str) -> Entry:
    return Entry(title, model, defines, (kind, "--no-claim"), heuristic, dict(zip(CONDITIONS, published, strict=True)))


TABLE_4 = [
    _directed("Marriers (4)", "marriers", ("-DN=4", "-DROUNDS=1"), "-A", "hamming",
              "26,545 / 99", "10,348 / 99", "20,049 / 99", "10,348 / 99"),
    _directed("POTS", "pots", (), "-E", "formula", "6,654 / 81", "5,429 / 81", "5,574 / 81", "5,429 / 81"),
    _directed("Leader election (8)", "leader", ("-DN=8",), "-E", "formula",
              "558,214 / 76", "104 / 119", "104 / 119", "97 / 96"),
    _directed("GIOP (2, 1)", "giop", ("-DN=2", "-DSERVERS=1"), "-A", "ap",
              "29,915 / 58", "5,683 / 58", "17,703 / 58", "11,981 / 58"),
]  # fmt: skip


def guided_by(entry: Entry, pan: Path) -> tuple[str, ...]:
    """The estimate of an entry; for the Hamming distance a depth-first search finds the state to aim at."""
    if entry.heuristic != "hamming":
        return (f"--heuristic={entry.heuristic}",)
    answer(pan, ("--dfs", "--reduce=off", *entry.kind))
    return ("--heuristic=hamming", f"--target={entry.model}.pml.trail")


def directed_row(entry: Entry) -> Row:
    """A* with each cycle condition."""
    assert entry.model is not None
    row = Row(entry.title, published=entry.published)
    with verifier(entry.model, entry.defines) as pan:
        guide = guided_by(entry, pan)
        for column, condition in CONDITIONS.items():
            options = ("--astar", *guide, f"--reduce={condition}", *entry.kind, "-tfound")
            row.ours[column] = run_search(pan, options, True)
    return row


def table_4(tell: Tell) -> list[Row]:
    """Finding an error by A*, with and without reduction."""
    tell(
        "Each cell: states stored / witness length in steps (memory, time). Without a cycle condition (C3 none) errors"
    )
    tell("may be missed; that column shows what the conditions cost.\n")
    return _table(tell, list(CONDITIONS), TABLE_4, directed_row)


# Published reduction factors: H (N, C), PO (N, C), both. N: the other technique is not applied, C: it is.
FACTORS = ("H, N", "H, C", "PO, N", "PO, C", "H+PO")
PUBLISHED_FACTORS = {
    "Marriers (3)": (1.1, 1.2, 2.3, 2.3, 5.9),
    "POTS": (3.7, 4.2, 1.1, 1.2, 4.5),
    "Leader election (8)": (43.2, 1.9, 109.1, 4.9, 210.4),
    "GIOP (2, 1)": (2.6, 2.5, 1.4, 1.3, 3.4),
}
TABLE_5 = [
    Entry("Marriers (3)", "marriers", ("-DN=3",), ("-A", "--no-claim"), "hamming"),
    *TABLE_4[1:],
]
RUNS = {"none": (False, "off"), "H": (True, "off"), "PO": (False, "static"), "H+PO": (True, "static")}


@dataclass(slots=True)
class FactorRow:
    title: str
    states: dict[str, Cell]
    factors: dict[str, float | None]
    published: tuple[float, ...]


def factor_row(entry: Entry) -> FactorRow:
    """States stored with and without estimate, with and without reduction, and what each saves."""
    assert entry.model is not None
    states: dict[str, Cell] = {}
    with verifier(entry.model, entry.defines) as pan:
        guide = guided_by(entry, pan)
        for name, (guided, condition) in RUNS.items():
            estimate = guide if guided else ("--heuristic=none",)
            options = ("--astar", *estimate, f"--reduce={condition}", *entry.kind, "-tfound")
            states[name] = run_search(pan, options, True)
    pairs = (("none", "H"), ("PO", "H+PO"), ("none", "PO"), ("H", "H+PO"), ("none", "H+PO"))
    factors = {
        name: _ratio(states[without], states[applied]) for name, (without, applied) in zip(FACTORS, pairs, strict=True)
    }
    return FactorRow(entry.title, states, factors, PUBLISHED_FACTORS[entry.title])


def _ratio(without: Cell, applied: Cell) -> float | None:
    if without.stopped or applied.stopped or not without.states or not applied.states:
        return None
    return without.states / applied.states


def table_5(tell: Tell) -> list[FactorRow]:
    """What estimate and reduction save."""
    tell(
        "States stored without a technique over states stored with it: the estimate (H), reduction with C3 static (PO),"
    )
    tell("each without (N) and with (C) the other, and both together.\n")
    tell(f"| model | {' | '.join(FACTORS)} |\n" + "|---" * (len(FACTORS) + 1) + "|")
    rows = []
    for entry in TABLE_5:
        row = factor_row(entry)
        rows.append(row)
        cells = ["-" if value is None else f"{value:.1f}" for value in row.factors.values()]
        tell(f"| {row.title} | {' | '.join(cells)} |")
        tell(f"| *published* | {' | '.join(f'{value:.1f}' for value in row.published)} |")
    return rows


# ---------------------------------------------------------------- all together


def _table(tell: Tell, columns: list[str], entries: list[Entry], run: Callable[[Entry], Row]) -> list[Row]:
    tell(f"| model | {' | '.join(columns)} |\n" + "|---" * (len(columns) + 1) + "|")
    rows = []
    for entry in entries:
        row = run(entry)
        rows.append(row)
        cells = [cell.text() if (cell := row.ours.get(column)) else "no model" for column in columns]
        tell(f"| {row.title} | {' | '.join(cells)} |")
        tell(f"| *published* | {' | '.join(row.published.get(column, '') for column in columns)} |")
    return rows


TABLES: list[tuple[str, Callable[[Tell], list[Row] | list[FactorRow]]]] = [
    ("STTT Table 4: A* with several reduction methods", table_4),
    ("STTT Table 5: reduction factors of estimate and partial order", table_5),
    ("Two-phase Table 1: ample sets and two-phase search", table_two_phase),
]


def bench(tell: Tell, only: str | None = None) -> list[dict[str, object]]:
    """Runs all tables (or those whose title contains `only`), telling each row as it is done."""
    tell(f"Every search has {SECONDS} s and {MEMORY_MB} MB.")
    results: list[dict[str, object]] = []
    for title, run in TABLES:
        if only is not None and only not in title:
            continue
        tell(f"\n### {title}\n")
        results.append({"table": title, "rows": [asdict(row) for row in run(tell)]})
    return results
