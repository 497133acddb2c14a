"""Object files of the runtime: compiled with the package, kept from an earlier run, or compiled now."""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hsfpy import cache as store
from hsfpy.compiler import failure, fingerprint, identity
from hsfpy.emit import cold_unit, hot_unit, library_unit, options_unit, warm_unit
from hsfpy.files import write_bytes


class Unit(NamedTuple):
    """A translation unit and the flags it is compiled with."""

    name: str
    text: str
    flags: list[str]


def search_units(optimize: str = "-O2", directives: list[str] | None = None) -> list[Unit]:
    """What verifiers share; the longest to compile comes first."""
    given = directives or []
    return [
        Unit("hot", hot_unit(), ["-w", optimize, *given]),
        Unit("cold", cold_unit(), ["-w", "-O0", *given]),
        Unit("warm", warm_unit(), ["-w", "-O1", *given]),
    ]


def options_for(flags: list[str]) -> Unit:
    """The unit that is compiled with the directives of the verifier."""
    return Unit("options", options_unit(), ["-w", "-O0", *(flag for flag in flags if flag[:2] in ("-D", "-U"))])


def library_runtime() -> Unit:
    """The runtime of model libraries."""
    return Unit("library", library_unit(), ["-w", "-O1", "-fPIC"])


def usual_units() -> list[Unit]:
    """What `hsfpy -a`, `-run` and `-t` need as long as nobody asks for anything special."""
    directives: list[list[str]] = [[], ["-DSAFETY"], ["-DNOFAIR"]]  # of -a, and of -run without and with accept labels
    return [*search_units(), *(options_for(flags) for flags in directives), library_runtime()]


class Compilation:
    """A compiler at work on a unit."""

    def __init__(self, unit: Unit, compiler: str, folder: Path) -> None:
        source, self.made = folder / f"{unit.name}.c", folder / f"{unit.name}.o"
        write_bytes(source, unit.text.encode("utf-8", "surrogateescape"))
        self._command = [*compiler.split(), *unit.flags, "-c", "-o", str(self.made), str(source)]
        self._complaints = folder / f"{unit.name}.err"
        with open(self._complaints, "wb") as out:
            # A group of its own: `cc` is only the first of several programs, and all must be stopped.
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, process_group=0
            )

    def finish(self) -> None:
        """Returns when the object file is there; raises BuildError if it cannot be made."""
        if self._process.wait() != 0 or not self.made.exists() or self.made.stat().st_size == 0:
            raise failure(self._command, self._complaints.read_text(errors="replace"))

    def abandon(self) -> None:
        """Stops the compiler if it is still running, in a way that lets it remove its files."""
        for way in (signal.SIGTERM, signal.SIGKILL):
            if self._process.poll() is None:
                os.killpg(self._process.pid, way)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(timeout=2)


class Object:
    """A unit on its way to an object file: out of the package, the cache, or a compiler, ours or another run's."""

    def __init__(self, unit: Unit, compiler: str, folder: Path) -> None:
        self.path = folder / f"{unit.name}.o"
        self._key = store.key("o", [unit.text, identity(compiler), *unit.flags])
        self._start: Callable[[], Compilation] = lambda: Compilation(unit, compiler, folder)
        self._compilation: Compilation | None = None
        self._turn: store.Turn | None = None
        if (ready := shipped(unit, compiler)) is not None:
            self.path = ready
        elif not self._found(store.load(self._key)):
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


# ---------------------------------------------------------------- objects of the package

_SHIPPED = Path(__file__).parent / "_objects"
_MADE_BY = "made-by"  # the file that tells which compiler they are from


def shipped(unit: Unit, compiler: str) -> Path | None:
    """The object of this very unit that came with the package, if this compiler would make the same."""
    path = _SHIPPED / _shipped_name(unit)
    return path if path.exists() and _made_shipped(compiler) else None


def _shipped_name(unit: Unit) -> str:
    return store.key("o", [unit.text, *unit.flags])


@cache
def _made_shipped(compiler: str) -> bool:
    """Did this compiler, or one just like it, make the package's objects?"""
    try:
        made_by = (_SHIPPED / _MADE_BY).read_text().split()
    except OSError:
        return False
    return _digest(identity(compiler)) in made_by or _told(compiler) in made_by


def _told(compiler: str) -> str:
    """The compiler's fingerprint; it is asked once."""
    name = store.key("compiler", [identity(compiler)])
    told = store.load(name)
    if told is None:
        told = fingerprint(compiler).encode()
        store.store(name, told)
    return told.decode()


def _digest(text: str) -> str:
    """Packages should not tell where things lie on the machine they were built on."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def ship(compiler: str, scratch: Path, folder: Path) -> None:
    """Fills `folder` with the objects of a package."""
    with_names = [(unit, _shipped_name(unit)) for unit in usual_units()]
    at_work = [(name, Compilation(unit._replace(name=name), compiler, scratch)) for unit, name in with_names]
    try:
        for name, compilation in at_work:
            compilation.finish()
            write_bytes(folder / name, compilation.made.read_bytes())
    finally:
        for _, compilation in at_work:
            compilation.abandon()
    write_bytes(folder / _MADE_BY, f"{_digest(identity(compiler))}\n{fingerprint(compiler)}\n".encode())


def warm_up(compiler: str, scratch: Path) -> None:
    """Fills the user's cache with the same: for installations that run from a checkout, whose runtime may change."""
    objects = []
    try:
        for number, unit in enumerate(usual_units()):
            objects.append(Object(unit._replace(name=f"{unit.name}{number}"), compiler, scratch))
        for made in objects:
            made.finish()
    finally:
        for made in objects:
            made.abandon()
