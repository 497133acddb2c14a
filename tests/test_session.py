"""Running a model from Python: the same steps and states as in the verifier."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from oracle import PROMELA, read_expectation

from hsfpy.driver import translate_model
from hsfpy.frontend import FrontOptions, load_text
from hsfpy.lower import LowerOptions, lower
from hsfpy.simulate import library
from hsfpy.simulate.session import Machine, Session


def machine_of(text: str) -> Machine:
    return Machine(lower(load_text(text)))


def countable(model: Path) -> bool:
    """Does the verifier store every state a run passes, and nothing else?

    States inside atomic sequences are not stored, hidden data is not compared, run-time errors may end a path.
    """
    expect = read_expectation(model)
    text = model.read_text()
    left_out = ("atomic", "never", "ltl", "hidden", "c_code", "c_state", "c_track", "c_expr", "trace", "_last")
    return (
        "stored" in expect.values
        and not (expect.values.keys() & {"cc", "pan", "flags", "spin"})
        and int(expect.values["stored"]) < 20000
        and expect.values["error"].startswith(("none", "invalid end state", "assertion violated ("))
        and not any(word in text for word in left_out)
    )


def reachable(session: Session) -> int:
    """The number of states of a model, found by going everywhere."""
    first = session.save()
    seen, waiting = {first}, [first]
    while waiting:
        here = waiting.pop()
        session.load(here)
        for step in session.steps():
            session.load(here)
            session.take(step)
            there = session.save()
            if there not in seen:
                seen.add(there)
                waiting.append(there)
    return len(seen)


@pytest.mark.parametrize(
    "model", [m for m in sorted(PROMELA.glob("*.pml")) if countable(m)], ids=lambda path: path.stem
)
def test_as_many_states_as_the_verifier(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(model.parent)
    machine = Machine(translate_model(model.name, FrontOptions()).system)
    assert reachable(machine.session()) == int(read_expectation(model).values["stored"])


def test_rendezvous_is_one_step() -> None:
    session = machine_of(
        "chan q = [0] of { byte, byte };\nactive proctype A() { q!3,4 }\nactive proctype B() { byte x; q?x,eval(4) }\n"
    ).session()
    (step,) = session.steps()
    assert (step.pid, step.process, step.text, step.line) == (0, "A", "q!3,4", 2)
    assert step.partner is not None and (step.partner.pid, step.partner.text) == (1, "q?x,eval(4)")
    outcome = session.take(step)
    messages = [note.values for note in outcome.notes if note.kind in (library.NOTE_SEND, library.NOTE_RECEIVE)]
    assert messages == [(3, 4), (3, 4)]
    assert session.state().processes[1].variables == {"x": 3}


def test_state_is_decoded_and_compared() -> None:
    session = machine_of(
        "mtype = { red, green };\ntypedef S { byte f; mtype m[2] };\nS s;\nshort a[2];\n"
        "chan q = [2] of { mtype, byte };\n"
        "active proctype P() { byte i = 7; s.m[1] = green; a[1] = -3; q!red,i; i++ }\n"
    ).session()
    states = [session.state()]
    while steps := session.steps():
        session.take(steps[0])
        states.append(session.state())
    assert states[0].globals == {"s": {"f": 0, "m": [0, 0]}, "a": [0, 0], "q": 1}
    assert states[1].globals["s"] == {"f": 0, "m": [0, "green"]}
    assert states[3].channels["q"].messages == (("red", 7),)
    changes = [
        [(c.path, c.before, c.after) for c in after.diff(before)]
        for before, after in zip(states, states[1:], strict=False)
    ]
    assert changes == [
        [("s.m[1]", 0, "green")],
        [("a[1]", 0, -3)],
        [("q?[0]", None, "red,7")],
        [("P(0):i", 7, 8)],
        [("P(0):i", 8, None)],
    ]


def test_snapshots_bring_a_run_back() -> None:
    session = machine_of("byte x;\nactive proctype P() { do :: x < 5 -> x++ :: x > 2 -> x = 0 od }\n").session()
    kept = session.save(), session.state()
    for _ in range(7):
        session.take(session.steps()[-1])
    assert session.state() != kept[1]
    session.load(kept[0])
    assert session.state() == kept[1]
    session.restart()
    assert session.state() == kept[1]


def test_what_happens_inside_a_step_is_told() -> None:
    session = machine_of(
        "byte b; int a[2];\n"
        'active proctype P() { int i = 4; printf("b=%d\\n", 300); b = i * 75; a[i] = 1; assert(false) }\n'
    ).session()
    outcomes = [session.take(session.steps()[0]) for _ in range(4)]
    assert outcomes[0].printed == "b=300\n"
    assert [(n.kind, n.values) for n in outcomes[1].notes] == [(library.NOTE_NARROW, (300, 44))]
    assert [(n.kind, n.subject, n.values, n.text) for n in outcomes[2].notes] == [(library.NOTE_INDEX, 2, (4,), "a")]
    assert outcomes[2].fault == "assertion violated - invalid array index"
    assert outcomes[3].fault == "assertion violated 0"


def test_time_passes_when_nothing_moves() -> None:
    session = machine_of("byte x;\nactive proctype P() { timeout -> x = 1; x == 2 }\n").session()
    (step,) = session.steps()
    assert session.timeout
    session.take(step)
    (step,) = session.steps()
    assert not session.timeout
    session.take(step)
    assert session.steps() == [] and session.timeout and not session.is_valid_end()


def test_atomic_process_keeps_control() -> None:
    session = machine_of(
        "byte x;\nactive proctype P() { atomic { x = 1; x = 2; x == 3; x = 4 } }\n"
        "active proctype Q() { x == 2 -> x = 3 }\n"
    ).session()
    session.take(session.steps()[-1])
    assert [step.pid for step in session.steps()] == [0]
    session.take(session.steps()[0])
    assert [step.pid for step in session.steps()] == [1]  # the atomic sequence is blocked


def test_claim_moves_on_its_own() -> None:
    system = lower(load_text("byte x;\nactive proctype P() { x = 1 }\nnever { do :: x == 0 :: x == 1 -> break od }\n"))
    session = Machine(system).session(claim=1)
    assert [step.text for step in session.claim_steps()] == ["((x==0))"]
    session.take(session.claim_steps()[0])
    session.take(session.steps()[0])
    assert [step.text for step in session.claim_steps()] == ["((x==1))"]
    assert session.state().claim is not None


def test_embedded_c_runs_afresh() -> None:
    system = lower(load_text("c_code { int calls; }\nbyte x;\nactive proctype P() { c_code { now.x = ++calls; } }\n"))
    for _ in range(2):
        session = Machine(system).session()
        session.take(session.steps()[0])
        assert session.state().globals == {"x": 1}


def test_a_library_is_built_once_and_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = 'active proctype P() { printf("once\\n") }\n'
    machine_of(text)
    (kept,) = tmp_path.rglob("*.so")
    made = os.stat(kept).st_mtime_ns
    kept.write_bytes(b"not a library")
    session = machine_of(text).session()
    assert session.take(session.steps()[0]).printed == "once\n"
    (again,) = tmp_path.rglob("*.so")
    assert again == kept and os.stat(kept).st_mtime_ns > made
    monkeypatch.setenv("CC", "false")
    with pytest.raises(Exception, match="C compiler"):
        machine_of(text + "byte new;\n")


def test_merged_statements_are_known() -> None:
    system = lower(
        load_text("active proctype P() { byte i; do :: i < 3 -> i++; i = i * 1 :: else -> break od; i = 9; i = 8 }\n"),
        LowerOptions(find_merges=True),
    )
    texts = {el.id: el.number for el in system.automata[0].body.elements}
    assert system.merges and set(system.merges) <= set(texts)
