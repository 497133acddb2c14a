"""Searches that are stopped: by a limit of memory or time, or by a signal. They say so and report what they know."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from bench.measure import Workshop
from oracle import FULL_CC, PLAIN, Hsfpy

ENDLESS = """byte a[8];
active [8] proctype P() { byte x; do :: a[_pid]++; x = a[(_pid + 1) % 8] :: x > 3 -> x-- od }
"""
LABELLED = ENDLESS.replace("; x =", "; accept: x =")

# Options of every search.
SEARCHES = {
    "dfs in batches": ("--reduce=off",),
    "dfs": ("--reduce=off", "-T"),
    "dfs, reduced": ("--reduce=stack",),
    "bfs": ("--bfs",),
    "astar": ("--astar", "--heuristic=ap"),
    "bestfirst": ("--bestfirst", "--heuristic=ap"),
    "idastar": ("--idastar", "--heuristic=ap"),
    "idastar, bits": ("--idastar", "--bitstate=24", "--heuristic=ap"),
    "nested": ("-a", "-c0"),
    "two-phase": ("--reduce=two-phase",),
}
every_search = pytest.mark.parametrize("search", SEARCHES)
# A bit array does not grow, and iterations come to the same states again.
WITHOUT_GROWTH = {"idastar, bits", "idastar"}


@pytest.fixture
def folder(hsfpy_small: Hsfpy, tmp_path: Path, search: str) -> Path:
    """A verifier whose search would take for ever."""
    model = tmp_path / "m.pml"
    model.write_text(LABELLED if search == "nested" else ENDLESS)
    return hsfpy_small.build(model, PLAIN, ("-DNOREDUCE",) if search == "nested" else ())


def verify(folder: Path, search: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = ["./pan", *SEARCHES[search], *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=True)


def verdict(search: str) -> str:
    """Without an error nothing is known; the labelled model has cycles at once."""
    return "error" if search == "nested" else "incomplete"


def check_report(text: str) -> None:
    """The report of a search that did not end by itself, complete down to its last line."""
    assert "Warning: Search not completed" in text
    assert re.search(r"^State-vector \d+ byte, depth reached \d+, errors: \d+$", text, re.M)
    stored = re.search(r"^ *(\S+) states, stored", text, re.M)
    assert stored is not None
    assert float(stored[1]) > 0
    assert text.count("\npan: elapsed time ") == 1


def json_of(text: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(text)
    return data


@every_search
def test_time(folder: Path, search: str) -> None:
    begun = time.monotonic()
    done = verify(folder, search, "--time=0.4")
    assert time.monotonic() - begun < 30
    assert done.stdout.count("Time limit of 0.00667 minutes exceeded\n") == 1
    check_report(done.stdout)
    told = json_of(verify(folder, search, "--time=0.2", "--json").stdout)
    assert (told["stopped_by"], told["verdict"], told["complete"]) == ("time", verdict(search), False)


@every_search
def test_memory(folder: Path, search: str) -> None:
    limit = "--memory=1" if search in WITHOUT_GROWTH else "--memory=8"
    done = verify(folder, search, limit, "--time=60")
    assert "pan: reached -DMEMLIM bound\n" in done.stdout
    assert re.search(r"^\t\S+ bytes limit$", done.stdout, re.M)
    if search not in WITHOUT_GROWTH:
        check_report(done.stdout)
        told = json_of(verify(folder, search, limit, "--json").stdout)
        assert (told["stopped_by"], told["verdict"]) == ("memory", verdict(search))


@every_search
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals(folder: Path, search: str, number: signal.Signals) -> None:
    command = ["./pan", *SEARCHES[search]]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(0.5)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert out.count("Interrupted\n") == 1
    check_report(out)
    assert err == ""
    assert process.returncode == (0 if number == signal.SIGINT else -signal.SIGTERM)


def test_minutes_of_spin(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """-Q counts minutes: a search of a second is not stopped by it."""
    model = tmp_path / "m.pml"
    model.write_text("byte a;\nactive proctype P() { do :: a++ od }\n")
    run = hsfpy_small.run(model, PLAIN, FULL_CC, ("-Q1",))
    assert "      256 states, stored" in run.out
    assert "Time limit" not in run.out


@pytest.mark.parametrize("search", ["dfs in batches", "dfs", "bfs", "bestfirst", "nested", "two-phase"])
def test_memory_is_what_the_system_sees(folder: Path, search: str, tmp_path: Path) -> None:
    """The process stays within its limit, but for its code and what the C library keeps."""
    limit, code = 24 << 20, 3 << 20
    runner = str(Workshop(tmp_path).runner)
    command = [runner, "100", "./pan", *SEARCHES[search], "--memory=24", "--json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=True)
    peak = int(done.stderr.split()[-1]) * 1024
    told = json_of(done.stdout)
    assert told["stopped_by"] == "memory"
    assert told["memory_bytes"] <= limit
    assert told["memory_bytes"] * 0.5 < peak < 1.1 * told["memory_bytes"] + code
