"""Writes pan.c: the templates filled with a Program, joined with the runtime into one file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hsfpy import __version__

if TYPE_CHECKING:  # build.py needs the runtime's text at once, and nothing of these
    import jinja2

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
    import jinja2

    from hsfpy.cexpr import c_string
    from hsfpy.template_cache import CompiledTemplates, loader

    environment = jinja2.Environment(
        loader=loader(resource_dir("templates")),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        bytecode_cache=CompiledTemplates(),
    )
    environment.filters["c_bool"] = lambda value: "true" if value else "false"
    environment.filters["c_string"] = c_string
    environment.filters["mtype_of"] = int  # every model has its own
    return environment


def ship_templates(folder: Path) -> None:
    """Writes the templates as Python code into a package that is being built."""
    from hsfpy.template_cache import ship

    ship(_environment(), folder)


@cache
def _runtime_file(name: str) -> str:
    return (resource_dir("runtime_c") / name).read_text()


def _without_includes(name: str) -> str:
    return f'\n#line 1 "runtime_c/{name}"\n' + _INCLUDE.sub("\n", _runtime_file(name))


@cache
def _headers() -> str:
    """All headers of the runtime."""
    names = sorted(path.name for path in resource_dir("runtime_c").glob("*.h"))
    return _joined_headers([name for name in names if name != f"{SESSION}.h"])


def _joined_headers(names: Iterable[str]) -> str:
    """Headers, each after those it includes."""
    ordered: list[str] = []

    def visit(name: str) -> None:
        if name in ordered:
            return
        for inner in _INCLUDE.findall(_runtime_file(name)):
            visit(inner)
        if name not in ordered:
            ordered.append(name)

    for name in names:
        visit(name)
    return "".join(_without_includes(name) for name in ordered)


# How much optimisation a file is worth. Everything at -O2 would double the time until a verifier is
# there; what runs once or prints needs none, and directed searches spend their time in the store and
# in the model.
_WARM = frozenset(
    """acceptance best_first bitstate exclusive heuristic_ap heuristic_deadlock idastar moves nested_dfs
    hash_stack open_list plain_set two_phase""".split()
)
_HOT = frozenset(
    """ample bfs_batch bit_array chain deep_levels deep_stack dfs dfs_batch expand frames level_log memo packed_queue
    packed_set packing plain_levels run_steps seen span_table stack_set state state_set step_names steps tree_store
    vector_log way_log""".split()
)


def _optimisation(level: str) -> str:
    return f'\n#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC optimize("{level}")\n#endif\n'


OPTIONS = ("directives", "options")  # these look at compile-time directives
SESSION = "session"  # belongs to model libraries, which Python runs step by step
# All of the runtime that a model library needs.
LIBRARY = ("state", "steps", "chain", "order", "exclusive", "follow", "util", SESSION)


def _join(chosen: Callable[[str], bool]) -> str:
    stems = sorted(path.stem for path in resource_dir("runtime_c").glob("*.c"))
    return "".join(_without_includes(f"{stem}.c") for stem in stems if chosen(stem))


@cache
def _hot() -> str:
    return _join(lambda stem: stem in _HOT)


@cache
def _warm() -> str:
    return _join(lambda stem: stem in _WARM)


@cache
def _cold() -> str:
    return _join(lambda stem: stem not in _HOT | _WARM | {SESSION, *OPTIONS})


@cache
def _options() -> str:
    return "".join(_without_includes(f"{stem}.c") for stem in OPTIONS)


def runtime_sources() -> str:
    """The runtime as it stands in pan.c: hot files first, at the level the caller compiles with."""
    return _hot() + _optimisation("O1") + _warm() + _optimisation("O0") + _cold() + _options()


# The same as translation units of their own, each for a level of optimisation.


def hot_unit() -> str:
    """What searches spend their time in: for the level the verifier is built with."""
    return _GNU + _headers() + _hot()


def warm_unit() -> str:
    """What runs for every state of some searches: for -O1."""
    return _GNU + _headers() + _warm()


def cold_unit() -> str:
    """What runs seldom: for -O0."""
    return _GNU + _headers() + _cold()


def options_unit() -> str:
    """options.c, which is compiled with the directives of the verifier."""
    return _GNU + _headers() + _options()


def library_unit() -> str:
    """The runtime of a model library as a translation unit of its own."""
    return _GNU + _library_headers() + "".join(_without_includes(f"{stem}.c") for stem in LIBRARY)


@cache
def _library_headers() -> str:
    return _headers() + _without_includes(f"{SESSION}.h")


# Stands between the pages of a model's part, which units are made of.
PAGE_BREAK = "\f"
# Headers that generated code needs, besides those they include. The others are only for the runtime.
_FOR_MODELS = ("search.h", "steps.h", "exclusive.h", "heuristic.h", "tallies.h")
_LONG = 60_000  # characters of C: from here on another unit saves more time than its headers take


class ModelUnits(NamedTuple):
    """The model's part as units that can be compiled side by side."""

    main: str
    others: list[str]  # for the same level of optimisation
    estimates: str | None  # directed searches need it; None if it is in `main`


def model_units(model_part: str) -> ModelUnits:
    """Cuts a model's part. Embedded C may define things that may not be defined twice and may use
    all there is, so a model with some is left in one piece."""
    pages = model_part.split(PAGE_BREAK)
    if len(pages) != 5 or ".has_c_code = true" in pages[2]:
        return ModelUnits(model_part, [], None)
    common, estimates, main, guards, _ = pages
    common = common.replace(_headers(), _model_headers(), 1)
    if len(main) + len(guards) < _LONG or "run_P" in guards:  # processes are started by functions in `main`
        return ModelUnits(common + main + guards, [], common + estimates)
    return ModelUnits(common + main, [common + guards], common + estimates)


@cache
def _model_headers() -> str:
    return _joined_headers(_FOR_MODELS)


def render_model(program: Program) -> str:
    """The model's part of pan.c: followed by the runtime's sources it is all of it, and it is a
    translation unit of its own, to be linked with the runtime's."""
    from hsfpy.cexpr import c_string

    mtypes = [name for name, _ in program.mtypes]

    def mtype_of(field: MessageField) -> int:
        name = c_string(field.subtype or "")
        return mtypes.index(name) if field.kind.value == "mtype" and name in mtypes else -1

    environment = _environment()
    environment.filters["mtype_of"] = mtype_of
    template = environment.get_template("pan.c.j2")
    headers = _library_headers() if program.notes else _headers()
    return template.render(p=program, version=__version__, headers=headers, page_break=PAGE_BREAK)
