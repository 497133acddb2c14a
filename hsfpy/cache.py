"""What earlier runs made, kept by content in the user's cache folder.

An entry's name is a digest of everything it was made from, so entries never become wrong, only
useless. The cache is an aid and never a condition: if it cannot be written, is full, or an entry
is damaged, things are made anew. It is shared by concurrent runs: entries are written aside and
moved into place, begin with a digest of their contents, and are read as a whole. The ones that
were not used for the longest time go when there are too many.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Iterable, Iterator

LIMIT = 256 << 20  # bytes; some hundred verifiers
_MAGIC = b"hsfpy-1 "
_PART_AGE = 3600  # seconds after which something half written belongs to nobody
_MAKER_PATIENCE = 60.0  # seconds to wait for another run that makes the same
_POLL = 0.01


def folder() -> str:
    """Where entries are kept."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "hsfpy")


def key(kind: str, parts: Iterable[str | bytes]) -> str:
    """The name of the entry of this kind that is made from `parts`."""
    made_from = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        made_from.update(b"%d:" % len(data))
        made_from.update(data)
    return f"{made_from.hexdigest()[:40]}.{kind}"


def load(name: str) -> bytes | None:
    """The contents of an entry, or None if there is none or it is damaged."""
    path = os.path.join(folder(), name)
    try:
        with open(path, "rb") as file:
            head, data = file.read(len(_seal(b""))), file.read()
    except OSError:
        return None
    if head != _seal(data):
        _remove(path)
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # used just now
    return data


def store(name: str, data: bytes) -> None:
    """Keeps an entry if that is possible."""
    where = folder()
    part = os.path.join(where, f"{name}.{os.getpid()}.part")
    try:
        os.makedirs(where, mode=0o700, exist_ok=True)
        with open(part, "wb") as file:
            file.write(_seal(data))
            file.write(data)
        os.replace(part, os.path.join(where, name))
        _trim(where)
    except OSError:
        _remove(part)


def _seal(data: bytes) -> bytes:
    return _MAGIC + hashlib.sha256(data).hexdigest().encode() + b"\n"


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def _trim(where: str) -> None:
    """Removes entries nobody used for long until a quarter of the room is free again, and leftovers."""
    entries: list[tuple[float, int, str]] = []
    with os.scandir(where) as found:
        for entry in found:
            with contextlib.suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                entries.append((status.st_mtime, status.st_size, entry.path))
    now = time.time()
    for changed, _, path in entries:
        if path.endswith((".part", ".lock")) and changed < now - _PART_AGE:
            _remove(path)
    total = sum(size for _, size, _ in entries)
    if total <= LIMIT:
        return
    for _, size, path in sorted(entries):
        _remove(path)
        total -= size
        if total <= LIMIT * 3 // 4:
            return


# ---------------------------------------------------------------- one maker at a time


class Turn:
    """The right to make an entry. Whoever is told to wait may still make it: a turn only saves work."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._path = os.path.join(folder(), f"{name}.lock")
        self._file: int | None = None
        self.is_ours = self._take()

    def _take(self) -> bool:
        """False if another run is at work on this entry."""
        import fcntl

        try:
            os.makedirs(folder(), mode=0o700, exist_ok=True)
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return True  # no cache, so nobody to wait for
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        except OSError:  # a file system without locks
            os.close(file)
            return True
        self._file = file
        return True

    def wait(self) -> bytes | None:
        """The entry as the other run made it; None if it gave up or takes too long."""
        deadline = time.monotonic() + _MAKER_PATIENCE
        path = os.path.join(folder(), self._name)
        while time.monotonic() < deadline:
            if os.path.exists(path) and (data := load(self._name)) is not None:
                return data
            if self._take():
                return load(self._name)
            time.sleep(_POLL)
        return None

    def end(self) -> None:
        """To be called by whoever had the turn, when the entry is there or will not be."""
        if self._file is not None:
            _remove(self._path)
            os.close(self._file)
            self._file = None


@contextlib.contextmanager
def turn(name: str) -> Iterator[Turn]:
    """A turn for the time of a block."""
    taken = Turn(name)
    try:
        yield taken
    finally:
        taken.end()
