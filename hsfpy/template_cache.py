"""Keeps compiled templates between runs: compiling them takes longer than filling them."""

from __future__ import annotations

import sys

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
