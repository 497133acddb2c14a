"""What the measurements come to: figures per state, ratios, medians, goals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

from bench.cases import (
    MODES,
    OUR_BFS,
    OUR_BITSTATE,
    OUR_DFS,
    OUR_HC,
    OUR_REDUCED,
    SPIN_BFS,
    SPIN_BITSTATE,
    SPIN_DFS,
    SPIN_REDUCED,
    Case,
    Mode,
)
from bench.measure import Run
from bench.turnaround import BARE

Pair = tuple[Mode, Mode]  # ours and SPIN's
PAIRS: dict[str, Pair] = {
    "depth-first": (OUR_DFS, SPIN_DFS),
    "breadth-first": (OUR_BFS, SPIN_BFS),
    "bitstate": (OUR_BITSTATE, SPIN_BITSTATE),
}
REDUCTIONS: dict[str, Pair] = {"hsfpy": (OUR_REDUCED, OUR_DFS), "SPIN": (SPIN_REDUCED, SPIN_DFS)}


@dataclass(frozen=True)
class Cell:
    """One model in one mode: the best run, and the memory of an empty one."""

    run: Run
    empty: int

    @property
    def states(self) -> int:
        return self.run.report.states

    @property
    def rate(self) -> float:
        """States per second."""
        return self.states / self.run.seconds

    @property
    def transition_rate(self) -> float:
        """Transitions per second."""
        return self.run.report.transitions / self.run.seconds

    @property
    def bytes_per_state(self) -> float:
        return (self.run.resident - self.empty) / self.states


@dataclass
class Row:
    """One model in all modes; `notes` say why a mode has no cell."""

    case: Case
    cells: dict[Mode, Cell] = field(default_factory=dict)
    notes: dict[Mode, str] = field(default_factory=dict)

    def ratio(self, pair: Pair) -> float | None:
        """Our states per second over SPIN's."""
        ours, theirs = (self.cells.get(mode) for mode in pair)
        return ours.rate / theirs.rate if ours and theirs else None

    def reduction_speed(self, pair: Pair) -> float | None:
        """Transitions per second with partial order reduction over those without."""
        reduced, full = (self.cells.get(mode) for mode in pair)
        return reduced.transition_rate / full.transition_rate if reduced and full else None

    @property
    def is_same(self) -> bool | None:
        """Do both tools store the same states and take the same transitions?"""
        ours, theirs = self.cells.get(OUR_DFS), self.cells.get(SPIN_DFS)
        if ours is None or theirs is None:
            return None
        a, b = ours.run.report, theirs.run.report
        return (a.states, a.transitions) == (b.states, b.transitions)

    def lost(self, mode: Mode) -> int | None:
        """States of the exact search that a lossy one did not store."""
        if mode not in self.cells or OUR_DFS not in self.cells:
            return None
        return self.cells[OUR_DFS].states - self.cells[mode].states


def best(runs: Iterable[Run]) -> Run:
    """The fastest run."""
    return min(runs, key=lambda run: run.seconds)


def typical(runs: Iterable[Run]) -> Run:
    """The run in the middle."""
    ordered = sorted(runs, key=lambda run: run.seconds)
    return ordered[len(ordered) // 2]


def middle(values: Iterable[float | None]) -> float | None:
    """The median of what is there."""
    known = [value for value in values if value is not None]
    return median(known) if known else None


def median_ratio(rows: Sequence[Row], pair: Pair) -> float | None:
    return middle(row.ratio(pair) for row in rows)


def median_of(rows: Sequence[Row], mode: Mode, figure: Callable[[Cell], float]) -> float | None:
    return middle(figure(row.cells[mode]) for row in rows if mode in row.cells)


@dataclass(frozen=True)
class Growth:
    """Cost of a state in a small and in a large search of one model."""

    small: Cell
    large: Cell
    labels: tuple[str, str]

    @property
    def factor(self) -> float:
        return self.small.rate / self.large.rate


@dataclass(frozen=True)
class VerdictTime:
    """Seconds from a model to its verdict: SPIN's and, by case, ours."""

    lines: int
    spin: float
    ours: dict[str, float]

    def factor(self, case: str) -> float:
        return self.ours[case] / self.spin


@dataclass(frozen=True)
class Translation:
    """Seconds from a long model to C."""

    lines: int
    spin: float
    ours: float


@dataclass(frozen=True)
class Goal:
    """Something to be shown. `value` is None if it could not be measured."""

    what: str
    value: float | None
    least: float | None = None
    most: float | None = None

    @property
    def is_met(self) -> bool | None:
        if self.value is None:
            return None
        return (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)

    @property
    def bound(self) -> str:
        return f"at least {self.least:g}" if self.least is not None else f"at most {self.most:g}"


@dataclass(frozen=True)
class Results:
    """Everything that was measured."""

    rows: Sequence[Row]
    growth: Sequence[Growth]
    verdicts: Sequence[VerdictTime]
    translation: Translation | None
    machine: dict[str, str]

    @property
    def modes(self) -> list[Mode]:
        return [mode for mode in MODES if any(mode in row.cells or mode in row.notes for row in self.rows)]


def goals(results: Results) -> list[Goal]:
    """The goals of the store and what was reached."""
    rows = results.rows
    return [
        Goal("models whose states or transitions differ from SPIN's", _differing(rows), most=0),
        *_exact_goals(rows, "depth-first", OUR_DFS),
        *_exact_goals(rows, "breadth-first", OUR_BFS),
        Goal("bitstate, the same bits: states/s over SPIN's", median_ratio(rows, PAIRS["bitstate"]), least=2),
        Goal("hash compaction: states lost, largest", _most_lost(rows), most=0),
        *_verdict_goals(results.verdicts),
        Goal("reduction: transitions/s over those without, least", _reduction_speed(rows), least=0.75),
        Goal("seconds per state, large search over small, median", middle(g.factor for g in results.growth), most=1.5),
    ]


def _exact_goals(rows: Sequence[Row], name: str, mode: Mode) -> list[Goal]:
    return [
        Goal(f"{name}: states/s over SPIN's, median", median_ratio(rows, PAIRS[name]), least=4),
        Goal(f"{name}: bytes per state, median", median_of(rows, mode, lambda cell: cell.bytes_per_state), most=20),
    ]


def _verdict_goals(verdicts: Sequence[VerdictTime]) -> list[Goal]:
    cases = [case for case in verdicts[0].ours if case != BARE] if verdicts else []  # wheels spare users that one
    return [
        Goal(f"model to verdict, {case}: time over SPIN's, median", middle(v.factor(case) for v in verdicts), most=0.5)
        for case in cases
    ]


def _differing(rows: Sequence[Row]) -> float | None:
    known = [row.is_same for row in rows if row.is_same is not None]
    return float(known.count(False)) if known else None


def _reduction_speed(rows: Sequence[Row]) -> float | None:
    known = [speed for row in rows if (speed := row.reduction_speed(REDUCTIONS["hsfpy"])) is not None]
    return min(known, default=None)


def _most_lost(rows: Sequence[Row]) -> float | None:
    known = [lost for row in rows if (lost := row.lost(OUR_HC)) is not None]
    return float(max(known)) if known else None
