"""Preprocessed text -> Model: runs the LALR parser over the token stream."""

from __future__ import annotations

from hsfpy.build_model import ModelBuilder, Session
from hsfpy.diagnostics import Loc, PromelaError, Report
from hsfpy.lalr import UnexpectedToken, run
from hsfpy.lexer import TokenStream
from hsfpy.nodes import CUnit, DeclStmt, Ltl, Model, MtypeDecl, Node, Process, Typedef
from hsfpy.preprocess import Source, preprocess_text
from hsfpy.records import dataclass
from hsfpy.syntax_error import explain
from hsfpy.tokens import Names


@dataclass(slots=True, frozen=True)
class ParseOptions:
    implied_semis: bool = True  # false: -o7
    old_scope: bool = False  # true: -O


def parse_model(source: Source, options: ParseOptions | None = None) -> Model:
    """The model as written; `resolve` completes it."""
    options = options or ParseOptions()
    session = Session(Names(), Report(), texts=dict(source.texts), old_scope=options.old_scope)
    stream = TokenStream(source, session.names, session.report, implied_semis=options.implied_semis)
    model = Model(source.file, session=session)
    _add_units(model, _parse(stream, session))
    return model


def parse_claim_units(text: str, filename: str, model: Model) -> list[Process]:
    """Parses never claims in the context of a model and appends them to it, unresolved."""
    session = model.session
    assert isinstance(session, Session)
    session.texts[filename] = text
    stream = TokenStream(preprocess_text(text, filename), session.names, session.report)
    units = _parse(stream, session)
    _add_units(model, units)
    return [unit for unit in units if isinstance(unit, Process)]


def _add_units(model: Model, units: list[Node]) -> None:
    session = model.session
    assert isinstance(session, Session)
    model.units += units
    for unit in units:
        match unit:
            case DeclStmt(symbols=symbols):
                model.symbols += symbols
            case Typedef(name=name):
                model.typedefs[name] = unit
            case MtypeDecl():
                model.mtype_decls.append(unit)
            case Process():
                model.processes.append(unit)
            case Ltl():
                model.ltls.append(unit)
            case CUnit():
                model.c_units.append(unit)
    model.mtypes = session.names.mtypes
    model.warnings = session.report.warnings


def _parse(stream: TokenStream, session: Session) -> list[Node]:
    try:
        units: list[Node] = run(stream, ModelBuilder(stream, session))
    except UnexpectedToken as error:
        raise explain(error, stream) from None
    except RecursionError:
        raise PromelaError("expression or statement nested too deeply", _place(stream)) from None
    return units


def _place(stream: TokenStream) -> Loc | None:
    return stream.current.loc if stream.current else None
