"""Semantic errors SPIN's front end reports, and what SPIN refuses."""

from __future__ import annotations

from hsfpy.build_model import Session
from hsfpy.nodes import Model


def check(model: Model) -> None:
    """Raises the errors found in a resolved model."""
    session = model.session
    assert isinstance(session, Session)
    session.report.raise_errors()
