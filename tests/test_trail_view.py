"""`hsfpy trail` and the runs behind it: step list, JSON, chart, and trails that do not fit."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from oracle import (
    PROMELA,
    ROOT,
    TESTS,
    Hsfpy,
    OracleMissing,
    parse_report,
    quick_compiler,
    read_expectation,
    require_spin,
)

from hsfpy import Model, Run
from hsfpy.trail.chart import arrows
from hsfpy.trail.command import TrailOptions, load_run
from hsfpy.trail.listing import Listing

MODELS = TESTS / "trail_view"
GOLDEN = sorted(path.stem for path in MODELS.glob("*.pml"))
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", " ".join(quick_compiler()))
    monkeypatch.chdir(MODELS)


_runs: dict[str, Run] = {}


def error_of(stem: str) -> Run:
    """The shortest error of a model in tests/trail_view; a cycle if it has a claim."""
    if stem not in _runs:
        model = Model.from_file(f"{stem}.pml")
        result = model.check("dfs") if model.claims else model.check("bfs")
        assert result.verdict == "error" and result.trail is not None, result
        _runs[stem] = result.trail
    return _runs[stem]


def hsfpy_trail(*words: str, cwd: Path, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hsfpy", "trail", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
    )


def write_trail(stem: str, folder: Path) -> Path:
    """A model and its trail in a folder."""
    run = error_of(stem)
    assert run.trail_file is not None
    (folder / f"{stem}.pml").write_text((MODELS / f"{stem}.pml").read_text())
    result = Model.from_file(f"{stem}.pml").check("dfs" if run.claim else "bfs")
    trail = result._trail
    assert trail is not None
    lines = [f"-2:{trail.claim}:-2"] if trail.claim is not None else []
    for i, step in enumerate(trail.steps):
        lines += ["-1:-1:-1"] if trail.cycle_at == i else []
        lines.append(f"{step.depth}:{step.pid}:{step.statement}")
    (folder / f"{stem}.pml.trail").write_text("\n".join(lines) + "\n")
    return folder / f"{stem}.pml.trail"


# ---- the step list


@pytest.mark.parametrize("stem", GOLDEN)
def test_step_list(stem: str) -> None:
    text = str(error_of(stem)) + "\n"
    golden = MODELS / f"{stem}.txt"
    if os.environ.get("HSFPY_UPDATE"):
        golden.write_text(text)
    assert text == golden.read_text()


def test_philosophers_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "models")
    result = Model.from_file("philosophers.pml", defines={"N": 2}).check("bfs")
    assert result.trail is not None
    last = str(result.trail).splitlines()[-4:]
    assert last == [
        "ends after step 10: invalid end state",
        "  init(0) at 48: its end  (may end here)",
        "  Philosopher(1) at 29: fork[i]!i",
        "  Philosopher(2) at 29: fork[i]!i",
    ]


def test_filter_shows_only_some_variables() -> None:
    run = error_of("handshake")
    text = "\n".join(Listing(run, names=["pair.v"]).lines())
    assert "pair.v[1]: 0 -> 4" in text and "pair.n:" not in text and "got: 0" not in text
    assert "pair.n: 0 -> 4" in "\n".join(Listing(run, names=["*n"]).lines())


def test_colours_only_where_they_belong(tmp_path: Path) -> None:
    write_trail("handshake", tmp_path)
    plain = hsfpy_trail("handshake.pml", cwd=tmp_path)
    assert plain.returncode == 0 and "\x1b" not in plain.stdout
    assert plain.stdout == (MODELS / "handshake.txt").read_text()
    words = [sys.executable, "-m", "hsfpy", "trail", "handshake.pml"]
    seen = {}
    for name, value in (("colour", ""), ("none", "1")):
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": value, "TERM": "xterm"}
        script = ["script", "-qec", " ".join(words), "/dev/null"]
        seen[name] = subprocess.run(script, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert "\x1b[36mClient(0)" in seen["colour"].stdout
    assert "Client(0)" in seen["none"].stdout and "\x1b" not in seen["none"].stdout


# ---- JSON


def conforms(value: Any, schema: dict[str, Any], root: dict[str, Any], at: str = "$") -> list[str]:
    """What is wrong with a value: the part of JSON Schema that docs/trail.schema.json uses."""
    if "$ref" in schema:
        return conforms(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, at)
    types = {
        "object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None),
    }  # fmt: skip
    wanted = schema.get("type", [])
    names = [wanted] if isinstance(wanted, str) else wanted
    is_type = any(isinstance(value, types[n]) and not (n == "integer" and isinstance(value, bool)) for n in names)
    if names and not is_type:
        return [f"{at}: {value!r} is no {wanted}"]
    if "anyOf" in schema and all(conforms(value, s, root, at) for s in schema["anyOf"]):
        return [f"{at}: {value!r} fits none"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{at}: {value!r} is none of {schema['enum']}"]
    wrong: list[str] = []
    if isinstance(value, dict) and "properties" in schema:
        wrong += [f"{at}: no {name}" for name in schema["required"] if name not in value]
        wrong += [f"{at}: unknown {name}" for name in value if name not in schema["properties"]]
        for name, part in schema["properties"].items():
            wrong += conforms(value.get(name), part, root, f"{at}.{name}") if name in value else []
    elif isinstance(value, dict) and "additionalProperties" in schema:
        for name, item in value.items():
            wrong += conforms(item, schema["additionalProperties"], root, f"{at}.{name}")
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            wrong += conforms(item, schema["items"], root, f"{at}[{i}]")
    return wrong


@pytest.mark.parametrize("stem", GOLDEN)
def test_json_is_as_its_schema_says(stem: str) -> None:
    schema = json.loads((ROOT / "docs" / "trail.schema.json").read_text())
    document = json.loads(json.dumps(error_of(stem).to_json()))
    assert conforms(document, schema, schema) == []
    assert len(document["steps"]) == len(error_of(stem))


def test_json_names_places_messages_and_states() -> None:
    document = error_of("handshake").to_json()
    meeting = next(step for step in document["steps"] if step["partner"])
    source = (MODELS / "handshake.pml").read_text().splitlines()
    assert source[meeting["source"]["line"] - 1][meeting["source"]["column"] - 1 :].startswith("r!n + 1")
    assert meeting["partner"]["text"] == "r?got"
    assert [(m["kind"], m["pid"], m["peer_pid"], m["message"]) for m in meeting["messages"]] == [
        ("send", 1, 0, [4]),
        ("receive", 0, 1, [4]),
    ]
    assert meeting["state"]["processes"][0]["variables"] == {"got": 4}
    assert document["steps"][-1]["state"]["globals"]["pair"]["v"] == [0, 4]


def test_json_goes_to_standard_output_or_a_file(tmp_path: Path) -> None:
    write_trail("handshake", tmp_path)
    shown = hsfpy_trail("--json", "handshake.pml", cwd=tmp_path)
    assert json.loads(shown.stdout)["model"] == "handshake.pml"
    done = hsfpy_trail("handshake.pml", "--json", "a.json", "--svg", "a.svg", "--html", "a.html", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "a.json").read_text() == shown.stdout
    assert (tmp_path / "a.svg").read_text().startswith("<svg") and "</html>" in (tmp_path / "a.html").read_text()


# ---- the chart


@pytest.mark.parametrize(
    "stem, rendezvous, buffered, pending",
    [("handshake", 1, 2, 0), ("channels", 0, 3, 1), ("deadlock", 0, 2, 0), ("lost_update", 0, 0, 0)],
)
def test_chart_has_an_arrow_for_each_message(stem: str, rendezvous: int, buffered: int, pending: int) -> None:
    tree = ET.fromstring(error_of(stem).to_svg())
    kinds = [path.get("class", "").split() for path in tree.iter(f"{SVG}path")]
    counted = [sum(kind in words for words in kinds) for kind in ("rendezvous", "buffered", "pending")]
    assert counted == [rendezvous, buffered, pending]
    for path in tree.iter(f"{SVG}path"):
        if "rendezvous" in path.get("class", ""):
            heights = re.findall(r",(\d+)", path.get("d", ""))
            assert heights[0] == heights[-1]


def test_messages_find_their_receivers() -> None:
    found = {(a.text, a.send_step, a.receive_step, a.copied) for a in arrows(error_of("channels"))}
    assert found == {
        ("high,2", 1, 5, True),
        ("high,5", 3, 6, False),
        ("high,2", 1, 7, False),
        ("low,1", 2, None, False),
    }


def test_chart_marks_the_cycle() -> None:
    tree = ET.fromstring(error_of("claim_cycle").to_svg())
    assert [rect for rect in tree.iter(f"{SVG}rect") if rect.get("class") == "cycle"]
    assert any("for ever" in (text.text or "") for text in tree.iter(f"{SVG}text"))


def test_strange_texts_stay_well_formed() -> None:
    model = Model.from_text(
        'byte x;\nactive proctype P() { printf("<&>\\"\\t\\1</script>\\n"); x = 1 << 2; assert(x < 3) }\n'
    )
    run = model.check().trail
    assert run is not None and run[0].printed.startswith('<&>"')
    ET.fromstring(run.to_svg())
    assert run.to_html().count("</script>") == 2


# ---- trails that do not fit


def test_trail_of_another_model_says_where(tmp_path: Path) -> None:
    trail = write_trail("handshake", tmp_path)
    changed = (tmp_path / "handshake.pml").read_text().replace("q!ack,4", "q!ack,5").replace("[2] of", "[1] of")
    (tmp_path / "handshake.pml").write_text(changed.replace("q?ack,n", "q?ack,4"))
    done = hsfpy_trail("handshake.pml", "--html", "a.html", cwd=tmp_path)
    assert done.returncode == 1
    assert "does not fit the model at step" in done.stderr and "q?ack,4" in done.stderr
    assert "does not fit the model at step" in (tmp_path / "a.html").read_text()
    listed = hsfpy_trail("handshake.pml", cwd=tmp_path)
    assert listed.returncode == 1 and "Server(1)  q?req,n" in listed.stdout and "does not fit" in listed.stdout
    trail.write_text("1:0:0\n2:9:1\n")
    assert "step 2" in hsfpy_trail("handshake.pml", cwd=tmp_path).stdout
    trail.write_text("1:0:0\n2:1:999\n")
    assert "no statement number 999" in hsfpy_trail("handshake.pml", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    "text, complaint",
    [("1:0:0\n2:1", "the trail is cut"), ("hello\nworld\n", "this is no trail"), (None, "cannot find")],
)
def test_broken_trails_are_refused(tmp_path: Path, text: str | None, complaint: str) -> None:
    trail = write_trail("handshake", tmp_path)
    trail.unlink() if text is None else trail.write_text(text)
    done = hsfpy_trail("handshake.pml", cwd=tmp_path)
    assert done.returncode == 1 and complaint in done.stderr and "Traceback" not in done.stderr


def test_options_of_the_verifier_are_needed_again(tmp_path: Path) -> None:
    """A trail made with -m and -N runs only with them."""
    (tmp_path / "m.pml").write_text("chan q = [1] of { byte };\nactive proctype P() { q!1; q!2; skip }\n")
    (tmp_path / "claim").write_text("never { do :: len(q) == 0 :: len(q) == 1 -> break od }\n")
    words = [sys.executable, "-m", "hsfpy", "-m", "-N", "claim", "-run", "m.pml"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(words, cwd=tmp_path, env=environment, check=True, capture_output=True)
    done = hsfpy_trail("m.pml", "-m", "-N", "claim", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.splitlines()[-1].endswith("end state in claim reached")
    assert "claim never_0" in done.stdout


def test_cut_after_a_whole_line_is_an_open_end(tmp_path: Path) -> None:
    trail = write_trail("handshake", tmp_path)
    trail.write_text("\n".join(trail.read_text().splitlines()[:3]) + "\n")
    done = hsfpy_trail("handshake.pml", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "ends after step 3: the trail ends here"


# ---- against the verifier and SPIN


def test_spin_trails_are_read(tmp_path: Path) -> None:
    try:
        require_spin()
    except OracleMissing as missing:
        pytest.fail(str(missing), pytrace=False)
    for stem in ("handshake", "deadlock", "lost_update"):
        (tmp_path / f"{stem}.pml").write_text((MODELS / f"{stem}.pml").read_text())
        subprocess.run(["spin", "-a", f"{stem}.pml"], cwd=tmp_path, check=True, capture_output=True)
        subprocess.run([*quick_compiler(), "-w", "-o", "pan", "pan.c"], cwd=tmp_path, check=True, capture_output=True)
        said = subprocess.run(["./pan", "-w16"], cwd=tmp_path, check=True, capture_output=True, text=True)
        run = Model.from_file(tmp_path / f"{stem}.pml").replay(tmp_path / f"{stem}.pml.trail")
        assert run.problem is None
        assert f"pan:1: {run.ending.text} (" in said.stdout


STARVED = """byte turn, inside[2];
active [2] proctype User() {
	do
	:: turn == _pid || inside[1 - _pid] == 0 ->
		inside[_pid] = 1;
		inside[_pid] = 0
	od
}
ltl served { []<> (inside[0] == 1) }
"""


def test_claims_of_spin_move_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SPIN's translation of the formula is found beside the trail, from any folder."""
    try:
        require_spin()
    except OracleMissing as missing:
        pytest.fail(str(missing), pytrace=False)
    (tmp_path / "m.pml").write_text(STARVED)
    compile_pan = [*quick_compiler(), "-w", "-o", "pan", "pan.c"]
    for command in (["spin", "-a", "m.pml"], compile_pan, ["./pan", "-a", "-w16"]):
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    told = subprocess.run(["spin", "-t", "-p", "-v", "m.pml"], cwd=tmp_path, capture_output=True, text=True).stdout
    claimed = re.findall(r"^ *(\d+):\tproc  - \(served:1\) .*\t\[(.*)\]", told, re.M)
    monkeypatch.chdir(tmp_path.parent)
    for run in (
        load_run(TrailOptions(str(tmp_path / "m.pml"))),
        Model.from_file(tmp_path / "m.pml").replay(tmp_path / "m.pml.trail"),
    ):
        assert run.problem is None and run.claim == "served" and run.ending.kind == "cycle"
        assert [(str(step.depth), step.text) for step in run if step.is_claim] == claimed != []


