"""The wheel carries templates and runtime, as text and compiled, and works away from the checkout. The first run of an
installation compiles its model only, unless the compiler or its flags are not those the wheel was built with."""

from __future__ import annotations

import os
import re
import shlex
import sys
import zipfile
from pathlib import Path

import pytest
from oracle import CC, PROMELA, ROOT, execute, parse_report


def build_wheel(folder: Path, **changes: str) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = execute([*command, "--no-build-isolation", "-w", folder, ROOT], folder, env=dict(os.environ, **changes))
    assert done.code == 0, done.err
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"), CC=CC)


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


# ---------------------------------------------------------------- the first run of an installation

MODEL_ONLY = ["model.o", "model1.o", "pan"]
SEARCHES = ["cold.o", "hot.o", "warm.o"]
ALL = sorted([*MODEL_ONLY, *SEARCHES, "options.o"])
CYCLE = "bit x; active proctype P() { accept: do :: x = 1 - x od }\n"


class Installation:
    """An installed wheel, an empty cache, and compilers that keep account of their calls."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.folder = folder
        self.site = folder / "site"
        zipfile.ZipFile(wheel).extractall(self.site)
        (folder / "m.pml").write_text((PROMELA / "lost_update.pml").read_text())
        self.log = folder / "calls"
        self.compiler = self.wrapper("counting-cc", f'exec {CC} "$@"')

    def wrapper(self, name: str, action: str) -> str:
        """A compiler of our own."""
        script = self.folder / name
        script.write_text(f'#!/bin/sh\necho "$@" >> {shlex.quote(str(self.log))}\n{action}\n')
        script.chmod(0o755)
        return str(script)

    def compiled(self, *words: str, compiler: str | None = None) -> list[str]:
        """Runs hsfpy; names of the files that were compiled or linked."""
        self.log.unlink(missing_ok=True)
        env = dict(os.environ, PYTHONPATH=str(self.site), XDG_CACHE_HOME=str(self.folder / "cache"))
        env["CC"] = compiler or self.compiler
        run = execute([sys.executable, "-P", "-m", "hsfpy", *words, "m.pml"], self.folder, env=env, timeout=120)
        assert (run.code, run.err) == (0, ""), run.out
        if words[0] == "-run":
            assert parse_report(run.out).errors == 1
        calls = [line.split() for line in self.log.read_text().splitlines()] if self.log.exists() else []
        return sorted(Path(call[call.index("-o") + 1]).name for call in calls if "-o" in call)


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Installation:
    return Installation(wheel, tmp_path)


@pytest.mark.parametrize("words", [["-a"], ["-run"]])
def test_the_first_run_compiles_its_model_only(words: list[str], installed: Installation) -> None:
    assert installed.compiled(*words) == MODEL_ONLY
    assert installed.compiled(*words) == []
    assert not list((installed.folder / "cache").rglob("*.template")), "templates come compiled too"


def test_the_first_search_for_cycles_compiles_its_model_only(installed: Installation) -> None:
    (installed.folder / "m.pml").write_text(CYCLE)
    assert installed.compiled("-run") == MODEL_ONLY


def test_the_first_simulation_compiles_its_model_only(installed: Installation) -> None:
    assert installed.compiled("-n1") == ["model.so"]


def test_other_directives_are_compiled_and_kept(installed: Installation) -> None:
    assert installed.compiled("-run", "-DBFS") == sorted([*MODEL_ONLY, "options.o"])
    assert installed.compiled("-run", "-O0") == sorted([*MODEL_ONLY, "hot.o"])
    (installed.folder / "m.pml").write_text(CYCLE.replace("accept:", "assert(false);"))
    assert installed.compiled("-run", "-O0") == MODEL_ONLY


@pytest.mark.parametrize(
    "action",
    [
        f'exec {CC} "$@" -O0',  # not what the wheel was built with
        f'exec {CC} "$@" -fno-delete-null-pointer-checks -O0',
        f'case "$*" in *-dM*) exit 1;; *) exec {CC} "$@" -O0;; esac',  # does not say what it is
    ],
)
def test_another_compiler_compiles_everything(action: str, installed: Installation) -> None:
    assert installed.compiled("-run", compiler=installed.wrapper("other-cc", action)) == ALL


def test_options_beside_the_compiler_count(installed: Installation) -> None:
    assert installed.compiled("-run", "-O0", compiler=f"{installed.compiler} -g") == ALL


def test_another_runtime_is_compiled(installed: Installation) -> None:
    with open(installed.site / "hsfpy/_runtime_c/heuristic.c", "a") as file:
        file.write("\nextern int only_for_a_test;\n")
    assert installed.compiled("-run") == sorted([*MODEL_ONLY, "cold.o"])


def test_damaged_objects_do_no_harm(installed: Installation) -> None:
    for path in (installed.site / "hsfpy/_objects").glob("*.o"):
        path.write_bytes(path.read_bytes()[:1000])
    assert installed.compiled("-run") == sorted([*MODEL_ONLY, "pan"]), "all of pan.c, when linking failed"


def test_another_jinja_compiles_the_templates(installed: Installation) -> None:
    (folder,) = (installed.site / "hsfpy/_compiled").iterdir()
    folder.rename(folder.parent / "jinja2-0.1")
    assert installed.compiled("-run") == MODEL_ONLY
    assert list((installed.folder / "cache").rglob("*.template"))


def test_objects_do_not_tell_where_they_were_made(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    made = [name for name in archive.namelist() if name.startswith(("hsfpy/_objects/", "hsfpy/_compiled/"))]
    assert len(made) > 10
    for name in made:
        data = archive.read(name)
        assert str(ROOT).encode() not in data and str(Path.home()).encode() + b"/" not in data, name


def test_a_wheel_can_be_built_without_a_compiler(tmp_path: Path) -> None:
    path = build_wheel(tmp_path, CC="no-such-compiler")
    assert path.name.endswith("-py3-none-any.whl")
    assert not [name for name in zipfile.ZipFile(path).namelist() if "_objects" in name]
    quick = Installation(path, tmp_path)
    assert quick.compiled("-run", "-O0") == ALL


def test_editable_installations_find_objects_in_the_cache(wheel: Path, tmp_path: Path) -> None:
    """`pip install -e`, as in `make setup`: hsfpy runs from the checkout."""
    here = Installation(wheel, tmp_path)
    env = dict(os.environ, XDG_CACHE_HOME=str(tmp_path / "cache"), CC=here.compiler)
    # What hatch_build.py does then; all of such a build would need a package more.
    call = "import pathlib, sys; from hsfpy.objects import warm_up; warm_up(sys.argv[1], pathlib.Path(sys.argv[2]))"
    assert execute([sys.executable, "-c", call, here.compiler, tmp_path], ROOT, env=env, timeout=120).code == 0
    here.site = ROOT
    for words in ("-a", "-run"):
        assert here.compiled(words) == MODEL_ONLY
    (tmp_path / "m.pml").write_text(CYCLE)
    assert here.compiled("-run") == MODEL_ONLY


def test_versions_agree() -> None:
    project = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(), re.M)
    package = re.search(r'__version__ = "(.*)"', (ROOT / "hsfpy" / "__init__.py").read_text())
    assert project is not None and package is not None
    assert project.group(1) == package.group(1)
