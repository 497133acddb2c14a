"""What a long run shows: a line rewritten on a terminal, SPIN's lines elsewhere."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from oracle import FULL_CC, PLAIN, Hsfpy

ENDLESS = "byte a[8];\nactive [8] proctype P() { do :: a[_pid]++ od }\n"
LABELLED = "byte a[8];\nactive [8] proctype P() { do :: a[_pid]++; accept: skip od }\n"
SLOW = "byte a;\nactive proctype P() { do :: c_code { usleep(40000); }; a++ od }\n"
LINE = re.compile(r"\r([^\r\n]*)\x1b\[K")
CLEAR = "\r\x1b[K"


@dataclass(frozen=True)
class Seen:
    """What came out of a verifier; `terminal` is what its terminal got."""

    terminal: str
    out: str

    @property
    def lines(self) -> list[str]:
        return [line for line in LINE.findall(self.terminal) if line]

    @property
    def rest(self) -> str:
        return LINE.sub("", self.terminal)


def watch(folder: Path, *args: str, out_too: bool = True, term: str = "xterm") -> Seen:
    """Runs ./pan with standard error, and by default standard output too, on a terminal."""
    ours, theirs = pty.openpty()
    env = dict(os.environ, TERM=term)
    out = theirs if out_too else subprocess.PIPE
    with subprocess.Popen(["./pan", *args], cwd=folder, stdin=theirs, stdout=out, stderr=theirs, env=env) as process:
        os.close(theirs)
        shown = _read_all(ours)
        piped = process.stdout.read() if process.stdout else b""
    os.close(ours)
    assert process.returncode == 0, shown
    return Seen(shown.decode(), piped.decode())


def _read_all(terminal: int) -> bytes:
    text = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:  # Linux says so when the other end is closed
            return text
        if not more:
            return text
        text += more


def built(hsfpy: Hsfpy, tmp_path: Path, text: str, cc: Sequence[str] = FULL_CC) -> Path:
    model = tmp_path / "m.pml"
    model.write_text(text)
    return hsfpy.build(model, PLAIN, cc)


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (("--reduce=off",), "states /s depth MB s"),  # in batches
        (("-T",), "states /s depth MB s"),  # rotated order: step by step
        (("--bfs",), "states /s depth open MB s"),
        (("--astar", "--heuristic=ap"), "states /s depth f open MB s"),
        (("--bestfirst", "--heuristic=ap"), "states /s depth h open MB s"),
        (("--idastar", "--heuristic=ap"), "states /s depth bound MB s"),
    ],
)
def test_a_line_for_every_search(hsfpy_small: Hsfpy, tmp_path: Path, options: tuple[str, ...], parts: str) -> None:
    seen = watch(built(hsfpy_small, tmp_path, ENDLESS), "--time=1.2", *options)
    assert 1 <= len(seen.lines) <= 6, seen.terminal
    for line in seen.lines:
        assert re.sub(r"[\d.]+[kMG]?", "", line).split() == parts.split(), line
    assert "Depth=" not in seen.terminal
    assert "Time limit" in seen.rest


def test_a_line_in_nested_search(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    seen = watch(built(hsfpy_small, tmp_path, LABELLED, ("-DNOREDUCE",)), "-a", "-c0", "-e", "--time=1.2")
    assert seen.lines
    assert all("depth" in line for line in seen.lines)


def test_cleared_before_anything_else(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    seen = watch(built(hsfpy_small, tmp_path, ENDLESS), "--time=1.2")
    before, _, after = seen.terminal.partition("Time limit")
    assert before.endswith(CLEAR)
    assert "\x1b" not in after


def test_never_wider_than_the_terminal(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    seen = watch(built(hsfpy_small, tmp_path, ENDLESS), "--time=0.8", "--astar", "--heuristic=ap")
    assert seen.lines
    assert all(len(line) < 80 for line in seen.lines)


def test_slow_steps_show_life(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    seen = watch(built(hsfpy_small, tmp_path, SLOW), "--time=1.2")
    assert 1 <= len(seen.lines) <= 6, seen.terminal
    assert "Time limit" in seen.rest


def test_json_is_left_alone(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    folder = built(hsfpy_small, tmp_path, ENDLESS)
    apart = watch(folder, "--json", "--time=0.8", out_too=False)
    assert apart.lines
    assert json.loads(apart.out)["stopped_by"] == "time"
    together = watch(folder, "--json", "--time=0.8")
    assert together.lines
    assert json.loads(together.rest.partition("exceeded\r\n")[2])["stopped_by"] == "time"


FINITE = "byte a[2];\nactive [2] proctype P() { do :: a[_pid]++ od }\n"  # 65536 states
OFTEN = (*FULL_CC, "-DFREQ=10000")


def spins_lines(text: str) -> int:
    return len(re.findall(r"^Depth= +\d+ States= ", text, re.M))


def test_pipes_get_spins_lines(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    folder = built(hsfpy_small, tmp_path, FINITE, OFTEN)
    seen = watch(folder, out_too=False)
    assert spins_lines(seen.out) == 6
    assert "\x1b" not in seen.out
    assert seen.rest == ""
    piped = subprocess.run(["./pan"], cwd=folder, capture_output=True, text=True, check=True)
    assert spins_lines(piped.stdout) == 6
    assert piped.stderr == ""


def test_dumb_terminals_get_spins_lines(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    folder = built(hsfpy_small, tmp_path, FINITE, OFTEN)
    assert spins_lines(watch(folder, term="dumb").terminal) == 6
    assert "\x1b" not in watch(folder, term="dumb").terminal
    assert spins_lines(watch(folder).terminal) == 0
