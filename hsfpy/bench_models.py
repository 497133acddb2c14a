"""Shipped models built for measuring: by hsfpy, and by the installed SPIN."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hsfpy.build import build_verifier
from hsfpy.driver import translate_model
from hsfpy.emit import render_model, resource_dir
from hsfpy.frontend import FrontOptions
from hsfpy.program import make_program

MEMORY_MB, SECONDS, SPIN_SECONDS = 3000, 10, 15


@contextmanager
def verifier(model: str, defines: Iterable[str]) -> Iterator[Path]:
    """hsfpy's verifier of a shipped model, in a folder of its own."""
    source = resource_dir("models") / f"{model}.pml"
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder)
        shutil.copy(source, directory)
        translation = translate_model(str(directory / source.name), FrontOptions(cpp_args=list(defines)))
        program = make_program(translation.system)
        build_verifier(render_model(program), directory / "pan")
        yield directory / "pan"


def answer(pan: Path, options: Iterable[str]) -> dict[str, object]:
    """What a verifier's --json says, within the limits."""
    command = [str(pan), "--json", f"--time={SECONDS}", f"--memory={MEMORY_MB}", *options]
    done = subprocess.run(command, cwd=pan.parent, capture_output=True, text=True)
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def spin_report(model: str, defines: Iterable[str], directives: Iterable[str], options: Iterable[str]) -> str | None:
    """The report of the installed SPIN's verifier; None without SPIN or beyond the limits."""
    if shutil.which("spin") is None:
        return None
    source = resource_dir("models") / f"{model}.pml"
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(source, folder)
        subprocess.run(["spin", *defines, "-a", source.name], cwd=folder, capture_output=True)
        cc = ["cc", "-O2", "-w", f"-DMEMLIM={MEMORY_MB}", "-DVECTORSZ=16384", *directives, "-o", "pan", "pan.c"]
        if subprocess.run(cc, cwd=folder, capture_output=True).returncode != 0:
            return None
        pan = ["./pan", "-m1000000", "-n", *options]
        try:
            return subprocess.run(pan, cwd=folder, capture_output=True, text=True, timeout=SPIN_SECONDS).stdout
        except subprocess.TimeoutExpired:
            return None
