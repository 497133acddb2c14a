"""The C compiler: which one it is, and how it is called."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from functools import cache

from hsfpy.diagnostics import BuildError

# Where compilers look for files besides the places they were built with.
_SEARCH_PATHS = ("CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX")

TEXT = ["-x", "c", "-"]  # the program is on standard input
END_TEXT = ["-x", "none"]  # what follows is what it looks like


def find_compiler() -> str:
    """The C compiler: $CC, else cc, gcc or clang."""
    named = os.environ.get("CC", "").strip()
    for name in [named] if named else ["cc", "gcc", "clang"]:
        if shutil.which(name.split()[0]):
            return name
    if named:
        raise BuildError(f"the environment variable CC names a compiler that is not there: {named}")
    raise BuildError("no C compiler found: install gcc or clang, or name one in the environment variable CC")


def _search_paths() -> list[str]:
    return [os.environ.get(name, "") for name in _SEARCH_PATHS]


@cache
def identity(compiler: str) -> str:
    """What distinguishes one compiler from another of the same name."""
    program = shutil.which(compiler.split()[0]) or compiler
    try:
        status = os.stat(program)
    except OSError:
        return repr((compiler, _search_paths()))
    return repr((compiler, os.path.realpath(program), status.st_size, status.st_mtime_ns, _search_paths()))


def fingerprint(compiler: str) -> str:
    """A digest of what a compiler says of itself: its version, how it is set up, what it compiles for and with which C
    library. It is the same wherever the compiler lies; empty if the compiler does not say."""
    command = [*compiler.split(), "-v", "-dM", "-E", *TEXT]
    try:
        said = subprocess.run(
            command, input=b"#include <limits.h>\n", capture_output=True, env=dict(os.environ, LC_ALL="C")
        )
    except OSError:
        return ""
    if said.returncode != 0 or not said.stdout:
        return ""
    about = [line for line in said.stderr.splitlines() if _tells_more(line)]
    parts = [*compiler.split()[1:], *_search_paths(), *sorted(said.stdout.splitlines()), *about]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _tells_more(line: bytes) -> bool:
    """Is this about the compiler rather than its folders? Wrappers may add options that no macro shows."""
    return line.startswith((b"Target:", b"COLLECT_GCC_OPTIONS=")) or b" version " in line


def failure(command: list[str], complaint: str) -> BuildError:
    return BuildError(f"the C compiler failed: {' '.join(command)}\n{complaint.strip()}")


def run(command: list[str], text: str = "") -> None:
    """Calls a compiler. A program given as `text` includes files from the current folder, as pan.c would."""
    result = subprocess.run(command, input=text.encode("utf-8", "surrogateescape"), capture_output=True)
    if result.returncode != 0:
        raise failure(command, result.stderr.decode("utf-8", "replace"))
