"""`hsfpy bench hsf`: the tables hold what they say, and limits are shown as limits."""

from __future__ import annotations

import pytest

from hsfpy.bench_hsf import (
    DEADLOCK_COLUMNS,
    FORMULA_COLUMNS,
    TABLE_4,
    TABLE_5,
    TABLE_6,
    TABLE_7,
    Entry,
    Figures,
    Row,
    lines,
    remarks,
    run_entry,
    run_table,
)
from hsfpy.spin_report import program_steps, stopped_by


def entry(table: list[Entry], title: str) -> Entry:
    return next(one for one in table if one.title == title)


def test_philosophers_of_table_5() -> None:
    assert [one.defines for one in TABLE_5] == [(f"-DN={p}",) for p in (2, 3, 4, 8, 12, 16, 50, 100, 150, 200, 250)]


def test_every_model_of_the_paper_is_there() -> None:
    models = {one.model for table in (TABLE_4, TABLE_5, TABLE_6, TABLE_7) for one in table}
    assert models == {
        "abp", "barlett", "basic_call", "elevator", "garp", "giop", "leader", "lynch", "marriers", "mutex",
        "philosophers", "pots", "relay", "snoopy", "telegraph",
    }  # fmt: skip


def test_a_row_has_a_figure_in_every_cell() -> None:
    row = run_entry(entry(TABLE_5, "Philosophers (p = 4)"), DEADLOCK_COLUMNS, set())
    assert set(row.ours) == set(DEADLOCK_COLUMNS) and set(row.spin) == {"SPIN DFS", "SPIN BFS"}
    assert all(cell.length is not None for cell in (row.ours | row.spin).values())
    ours = row.ours["A*, H_ap"]
    assert (ours.expanded, ours.generated, ours.length) == row.published["A*, H_ap"] == (21, 33, 18)
    assert lines(DEADLOCK_COLUMNS, row).count("|") == 2 * (len(DEADLOCK_COLUMNS) + 4)


@pytest.mark.parametrize("title", ["Elevator (3 floors)", "POTS"])
def test_invariants_are_compared_like_with_like(title: str) -> None:
    """SPIN runs a claim: in the program's steps its witness is as long as ours in the same search."""
    row = run_entry(entry(TABLE_6, title), FORMULA_COLUMNS, set())
    assert row.ours["BFS"].length == row.ours["A*, H_f"].length
    shortest, found = row.ours["BFS"].length, row.spin["SPIN BFS"].length
    assert shortest is not None and found is not None and found >= shortest
    assert row.ours["A*, H_f"].estimates is not None


def test_garp_has_an_assertion() -> None:
    row = run_entry(entry(TABLE_7, "GARP"), FORMULA_COLUMNS, set())
    assert all(cell.length is not None for cell in (row.ours | row.spin).values())
    assert row.ours["BFS"].length == row.ours["A*, H_f"].length


def test_limits_are_told() -> None:
    assert Figures(stopped="time").text() == "> 10 s"
    assert Figures(stopped="memory").text() == "> 3000 MB"
    assert Figures(stopped="depth").text() == "deeper than 1,000,000"
    assert Figures(stopped="no error").text() == "no error"
    assert Figures(10, 12, 10, 0.5).text() == "10 / 12 / 10 (0.50 s)"
    assert stopped_by("pan: reached -DMEMLIM bound\n") == "memory"
    assert stopped_by("error: max search depth too small\n") == "depth"
    assert stopped_by("") is None


def test_what_was_too_large_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[set[str]] = []

    def limited(one: Entry, columns: tuple[str, ...], given_up: set[str]) -> Row:
        asked.append(set(given_up))
        return Row(one.title, ours={"BFS": Figures(stopped="time"), "DFS": Figures(1, 1, 1)})

    monkeypatch.setattr("hsfpy.bench_hsf.run_entry", limited)
    run_table(("BFS", "DFS"), [Entry("1", "a"), Entry("2", "a"), Entry("3", "b")], lambda line: None)
    assert asked == [set(), {"BFS"}, set()]


def test_poor_estimates_are_named() -> None:
    row = Row("M", ours={"BFS": Figures(100, 200, 9), "A*, H_f": Figures(90, 180, 9, estimates=(0, 1)),
                         "Best-first, H_f": Figures(9, 18, 50, estimates=(0, 2))},
              spin={"SPIN DFS": Figures(40, 50, 30)})  # fmt: skip
    poor, long = remarks(row)
    assert "A*, H_f is a poor guide" in poor and "90 %" in poor and "from 0 to 1" in poor
    assert "Best-first, H_f" in long and "50 steps" in long


def test_steps_of_the_program_in_a_trail() -> None:
    assert program_steps("-2:3:-2\n-4:-4:-4\n1:0:9\n2:3:1\n3:0:9\n4:12:7\n") == 2
