"""The report as a picture: for each model how much faster we are, and what a state takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from bench.cases import OUR_BFS, OUR_DFS, SPIN_COLLAPSE, SPIN_DFS, Mode
from bench.figures import PAIRS, Results, Row

LABELS, PANEL, GAP, ROW, TOP, BOTTOM = 250, 330, 50, 26, 96, 40
STYLE = """\
text{font:12px ui-sans-serif,system-ui,sans-serif;fill:#1f2937}
.title{font-weight:600;font-size:13px}.label{text-anchor:end}.tick{fill:#6b7280;font-size:11px;text-anchor:middle}
.grid{stroke:#e5e7eb}.goal{stroke:#b91c1c;stroke-dasharray:5 4}.goal-word{fill:#b91c1c;font-size:11px}"""


@dataclass(frozen=True)
class Mark:
    """A series of points."""

    name: str
    colour: str
    values: Sequence[float | None]


@dataclass(frozen=True)
class Scale:
    """A logarithmic axis from `low` to `high`, both 1, 2 or 5 times a power of ten."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """How far along the axis, 0 to 1; what lies outside is put at the end."""
        share = (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return min(1.0, max(0.0, share))

    @property
    def ticks(self) -> list[float]:
        powers = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
        return [step for p in powers for m in (1, 2, 5) if self.low <= (step := m * 10.0**p) <= self.high]


def scale_for(values: Sequence[float]) -> Scale:
    """The shortest axis that holds all values."""
    powers = range(floor(log10(min(values))) - 1, ceil(log10(max(values))) + 2)
    steps = [m * 10.0**p for p in powers for m in (1, 2, 5)]
    low, high = max(s for s in steps if s <= min(values)), min(s for s in steps if s >= max(values))
    return Scale(low, high) if low < high else Scale(low, 10 * low)


def svg(results: Results) -> str:
    """The picture as an SVG document."""
    rows = results.rows
    width, height = LABELS + 2 * PANEL + GAP + 30, TOP + ROW * len(rows) + BOTTOM
    ratios = [
        Mark(name, colour, [row.ratio(PAIRS[name]) for row in rows])
        for name, colour in (("depth-first", "#1d4ed8"), ("breadth-first", "#0891b2"), ("bitstate", "#9333ea"))
    ]
    sizes = [
        Mark(mode.title, colour, [_size(row, mode) for row in rows])
        for mode, colour in (
            (OUR_DFS, "#1d4ed8"),
            (OUR_BFS, "#0891b2"),
            (SPIN_DFS, "#6b7280"),
            (SPIN_COLLAPSE, "#d97706"),
        )
    ]
    body = [
        *_labels(rows),
        *_panel(LABELS, "states per second over SPIN's", ratios, 4, len(rows)),
        *_panel(LABELS + PANEL + GAP, "bytes of memory per state", sizes, 20, len(rows)),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
        f'<style>{STYLE}</style>\n<rect width="{width}" height="{height}" fill="#fff"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def _size(row: Row, mode: Mode) -> float | None:
    return row.cells[mode].bytes_per_state if mode in row.cells else None


def _middle_of(number: int) -> float:
    return TOP + ROW * (number + 0.5)


def _labels(rows: Sequence[Row]) -> Iterator[str]:
    for number, row in enumerate(rows):
        yield f'<text class="label" x="{LABELS - 12}" y="{_middle_of(number) + 4}">{escape(row.case.label)}</text>'


def _panel(left: float, title: str, marks: Sequence[Mark], goal: float, n: int) -> Iterator[str]:
    # A share of the axis cannot be drawn for what is not positive.
    known = [value for mark in marks for value in mark.values if value is not None and value > 0]
    scale = scale_for([*known, goal])
    yield f'<text class="title" x="{left}" y="20">{escape(title)}</text>'
    yield from _legend(left, marks)
    yield from _grid(left, scale, n)
    x = left + PANEL * scale.at(goal)
    yield f'<path class="goal" d="M{x:.1f},{TOP - 6}V{TOP + ROW * n}"/>'
    yield f'<text class="goal-word" x="{x + 4:.1f}" y="{TOP - 8}">goal {goal:g}</text>'
    for mark in marks:
        yield from _points(left, scale, mark)


def _legend(left: float, marks: Sequence[Mark]) -> Iterator[str]:
    for number, mark in enumerate(marks):
        x, y = left + 6 + 150 * (number % 2), 40 + 18 * (number // 2)
        yield f'<circle cx="{x}" cy="{y - 4}" r="5" fill="{mark.colour}"/>'
        yield f'<text x="{x + 10}" y="{y}">{escape(mark.name)}</text>'


def _grid(left: float, scale: Scale, n: int) -> Iterator[str]:
    bottom = TOP + ROW * n
    for tick in scale.ticks:
        x = left + PANEL * scale.at(tick)
        yield f'<path class="grid" d="M{x:.1f},{TOP}V{bottom}"/>'
        yield f'<text class="tick" x="{x:.1f}" y="{bottom + 16}">{tick:g}</text>'
    for number in range(n):
        yield f'<path class="grid" d="M{left},{_middle_of(number)}h{PANEL}"/>'


def _points(left: float, scale: Scale, mark: Mark) -> Iterator[str]:
    for number, value in enumerate(mark.values):
        if value is None or value <= 0:
            continue
        x = left + PANEL * scale.at(value)
        yield (
            f'<circle cx="{x:.1f}" cy="{_middle_of(number)}" r="5" fill="{mark.colour}" fill-opacity=".85">'
            f"<title>{escape(mark.name)}: {value:.3g}</title></circle>"
        )
