"""iSpin, SPIN's own graphical program, with hsfpy in SPIN's place.

iSpin is driven on a screen of its own (Xvfb): the buttons are pressed, and what the panes show is compared with
what they show when iSpin works with SPIN. No package of Debian contains iSpin: these tests run where the variable
ISPIN names the file, or it is found as `ispin` or `ispin.tcl`. What it asks of SPIN is tested without it in
test_clients.py.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from oracle import TESTS, Spin, execute, quick_compiler, with_root

FOLDER = TESTS / "ispin"
ISPIN = os.environ.get("ISPIN") or shutil.which("ispin") or shutil.which("ispin.tcl")
NEEDED = ("wish", "Xvfb", "dot")
HANDSHAKE, FORMULA = FOLDER / "handshake.pml", FOLDER / "formula.pml"

pytestmark = [
    pytest.mark.skipif(ISPIN is None, reason="iSpin is not here: set ISPIN to the path of ispin.tcl"),
    pytest.mark.xdist_group("ispin"),
]

Panes = dict[str, str]
Drive = Callable[..., Panes]


@pytest.fixture(scope="module")
def screen() -> Iterator[str]:
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        pytest.fail(f"iSpin needs {', '.join(missing)}: apt-get install tk xvfb graphviz", pytrace=False)
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1400x900x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as answer:
        display = answer.readline().strip()
    yield f":{display}"
    server.terminate()
    server.wait()


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders in which `spin` is SPIN, or hsfpy."""
    real = shutil.which("spin")
    assert real is not None
    commands = {"spin": f'exec {real} "$@"', "hsfpy": f'exec {sys.executable} -m hsfpy "$@"'}
    folders = {}
    for tool, command in commands.items():
        folders[tool] = tmp_path_factory.mktemp(f"bin-{tool}")
        (folders[tool] / "spin").write_text(f"#!/bin/sh\n{command}\n")
        (folders[tool] / "spin").chmod(0o755)
    return folders


@pytest.fixture
def drive(screen: str, tools: dict[str, Path], tmp_path: Path) -> Drive:
    """Lets iSpin go through a script with one of the tools; returns what its panes showed."""

    def call(tool: str, script: str, model: Path, *beside: Path, claim: str = "") -> Panes:
        work, results = tmp_path / f"{tool}-{script}", tmp_path / f"{tool}-{script}-panes"
        results.mkdir()
        work.mkdir()
        for file in (model, *beside):
            shutil.copy2(file, work / file.name)
        env = with_root({"DISPLAY": screen, "PATH": f"{tools[tool]}:{os.environ['PATH']}"})
        env |= {"ISPIN_CC": quick_compiler()[0], "ISPIN_CLAIM": claim, "CC": quick_compiler()[0]}
        words = ["wish", FOLDER / "driver.tcl", ISPIN, model.name, results, FOLDER / f"{script}.tcl"]
        done = execute([str(word) for word in words], work, env=env)
        assert done.code == 0, done.out + done.err
        panes = {file.name: file.read_text() for file in results.iterdir() if file.suffix != ".png"}
        assert "problem" not in panes, panes["problem"]
        panes["trail"] = trail.read_text() if (trail := work / f"{model.name}.trail").exists() else ""
        return panes

    return call


def spin_trail(spin: Spin, model: Path, where: Path, *pan: str) -> list[Path]:
    """SPIN's trail of a model, and the translation of its formulas."""
    for command in (["spin", "-a", model], [*quick_compiler(), "-o", "pan", "pan.c"], ["./pan", *pan]):
        execute([str(word) for word in command], where)
    os.utime(where / f"{model.name}.trail")
    found = [where / f"{model.name}.trail", where / "_spin_nvr.tmp"]
    return [file for file in found if file.exists()]


def differing(theirs: Panes, ours: Panes, but: tuple[str, ...] = ()) -> dict[str, tuple[str, str]]:
    return {
        name: (theirs.get(name, "missing"), ours.get(name, "missing"))
        for name in sorted(theirs.keys() | ours.keys())
        if name not in but and theirs.get(name) != ours.get(name)
    }


@pytest.mark.parametrize("model", [HANDSHAKE, FORMULA], ids=lambda m: m.stem)
def test_edit_page(model: Path, drive: Drive) -> None:
    theirs, ours = (drive(tool, "edit", model) for tool in ("spin", "hsfpy"))
    # hsfpy translates formulas itself, and takes them for properties when it looks for redundancies.
    claim = ("automaton_claim_served", "redundancy") if model is FORMULA else ()
    labels = re.compile(r"^label.*<served>.*\n", re.M)
    for panes in (theirs, ours):
        panes["symbols"] = labels.sub("", panes["symbols"])
    assert differing(theirs, ours, claim) == {}
    assert ours["asked"] == ""
    drawn = {name for name in ours if name.startswith("automaton")}
    assert len(drawn) == 2, drawn
    assert all("line" in ours[name] and "text" in ours[name] for name in drawn)


@pytest.mark.parametrize(("model", "claim"), [(HANDSHAKE, ""), (FORMULA, "served")], ids=["deadlock", "cycle"])
def test_verification_page(model: Path, claim: str, drive: Drive) -> None:
    theirs, ours = (drive(tool, "verify", model, claim=claim) for tool in ("spin", "hsfpy"))
    assert ours["mode"] == theirs["mode"] == ("2" if claim else "0")
    for panes in (theirs, ours):
        assert re.search(r"errors: 1\n", panes["report"]), panes["report"]
        assert "pan: elapsed time" in panes["report"]
        assert 'To replay the error-trail, goto Simulate/Replay and select "Run"' in panes["report"]
        assert panes["trail"]
    if not claim:
        assert ours["table"] == theirs["table"]
    else:
        assert re.search(r"^User\t\d+\t\[\d+\]\t\d+\tformula.pml:\d+\t", ours["table"], re.M)


@pytest.mark.parametrize(("model", "pan"), [(HANDSHAKE, ()), (FORMULA, ("-a",))], ids=["deadlock", "cycle"])
def test_simulation_page(model: Path, pan: tuple[str, ...], drive: Drive, spin_small: Spin, tmp_path: Path) -> None:
    beside = spin_trail(spin_small, model, tmp_path, *pan)
    theirs, ours = (drive(tool, "simulate", model, *beside) for tool in ("spin", "hsfpy"))
    for name in theirs:  # SPIN takes labels that claims refer to for variables
        theirs[name] = theirs[name].replace(" critical  =  0\n", "")
    by_chance = tuple(f"random_{part}" for part in ("steps", "variables", "queues", "chart"))
    assert differing(theirs, ours, by_chance) == {}
    assert ours["chosen"] == "1"  # iSpin has seen the trail
    if model is HANDSHAKE:
        assert ours["guided_queues"].endswith("q 1  :: (line): [data,2]\n\n")
        assert len(re.findall(r"^rectangle", ours["guided_chart"], re.M)) == 9  # messages sent and received
    assert re.search(r"^ *\d+:\tproc  \d \(\w+:1\) \w+.pml:\d+ \(state \d+\)\t\[", ours["random_steps"], re.M)
    assert "2 processes created\n" in ours["random_steps"]
    assert len([name for name in ours if name.startswith("question")]) > 3
