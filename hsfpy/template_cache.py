"""Templates as Python code: compiling them takes longer than filling them.

A package brings them compiled, for the version of jinja2 that it was built with. Without that they are
compiled when they are first needed and kept in the cache.
"""

from __future__ import annotations

import sys
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket

from hsfpy import cache


class CompiledTemplates(jinja2.BytecodeCache):
    """Templates as Python code, in the cache of build results."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fills the bucket if its template was compiled before."""
        code = cache.load(_name(bucket))
        if code is not None:
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps the code of a template compiled just now."""
        cache.store(_name(bucket), bucket.bytecode_to_string())


def _name(bucket: Bucket) -> str:
    return cache.key("template", [bucket.key, bucket.checksum, jinja2.__version__, sys.version])


# ---------------------------------------------------------------- templates of the package

_SHIPPED = Path(__file__).parent / "_compiled"


def loader(templates: Path) -> jinja2.BaseLoader:
    """Finds templates, compiled if possible."""
    plain = jinja2.FileSystemLoader(templates)
    shipped = _SHIPPED / _version()
    return jinja2.ChoiceLoader([jinja2.ModuleLoader(shipped), plain]) if shipped.is_dir() else plain


def _version() -> str:
    """Compiled templates call functions of jinja2 that may differ in other versions."""
    return f"jinja2-{jinja2.__version__}"


def ship(environment: jinja2.Environment, folder: Path) -> None:
    """Writes the templates of C as Python code, for a package."""
    target = folder / _version()
    target.mkdir(parents=True)
    environment.compile_templates(target, zip=None, filter_func=_is_of_c, ignore_errors=False)


def _is_of_c(name: str) -> bool:
    return name.endswith((".c.j2", ".h.j2"))
