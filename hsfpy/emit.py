"""Writes pan.c: the templates filled with a Program, joined with the runtime into one file."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import jinja2

from hsfpy import __version__
from hsfpy.cexpr import c_string
from hsfpy.layout import MessageField
from hsfpy.program import Program

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
        visit(path.name)
    return "".join(_without_includes(name) for name in ordered)


# Files that run once or print: compiling them without optimisation saves a third of the time
# until a verifier is there.
_COLD = ("distances.c", "heuristic.c", "main.c", "options.c", "output.c", "replay.c", "report.c", "sanity.c", "search_options.c", "tables.c", "trail.c",
         "tree_layout.c")  # fmt: skip

_NO_OPTIMISATION = """
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O0")
#endif
"""


@cache
def _sources() -> str:
    names = sorted(path.name for path in resource_dir("runtime_c").glob("*.c"))
    hot = "".join(_without_includes(name) for name in names if name not in _COLD)
    cold = "".join(_without_includes(name) for name in names if name in _COLD)
    return hot + _NO_OPTIMISATION + cold


def render(program: Program) -> str:
    """The text of pan.c."""
    mtypes = [name for name, _ in program.mtypes]

    def mtype_of(field: MessageField) -> int:
        name = c_string(field.subtype or "")
        return mtypes.index(name) if field.kind.value == "mtype" and name in mtypes else -1

    environment = _environment()
    environment.filters["mtype_of"] = mtype_of
    template = environment.get_template("pan.c.j2")
    return template.render(p=program, version=__version__, headers=_headers(), sources=_sources())
