"""The page of `hsfpy trail --html`, in a real browser."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import MISSING, Browser
from oracle import TESTS, quick_compiler

from hsfpy import Model, Run

MODELS = TESTS / "trail_view"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        pytest.fail(MISSING, pytrace=False)
    window = Browser()
    yield window
    window.close()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", " ".join(quick_compiler()))
    monkeypatch.chdir(MODELS)


def open_run(browser: Browser, run: Run, folder: Path) -> None:
    (folder / "run.html").write_text(run.to_html())
    browser.open(folder / "run.html")
    assert browser.complaints() == []
    assert browser.run("return performance.getEntriesByType('resource').length") == 0


def error_of(stem: str, search: str) -> Run:
    run = Model.from_file(f"{stem}.pml").check(search).trail
    assert run is not None
    return run


def position(browser: Browser) -> str:
    return str(browser.run("return document.getElementById('position').textContent"))


def variables(browser: Browser) -> dict[str, str]:
    script = "return [...document.querySelectorAll('#values tr')].map(r => [r.dataset.path, r.lastChild.textContent])"
    return dict(browser.run(script))


def marked(browser: Browser, kind: str) -> list[str]:
    """The numbers of the source lines that are marked."""
    return list(browser.run(f"return [...document.querySelectorAll('#code .{kind}')].map(d => d.dataset.line)"))


def standing(browser: Browser) -> dict[str, str]:
    """The processes that are shown in the source, and their lines."""
    script = "return [...document.querySelectorAll('#code .tag')].map(t => [t.textContent, t.parentNode.dataset.line])"
    return dict(browser.run(script))


def test_stepping_by_key_and_click(browser: Browser, tmp_path: Path) -> None:
    open_run(browser, error_of("handshake", "bfs"), tmp_path)
    assert position(browser) == "0 / 8"
    browser.press(*["ArrowRight"] * 3)
    third = variables(browser)
    browser.press("ArrowDown")
    assert position(browser) == "4 / 8"
    assert browser.run("return document.querySelector('.row.current').dataset.step") == "4"
    assert (marked(browser, "current"), marked(browser, "partner")) == (["19"], ["11"])
    assert standing(browser) == {"Client(0)": "12", "Server(1)": "20"}
    changed = "return [...document.querySelectorAll('#values .changed')].map(r => r.textContent)"
    assert browser.run(changed) == ["Client(0):got0 \u2192 4"]
    browser.press("ArrowLeft")
    assert standing(browser) == {"Client(0)": "11", "Server(1)": "19"}
    assert (position(browser), variables(browser)) == ("3 / 8", third)
    browser.press("End", "ArrowRight")
    assert position(browser) == "8 / 8" and variables(browser)["pair.v[1]"] == "4"
    assert "assertion violated" in browser.run("return document.querySelector('.row.current .fault').textContent")
    browser.press("Home", "ArrowUp")
    assert position(browser) == "0 / 8" and marked(browser, "current") == []
    browser.click(".row[data-step='2'] code")
    assert position(browser) == "2 / 8" and marked(browser, "current") == ["18"]
    browser.click("#next")
    assert position(browser) == "3 / 8"
    assert browser.run("return document.querySelectorAll('#chart .message').length") == 3


def test_filter_and_steps_that_change_something(browser: Browser, tmp_path: Path) -> None:
    open_run(browser, error_of("handshake", "bfs"), tmp_path)
    everything = variables(browser)
    browser.press("/", *"pair.v got", "Escape")
    assert list(variables(browser)) == ["pair.v[0]", "pair.v[1]", "Client(0):got"]
    browser.press("n")
    assert position(browser) == "4 / 8"
    browser.press("n")
    assert position(browser) == "7 / 8"
    browser.press("p", "p")
    assert position(browser) == "4 / 8"
    browser.run("const f = document.getElementById('filter'); f.value = ''; f.oninput()")
    assert variables(browser).keys() == everything.keys()


def test_cycle_is_marked(browser: Browser, tmp_path: Path) -> None:
    run = error_of("claim_cycle", "dfs")
    assert run.cycle_start is not None
    open_run(browser, run, tmp_path)
    rows = browser.run("return [...document.querySelectorAll('.row.cycle')].map(r => +r.dataset.step)")
    assert rows == list(range(run.cycle_start + 1, len(run) + 1))
    assert "the cycle begins" in browser.run("return document.querySelector('.row .mark').parentNode.textContent")
    assert browser.run("return document.querySelectorAll('#chart .loop').length") == 1
    assert "for ever" in browser.run("return document.getElementById('ending').textContent")


def test_deadlock_tells_where_everybody_stands(browser: Browser, tmp_path: Path) -> None:
    open_run(browser, error_of("deadlock", "bfs"), tmp_path)
    lines = browser.run("return [...document.querySelectorAll('#where div')].map(d => d.textContent)")
    assert lines[1:] == ["Worker(1) at line 9: second?_", "Worker(2) at line 9: second?_"]
    browser.click("#where div:last-child")
    assert marked(browser, "current") == ["9"]


LONG = """
mtype = { job, done };
chan work = [4] of { mtype, short };
chan back = [0] of { mtype };
short made, seen[20];

active proctype Maker() {
	do
	:: work!job(made); made++
	:: back?done
	od
}

active [2] proctype Worker() {
	short n;
	do
	:: work?job(n) -> seen[n % 20] = n; back!done
	od
}
"""


def open_time(browser: Browser, page: Path) -> float:
    """Milliseconds from the beginning of the navigation until the page is ready."""
    browser.open(page)
    return float(browser.run("return +document.documentElement.dataset.ready"))


def test_ten_thousand_steps(browser: Browser, tmp_path: Path) -> None:
    run = Model.from_text(LONG).simulate(seed=7, steps=10000)
    assert len(run) == 10000
    open_run(browser, run, tmp_path)
    assert min(open_time(browser, tmp_path / "run.html") for _ in range(3)) < 2000
    shown = "return document.querySelectorAll('.row').length + document.querySelectorAll('#chart *').length"
    assert browser.run(shown) < 1000
    browser.press("End")
    assert position(browser) == "10000 / 10000"
    assert variables(browser) == expected(run, 10000)
    begun = time.monotonic()
    browser.press(*["ArrowLeft"] * 20)
    assert time.monotonic() - begun < 5
    browser.run("document.getElementById('run').scrollTop = 5000 * 24")
    browser.run("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    browser.click(".row[data-step='5003'] code")
    assert position(browser) == "5003 / 10000"
    assert variables(browser) == expected(run, 5003)


def expected(run: Run, number: int) -> dict[str, Any]:
    """The values of a state as the page shows them; of one that the step changed, with the one before."""
    step = run[number - 1]
    values = {path: str(value) for path, value in step.state.flat.items() if "?[" not in path}
    for name, channel in step.state.channels.items():
        values[name] = " ".join(f"[{','.join(map(str, m))}]" for m in channel.messages) or "(empty)"
    for change in step.changes:
        values[change.path] = (
            f"{change.before or ('(empty)' if change.before == '' else 0)} \u2192 {values[change.path]}"
        )
    return values
