"""`hsfpy bench por`: the tables hold what they say, and limits are shown as limits."""

from __future__ import annotations

import pytest

from hsfpy import bench_por
from hsfpy.bench_models import MEMORY_MB, SECONDS
from hsfpy.bench_por import TABLE_1, TABLE_4, TABLE_5, Cell, Entry, directed_row, factor_row, protocol_row


def entry(table: list[Entry], title: str) -> Entry:
    return next(one for one in table if one.title == title)


@pytest.mark.parametrize("title", ["B5", "W5"])
def test_contrived_models_have_the_papers_states(title: str) -> None:
    row = protocol_row(entry(TABLE_1, title))
    for column, published in row.published.items():
        cell = row.ours[column]
        assert cell is not None and cell.states == int(published), column
    spin = row.ours["SPIN -o3"]
    assert spin is not None and spin.states == int(row.published["ample sets"])


def test_file_transfer_has_the_papers_relations() -> None:
    """There is little without choice in it: two-phase search stores more than SPIN, but fewer if it is selective."""
    row = protocol_row(entry(TABLE_1, "Pftp"))
    spin, everything, selective = (
        row.ours[column] for column in ("SPIN -o3", "two-phase, all", "two-phase, selective")
    )
    assert spin is not None and everything is not None and selective is not None
    assert spin.states is not None and everything.states is not None and selective.states is not None
    assert selective.states < spin.states < everything.states


def test_a_star_finds_the_error_with_every_condition() -> None:
    row = directed_row(entry(TABLE_4, "Marriers (4)"))
    cells = {column: cell for column, cell in row.ours.items() if cell is not None}
    assert list(cells) == list(row.published)
    assert all(cell.length and cell.states for cell in cells.values())
    assert (cells["C3 static"].states or 0) < (cells["no"].states or 0)


def test_factors_are_ratios_of_states() -> None:
    row = factor_row(entry(TABLE_5, "Marriers (3)"))
    states = {name: cell.states or 0 for name, cell in row.states.items()}
    assert row.factors["PO, N"] == pytest.approx(states["none"] / states["PO"])
    assert row.factors["H+PO"] == pytest.approx((row.factors["H, N"] or 0) * (row.factors["PO, C"] or 0))


def test_limits_are_shown() -> None:
    assert Cell(12, stopped="time").text() == f"> {SECONDS} s"
    assert Cell(12, stopped="memory").text() == f"> {MEMORY_MB} MB"
    assert Cell(1200, 34, 5.0, 0.5).text() == "1,200 / 34 (5 MB, 0.50 s)"
    assert Cell(1200).text() == "1,200"


def test_tables_are_chosen_by_title() -> None:
    said: list[str] = []
    assert bench_por.bench(said.append, "no such table") == []
    assert len(said) == 1
