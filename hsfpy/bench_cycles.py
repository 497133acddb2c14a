"""Table 8 of the HSF-SPIN paper: searches for cycles, and full validation of a property that holds (7.4)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from hsfpy.bench_models import answer, spin_report, verifier

Tell = Callable[[str], None]
# Expanded, generated and witness length; None: not found within the limits.
Cell = tuple[int, int, int | None] | None

SEARCHES = {
    "Nested-DFS": ("-a", "-A", "--nested=classic"),
    "Improved-Nested-DFS": ("-a", "-A"),
    "A*+DFS": ("-a", "-A", "--astar"),
    "Best-first+DFS": ("-a", "-A", "--bestfirst"),
}


@dataclass(slots=True)
class Entry:
    title: str
    model: str
    defines: tuple[str, ...]
    published: dict[str, tuple[int, int, int]] = field(default_factory=dict)


@dataclass(slots=True)
class Row:
    title: str
    ours: dict[str, Cell] = field(default_factory=dict)
    published: dict[str, tuple[int, int, int]] = field(default_factory=dict)


def _published(*columns: tuple[int, int, int]) -> dict[str, tuple[int, int, int]]:
    return dict(zip(("Nested-DFS", "Improved-Nested-DFS", "A*+DFS", "SPIN"), columns, strict=True))


TABLE_8 = [
    Entry("Alternating bit", "abp", ("-DLTL",), _published((33, 37, 64), (32, 36, 64), (11, 12, 22), (24, 32, 46))),
    Entry("Elevator (4 floors)", "elevator", ("-DLTL", "-DCORRECT", "-DN=4"),
          _published((309, 381, 405), (251, 288, 391), (217810, 1276391, 377), (253, 401, 405))),
    Entry("GIOP (3 users, 1 server)", "giop", ("-DLTL", "-DN=3", "-DSERVERS=1"),
          _published((404799, 1957563, 430), (404619, 1957390, 158), (113, 1158, 158), (53812, 107987, 430))),
]  # fmt: skip
HOLDS = ("-DLTL", "-DCORRECT", "-DSWEEP")
PUBLISHED_VALIDATION = {"Nested-DFS": 979_336, "Improved-Nested-DFS": 716_715}


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value


def run_search(pan: Path, options: tuple[str, ...]) -> Cell:
    """One of our searches."""
    found = answer(pan, options)
    if not found["errors"]:
        return None
    return _number(found["expanded"]), _number(found["generated"]), _number(found["length"])


def run_spin(entry: Entry) -> Cell:
    """The installed SPIN; its trail is as deep as its search when it finds the cycle."""
    report = spin_report(entry.model, entry.defines, ("-DNOFAIR",), ("-a", "-A"))
    figures = re.search(r"depth reached (\d+).*?([\d.e+]+) states, stored.*?([\d.e+]+) transitions", report or "", re.S)
    if report is None or figures is None or "cycle" not in report:
        return None
    depth, stored, transitions = (int(float(text)) for text in figures.groups())
    return stored, transitions, depth + 1


def run_entry(entry: Entry) -> Row:
    """All searches of one model."""
    row = Row(entry.title, published=entry.published)
    with verifier(entry.model, entry.defines) as pan:
        for column, options in SEARCHES.items():
            row.ours[column] = run_search(pan, options)
    row.ours["SPIN"] = run_spin(entry)
    return row


def _text(cell: Cell) -> str:
    return "-" if cell is None else " / ".join(f"{value:,}" for value in cell if value is not None)


def table_8(tell: Tell) -> list[dict[str, object]]:
    """Searches for the violation of a response property."""
    columns = [*SEARCHES, "SPIN"]
    tell("Each cell: expanded / generated / witness length in steps, those of the claim included. SPIN: stored /")
    tell("transitions / depth. A*+DFS counts the searches that shorten its witness too.\n")
    tell(f"| model | {' | '.join(columns)} |\n" + "|---" * (len(columns) + 1) + "|")
    rows = []
    for entry in TABLE_8:
        row = run_entry(entry)
        rows.append(asdict(row))
        tell(f"| {row.title} | {' | '.join(_text(row.ours[column]) for column in columns)} |")
        printed = [_text(row.published[column]) if column in row.published else "" for column in columns]
        tell(f"| *published* | {' | '.join(printed)} |")
    return rows


def validation(tell: Tell) -> list[dict[str, object]]:
    """Transitions for the full validation of a response property that holds: the elevator's."""
    tell("| floors | Nested-DFS | Improved-Nested-DFS | ratio |\n|---|---|---|---|")
    rows: list[dict[str, object]] = []
    for floors in (3, 4, 6, 8):
        with verifier("elevator", (*HOLDS, f"-DN={floors}")) as pan:
            counts = {name: _number(answer(pan, SEARCHES[name])["transitions"]) for name in PUBLISHED_VALIDATION}
        rows.append({"floors": floors, **counts})
        tell(_validation_line(str(floors), counts))
    tell(_validation_line("*published*", PUBLISHED_VALIDATION))
    return rows


def _validation_line(title: str, counts: dict[str, int]) -> str:
    classic, improved = counts.values()
    return f"| {title} | {classic:,} | {improved:,} | {improved / classic:.2f} |"
