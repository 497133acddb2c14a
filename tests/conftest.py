"""Fixtures: the real SPIN and hsfpy, each with a place to build in."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from oracle import CC, Hsfpy, OracleMissing, Spin, quick_compiler, require_examples


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this session share."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "builds"


@pytest.fixture(scope="session")
def spin(request: pytest.FixtureRequest, scratch: Path) -> Spin:
    """SPIN, for models with many states."""
    return _spin(request, scratch / "O1", (CC, "-O1"))


@pytest.fixture(scope="session")
def spin_small(request: pytest.FixtureRequest, scratch: Path) -> Spin:
    """SPIN for models that run in no time: compiling is what costs."""
    return _spin(request, scratch / "quick", quick_compiler())


def _spin(request: pytest.FixtureRequest, scratch: Path, compiler: tuple[str, ...]) -> Spin:
    try:
        require_examples()
    except OracleMissing as missing:
        pytest.fail(str(missing), pytrace=False)
    assert request.config.cache is not None
    return Spin(Path(request.config.cache.mkdir("spin-answers")), scratch, compiler)


@pytest.fixture(scope="session")
def hsfpy(scratch: Path) -> Hsfpy:
    """hsfpy, for models with many states."""
    return Hsfpy(scratch / "O1")


@pytest.fixture(scope="session")
def hsfpy_small(scratch: Path) -> Hsfpy:
    """hsfpy for models that run in no time."""
    return Hsfpy(scratch / "quick", quick_compiler())
