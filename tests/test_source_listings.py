"""`-I`, `-C` and `-x` print what SPIN prints about a model."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from oracle import EXAMPLES, PROMELA, Hsfpy, copy_model, execute, read_expectation, require_spin
from test_oracle_examples import NAMED_MTYPES

# patterns.pml mixes state expressions and temporal operators in a way that hsfpy refuses.
NAMES = sorted(
    str(path.relative_to(EXAMPLES))
    for path in EXAMPLES.rglob("*.pml")
    if path.name not in NAMED_MTYPES | {"patterns.pml"}
)
# Preconditions of embedded C are shown as they were written, SPIN shows the C it makes of them; error messages differ.
OTHERWISE = {"c_code_precondition", "c_code_with_assertion", "type_mtype_subtypes", "chan_copy_random_receive"}
MODELS = [
    model
    for model in sorted(PROMELA.glob("*.pml"))
    if (expect := read_expectation(model)).reject is None and not expect.flags and model.stem not in OTHERWISE
]
# Of a parameter SPIN tells where it stands in its own declaration, not which one of the proctype it is.
IMPORTED = re.compile(r"(imported as proctype parameter by: .* par) \d+")


def answers(hsfpy: Hsfpy, model: Path, options: tuple[str, ...], where: Path) -> tuple[str, str]:
    """What SPIN and hsfpy print."""
    require_spin()
    local = copy_model(model, where)
    theirs = execute(["spin", *options, local.name], where)
    ours = hsfpy.call(*options, local.name, cwd=where)
    assert ours.code == theirs.code == 0, ours.out
    return theirs.out, ours.out


@pytest.mark.parametrize("name", NAMES)
def test_examples(name: str, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """The source after preprocessing and inlining, and uses of channels."""
    theirs, ours = answers(hsfpy_small, EXAMPLES / name, ("-I",), tmp_path)
    assert ours == theirs
    for options in (("-C",), ("-C", "-g")):
        theirs, ours = (IMPORTED.sub(r"\1", text) for text in answers(hsfpy_small, EXAMPLES / name, options, tmp_path))
        assert ours == theirs


@pytest.mark.parametrize("model", MODELS[::4], ids=lambda path: path.stem)
def test_models(model: Path, hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    theirs, ours = answers(hsfpy_small, model, ("-I",), tmp_path)
    assert ours == theirs


def test_state_tables(hsfpy_small: Hsfpy, tmp_path: Path) -> None:
    """-x builds a verifier without statement merging and has it print its tables; only pan stays."""
    theirs, ours = answers(hsfpy_small, EXAMPLES / "hello.pml", ("-x",), tmp_path)
    assert ours.partition("pan: elapsed")[0] == theirs.partition("pan: elapsed")[0]
    assert {path.name for path in tmp_path.glob("pan*")} == {"pan"}
    run = hsfpy_small.call("-x", "-run", "hello.pml", cwd=tmp_path)
    assert run.code == 1 and "cannot combine -x with -run" in run.out
