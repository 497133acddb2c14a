"""Calls the C compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path


class BuildError(Exception):
    """The verifier could not be compiled."""


def find_compiler() -> str:
    """The C compiler: $CC, else cc, gcc or clang."""
    wanted = [os.environ.get("CC", ""), "cc", "gcc", "clang"]
    for name in wanted:
        if name and shutil.which(name.split()[0]):
            return name
    raise BuildError("no C compiler found: install gcc or clang, or name one in the environment variable CC")


def compile_pan(source: Path, output: Path, flags: list[str], optimize: str = "-O2") -> str:
    """Compiles pan.c; returns the command line that was used."""
    command = [*find_compiler().split(), optimize, "-w", *flags, "-o", str(output), str(source)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise BuildError(f"the C compiler failed: {' '.join(command)}\n{result.stderr.strip()}")
    return " ".join(command)
