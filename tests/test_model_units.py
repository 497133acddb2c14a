"""A model's part of pan.c is cut into units that see some of the runtime's headers only. What goes wrong there would
end in `cc pan.c`, which is slower and hides the cause, so the units are compiled here on their own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from bench.turnaround import model_text
from oracle import CC, PROMELA

from hsfpy import build, emit
from hsfpy.build import build_verifier
from hsfpy.diagnostics import PromelaError
from hsfpy.emit import ModelUnits, model_units
from hsfpy.preprocess import FrontOptions, read_source
from hsfpy.spin_options import SpinOptions
from hsfpy.verifier import verifier_of

MODELS = sorted(PROMELA.glob("*.pml"))
GROUPS = 8


def model_part(path: Path) -> str | None:
    """The C of a model; None if there is something wrong with it."""
    front = FrontOptions()
    try:
        return verifier_of(read_source(str(path), front), front, SpinOptions()).model_part
    except PromelaError:
        return None


def units_of(path: Path) -> ModelUnits | None:
    part = model_part(path)
    return model_units(part) if part is not None else None


def complaints(text: str, *flags: str) -> str:
    command = [CC, "-fsyntax-only", "-Werror=implicit-function-declaration", *flags, "-x", "c", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, errors="replace").stderr


@pytest.mark.parametrize("group", range(GROUPS))
def test_units_know_all_they_use(group: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emit, "_LONG", 0)
    for path in MODELS[group::GROUPS]:
        units = units_of(path)
        if units is None or units.estimates is None:
            continue
        for text in (units.main, units.estimates, *units.others):
            assert "error" not in complaints(text), path.name


def test_units_know_all_they_use_to_count(tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    model.write_text(model_text(50, 1))
    units = units_of(model)
    assert units is not None and units.estimates is not None
    for text in (units.main, units.estimates):
        assert complaints(text, "-DVAR_RANGES", "-DPEG", "-DNSUCC", "-DCHECK") == ""


def test_units_of_long_models_link(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def no_way_out() -> str:
        raise AssertionError("the units do not link")

    monkeypatch.setattr(build, "runtime_sources", no_way_out)
    monkeypatch.setattr(emit, "_LONG", 0)
    monkeypatch.setenv("CC", CC)
    for path in MODELS[:: len(MODELS) // 12]:
        part = model_part(path)
        if part is not None:
            build_verifier(part, tmp_path / "pan", "-O0")


def test_long_models_have_more_units(tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    for lines, n_others in ((50, 0), (200, 1)):
        model.write_text(model_text(lines, 1))
        units = units_of(model)
        assert units is not None and len(units.others) == n_others


def test_guards_that_start_processes_stay_with_what_starts_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emit, "_LONG", 0)
    part = "common\fint estimates;\fint main;\fint guard(void) { return run_P1(); }\f"
    assert model_units(part).others == []


def test_embedded_c_stays_in_one_piece() -> None:
    units = units_of(PROMELA / "c_state_global.pml")
    assert units is not None and units.estimates is None and not units.others
