"""A model as C: made by the front end, or remembered from an earlier run with the same model."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import marshal
import os
import re
import sys
from functools import cache
from pathlib import Path

from hsfpy import cache as store
from hsfpy.emit import resource_dir, runtime_sources
from hsfpy.files import write_file
from hsfpy.preprocess import FrontOptions, Source
from hsfpy.records import dataclass
from hsfpy.spin_options import SpinOptions

# Files `spin -a` writes beside pan.c; scripts list or remove them by name.
COMPANIONS = ("pan.b", "pan.h", "pan.m", "pan.p", "pan.t")

# What gives embedded C a meaning that depends on more than the model's text.
_EMBEDDED = re.compile(r"\bc_(?:code|decl|expr|state|track)\b")
_OUTSIDE = re.compile(r"include|incbin|embed|__DATE__|__TIME|__has_")


@dataclass(slots=True, frozen=True)
class Verifier:
    """Everything that writing, building and running a verifier need to know of its model."""

    model_part: str  # of pan.c
    messages: list[tuple[bool, str]]  # what SPIN prints about the model; true: on standard error
    has_accept: bool  # there are accept labels
    is_self_contained: bool  # its C needs no files of the user


def verifier_of(source: Source, front: FrontOptions, options: SpinOptions) -> Verifier:
    """Makes the C of a model; raises PromelaError for whatever is wrong with it."""
    from hsfpy.claims import parse_invariant
    from hsfpy.driver import translate
    from hsfpy.emit import render_model
    from hsfpy.estimates import NamedInvariant
    from hsfpy.lower import LowerOptions
    from hsfpy.program import ProgramOptions, make_program

    chosen = options.optimizations
    translation = translate(source, front, LowerOptions(case_caching="5" in chosen, old_priorities="6" in chosen))
    messages = translation.messages()
    invariants = [NamedInvariant("", parse_invariant(text, translation.model)) for text in options.invariants]
    program = make_program(
        translation.system,
        ProgramOptions(
            options.loses_messages,
            invariants,
            merges="3" not in chosen,
            forgets_dead="1" not in chosen,
            forgets_unread="2" not in chosen,
        ),
    )
    accept = translation.system.features.accept
    return Verifier(render_model(program), messages, accept, _is_self_contained(source.text))


def _is_self_contained(text: str) -> bool:
    return _EMBEDDED.search(text) is None or _OUTSIDE.search(text) is None


def write_verifier(verifier: Verifier, directory: Path) -> Path:
    """Writes pan.c, and the companions scripts expect, into `directory`."""
    write_file(directory / "pan.c", verifier.model_part + runtime_sources())
    for name in COMPANIONS:
        write_file(directory / name, "/* all of the verifier is in pan.c */\n")
    return directory / "pan.c"


def remove_verifier_sources(directory: Path) -> None:
    """What `spin -run` cleans up after itself."""
    for name in ("pan.c", *COMPANIONS):
        with contextlib.suppress(OSError):
            (directory / name).unlink()


# ---------------------------------------------------------------- memory


def recall(source: Source, options: SpinOptions) -> Verifier | None:
    """What an earlier run made of the same model with the same options."""
    data = store.load(_name(source, options))
    return Verifier(*marshal.loads(data)) if data is not None else None


def remember(verifier: Verifier, source: Source, options: SpinOptions) -> None:
    """Keeps a verifier for `recall`."""
    fields = tuple(getattr(verifier, field.name) for field in dataclasses.fields(verifier))
    store.store(_name(source, options), marshal.dumps(fields))


def _name(source: Source, options: SpinOptions) -> str:
    texts = [part for name, text in sorted(source.texts.items()) for part in (name, text)]
    return store.key("model", [own_digest(), sys.version, source.file, source.text, _spelt(options), *texts])


def _spelt(options: SpinOptions) -> str:
    """All options, whatever they are for: one too many in a name does no harm. But the seed of random
    runs is the time of day unless it is given, and no verifier depends on it."""
    names = (field.name for field in dataclasses.fields(options))
    values = {name: getattr(options, name) for name in names if name != "seed"}
    return repr({name: sorted(value) if isinstance(value, set) else value for name, value in values.items()})


@cache
def own_digest() -> str:
    """What distinguishes this hsfpy from any other: a digest of all its files."""
    digest = hashlib.sha256()
    for folder, endings in (
        (Path(__file__).parent, (".py", ".lark")),
        (resource_dir("templates"), (".j2",)),
        (resource_dir("runtime_c"), (".c", ".h")),
    ):
        for place, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                if name.endswith(endings):
                    path = os.path.join(place, name)
                    digest.update(path.encode("utf-8", "surrogateescape"))
                    with open(path, "rb") as file:
                        digest.update(file.read())
    return digest.hexdigest()
