"""Calls the C compiler, as little as possible.

A verifier is linked from the model's part and the runtime's units. The units do not change from
model to model, so their objects are kept in the cache; when they are missing they are compiled
side by side while the model is still being read. The verifier itself is kept too.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hsfpy import cache as store
from hsfpy.diagnostics import BuildError
from hsfpy.emit import cold_unit, hot_unit, library_unit, model_units, options_unit, runtime_sources, warm_unit
from hsfpy.files import write_bytes, write_program

# Directives that add counts to the report: the searches themselves are compiled with them.
COUNTING = ("-DPEG", "-DNSUCC", "-DVAR_RANGES")
_RUNTIME = (*COUNTING, "-DCHECK", "-DVERBOSE", "-DDEBUG")  # all that reach the runtime's hot files

# Where compilers look for files besides the places they were built with.
_SEARCH_PATHS = ("CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX")


def find_compiler() -> str:
    """The C compiler: $CC, else cc, gcc or clang."""
    named = os.environ.get("CC", "").strip()
    for name in [named] if named else ["cc", "gcc", "clang"]:
        if shutil.which(name.split()[0]):
            return name
    if named:
        raise BuildError(f"the environment variable CC names a compiler that is not there: {named}")
    raise BuildError("no C compiler found: install gcc or clang, or name one in the environment variable CC")


@cache
def _identity(compiler: str) -> str:
    """What distinguishes one compiler from another of the same name."""
    program = shutil.which(compiler.split()[0]) or compiler
    paths = [os.environ.get(name, "") for name in _SEARCH_PATHS]
    try:
        status = os.stat(program)
    except OSError:
        return repr((compiler, paths))
    return repr((compiler, os.path.realpath(program), status.st_size, status.st_mtime_ns, paths))


def _failure(command: list[str], complaint: str) -> BuildError:
    return BuildError(f"the C compiler failed: {' '.join(command)}\n{complaint.strip()}")


def _run(command: list[str], text: str = "") -> None:
    """Calls a compiler. A program given as `text` includes files from the current folder, as pan.c would."""
    result = subprocess.run(command, input=text.encode("utf-8", "surrogateescape"), capture_output=True)
    if result.returncode != 0:
        raise _failure(command, result.stderr.decode("utf-8", "replace"))


_TEXT = ["-x", "c", "-"]  # the program is on standard input
_END_TEXT = ["-x", "none"]  # what follows is what it looks like


# ---------------------------------------------------------------- objects


class Unit(NamedTuple):
    """A translation unit and the flags it is compiled with."""

    name: str
    text: str
    flags: list[str]


class _Compilation:
    """A compiler at work on a unit."""

    def __init__(self, unit: Unit, compiler: str, folder: Path) -> None:
        source, self.made = folder / f"{unit.name}.c", folder / f"{unit.name}.o"
        write_bytes(source, unit.text.encode("utf-8", "surrogateescape"))
        self._command = [*compiler.split(), "-w", *unit.flags, "-c", "-o", str(self.made), str(source)]
        self._complaints = folder / f"{unit.name}.err"
        with open(self._complaints, "wb") as out:
            self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=out, stderr=out)

    def finish(self) -> None:
        """Returns when the object file is there; raises BuildError if it cannot be made."""
        if self._process.wait() != 0 or not self.made.exists() or self.made.stat().st_size == 0:
            raise _failure(self._command, self._complaints.read_text(errors="replace"))

    def abandon(self) -> None:
        """Stops the compiler if it is still running."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


class _Object:
    """A unit on its way to an object file: out of the cache, or from a compiler, ours or another run's."""

    def __init__(self, unit: Unit, compiler: str, folder: Path) -> None:
        self.path = folder / f"{unit.name}.o"
        self._key = store.key("o", [unit.text, _identity(compiler), *unit.flags])
        self._start: Callable[[], _Compilation] = lambda: _Compilation(unit, compiler, folder)
        self._compilation: _Compilation | None = None
        self._turn: store.Turn | None = None
        if not self._found(store.load(self._key)):
            self._turn = store.Turn(self._key)
            # It may have been made between looking and getting the turn.
            if self._turn.is_ours and not self._found(store.load(self._key)):
                self._compilation = self._start()

    def _found(self, data: bytes | None) -> bool:
        if data is None:
            return False
        write_bytes(self.path, data)
        return True

    def is_waiting(self) -> bool:
        """Is another run at work on this object?"""
        return self._turn is not None and not self._turn.is_ours

    def finish(self) -> None:
        """Returns when the object file is there; raises BuildError if it cannot be made."""
        if self._turn is None:
            return
        if self.is_waiting() and not self._found(self._turn.wait()):
            self._compilation = self._start()
        if self._compilation is not None:
            self._compilation.finish()
            store.store(self._key, self.path.read_bytes())
        self._turn.end()

    def abandon(self) -> None:
        """Stops what is still under way."""
        if self._compilation is not None:
            self._compilation.abandon()
        if self._turn is not None:
            self._turn.end()


# ---------------------------------------------------------------- verifiers


