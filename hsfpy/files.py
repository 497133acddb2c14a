"""Files written in one step, so that a full disk or an interrupt leaves no half-written one."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


def write_file(path: Path, text: str) -> None:
    """Replaces a text file."""
    _replace(path, text.encode("utf-8", "surrogateescape"), 0o666)


def write_program(path: Path, program: bytes) -> None:
    """Replaces an executable, also one that is running."""
    _replace(path, program, 0o777)


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a file of our own; an error names it."""
    with _naming(path):
        path.write_bytes(data)


@contextlib.contextmanager
def _naming(path: Path) -> Iterator[None]:
    """A full disk is reported without a name, and a temporary file has one that nobody knows."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise


def _replace(path: Path, data: bytes, mode: int) -> None:
    with _naming(path):
        _write_beside(path, data, mode)


def _write_beside(path: Path, data: bytes, mode: int) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, mode & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
