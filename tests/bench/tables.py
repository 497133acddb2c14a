"""The report as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from bench.cases import OUR_DFS, SPIN_DFS, Mode
from bench.figures import (
    PAIRS,
    REDUCTIONS,
    Cell,
    Goal,
    Growth,
    Results,
    Row,
    Translation,
    VerdictTime,
    goals,
    median_of,
    median_ratio,
)

MISSING = "-"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; all columns but the first are figures."""
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, rule, *rows))


def shown(value: float | None, form: str) -> str:
    return MISSING if value is None else format(value, form)


def markdown(results: Results) -> str:
    """The whole report."""
    parts = [
        "# hsfpy against SPIN",
        _machine(results),
        "## Models\n\n" + _models(results.rows),
        "## Million states per second\n\n" + _by_mode(results, lambda cell: cell.rate / 1e6, ".2f"),
        "## Our states per second over SPIN's\n\n" + _ratios(results.rows),
        "## Seconds\n\n" + _by_mode(results, lambda cell: cell.run.seconds, ".2f"),
        "## Bytes of memory per state\n\n" + _by_mode(results, lambda cell: cell.bytes_per_state, "z.1f"),
        "## Peak memory in megabytes\n\n" + _by_mode(results, lambda cell: cell.run.resident / 2**20, ".0f"),
        "## States that lossy searches did not store\n\n" + _lost(results),
    ]
    if any(row.reduction_speed(REDUCTIONS["hsfpy"]) for row in results.rows):
        parts.append("## Transitions per second with reduction over those without\n\n" + _reductions(results.rows))
    if results.growth:
        parts.append("## Cost of a state in small and large searches\n\n" + _growth(results.growth))
    if results.verdicts:
        parts.append("## Model to verdict, in seconds\n\n" + _verdicts(results.verdicts))
    if results.translation:
        parts.append(_translation(results.translation))
    parts.append("## Goals\n\n" + _goals(goals(results)))
    notes = _notes(results.rows)
    return "\n\n".join([*parts, notes] if notes else parts) + "\n"


def _machine(results: Results) -> str:
    return "\n".join(f"- {name}: {value}" for name, value in results.machine.items())


def _models(rows: Sequence[Row]) -> str:
    return table(["model", "states", "transitions", "vector", "depth", "the same in SPIN"], map(_model, rows))


def _model(row: Row) -> list[str]:
    cell = row.cells.get(OUR_DFS) or row.cells.get(SPIN_DFS)
    if cell is None:
        return [row.case.label, *[MISSING] * 5]
    report = cell.run.report
    same = {True: "yes", None: MISSING, False: f"NO: {_states(row, SPIN_DFS)}"}[row.is_same]
    figures = [f"{n:,}" for n in (report.states, report.transitions, report.vector, report.depth)]
    return [row.case.label, *figures, same]


def _states(row: Row, mode: Mode) -> str:
    return f"{row.cells[mode].states:,}" if mode in row.cells else MISSING


def _by_mode(results: Results, figure: Callable[[Cell], float], form: str) -> str:
    modes = results.modes
    rows = [
        [row.case.label, *(shown(figure(row.cells[m]) if m in row.cells else None, form) for m in modes)]
        for row in results.rows
    ]
    medians = ["median", *(shown(median_of(results.rows, mode, figure), form) for mode in modes)]
    return table(["model", *(mode.title for mode in modes)], [*rows, medians])


def _ratios(rows: Sequence[Row]) -> str:
    body = [[row.case.label, *(shown(row.ratio(pair), ".2f") for pair in PAIRS.values())] for row in rows]
    medians = ["median", *(shown(median_ratio(rows, pair), ".2f") for pair in PAIRS.values())]
    return table(["model", *PAIRS], [*body, medians])


def _lost(results: Results) -> str:
    modes = [mode for mode in results.modes if mode.lossy]
    rows = [[row.case.label, *(shown(row.lost(mode), ",d") for mode in modes)] for row in results.rows]
    return table(["model", *(mode.title for mode in modes)], rows)


def _reductions(rows: Sequence[Row]) -> str:
    head = ["model"]
    for tool in REDUCTIONS:
        head += [f"{tool}: states", "transitions", "seconds", "speed"]
    return table(head, ([row.case.label, *(_reduction(row))] for row in rows))


