"""The pipeline, in order: each stage one call."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import field

from hsfpy import nodes as n
from hsfpy.automaton import System
from hsfpy.claims import add_ltl_claims
from hsfpy.frontend import FrontOptions, model_from_source
from hsfpy.lower import LowerOptions, lower
from hsfpy.preprocess import Source, read_source
from hsfpy.records import dataclass


@dataclass(slots=True)
class Translation:
    """A model on its way to C, with what SPIN would have printed about it."""

    model: n.Model
    system: System
    notes: list[str] = field(default_factory=list)

    def messages(self) -> list[tuple[bool, str]]:
        """What SPIN prints about the model; true: on standard error."""
        warnings = [(warning.to_stderr, warning.text) for warning in self.model.warnings]
        return warnings + [(False, note) for note in self.notes]


def translate_model(
    path: str,
    options: FrontOptions,
    lowering: LowerOptions | None = None,
    add_claims: Callable[[n.Model], list[str]] = add_ltl_claims,
) -> Translation:
    """Reads a model and lowers it to automata, claims of its `ltl` blocks included. Prints warnings."""
    translation = translate(read_source(path, options), options, lowering, add_claims)
    for warning in translation.model.warnings:
        print(warning.text, file=sys.stderr if warning.to_stderr else sys.stdout)
    return translation


def translate(
    source: Source,
    options: FrontOptions,
    lowering: LowerOptions | None = None,
    add_claims: Callable[[n.Model], list[str]] = add_ltl_claims,
) -> Translation:
    """Lowers a preprocessed model to automata, claims of its `ltl` blocks included."""
    model = model_from_source(source, options)
    notes = add_claims(model)
    system = lower(model, lowering)
    return Translation(model, system, notes + _claims_note(system, source.file))


def _claims_note(system: System, path: str) -> list[str]:
    names = [claim.process.name for claim in reversed(system.claims())]
    if len(names) < 2:
        return []
    default = names[-1]
    return [
        f"  the model contains {len(names)} never claims: {', '.join(names)}",
        "  only one claim is used in a verification run",
        f"  choose which one with ./pan -a -N name (defaults to -N {default})",
        f"  or use e.g.: spin -search -ltl {default} {path}",
    ]
