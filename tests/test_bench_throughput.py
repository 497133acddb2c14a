"""The arithmetic, the tables and the picture of `make bench`; what it measures is for `make bench` itself."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from bench.cases import (
    CASES,
    GROWTH,
    OUR_BFS,
    OUR_BITSTATE,
    OUR_DFS,
    OUR_HC,
    OUR_REDUCED,
    SPIN_BITSTATE,
    SPIN_DFS,
    Case,
    Mode,
)
from bench.figures import (
    PAIRS,
    REDUCTIONS,
    Cell,
    Goal,
    Growth,
    Results,
    Row,
    VerdictTime,
    best,
    goals,
    median_ratio,
    middle,
    typical,
)
from bench.measure import (
    MODELS,
    Report,
    Run,
    Workshop,
    empty_options,
    fitting_w,
    options_for,
    read_report,
)
from bench.plot import Scale, scale_for, svg
from bench.tables import as_json, markdown

SPIN_REPORT = """
(Spin Version 6.5.2 -- 6 December 2019)

State-vector 120 byte, depth reached 43412, errors: 0
  1058576 states, stored
  2227945 states, matched
  3286521 transitions (= stored+matched)
        0 atomic steps
hash conflicts:    313236 (resolved)

pan: elapsed time 1.13 seconds
"""
LARGE_REPORT = """
State-vector 96 byte, depth reached 132, errors: 0
 18080738 states, stored
          18080738 nominal states (stored-atomic)
 58355521 states, matched
