"""Calls the C compiler.

The runtime does not change from model to model, so its objects are kept in a cache, by content:
building a verifier then compiles only the model's part and links. The cache is shared by
concurrent runs: entries are written aside and moved into place, and a run that finds one broken
does without it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from hsfpy.emit import library_unit, options_unit, runtime_unit

# Directives that add counts to the report: the searches themselves are compiled with them.
COUNTING = ("-DPEG", "-DNSUCC", "-DVAR_RANGES")


class BuildError(Exception):
    """The verifier could not be compiled."""


class CacheUnusable(Exception):
    """The cached runtime could not be made or used; pan.c as a whole still can."""


def find_compiler() -> str:
    """The C compiler: $CC, else cc, gcc or clang."""
    wanted = [os.environ.get("CC", ""), "cc", "gcc", "clang"]
    for name in wanted:
        if name and shutil.which(name.split()[0]):
            return name
    raise BuildError("no C compiler found: install gcc or clang, or name one in the environment variable CC")


def _compile(command: list[str]) -> None:
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise BuildError(f"the C compiler failed: {' '.join(command)}\n{result.stderr.strip()}")


def compile_pan(source: Path, output: Path, flags: list[str], optimize: str = "-O2") -> None:
    """Compiles pan.c as a whole."""
    _compile([*find_compiler().split(), optimize, "-w", *flags, "-o", str(output), str(source)])


# ---------------------------------------------------------------- the cached runtime


def cache_dir() -> Path:
    """Where compiled runtimes are kept."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "hsfpy" / "runtime"


@cache
def _compiler_identity(compiler: str) -> str:
    """What distinguishes one compiler from another of the same name."""
    program = shutil.which(compiler.split()[0]) or compiler
    try:
        status = os.stat(program)
    except OSError:
        return compiler
    return f"{compiler} {os.path.realpath(program)} {status.st_size} {status.st_mtime_ns}"


def _key(text: str, compiler: str, flags: list[str]) -> str:
    parts = "\0".join([text, _compiler_identity(compiler), *flags])
    return hashlib.sha256(parts.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _start_object(text: str, compiler: str, flags: list[str]) -> tuple[Path, subprocess.Popen[bytes] | None, Path]:
    """The object for a unit, and the compiler process that is making it if it is not there yet."""
    entry = cache_dir() / f"{_key(text, compiler, flags)}.o"
    if entry.exists():
        return entry, None, entry
    entry.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=entry.parent, suffix=".part")
    os.close(handle)
    part = Path(name)
    process = subprocess.Popen(
        [*compiler.split(), "-w", *flags, "-x", "c", "-c", "-o", name, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(text.encode("utf-8", "surrogateescape"))
    process.stdin.close()
    return entry, process, part


def _finish_object(entry: Path, process: subprocess.Popen[bytes] | None, part: Path) -> None:
    if process is None:
        return
    if process.wait() != 0 or part.stat().st_size == 0:
        part.unlink(missing_ok=True)
        raise CacheUnusable
    part.replace(entry)


def link_with_runtime(model_text: str, output: Path, flags: list[str], optimize: str) -> None:
    """Compiles the model's part and links it with the cached runtime. Raises CacheUnusable if the
    cache cannot be used, or BuildError if the model's part does not compile."""
    compiler = find_compiler()
    try:
        runtime = _start_object(runtime_unit(), compiler, [optimize, *(f for f in flags if f in COUNTING)])
        options = _start_object(options_unit(), compiler, ["-O0", *(f for f in flags if f[:2] in ("-D", "-U"))])
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "model.c"
            model.write_text(model_text, encoding="utf-8", errors="surrogateescape")
            made = Path(folder) / "model.o"
            _compile([*compiler.split(), optimize, "-w", *_only_compile(flags), "-c", "-o", str(made), str(model)])
            for unit in (runtime, options):
                _finish_object(*unit)
            _link(compiler, [str(made), str(runtime[0]), str(options[0]), *_only_link(flags)], output)
    except OSError as error:
        raise CacheUnusable from error


def _link(compiler: str, words: list[str], output: Path) -> None:
    result = subprocess.run([*compiler.split(), "-o", str(output), *words], capture_output=True, text=True)
    if result.returncode != 0 or not output.exists():
        for word in words:  # whatever is broken is made anew next time
            if word.startswith(str(cache_dir())):
                Path(word).unlink(missing_ok=True)
        raise CacheUnusable


def _only_compile(flags: list[str]) -> list[str]:
    return [flag for flag in flags if flag.startswith("-") and not flag.startswith("-l")]


def _only_link(flags: list[str]) -> list[str]:
    return [flag for flag in flags if not flag.startswith("-") or flag.startswith("-l")]


# ---------------------------------------------------------------- model libraries


def build_library(model_text: str, link: list[str], folder: Path) -> Path:
    """A model as a shared object that Python can load: out of the cache, or built now, in `folder` if
    the cache cannot be used. `link` names further files and libraries."""
    compiler = find_compiler()
    wanted = _key(model_text + library_unit(), compiler, ["-shared", *link])
    kept = cache_dir() / f"{wanted}.so"
    if kept.exists() and not link:
        return kept
    made = folder / f"{wanted}.so"
    _compile_library(model_text, compiler, link, made, folder)
    if link:  # what is linked may change without notice
        return made
    with contextlib.suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{os.getpid()}.part")
        shutil.copyfile(made, part)
        part.replace(kept)
    return made


def _compile_library(model_text: str, compiler: str, link: list[str], made: Path, folder: Path) -> None:
    model, runtime = folder / "model.c", folder / "runtime.c"
    model.write_text(model_text, encoding="utf-8", errors="surrogateescape")
    sources = [str(model)]
    try:
        unit = _start_object(library_unit(), compiler, ["-O1", "-fPIC"])
        _finish_object(*unit)
        sources.append(str(unit[0]))
    except (CacheUnusable, OSError):
        runtime.write_text(library_unit())
        sources.append(str(runtime))
    _compile([*compiler.split(), "-O0", "-w", "-shared", "-fPIC", "-o", str(made), *sources, *link])
