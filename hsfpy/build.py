"""Calls the C compiler, as little as possible.

A verifier is linked from the model's part and the runtime's units. The units do not change from
model to model, so their objects come with the package or are kept in the cache; when they are missing
they are compiled side by side while the model is still being read. The verifier itself is kept too.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path

from hsfpy import cache as store
from hsfpy.compiler import END_TEXT, TEXT, find_compiler, identity, run
from hsfpy.diagnostics import BuildError
from hsfpy.emit import library_unit, model_units, runtime_sources
from hsfpy.files import write_bytes, write_program
from hsfpy.objects import Compilation, Object, Unit, library_runtime, options_for, search_units

# Directives that add counts to the report: the searches themselves are compiled with them.
COUNTING = ("-DPEG", "-DNSUCC", "-DVAR_RANGES")
_RUNTIME = (*COUNTING, "-DCHECK", "-DVERBOSE", "-DDEBUG")  # all of SPIN's that reach the runtime's hot files
# So do these, with a value: set low, they make small searches behave like large ones.
_LIMITS = ("GUESSED_FROM", "LEVELS_AT_HAND", "MOST_PACKED_BITS", "DOUBLED_BUCKETS", "EXTENDED_BYTES")


class Build:
    """One verifier in the making; a context that leaves nothing behind."""

    def __init__(self, optimize: str = "-O2", flags: list[str] | None = None) -> None:
        """`flags` that only the model's part needs may still be missing."""
        self._optimize = optimize
        self._directives = [flag for flag in flags or [] if _reaches_runtime(flag)]
        self._folder: Path | None = None
        self._objects: list[Object] = []

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
            for unit in search_units(self._optimize, self._directives):
                self._add(unit)

    def _add(self, unit: Unit) -> None:
        self._objects.append(Object(unit, find_compiler(), self._scratch()))

    def _scratch(self) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="hsfpy-"))
        return self._folder

    def make(self, model_part: str, flags: list[str], made_by: str, keep: bool) -> bytes | None:
        """The verifier of a model. `made_by` stands for everything the model's part and the runtime were
        made with; `keep` tells whether nothing else but these and the flags can matter. None if the
        compiler does not complain but makes nothing either: CC=true is for those who want only pan.c."""
        compiler = find_compiler()
        name = store.key("pan", [model_part, made_by, identity(compiler), self._optimize, *flags])
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
        self._add(options_for(flags))
        try:
            models = self._compile_model(model_part, compiler, flags)
            for unit in sorted(self._objects, key=Object.is_waiting):  # our own first: others may wait for them
                unit.finish()
            objects = [str(unit.path) for unit in self._objects]
            run([*compiler.split(), "-o", str(pan), *models, *objects, *_only_link(flags)])
        except BuildError:
            # Something is unusual about this compiler or this model: what `cc pan.c` says counts.
            command = [*compiler.split(), self._optimize, "-w", *_only_compile(flags), "-o", str(pan)]
            run([*command, *TEXT, *END_TEXT, *_only_link(flags)], model_part + runtime_sources())
        return pan.read_bytes() if pan.exists() else None

    def _compile_model(self, model_part: str, compiler: str, flags: list[str]) -> list[str]:
        """Object files of the model's part."""
        units = model_units(model_part)
        level = _model_level(self._optimize)
        if units.estimates is None:  # embedded C, in one piece: whatever the compiler says of it does not matter
            return [self._compile_main(units.main, compiler, ["-w", level, *_only_compile(flags)])]
        given = [*_OWN_CODE, *_only_compile(flags)]
        others = [Unit(f"model{number}", text, [level, *given]) for number, text in enumerate(units.others, 2)]
        others.append(Unit("model1", units.estimates, [_estimate_level(self._optimize), *given]))
        side = [Compilation(unit, compiler, self._scratch()) for unit in others]
        try:
            made = self._compile_main(units.main, compiler, [level, *given])
            for compilation in side:
                compilation.finish()
        finally:
            for compilation in side:
                compilation.abandon()
        return [made, *(str(compilation.made) for compilation in side)]

    def _compile_main(self, text: str, compiler: str, flags: list[str]) -> str:
        made = str(self._scratch() / "model.o")
        run([*compiler.split(), *flags, "-c", "-o", made, *TEXT], text)
        return made


# Generated code sees some of the headers only: what is missing must not be guessed.
_OWN_CODE = ["-Werror=implicit-function-declaration"]


def _model_level(optimize: str) -> str:
    """Guards and effects are short: -O2 makes verifiers faster by less than a hundredth (counted in instructions) and
    takes half as long again."""
    return "-O1" if optimize == "-O2" else optimize


def _estimate_level(optimize: str) -> str:
    """Estimates call functions of the runtime most of the time: -Og makes directed searches slower by a twentieth at
    most and takes two thirds of the time of -O1."""
    return "-Og" if optimize == "-O2" else optimize


def build_verifier(model_part: str, output: Path, optimize: str = "-O2") -> None:
    """Builds a verifier that nobody will ask for again."""
    with Build(optimize) as build:
        verifier = build.make(model_part, [], "", keep=False)
    if verifier is not None:
        write_program(output, verifier)


def _reaches_runtime(flag: str) -> bool:
    return flag in _RUNTIME or flag.removeprefix("-D").split("=")[0] in _LIMITS or _is_sanitizer(flag)


def _is_sanitizer(flag: str) -> bool:
    return flag.startswith(("-fsanitize", "-fno-sanitize"))


def _only_compile(flags: list[str]) -> list[str]:
    return [flag for flag in flags if flag.startswith("-") and not flag.startswith("-l")]


def _only_link(flags: list[str]) -> list[str]:
    return [flag for flag in flags if not flag.startswith("-") or flag.startswith("-l") or _is_sanitizer(flag)]


# ---------------------------------------------------------------- model libraries


def build_library(model_text: str, link: list[str], folder: Path) -> Path:
    """A model as a shared object in `folder` that Python can load. `link` names further files and libraries."""
    compiler = find_compiler()
    made = folder / "model.so"
    name = store.key("so", [model_text, library_unit(), identity(compiler)])
    kept = None if link else store.load(name)  # what is linked may change without notice
    if kept is not None:
        write_bytes(made, kept)
        return made
    runtime = Object(library_runtime(), compiler, folder)
    try:
        runtime.finish()
        command = [*compiler.split(), "-O0", "-w", "-shared", "-fPIC", "-o", str(made), str(runtime.path)]
        run([*command, *TEXT, *END_TEXT, *link], model_text)
    finally:
        runtime.abandon()
    if not link:
        with contextlib.suppress(OSError):
            store.store(name, made.read_bytes())
    return made
