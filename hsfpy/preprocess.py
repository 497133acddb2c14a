"""Runs the C preprocessor over a model, as SPIN does, and keeps its line marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path

from hsfpy.diagnostics import Loc, PromelaError
from hsfpy.records import dataclass

DEFAULT_PREPROCESSOR = "gcc -std=gnu99 -E -x c"
FALLBACKS = ("cc -E -x c", "clang -E -x c", "cpp")

# What may be a directive (also behind a comment), a continued line, a name that some compiler predefines
# (`linux` and `unix` are 1 in gnu99), or embedded C, whose white space the preprocessor changes.
_NEEDS_CPP = re.compile(
    r"#|%:|\\\r?\n|\b(?:linux|unix|i386|arm|mips|MIPSE[BL]|PPC|sparc|sun|_[A-Z_]\w*|c_(?:code|decl|expr|state|track))\b"
)


@dataclass(slots=True)
class FrontOptions:
    """What the command line says about reading a model."""

    cpp_args: list[str] = field(default_factory=list)  # -D..., -U..., and the text of -E..., in order
    preprocessor: str | None = None  # -P
    never_files: list[str] = field(default_factory=list)  # -N
    claim_texts: list[str] = field(default_factory=list)  # never claims made from -f or -F
    stutter_sensitive: bool = False  # those claims come from a formula with X
    old_scope: bool = False  # -O
    no_implied_semis: bool = False  # -o7
    need_process: bool = True  # refuse a model in which nothing runs, as `spin -a` does


@dataclass(slots=True, frozen=True)
class Source:
    """Preprocessed text. `texts` holds what cannot be read again from a file, for messages."""

    file: str
    text: str
    texts: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True, frozen=True)
class Extra:
    """Text that belongs behind the model: a never claim from a file (-N) or made from a formula (-f)."""

    name: str
    text: str


def read_source(path: str, options: FrontOptions) -> Source:
    """The model in `path` after preprocessing, with the claims that belong behind it."""
    return preprocess(path, options.cpp_args, options.preprocessor, _extras(path, options))


def formula_file(path: str) -> str:
    """The file SPIN keeps the claims of -f and -F in."""
    return f"{path}.nvr"


def _extras(path: str, options: FrontOptions) -> list[Extra]:
    """Claims that belong behind the model. SPIN reads them from a file named after it."""
    extras = [Extra(formula_file(path), text) for text in options.claim_texts]
    for name in options.never_files:
        try:
            with open(name, encoding="utf-8", errors="surrogateescape") as file:
                extras.append(Extra(name, file.read()))
        except OSError as error:
            raise PromelaError(
                f'preprocessing failed: cannot read "{name}"', notes=[f"{name}: {error.strerror or error}"]
            ) from None
    return extras


def preprocess(
    path: str,
    arguments: Sequence[str] = (),
    command: str | None = None,
    extras: Sequence[Extra] = (),
) -> Source:
    """The model in `path` after preprocessing with `arguments` (-D..., -U..., -I..., as given)."""
    text = _read_model(path)
    whole = "\n".join([text, *(extra.text for extra in extras)])
    if not arguments and command is None and not _NEEDS_CPP.search(whole):
        return _join_plain(path, text, extras)
    texts = {extra.name: extra.text for extra in extras}
    return Source(path, _run(path, list(arguments), command, extras), texts)


def preprocess_text(text: str, file: str) -> Source:
    """Text that is known to need no preprocessing."""
    return Source(file, text, {file: text})


def preprocess_unsaved(text: str, file: str, arguments: Sequence[str] = ()) -> Source:
    """A model that is no file, after preprocessing; `file` is the name it goes by."""
    if not arguments and not _NEEDS_CPP.search(text):
        return preprocess_text(text, file)
    feed = f'# 1 "{_quoted(file)}"\n{text}'
    return Source(file, _run_on(file, feed, list(arguments), None), {file: text})


def _read_model(path: str) -> str:
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise _failed(path, f"cannot open '{path}': no such file") from None
    except IsADirectoryError:
        raise _failed(path, f"cannot open '{path}': it is a folder") from None
    except OSError as error:
        raise _failed(path, f"cannot open '{path}': {error.strerror or error}") from None
    if b"\0" in data:
        raise PromelaError(
            "not a text file",
            Loc(path, 1),
            hint="the file contains zero bytes; is it really a Promela model?",
        )
    return data.decode("utf-8", errors="surrogateescape")


def _failed(path: str, note: str, command: str = DEFAULT_PREPROCESSOR) -> PromelaError:
    return PromelaError(f'preprocessing failed {command} "{path}" > "pan.pre"', notes=[note])


def _join_plain(path: str, text: str, extras: Sequence[Extra]) -> Source:
    parts = [text]
    for extra in extras:
        parts.append(f'\n# 1 "{_quoted(extra.name)}"\n{extra.text}')
    return Source(path, "".join(parts), {path: text, **{extra.name: extra.text for extra in extras}})


def _run(path: str, arguments: list[str], command: str | None, extras: Sequence[Extra]) -> str:
    feed = None
    if extras:
        # Macros of the model are visible in the claim, so both go through one run.
        feed = f'#include "{_quoted(path)}"\n' + "".join(
            f'# 1 "{_quoted(extra.name)}"\n{extra.text}\n' for extra in extras
        )
    return _run_on(path, feed, arguments, command)


def _run_on(path: str, feed: str | None, arguments: list[str], command: str | None) -> str:
    """Runs the preprocessor on a text, or on the file if there is none."""
    import subprocess  # most models need no preprocessor, and importing this takes a while

    words = _command_words(command, path)
    shown = " ".join([command or DEFAULT_PREPROCESSOR, *arguments])
    try:
        done = subprocess.run(
            [*words, *arguments, "-" if feed is not None else path],
            input=feed.encode("utf-8", errors="surrogateescape") if feed is not None else b"",
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise _failed(path, f"cannot run '{words[0]}': {error.strerror or error}", shown) from None
    if done.returncode != 0:
        complaint = done.stderr.decode("utf-8", errors="replace").strip()
        raise PromelaError(
            f'preprocessing failed {shown} "{path}" > "pan.pre"',
            notes=complaint.splitlines() or [f"the preprocessor ended with status {done.returncode}"],
        )
    return done.stdout.decode("utf-8", errors="surrogateescape")


def _command_words(command: str | None, path: str) -> list[str]:
    import shlex
    import shutil

    if command is not None:
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise _failed(path, f"cannot read the preprocessor command: {error}", command) from None
        if words and shutil.which(words[0]):
            return words
        raise _failed(path, f"no preprocessor: cannot find '{words[0] if words else command}'", command)
    for candidate in (DEFAULT_PREPROCESSOR, *FALLBACKS):
        words = candidate.split()
        if shutil.which(words[0]):
            return words
    raise _failed(path, "no preprocessor: none of gcc, cc, clang and cpp is installed")


def _quoted(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')
