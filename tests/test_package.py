"""The wheel carries templates and runtime, and works away from the checkout."""

from __future__ import annotations

import os
import re
import sys
import zipfile
from pathlib import Path

import pytest
from oracle import PROMELA, ROOT, execute, parse_report


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = execute([*command, "--no-build-isolation", "-w", folder, ROOT], folder)
    assert done.code == 0, done.err
    return next(folder.glob("*.whl"))


def test_wheel_holds_everything(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for kind, inside in (("templates/*", "_templates"), ("runtime_c/*.[ch]", "_runtime_c")):
        for path in ROOT.glob(kind):
            assert f"hsfpy/{inside}/{path.name}" in names
    assert "hsfpy/py.typed" in names
    for path in (ROOT / "hsfpy").rglob("*.lark"):
        assert str(path.relative_to(ROOT)) in names


def test_wheel_works_elsewhere(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    (tmp_path / "m.pml").write_text((PROMELA / "lost_update.pml").read_text())
    env = dict(os.environ, PYTHONPATH=str(tmp_path / "site"))
    # -P: not from the current folder; the checkout must not be found by accident.
    found = execute([sys.executable, "-P", "-c", "import hsfpy; print(hsfpy.__file__)"], tmp_path, env=env)
    assert found.out.startswith(str(tmp_path / "site"))
    made = execute([sys.executable, "-P", "-m", "hsfpy", "-a", "m.pml"], tmp_path, env=env)
    assert (made.code, made.out, made.err) == (0, "", "")
    assert parse_report(execute(["./pan"], tmp_path).out).errors == 1


def test_versions_agree() -> None:
    project = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(), re.M)
    package = re.search(r'__version__ = "(.*)"', (ROOT / "hsfpy" / "__init__.py").read_text())
    assert project is not None and package is not None
    assert project.group(1) == package.group(1)