1.8080738e+08 transitions (= stored+matched)
"""


def run(states: int, seconds: float, resident: int = 0) -> Run:
    return Run(Report(states, 3 * states, 100, 80, True), seconds, seconds, resident)


def row(name: str, cells: dict[Mode, Cell]) -> Row:
    return Row(Case(name, ("N=4",)), dict(cells))


def two_rows() -> list[Row]:
    slow = {OUR_DFS: Cell(run(1000, 2.0, 30_000), 10_000), SPIN_DFS: Cell(run(1000, 4.0, 110_000), 10_000)}
    fast = {OUR_DFS: Cell(run(1000, 1.0, 20_000), 10_000), SPIN_DFS: Cell(run(1000, 8.0, 60_000), 10_000)}
    return [row("a", slow), row("b<&", fast)]


def results(rows: list[Row]) -> Results:
    growth = Growth(Cell(run(1000, 1.0), 0), Cell(run(30_000, 36.0), 0), ("small", "large"))
    verdicts = [
        VerdictTime(20, 1.0, {"bare": 4.0, "first": 0.9, "again": 0.2}),
        VerdictTime(50, 2.0, {"bare": 4.0, "first": 0.8, "again": 0.2}),
    ]
    return Results(rows, [growth], verdicts, None, {"processor": "one"})


def test_reads_a_report() -> None:
    assert read_report(SPIN_REPORT) == Report(1058576, 3286521, 43412, 120, True)
    assert read_report(LARGE_REPORT) == Report(18080738, 180807380, 132, 96, True)


@pytest.mark.parametrize("words", ["Warning: Search not completed", "error: max search depth too small"])
def test_a_search_cut_short_is_not_complete(words: str) -> None:
    assert not read_report(f"{words}\n{SPIN_REPORT}").complete


def test_no_report_is_an_error() -> None:
    with pytest.raises(ValueError, match="State-vector"):
        read_report("pan: out of memory\n")


def test_size_of_tables() -> None:
    assert [fitting_w(n) for n in (1, 1 << 16, (1 << 16) + 1, 1 << 24, (1 << 24) + 1)] == [16, 16, 17, 24, 25]


def test_bitstate_gets_the_same_bits_in_both_tools() -> None:
    known = Report(1_000_000, 3_000_000, 500, 80, True)
    ours, theirs = options_for(OUR_BITSTATE, known), options_for(SPIN_BITSTATE, known)
    assert {"-w24", "-k3"} <= set(ours) & set(theirs)
    assert options_for(OUR_DFS, known) == []
    assert options_for(SPIN_DFS, known) == ["-w20", "-m510"]


def test_an_empty_run_differs_in_its_depth_only() -> None:
    assert empty_options(["-w20", "-m510"]) == ["-w20", "-m1"]
    assert empty_options(["--bfs"]) == ["--bfs", "-m1"]


def test_figures_of_a_cell() -> None:
    cell = Cell(run(1000, 2.0, 30_000), 10_000)
    assert (cell.rate, cell.bytes_per_state) == (500.0, 20.0)
    assert best([run(10, 3.0), run(10, 1.0), run(10, 2.0)]).seconds == 1.0
    assert typical([run(10, 3.0), run(10, 1.0), run(10, 2.0)]).seconds == 2.0


def test_medians_are_of_what_is_there() -> None:
    assert middle([None, 1.0, 9.0, 2.0]) == 2.0
    assert middle([None]) is None
    rows = two_rows()
    assert [r.ratio(PAIRS["depth-first"]) for r in rows] == [2.0, 8.0]
    assert median_ratio(rows, PAIRS["depth-first"]) == 5.0
    assert median_ratio(rows, PAIRS["bitstate"]) is None


def test_goals_are_judged() -> None:
    reached = {goal.what: goal for goal in goals(results(two_rows()))}
    speed = reached["depth-first: states/s over SPIN's, median"]
    assert (speed.value, speed.is_met) == (5.0, True)
    assert reached["depth-first: bytes per state, median"].value == 15.0
    assert reached["breadth-first: states/s over SPIN's, median"].is_met is None
    assert reached["seconds per state, large search over small, median"].value == pytest.approx(1.2)
    assert reached["model to verdict, first: time over SPIN's, median"].is_met is False
    assert reached["model to verdict, again: time over SPIN's, median"].is_met is True
    assert not [what for what in reached if "bare" in what]


@pytest.mark.parametrize(("value", "met"), [(3.99, False), (4.0, True), (None, None)])
def test_a_goal_at_its_bound(value: float | None, met: bool | None) -> None:
    assert Goal("speed", value, least=4).is_met is met


def test_states_that_differ_are_marked() -> None:
    rows = two_rows()
    rows[0].cells[SPIN_DFS] = Cell(run(999, 4.0), 0)
    text = markdown(results(rows))
    assert "NO: 999" in text
    assert next(goal for goal in goals(results(rows)) if "differ" in goal.what).is_met is False


def test_lost_states() -> None:
    rows = two_rows()
    rows[0].cells[OUR_HC] = Cell(run(990, 1.0), 0)
    assert rows[0].lost(OUR_HC) == 10
    assert rows[1].lost(OUR_HC) is None
    assert next(goal for goal in goals(results(rows)) if "hash compaction" in goal.what).value == 10


def test_speed_with_reduction() -> None:
    rows = two_rows()
    rows[0].cells[OUR_REDUCED] = Cell(run(100, 0.4), 0)
    assert rows[0].reduction_speed(REDUCTIONS["hsfpy"]) == pytest.approx(0.5)
    assert rows[0].reduction_speed(REDUCTIONS["SPIN"]) is None
    assert rows[1].reduction_speed(REDUCTIONS["hsfpy"]) is None
    assert "| a N=4 | 100 | 300 | 0.400 | 0.50 | - | - | - | - |" in markdown(results(rows))
    goal = next(goal for goal in goals(results(rows)) if goal.what.startswith("reduction"))
    assert goal.value == pytest.approx(0.5)
    assert goal.is_met is False


def test_markdown_has_a_dash_and_a_note_for_what_was_refused() -> None:
    rows = two_rows()
    rows[0].notes[OUR_HC] = "unknown option --store"
    text = markdown(results(rows))
    assert "| a N=4 | 0.00 | 0.00 | - |" in text
    assert "hsfpy --store=hc: unknown option --store (a N=4)" in text
    for line in text.splitlines():
        assert not line.startswith("|") or line.endswith("|")


def test_tables_are_even() -> None:
    blocks = [block for block in markdown(results(two_rows())).split("\n\n") if block.startswith("|")]
    assert len(blocks) >= 9
    for block in blocks:
        assert len({line.count("|") for line in block.splitlines()}) == 1, block


def test_json_has_everything() -> None:
    data = json.loads(json.dumps(as_json(results(two_rows()))))
    assert [model["model"] for model in data["models"]] == ["a", "b<&"]
    assert data["models"][0]["runs"]["hsfpy dfs"]["bytes_per_state"] == 20.0
    assert data["medians"]["depth-first"] == 5.0
    assert [growth["factor"] for growth in data["growth"]] == pytest.approx([1.2])
    assert {goal["met"] for goal in data["goals"]} == {True, False, None}


def test_the_picture_is_well_formed_and_complete() -> None:
    rows = two_rows()
    rows[0].cells[OUR_BFS] = Cell(run(1000, 1.0, 10_000), 10_000)  # nothing to draw on a logarithmic axis
    picture = ElementTree.fromstring(svg(results(rows)))
    space = "{http://www.w3.org/2000/svg}"
    texts = [element.text for element in picture.iter(f"{space}text")]
    assert {"a N=4", "b<& N=4", "goal 4", "goal 20"} <= set(texts)
    points = [element for element in picture.iter(f"{space}circle") if element.find(f"{space}title") is not None]
    assert len(points) == 2 + 4  # ratios; bytes per state of two modes
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    for point in points:
        assert 0 < float(point.attrib["cx"]) < width
        assert 0 < float(point.attrib["cy"]) < height


@pytest.mark.parametrize(
    ("values", "ends"), [([3.0, 4.0], (2.0, 5.0)), ([20.0, 20.0], (20.0, 200.0)), ([0.3, 120.0], (0.2, 200.0))]
)
def test_an_axis_holds_its_values(values: list[float], ends: tuple[float, float]) -> None:
    scale = scale_for(values)
    assert (scale.low, scale.high) == pytest.approx(ends)


def test_places_on_an_axis() -> None:
    scale = Scale(1, 100)
    assert [scale.at(v) for v in (0.5, 1, 10, 100, 200)] == pytest.approx([0, 0, 0.5, 1, 1])
    assert scale.ticks == pytest.approx([1, 2, 5, 10, 20, 50, 100])


def test_cases_name_models_that_are_there() -> None:
    assert len(CASES) >= 8
    assert sum(case.quick for case in CASES) >= 3
    assert len(GROWTH) >= 3
    for case in (*CASES, *(case for pair in GROWTH for case in pair)):
        text = (MODELS / f"{case.name}.pml").read_text()
        for define in case.defines:
            assert f"#ifndef {define.partition('=')[0]}\n" in text


def test_measured_memory_is_the_childs_own(tmp_path: Path) -> None:
    """Python's own size must not be seen as that of what it starts."""
    (tmp_path / "pan").write_text("#!/bin/sh\nprintf '%s\\n' '" + SPIN_REPORT.replace("'", "") + "'\n")
    (tmp_path / "pan").chmod(0o755)
    ballast = bytearray(64 << 20)
    ballast[::4096] = b"x" * len(ballast[::4096])
    done = Workshop(tmp_path).run(tmp_path, [])
    assert done.report.states == 1058576
    assert 0 < done.resident < 16 << 20
