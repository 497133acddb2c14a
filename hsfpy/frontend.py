"""The front end as one call: preprocess, parse, resolve, check."""

from __future__ import annotations

from dataclasses import dataclass, field

from hsfpy.build_model import Session
from hsfpy.check import check, check_units, raise_errors
from hsfpy.diagnostics import PromelaError
from hsfpy.nodes import Model, Process
from hsfpy.parse import ParseOptions, parse_claim_units, parse_model
from hsfpy.preprocess import Extra, Source, preprocess, preprocess_text
from hsfpy.resolve import resolve, resolve_units


@dataclass(slots=True)
class FrontOptions:
    """What the command line says about reading a model."""

    cpp_args: list[str] = field(default_factory=list)  # -D..., -U..., and the text of -E..., in order
    preprocessor: str | None = None  # -P
    never_files: list[str] = field(default_factory=list)  # -N
    claim_texts: list[str] = field(default_factory=list)  # never claims made from -f or -F
    stutter_sensitive: bool = False  # those claims come from a formula with X
    old_scope: bool = False  # -O
    no_implied_semis: bool = False  # -o7
    need_process: bool = True  # refuse a model in which nothing runs, as `spin -a` does


def load_model(path: str, options: FrontOptions | None = None) -> Model:
    """The complete model in `path`; raises PromelaError for whatever is wrong with it."""
    options = options or FrontOptions()
    source = preprocess(path, options.cpp_args, options.preprocessor, _extras(path, options))
    model = model_from_source(source, options)
    for process in model.processes:
        process.stutter_sensitive = options.stutter_sensitive and process.span.loc.file == _formula_file(path)
    return model


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


def _formula_file(path: str) -> str:
    return f"{path}.nvr"


def _extras(path: str, options: FrontOptions) -> list[Extra]:
    """Claims that belong behind the model. SPIN reads them from a file named after it."""
    extras = [Extra(_formula_file(path), text) for text in options.claim_texts]
    for name in options.never_files:
        try:
            with open(name, encoding="utf-8", errors="surrogateescape") as file:
                extras.append(Extra(name, file.read()))
        except OSError as error:
            raise PromelaError(
                f'preprocessing failed: cannot read "{name}"', notes=[f"{name}: {error.strerror or error}"]
            ) from None
    return extras
