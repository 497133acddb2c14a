"""Writes pan.c: the templates filled with a Program, joined with the runtime into one file."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import jinja2

from hsfpy import __version__
from hsfpy.cexpr import c_string
from hsfpy.layout import MessageField
from hsfpy.program import Program

_GNU = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n"
_INCLUDE = re.compile(r'^#include "([^"]+)"\n', re.MULTILINE)


def resource_dir(name: str) -> Path:
    """Where templates/ or runtime_c/ lies: beside the package in a checkout, inside it when installed."""
    package = Path(__file__).parent
    inside = package / f"_{name}"
    return inside if inside.is_dir() else package.parent / name


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(resource_dir("templates")),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["c_bool"] = lambda value: "true" if value else "false"
    environment.filters["c_string"] = c_string
    return environment


@cache
def _runtime_file(name: str) -> str:
    return (resource_dir("runtime_c") / name).read_text()


def _without_includes(name: str) -> str:
    return f'\n#line 1 "runtime_c/{name}"\n' + _INCLUDE.sub("\n", _runtime_file(name))


@cache
def _headers() -> str:
    """The runtime's headers, each after those it includes."""
    ordered: list[str] = []

    def visit(name: str) -> None:
        if name in ordered:
            return
        for inner in _INCLUDE.findall(_runtime_file(name)):
            visit(inner)
        if name not in ordered:
            ordered.append(name)

    for path in sorted(resource_dir("runtime_c").glob("*.h")):
        if path.stem != SESSION:
            visit(path.name)
    return "".join(_without_includes(name) for name in ordered)


# How much optimisation a file is worth. Everything at -O2 would double the time until a verifier is
# there; what runs once or prints needs none, and directed searches spend their time in the store and
# in the model.
_WARM = frozenset(
    "acceptance best_first bitstate heuristic_ap heuristic_deadlock idastar moves nested_dfs open_list".split()
)
_HOT = frozenset("dfs state state_set steps vector_log".split())


def _optimisation(level: str) -> str:
    return f'\n#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC optimize("{level}")\n#endif\n'


OPTIONS = "options"  # the one file that looks at compile-time directives
SESSION = "session"  # belongs to model libraries, which Python runs step by step
LIBRARY = ("state", "steps", "order", "follow", "util", SESSION)  # all of the runtime that a model library needs


@cache
def runtime_sources(with_options: bool = True) -> str:
    """The runtime: hot files first, at the level the caller compiles with."""
    stems = sorted(path.stem for path in resource_dir("runtime_c").glob("*.c"))

    def join(chosen: Callable[[str], bool]) -> str:
        left_out = {SESSION} if with_options else {SESSION, OPTIONS}
        wanted = (stem for stem in stems if chosen(stem) and stem not in left_out)
        return "".join(_without_includes(f"{stem}.c") for stem in wanted)

    hot = join(lambda stem: stem in _HOT)
    warm = join(lambda stem: stem in _WARM)
    cold = join(lambda stem: stem not in _HOT | _WARM)
    return hot + _optimisation("O1") + warm + _optimisation("O0") + cold


def runtime_unit() -> str:
    """The runtime without options.c as a translation unit of its own."""
    return _GNU + _headers() + runtime_sources(with_options=False)


def options_unit() -> str:
    """options.c as a translation unit of its own."""
    return _GNU + _headers() + _without_includes(f"{OPTIONS}.c")


def library_unit() -> str:
    """The runtime of a model library as a translation unit of its own."""
    return _GNU + _library_headers() + "".join(_without_includes(f"{stem}.c") for stem in LIBRARY)


@cache
def _library_headers() -> str:
    return _headers() + _without_includes(f"{SESSION}.h")


def render(program: Program) -> str:
    """The text of pan.c."""
    return _render(program, runtime_sources())


def render_model(program: Program) -> str:
    """The model's part of pan.c as a translation unit of its own, to be linked with the runtime."""
    return _render(program, "")


def _render(program: Program, sources: str) -> str:
    mtypes = [name for name, _ in program.mtypes]

    def mtype_of(field: MessageField) -> int:
        name = c_string(field.subtype or "")
        return mtypes.index(name) if field.kind.value == "mtype" and name in mtypes else -1

    environment = _environment()
    environment.filters["mtype_of"] = mtype_of
    template = environment.get_template("pan.c.j2")
    headers = _library_headers() if program.notes else _headers()
    return template.render(p=program, version=__version__, headers=headers, sources=sources)
