"""The Python interface: its documentation runs as it stands, and what it promises holds."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from oracle import ROOT, TESTS, quick_compiler

import hsfpy
from hsfpy.cli import main

MODELS = TESTS / "trail_view"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", " ".join(quick_compiler()))


def test_examples_of_the_documentation() -> None:
    done = doctest.testfile(str(ROOT / "docs" / "api.md"), module_relative=False)
    assert done.attempted > 20 and done.failed == 0


def test_notebook_runs_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its code cells run, one after the other, and show what they showed when the notebook was saved."""
    notebook = json.loads((ROOT / "docs" / "notebook.ipynb").read_text())
    assert notebook["nbformat"] == 4
    monkeypatch.chdir(ROOT / "docs")
    names: dict[str, object] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            shown = run_cell("".join(cell["source"]), names)
            saved = [data for output in cell["outputs"] for data in output["data"].items()]
            assert [(kind, "".join(text)) for kind, text in saved] == shown


def run_cell(source: str, names: dict[str, object]) -> list[tuple[str, str]]:
    """Runs a cell as a notebook does; returns what it shows, by type of content."""
    from cells import run

    return run(source, names)


def test_names_are_there_and_others_are_not() -> None:
    for name in hsfpy.__all__:
        assert getattr(hsfpy, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        hsfpy.nonsense  # noqa: B018
    assert (ROOT / "hsfpy" / "py.typed").exists()


def test_the_command_starts_without_the_interface() -> None:
    script = "import hsfpy.cli, sys; print('hsfpy.api' in sys.modules, 'cffi' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout == "False False\n"


def test_searches_agree_and_astar_is_short() -> None:
    model = hsfpy.Model.from_file(ROOT / "models" / "philosophers.pml", defines={"N": 3})
    results = {search: model.check(search) for search in ("dfs", "bfs", "astar", "bestfirst", "idastar")}
    assert {r.error for r in results.values()} == {"invalid end state"}
    lengths = {search: r.length for search, r in results.items()}
    assert lengths["bfs"] == lengths["astar"] == 14 and results["bfs"].optimal
    for result in results.values():
        assert result.trail is not None and result.trail.ending.kind == "invalid end state"
        assert sum(1 if step.partner is None else 2 for step in result.trail) == result.length


def test_cycles_claims_and_limits() -> None:
    model = hsfpy.Model.from_text(
        "byte x;\nactive proctype P() { do :: x = 1 - x :: x = 2 - x od }\n"
        "ltl settles { <> [] (x == 0) }\nltl small { [] (x < 3) }\n"
    )
    result = model.check(claim="settles")
    assert result.error == "acceptance cycle" and result.trail is not None
    assert result.trail.cycle_start is not None and result.trail.ending.text == "acceptance cycle"
    start = result.trail.states[result.trail.cycle_start]
    assert start == result.trail.states[-1]
    assert model.check(claim=False, acceptance=False).verdict == "no error"
    assert model.check(claim=False, depth=1).verdict == "incomplete"
    with pytest.raises(ValueError, match="no claim 'nix'"):
        model.check(claim="nix")
    with pytest.raises(ValueError, match="'random'"):
        model.check("random")
    with pytest.raises(hsfpy.CheckError, match="no such heuristic"):
        model.check("astar", heuristic="nix")
    with pytest.raises(hsfpy.CheckError, match="-f needs depth-first search"):
        model.check("astar", claim="settles", fairness=True)


def test_text_is_preprocessed_under_its_name() -> None:
    text = "#define TWO 2\nbyte x = N;\nactive proctype P() {\n\tx = x + TWO;\n\tassert(x != 5)\n}\n"
    run = hsfpy.Model.from_text(text, name="small.pml", defines={"N": 3}).check().trail
    assert run is not None and run.model == "small.pml"
    assert [run.source(step.actor.place) for step in run] == ["x = x + TWO;", "assert(x != 5)"]
    with pytest.raises(hsfpy.PromelaError) as caught:
        hsfpy.Model.from_text(wrong := "#define A 1\nactive proctype P() {\n\ty = A\n}\n", name="small.pml")
    assert str(caught.value.loc) == "small.pml:3" and "y = A" in caught.value.display({"small.pml": wrong})


def test_channels_may_lose_messages() -> None:
    text = "chan q = [1] of { byte };\nactive proctype P() { q!1; q!2; assert(false) }\n"
    assert hsfpy.Model.from_text(text).check().error == "invalid end state"
    run = hsfpy.Model.from_text(text, loses_messages=True).check().trail
    assert run is not None and run.ending.text == "assertion violated 0"
    assert run.states[-1].channels["q"].messages == ((1,),)
    assert [t.text for step in run for t in step.transfers] == ["1"]


def test_simulation_is_decided_by_its_seed() -> None:
    model = hsfpy.Model.from_file(MODELS / "lost_update.pml")
    texts = {seed: str(model.simulate(seed=seed)) for seed in range(8)}
    assert len(set(texts.values())) > 1
    assert texts == {seed: str(model.simulate(seed=seed)) for seed in range(8)}
    assert len(model.simulate(seed=1, steps=3)) == 3


@pytest.mark.parametrize("name", ["lost_update.pml", "handshake.pml", "deadlock.pml"])
def test_simulations_go_the_same_way_as_on_the_command_line(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(MODELS)
    model = hsfpy.Model.from_file(name)
    for seed in range(1, 6):
        main(["-p", "-B", f"-n{seed}", "-u60", name])
        lines = re.findall(r"^ *\d+:\tproc +(\d+) .*\t\[(.*)\]$", capsys.readouterr().out, re.M)
        printed = [(int(pid), text) for pid, text in lines if _is_statement(text)]
        actors = [actor for step in model.simulate(seed=seed, steps=60) for actor in (step.actor, step.partner)]
        taken = [(actor.pid, actor.text) for actor in actors if actor is not None and _is_statement(actor.text)]
        assert len(printed) > 2
        assert printed == taken[: len(printed)]
        assert len(taken) <= len(printed) + 1 or len(printed) > 40  # a failed assertion is no line in SPIN's text


def _is_statement(text: str) -> bool:
    """Printed texts are quoted differently, and jumps are no steps of the verifier."""
    return not text.startswith(("printf", "goto", ".(goto)", "break", "-end-"))


def test_chart_is_the_picture_of_a_result() -> None:
    result = hsfpy.Model.from_file(MODELS / "handshake.pml").check("bfs")
    assert re.match(r"<p>error: assertion violated .*</p><svg", result._repr_html_())