class Build:
    """One verifier in the making; a context that leaves nothing behind."""

    def __init__(self, optimize: str = "-O2", flags: list[str] | None = None) -> None:
        """`flags` that only the model's part needs may still be missing."""
        self._optimize = optimize
        self._directives = [flag for flag in flags or [] if flag in _RUNTIME]
        self._folder: Path | None = None
        self._objects: list[_Object] = []

    def __enter__(self) -> Build:
        return self

    def __exit__(self, *_: object) -> None:
        for unit in self._objects:
            unit.abandon()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def prepare(self) -> None:
        """Starts to compile those units of the runtime that are not in the cache."""
        if not self._objects:
            given = self._directives
            self._add(Unit("hot", hot_unit(), [self._optimize, *given]))
            self._add(Unit("cold", cold_unit(), ["-O0", *given]))
            self._add(Unit("warm", warm_unit(), ["-O1", *given]))

    def _add(self, unit: Unit) -> None:
        self._objects.append(_Object(unit, find_compiler(), self._scratch()))

    def _scratch(self) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="hsfpy-"))
        return self._folder

    def make(self, model_part: str, flags: list[str], made_by: str, keep: bool) -> bytes | None:
        """The verifier of a model. `made_by` stands for everything the model's part and the runtime were
        made with; `keep` tells whether nothing else but these and the flags can matter. None if the
        compiler does not complain but makes nothing either: CC=true is for those who want only pan.c."""
        compiler = find_compiler()
        name = store.key("pan", [model_part, made_by, _identity(compiler), self._optimize, *flags])
        keep = keep and not _only_link(flags)
        verifier = store.load(name) if keep else None
        if verifier is None:
            verifier = self._compile(model_part, compiler, flags)
            if keep and verifier is not None:
                store.store(name, verifier)
        return verifier

    def _compile(self, model_part: str, compiler: str, flags: list[str]) -> bytes | None:
        pan = self._scratch() / "pan"
        self.prepare()
        self._add(Unit("options", options_unit(), ["-O0", *(flag for flag in flags if flag[:2] in ("-D", "-U"))]))
        try:
            models = self._compile_model(model_part, compiler, flags)
            for unit in sorted(self._objects, key=_Object.is_waiting):  # our own first: others may wait for them
                unit.finish()
            objects = [str(unit.path) for unit in self._objects]
            _run([*compiler.split(), "-o", str(pan), *models, *objects, *_only_link(flags)])
        except BuildError:
            # Something is unusual about this compiler or this model: what `cc pan.c` says counts.
            command = [*compiler.split(), self._optimize, "-w", *_only_compile(flags), "-o", str(pan)]
            _run([*command, *_TEXT, *_END_TEXT, *_only_link(flags)], model_part + runtime_sources())
        return pan.read_bytes() if pan.exists() else None

    def _compile_model(self, model_part: str, compiler: str, flags: list[str]) -> list[str]:
        """Object files of the model's part."""
        # Guards and effects are short: -O2 makes verifiers faster by less than a hundredth (counted in
        # instructions) and takes half as long again.
        level = "-O1" if self._optimize == "-O2" else self._optimize
        compile_flags = [level, *_only_compile(flags)]
        main, *others = model_units(model_part)
        side = [
            _Compilation(Unit(f"model{number}", text, compile_flags), compiler, self._scratch())
            for number, text in enumerate(others, 1)
        ]
        try:
            made = self._scratch() / "model.o"
            _run([*compiler.split(), "-w", *compile_flags, "-c", "-o", str(made), *_TEXT], main)
            for compilation in side:
                compilation.finish()
        finally:
            for compilation in side:
                compilation.abandon()
        return [str(made), *(str(compilation.made) for compilation in side)]


def build_verifier(model_part: str, output: Path, optimize: str = "-O2") -> None:
    """Builds a verifier that nobody will ask for again."""
    with Build(optimize) as build:
        verifier = build.make(model_part, [], "", keep=False)
    if verifier is not None:
        write_program(output, verifier)


def _only_compile(flags: list[str]) -> list[str]:
    return [flag for flag in flags if flag.startswith("-") and not flag.startswith("-l")]


def _only_link(flags: list[str]) -> list[str]:
    return [flag for flag in flags if not flag.startswith("-") or flag.startswith("-l")]


# ---------------------------------------------------------------- model libraries


def build_library(model_text: str, link: list[str], folder: Path) -> Path:
    """A model as a shared object in `folder` that Python can load. `link` names further files and libraries."""
    compiler = find_compiler()
    made = folder / "model.so"
    name = store.key("so", [model_text, library_unit(), _identity(compiler)])
    kept = None if link else store.load(name)  # what is linked may change without notice
    if kept is not None:
        write_bytes(made, kept)
        return made
    runtime = _Object(Unit("library", library_unit(), ["-O1", "-fPIC"]), compiler, folder)
    try:
        runtime.finish()
        command = [*compiler.split(), "-O0", "-w", "-shared", "-fPIC", "-o", str(made), str(runtime.path)]
        _run([*command, *_TEXT, *_END_TEXT, *link], model_text)
    finally:
        runtime.abandon()
    if not link:
        with contextlib.suppress(OSError):
            store.store(name, made.read_bytes())
    return made
