"""The pipeline, in order: each stage one call."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from hsfpy import nodes as n
from hsfpy.automaton import System
from hsfpy.build import CacheUnusable, compile_pan, link_with_runtime
from hsfpy.claims import add_ltl_claims
from hsfpy.emit import render, render_model
from hsfpy.frontend import FrontOptions, load_model
from hsfpy.lower import LowerOptions, lower
from hsfpy.program import Program

# Files `spin -a` writes beside pan.c; scripts list or remove them by name.
COMPANIONS = ("pan.b", "pan.h", "pan.m", "pan.p", "pan.t")


@dataclass(slots=True)
class Translation:
    """A model on its way to C, with what SPIN would have printed about it."""

    model: n.Model
    system: System
    notes: list[str] = field(default_factory=list)


def translate_model(path: str, options: FrontOptions, lowering: LowerOptions | None = None) -> Translation:
    """Reads a model and lowers it to automata, claims of its `ltl` blocks included."""
    model = load_model(path, options)
    notes = add_ltl_claims(model)
    system = lower(model, lowering)
    _print_warnings(model)
    return Translation(model, system, notes + _claims_note(system, path))


def _print_warnings(model: n.Model) -> None:
    for warning in model.warnings:
        print(warning.text, file=sys.stderr if warning.to_stderr else sys.stdout)


def _claims_note(system: System, path: str) -> list[str]:
    names = [claim.process.name for claim in reversed(system.claims())]
    if len(names) < 2:
        return []
    default = names[-1]
    return [
        f"  the model contains {len(names)} never claims: {', '.join(names)}",
        "  only one claim is used in a verification run",
        f"  choose which one with ./pan -a -N name (defaults to -N {default})",
        f"  or use e.g.: spin -search -ltl {default} {path}",
    ]


def write_verifier(program: Program, directory: Path) -> Path:
    """Writes pan.c, and the companions scripts expect, into `directory`."""
    write_file(directory / "pan.c", render(program))
    for name in COMPANIONS:
        write_file(directory / name, "/* all of the verifier is in pan.c */\n")
    return directory / "pan.c"


def build_verifier(program: Program, source: Path, output: Path, flags: list[str], optimize: str = "-O2") -> None:
    """Builds pan: from the model's part and the runtime compiled before, or from pan.c if that fails."""
    try:
        link_with_runtime(render_model(program), output, flags, optimize)
    except CacheUnusable:
        compile_pan(source, output, flags, optimize)


def write_file(path: Path, text: str) -> None:
    """Replaces a file in one step, so that a full disk leaves no half-written one."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def remove_verifier_sources(directory: Path) -> None:
    """What `spin -run` cleans up after itself."""
    for name in ("pan.c", *COMPANIONS):
        with contextlib.suppress(OSError):
            (directory / name).unlink()
