"""Verifiers of many small models: the runtime is compiled once, and hsfpy runs inside the test."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from oracle import CC, content_key, locked, quick_compiler

from hsfpy import emit
from hsfpy.preprocess import FrontOptions, read_source
from hsfpy.spin_options import SpinOptions
from hsfpy.verifier import verifier_of


class Workshop:
    """Builds verifiers in `scratch`, which the workers of a session share."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        self.runtime = [
            self.compiled(unit)
            for unit in (emit.hot_unit(), emit.warm_unit(), emit.cold_unit(), emit.options_unit())
        ]  # fmt: skip

    def compiled(self, unit: str) -> Path:
        name = self.scratch / f"runtime-{content_key(unit)}"
        made = name.with_suffix(".o")
        with locked(name.with_suffix(".lock")):
            if not made.exists():
                source = name.with_suffix(".c")
                source.write_text(unit)
                subprocess.run([CC, "-w", "-O1", "-c", "-o", made, source], check=True)
        return made

    def build(self, text: str, where: Path, switched: str = "") -> Path:
        """Writes a model and its verifier into a folder; returns the verifier. `switched`: the N of options -oN."""
        model = where / "m.pml"
        model.write_text(text)
        front = FrontOptions()
        verifier = verifier_of(read_source(str(model), front), front, SpinOptions(optimizations=set(switched)))
        (where / "m.c").write_text(verifier.model_part)
        subprocess.run([*quick_compiler(), "-w", "-c", "-o", "m.o", "m.c"], cwd=where, check=True)
        subprocess.run([CC, "-z", "noexecstack", "-o", "pan", "m.o", *self.runtime, "-lm"], cwd=where, check=True)
        return where / "pan"


def answer(pan: Path, *options: str, timeout: float = 120) -> dict[str, object]:
    """What a verifier says in its report as JSON."""
    run = subprocess.run([pan, "--json", *options], cwd=pan.parent, capture_output=True, text=True, timeout=timeout)
    assert "internal error" not in run.stderr, run.stderr
    found: dict[str, object] = json.loads(run.stdout.splitlines()[-1])
    return found
