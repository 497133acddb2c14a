"""Semantic errors SPIN's front end reports, and what SPIN refuses, over a resolved model."""

from __future__ import annotations

from hsfpy.build_model import Session
from hsfpy.check_flow import FlowChecker
from hsfpy.check_types import TypeChecker
from hsfpy.diagnostics import Loc, PromelaError, Report
from hsfpy.nodes import (
    ChanInit,
    CUnit,
    DeclStmt,
    ExclusiveDecl,
    Labelled,
    Model,
    Node,
    Process,
    ProcKind,
    RemoteLabel,
    Symbol,
    Typedef,
)
from hsfpy.walk import expressions, last_link, statements, subexpressions


def check(model: Model, *, need_process: bool = True) -> None:
    """Raises the errors found in a resolved model, all of them together."""
    session = _session(model)
    check_units(model, model.units)
    if need_process and not any(process.active for process in model.processes):
        session.report.errors.append(
            PromelaError(
                "no runable process",
                model.processes[-1].span.loc if model.processes else Loc(model.file, 1),
                "nothing would ever happen; write 'init { ... }' or 'active proctype'",
            )
        )
    _channel_limit(model, session.report)
    raise_errors(session.report)


def check_units(model: Model, units: list[Node]) -> None:
    """Checks some units of a model and collects what is wrong."""
    session = _session(model)
    raise_errors(session.report)  # what follows relies on every name being known
    types = TypeChecker(model, session.report)
    exclusive = False
    for unit in units:
        match unit:
            case DeclStmt():
                types.declaration(unit)
            case Typedef():
                for symbol in unit.fields:
                    types.symbol(symbol)
            case CUnit():
                _c_track(unit, session.report)
            case Process():
                flow = FlowChecker(unit, session.report, old_scope=session.old_scope, exclusive_seen=exclusive)
                flow.run()
                exclusive = flow.exclusive_seen
                types.run(unit)
    processes = [unit for unit in units if isinstance(unit, Process)]
    _one_trace(processes, session.report)
    _claim_variables(processes, session.report)
    _exclusive_claims(processes, session.report)
    _remote_labels(model, processes, session.report)


def raise_errors(report: Report) -> None:
    """Raises what was collected, in the order of the text where that is one file."""
    seen: set[tuple[str, Loc | None]] = set()
    errors = report.errors
    for error in list(errors):
        place = error.loc and Loc(error.loc.file, error.loc.line, error.loc.column)
        if (error.message, place) in seen:
            errors.remove(error)  # once per inline is enough, however often that is called
        seen.add((error.message, place))
    files = {error.loc.file for error in report.errors if error.loc is not None}
    if len(files) == 1:
        report.errors.sort(key=lambda error: error.loc.shown_line if error.loc else 0)
    report.raise_errors()


def _session(model: Model) -> Session:
    session = model.session
    assert isinstance(session, Session)
    return session


MOST_CHANNELS = 255


def _channel_limit(model: Model, report: Report) -> None:
    """SPIN numbers every channel that is declared, those of proctypes once; a channel is a byte."""
    made = 0
    variables = [*model.symbols, *(symbol for process in model.processes for symbol in process.variables)]
    for symbol in variables:
        made += _n_channels(symbol)
        if made > MOST_CHANNELS:
            report.error(
                "too many channel types",
                symbol.loc,
                f"there can be {MOST_CHANNELS} channels",
                word=symbol.name,
            )
            return


def _n_channels(symbol: Symbol) -> int:
    if symbol.struct is not None:
        return symbol.length * sum(_n_channels(fld) for fld in symbol.struct.fields)
    return symbol.length * isinstance(symbol.init, ChanInit)


def _c_track(unit: CUnit, report: Report) -> None:
    if unit.kind == "c_track" and unit.init not in (None, "Matched", "UnMatched", "unMatched", "StackOnly"):
        report.error(
            f"expecting '[Un]Matched', saw \"{unit.init}\"",
            unit.span.loc,
            'the third part of c_track is "Matched" or "UnMatched"',
        )


def _one_trace(processes: list[Process], report: Report) -> None:
    traces = [process for process in processes if process.kind in (ProcKind.TRACE, ProcKind.NOTRACE)]
    for earlier, later in zip(traces, traces[1:], strict=False):
        report.error(
            f"trace {earlier.name} redefined",
            later.span.loc,
            "a model has at most one trace or notrace",
            word="trace",
        )


def _claim_variables(processes: list[Process], report: Report) -> None:
    for process in processes:
        if process.kind is ProcKind.NEVER:
            for symbol in process.variables:
                report.error(
                    f"{process.name} defines local {symbol.name}",
                    symbol.loc,
                    "a claim only watches the model; what it counts has to be a global variable",
                    word=symbol.name,
                )


def _exclusive_claims(processes: list[Process], report: Report) -> None:
    """One proctype only may claim to be the only reader, or the only sender, of a channel."""
    owners: dict[tuple[str, int], str] = {}
    for process in processes:
        for step in statements(process.body.steps):
            if not isinstance(step, ExclusiveDecl):
                continue
            for ref in step.chans:
                owner = owners.setdefault((step.mode, id(last_link(ref).symbol)), process.name)
                if owner != process.name:
                    report.error(
                        f"conflicting claims on chan '{ref.name}'",
                        ref.span.loc,
                        f"proctype '{owner}' already claims it with '{step.mode}'",
                        word=ref.name,
                    )


def _remote_labels(model: Model, processes: list[Process], report: Report) -> None:
    labels = {
        process.name: [step for step in statements(process.body.steps) if isinstance(step, Labelled)]
        for process in model.processes
    }
    for process in processes:
        seen: set[str] = set()
        for step in statements(process.body.steps):
            if isinstance(step, Labelled):
                seen.add(step.name)
            for expr in expressions(step):
                for part in subexpressions(expr):
                    if isinstance(part, RemoteLabel):
                        _remote_label(part, process, labels, seen, report)


def _remote_label(
    part: RemoteLabel, process: Process, labels: dict[str, list[Labelled]], seen: set[str], report: Report
) -> None:
    known = {label.name for label in labels.get(part.proctype, [])}
    if part.proctype == process.name:
        known &= seen
    if part.label in known:
        return
    if part.proctype == process.name:
        hint = "a label of the same proctype must come before the reference"
    else:
        hint = f"the labels of '{part.proctype}' are: {', '.join(sorted(known)) or 'none'}"
    report.error(f"unknown label '{part.label}'", part.span.loc, hint, word=part.label)
