"""The front end as one call: preprocess, parse, resolve, check."""

from __future__ import annotations

from hsfpy.build_model import Session
from hsfpy.check import check, check_units, raise_errors
from hsfpy.diagnostics import PromelaError
from hsfpy.nodes import Model, Process
from hsfpy.parse import ParseOptions, parse_claim_units, parse_model
from hsfpy.preprocess import FrontOptions, Source, formula_file, preprocess_text, read_source
from hsfpy.resolve import resolve, resolve_units


def load_model(path: str, options: FrontOptions | None = None) -> Model:
    """The complete model in `path`; raises PromelaError for whatever is wrong with it."""
    options = options or FrontOptions()
    return model_from_source(read_source(path, options), options)


def load_text(text: str, name: str = "model.pml", options: FrontOptions | None = None) -> Model:
    """The complete model given as text that needs no preprocessor."""
    return model_from_source(preprocess_text(text, name), options or FrontOptions())


def model_from_source(source: Source, options: FrontOptions) -> Model:
    """The complete model in preprocessed text."""
    model = parse_model(source, ParseOptions(implied_semis=not options.no_implied_semis, old_scope=options.old_scope))
    try:
        resolve(model)
        check(model, need_process=options.need_process)
    except RecursionError:
        raise PromelaError("an expression or statement of the model is nested too deeply") from None
    for process in model.processes:
        process.stutter_sensitive = options.stutter_sensitive and process.span.loc.file == formula_file(source.file)
    return model


def parse_claim_text(text: str, filename: str, model: Model) -> Process:
    """Adds one never claim, given as text, to a complete model."""
    before = len(model.units)
    claims = parse_claim_units(text, filename, model)
    resolve_units(model, model.units[before:])
    check_units(model, model.units[before:])
    session = model.session
    if isinstance(session, Session):
        raise_errors(session.report)
    return claims[-1]


def source_texts(model: Model) -> dict[str, str]:
    """Texts that are no files, for `PromelaError.display`."""
    session = model.session
    return session.texts if isinstance(session, Session) else {}


__all__ = [
    "FrontOptions",
    "load_model",
    "load_text",
    "model_from_source",
    "parse_claim_text",
    "source_texts",
]