def _reduction(row: Row) -> list[str]:
    cells: list[str] = []
    for pair in REDUCTIONS.values():
        cell = row.cells.get(pair[0])
        if cell is None:
            cells += [MISSING] * 4
            continue
        report = cell.run.report
        cells += [f"{report.states:,}", f"{report.transitions:,}", f"{cell.run.seconds:.3f}"]
        cells.append(shown(row.reduction_speed(pair), ".2f"))
    return cells


def _growth(pairs: Sequence[Growth]) -> str:
    rows = [
        [label, f"{cell.states:,}", f"{1e9 / cell.rate:.0f}", f"{cell.bytes_per_state:.1f}", factor]
        for growth in pairs
        for label, cell, factor in zip(
            growth.labels, (growth.small, growth.large), (MISSING, f"{growth.factor:.2f}"), strict=True
        )
    ]
    return table(["model", "states", "nanoseconds per state", "bytes per state", "over the small one"], rows)


def _verdicts(verdicts: Sequence[VerdictTime]) -> str:
    cases = list(verdicts[0].ours)
    head = ["lines", "`spin -run`", *(word for case in cases for word in (f"`hsfpy -run`, {case}", "/ SPIN"))]
    rows = [
        [
            str(v.lines),
            f"{v.spin:.2f}",
            *(cell for case in cases for cell in (f"{v.ours[case]:.2f}", f"{v.factor(case):.2f}")),
        ]
        for v in verdicts
    ]
    return table(head, rows)


def _translation(t: Translation) -> str:
    return (
        f"A model of {t.lines:,} lines becomes C in {t.spin:.2f} s by `spin -a` and in {t.ours:.2f} s by `hsfpy -a` "
        "(without the C compiler)."
    )


def _goals(aims: Sequence[Goal]) -> str:
    words = {True: "met", False: "not met", None: "not measured"}
    return table(
        ["goal", "wanted", "reached", ""],
        [[aim.what, aim.bound, shown(aim.value, ".2f"), words[aim.is_met]] for aim in aims],
    )


def _notes(rows: Sequence[Row]) -> str:
    """Why cells are empty, each reason once."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        for mode, note in row.notes.items():
            reasons.setdefault(f"{mode.title}: {note}", []).append(row.case.label)
    return "\n".join(f"- {reason} ({', '.join(labels)})" for reason, labels in reasons.items())


# ---------------------------------------------------------------- JSON


def as_json(results: Results) -> dict[str, Any]:
    """Everything, for programs."""
    return {
        "machine": results.machine,
        "models": [_row_json(row) for row in results.rows],
        "medians": {name: median_ratio(results.rows, pair) for name, pair in PAIRS.items()},
        "growth": [_growth_json(growth) for growth in results.growth],
        "verdict_seconds": [{"lines": v.lines, "spin": v.spin, **v.ours} for v in results.verdicts],
        "translation_seconds": asdict(results.translation) if results.translation else None,
        "goals": [{"goal": g.what, "wanted": g.bound, "reached": g.value, "met": g.is_met} for g in goals(results)],
    }


def _row_json(row: Row) -> dict[str, Any]:
    return {
        "model": row.case.name,
        "defines": list(row.case.defines),
        "same_as_spin": row.is_same,
        "ratios": {name: row.ratio(pair) for name, pair in PAIRS.items()},
        "runs": {mode.key: {**_cell_json(cell), "lost": row.lost(mode)} for mode, cell in row.cells.items()},
        "notes": {mode.key: note for mode, note in row.notes.items()},
    }


def _cell_json(cell: Cell) -> dict[str, Any]:
    report = cell.run.report
    return {
        "states": report.states,
        "transitions": report.transitions,
        "depth": report.depth,
        "vector_bytes": report.vector,
        "seconds": cell.run.seconds,
        "clock_seconds": cell.run.clock,
        "states_per_second": cell.rate,
        "resident_bytes": cell.run.resident,
        "empty_resident_bytes": cell.empty,
        "bytes_per_state": cell.bytes_per_state,
    }


def _growth_json(growth: Growth) -> dict[str, Any]:
    return {
        "factor": growth.factor,
        **{label: _cell_json(cell) for label, cell in zip(growth.labels, (growth.small, growth.large), strict=True)},
    }
