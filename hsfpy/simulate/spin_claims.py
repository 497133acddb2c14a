"""SPIN's own never claims, for its trails.

A trail made by SPIN under an `ltl` claim names statements of SPIN's translation of the formula, which
hsfpy's differs from. SPIN leaves its translation in the folder it was called in, in _spin_nvr.tmp; where it is
found, here or beside the trail, and fits the model, it is used instead.
"""

from __future__ import annotations

import os
import re

from hsfpy import nodes as n
from hsfpy.claims import CLAIM_FILE, add_ltl_claims, formula_text
from hsfpy.diagnostics import PromelaError
from hsfpy.frontend import parse_claim_text
from hsfpy.simulate.trail_file import TrailFile

_HEAD = re.compile(r"^never\s+(\w+)\s*\{\s*/\*\s*(.*?)\s*\*/", re.MULTILINE)


class TrailClaims:
    """Chooses the never claims of formulas for a trail: SPIN's own, if the trail is SPIN's and they are here."""

    def __init__(self, trail: TrailFile) -> None:
        self.texts = spin_claims(trail.path) if trail.claim is not None else []
        self.are_spins = False

    def add(self, model: n.Model) -> list[str]:
        """Adds the claims to a model; returns the lines SPIN prints about them."""
        for text in self.texts:
            if model.ltls and fits(text, model):
                self.are_spins = True
                return add_spin_claims(model, text)
        return add_ltl_claims(model)


def spin_claims(trail: str) -> list[str]:
    """The claims SPIN left in the current folder, and in that of the trail."""
    texts: list[str] = []
    for name in dict.fromkeys((CLAIM_FILE, os.path.join(os.path.dirname(trail), CLAIM_FILE))):
        try:
            with open(name, encoding="utf-8", errors="surrogateescape") as file:
                texts.append(file.read())
        except OSError:
            continue
    return texts


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
