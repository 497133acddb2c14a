"""SPIN's own never claims, for its trails.

A trail made by SPIN under an `ltl` claim names statements of SPIN's translation of the formula, which
hsfpy's differs from. SPIN leaves its translation in the current folder, in _spin_nvr.tmp; where it is
there and fits the model, it is used instead.
"""

from __future__ import annotations

import re

from hsfpy import nodes as n
from hsfpy.claims import CLAIM_FILE, formula_text
from hsfpy.diagnostics import PromelaError
from hsfpy.frontend import parse_claim_text

_HEAD = re.compile(r"^never\s+(\w+)\s*\{\s*/\*\s*(.*?)\s*\*/", re.MULTILINE)


def spin_claims() -> str | None:
    """The claims SPIN left in the current folder."""
    try:
        with open(CLAIM_FILE, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return None


def fits(text: str, model: n.Model) -> bool:
    """Are these the claims of the model's formulas, all of them and in order?"""
    there = [(head[1], head[2]) for head in _HEAD.finditer(text)]
    try:
        wanted = [(block.name, f"!({formula_text(block.formula)})") for block in model.ltls]
    except PromelaError:
        return False
    return there == wanted


def add_spin_claims(model: n.Model, text: str) -> list[str]:
    """Adds the claims in `text`, which fit the model. Returns the lines SPIN prints."""
    starts = [head.start() for head in _HEAD.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line = text.count("\n", 0, start)  # SPIN counts the lines of this file from 0
        parse_claim_text(f'# {line} "{CLAIM_FILE}"\n{text[start:end]}', CLAIM_FILE, model)
    return [f"ltl {block.name}: {formula_text(block.formula)}" for block in model.ltls]
