"""Files written in one step, so that a full disk or an interrupt leaves no half-written one."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def write_file(path: Path, text: str) -> None:
    """Replaces a text file."""
    _replace(path, text.encode("utf-8", "surrogateescape"), 0o666)


def write_program(path: Path, program: bytes) -> None:
    """Replaces an executable, also one that is running."""
    _replace(path, program, 0o777)


def _replace(path: Path, data: bytes, mode: int) -> None:
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