# Not to be seen in the run itself: it was found by looking at what else could have happened, or with options.
UNSEEN = (
    "depth limit", "non-determinism", "assertion violated  !", "assertion violated !", "invariant", "acceptance",
    "non-progress", "too many",
)  # fmt: skip


def failing() -> list[Path]:
    """Models with errors of all kinds; every third, to keep the suite quick."""
    found = [m for m in sorted(PROMELA.glob("*.pml")) if read_expectation(m).values.get("error", "none") != "none"]
    return [m for m in found if not read_expectation(m).values.keys() & {"pan", "flags"}][::3]


@pytest.mark.parametrize("model", failing(), ids=lambda path: path.stem)
def test_runs_end_as_the_verifier_says(model: Path, hsfpy_small: Hsfpy, monkeypatch: pytest.MonkeyPatch) -> None:
    from hsfpy.simulate.trail_file import parse_trail
    from hsfpy.trail.record import replay_run

    monkeypatch.chdir(PROMELA)
    expect = read_expectation(model)
    done = hsfpy_small.run(model, ("-o1", "-o2", "-o3"), expect.cc, ("-n", "-m1000000", "-w18"))
    error = parse_report(done.out).error
    assert error is not None
    run = replay_run(Model.from_file(model.name).machine, parse_trail(done.trail))
    assert run.problem is None
    if not error.startswith(UNSEEN):
        assert run.ending.text == error
