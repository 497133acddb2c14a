"""Runs models with the installed SPIN and with hsfpy, and reads their reports.

Both tools go through the same steps: write a verifier, compile it, run it. What SPIN answered is
kept by content (model, included files, flags, SPIN's version), so a rerun of the suite only pays
for hsfpy. Builds of hsfpy are shared by the tests of one session and never outlive it.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from hsfpy.build import Build
from hsfpy.emit import runtime_sources
from hsfpy.files import write_program

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
PROMELA = TESTS / "promela"
EXAMPLES = Path("/usr/share/doc/spin/examples/Examples")

CC = "gcc"


def quick_compiler() -> tuple[str, ...]:
    """A compiler for verifiers that run in no time: tcc takes a tenth of the time, if it is here."""
    return ("tcc",) if shutil.which("tcc") else (CC, "-O0")


# Examples of SPIN with so many states that compiling well pays.
LARGE = frozenset(
    """Book_1991/App.F.pftp.pml Book_1991/p329.pml Book_1991/p330.pml Book_1991/p337.pftp.ses.pml
    Book_1991/p347.pftp.ses5.pml Exercises/ex_6.pml LTL/leader.pml LTL/leader_pre.pml LTL/ltl_gen.pml LTL/petersonN.pml
    LTL/pftp.pml cambridge.pml dtp.pml hajek.pml life.pml snoopy.pml sort.pml""".split()
)


def compiler_for(model: Path, compiler: Sequence[str], extra: Sequence[str] = ()) -> Sequence[str]:
    """The compiler to use for a model: the quick one for examples of SPIN that are small.

    tcc takes options for sanitizers and ignores them, so it is not for these.
    """
    if any("-fsanitize" in option for option in extra):
        return (CC, "-O0")
    is_example = EXAMPLES in model.parents
    return quick_compiler() if is_example and str(model.relative_to(EXAMPLES)) not in LARGE else compiler


# Statement merging, dataflow and dead-variable tricks off: both tools then store the same states.
PLAIN = ("-o1", "-o2", "-o3")
FULL_CC = ("-DNOREDUCE", "-DSAFETY", "-DNOCLAIM")
BFS_CC = (*FULL_CC, "-DBFS")
DEEP = "-m1000000"

NO_SPIN = (
    "these tests compare with SPIN 6.5.2: install it with `apt-get install spin` "
    "(the package brings the example models too)"
)


class OracleMissing(Exception):
    """SPIN or its example models are not installed."""


def require_spin() -> None:
    """Raises OracleMissing with the way to install SPIN, unless it is here."""
    if shutil.which("spin") is None:
        raise OracleMissing(NO_SPIN)


def require_examples() -> None:
    """Raises OracleMissing unless SPIN and its example models are here."""
    require_spin()
    if not EXAMPLES.is_dir():
        raise OracleMissing(NO_SPIN)


# --- what a run printed ------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """What one program printed, and the trails it left."""

    command: tuple[str, ...]
    code: int
    out: str
    err: str
    trails: dict[str, str]

    @property
    def trail(self) -> str:
        """The text of the only trail."""
        assert len(self.trails) == 1, f"expected one trail, got {sorted(self.trails)}\n{self.out}"
        return next(iter(self.trails.values()))


@dataclass(frozen=True)
class Report:
    """The figures of pan's report that scripts read."""

    errors: int
    error: str | None
    depth: int | None
    stored: int
    matched: int
    transitions: int
    atomic: int
    depth_reached: int
    truncated: bool
    unreached: tuple[str, ...]


# pan itself refuses a model with a step from a state to itself that changes nothing.
SELF_LOOP = "has unconditional self-loop"

_ERROR = re.compile(r"^pan:\s*1: (.*) \(at depth (-?\d+)\)$", re.M)


def _count(pattern: str, text: str) -> int:
    found = re.search(pattern, text, re.M)
    if found is None:
        raise AssertionError(f"no {pattern!r} in the report:\n{text}")
    return int(float(found.group(1)))


def parse_report(text: str) -> Report:
    """The figures in a report of pan."""
    error = _ERROR.search(text)
    head, _, tail = text.partition("unreached in ")
    unreached = tuple(("unreached in " + tail).split("\npan: elapsed")[0].strip().splitlines()) if tail else ()
    return Report(
        errors=_count(r"errors: (\d+)", text),
        error=error.group(1).strip() if error else None,
        depth=int(error.group(2)) if error else None,
        stored=_count(r"^\s*([\d.e+]+) states, stored", head),
        matched=_count(r"^\s*([\d.e+]+) states, matched", head),
        transitions=_count(r"^\s*([\d.e+]+) transitions", head),
        atomic=_count(r"^\s*([\d.e+]+) atomic steps", head),
        depth_reached=_count(r"depth reached (-?\d+)", head),
        truncated="max search depth too small" in text,
        unreached=unreached,
    )


# --- expectations on top of a model ------------------------------------------------------------

RECIPE_KEYS = ("flags", "cc", "pan", "spin", "compare")
RESULT_KEYS = ("reject", "error", "errors", "depth", "stored", "transitions")


@dataclass(frozen=True)
class Expectation:
    """What the lines `/* expect: key: value; ... */` on top of a model say."""

    values: dict[str, str]

    @property
    def flags(self) -> tuple[str, ...]:
        return tuple(shlex.split(self.values.get("flags", "")))

    @property
    def cc(self) -> tuple[str, ...]:
        given = self.values.get("cc")
        return FULL_CC if given is None else tuple(shlex.split(given))

    @property
    def pan(self) -> tuple[str, ...]:
        return tuple(shlex.split(self.values.get("pan", "")))

    @property
    def spin_crashes(self) -> bool:
        """SPIN's own verifier dies of a signal here: the figures are hsfpy's alone."""
        return self.values.get("spin") == "crash"

    @property
    def spin_is_wrong(self) -> bool:
        """SPIN gives another answer here, and the model's comment says why that is a defect."""
        return self.values.get("spin") == "wrong"

    @property
    def compared(self) -> tuple[str, ...]:
        """The results that count; a translated formula, say, leaves the number of transitions open."""
        return tuple(self.values.get("compare", " ".join(RESULT_KEYS)).split())

    @property
    def reject(self) -> str | None:
        return self.values.get("reject")


def read_expectation(model: Path) -> Expectation:
    """The expectation on top of a model."""
    values: dict[str, str] = {}
    for line in re.findall(r"^/\* expect:(.*)\*/$", model.read_text(), re.M):
        for item in line.strip().split("; "):
            if item.strip():
                key, _, value = item.partition(":")
                if key.strip() not in RECIPE_KEYS + RESULT_KEYS:
                    raise ValueError(f"{model.name}: unknown key {key.strip()!r} in its expectation")
                values[key.strip()] = value.strip()
    return Expectation(values)


# --- running programs --------------------------------------------------------------------------


def execute(
    command: Sequence[str | Path],
    cwd: Path,
    *,
    timeout: float = 300,
    env: dict[str, str] | None = None,
    stdin: str = "",
) -> Run:
    """Runs a program in `cwd` and returns what it printed and which trails it left there."""
    words = tuple(str(word) for word in command)
    done = subprocess.run(
        words, cwd=cwd, capture_output=True, text=True, errors="replace", timeout=timeout, env=env, input=stdin
    )
    trails = {path.name: path.read_text() for path in sorted(cwd.glob("*.trail")) if path.is_file()}
    return Run(words, done.returncode, done.stdout, done.stderr, trails)


def content_key(*parts: object) -> str:
    """A name for everything that decides a result."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def source_files(model: Path) -> list[Path]:
    """The model and everything it could include: the headers beside it."""
    return [model, *sorted(path for path in model.parent.glob("*.h") if path != model)]


def source_key(model: Path) -> str:
    """A name for the content of a model with its includes."""
    return content_key(model.name, [path.read_bytes() for path in source_files(model)])


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds a lock that other pytest workers respect."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def copy_model(model: Path, to: Path) -> Path:
    """Copies a model and the headers beside it: both tools write next to the model."""
    to.mkdir(parents=True, exist_ok=True)
    for path in source_files(model):
        shutil.copy(path, to / path.name)
    return to / model.name


@functools.cache
def spin_version() -> str:
    """What `spin -V` says."""
    require_spin()
    return subprocess.run(["spin", "-V"], capture_output=True, text=True).stdout.strip()


class Rejected(Exception):
    """A tool refused a model; the text is what it printed."""


class Spin:
    """The real SPIN, with its answers kept in `cache`."""

    def __init__(self, cache: Path, scratch: Path, compiler: Sequence[str] = (CC, "-O1")) -> None:
        require_spin()
        self.cache = cache
        self.scratch = scratch
        self.compiler = compiler

    def build(self, model: Path, flags: Sequence[str] = PLAIN, cc: Sequence[str] = FULL_CC) -> Path:
        """Builds SPIN's verifier and returns the folder it lies in."""
        key = content_key(source_key(model), tuple(flags), tuple(cc))
        folder = self.scratch / f"spin-{key}"
        with locked(self.scratch / f"spin-{key}.lock"):
            if (folder / "done").exists():
                return folder
            shutil.rmtree(folder, ignore_errors=True)
            copy_model(model, folder)
            made = execute(["spin", *flags, "-a", model.name], folder)
            if made.code != 0 or not (folder / "pan.c").exists():
                raise Rejected(made.out + made.err)
            compiler = compiler_for(model, self.compiler)
            compiled = execute([*compiler, "-w", *cc, "-o", "pan", "pan.c"], folder)
            if compiled.code != 0:
                raise Rejected("C compiler: " + compiled.err)
            (folder / "done").touch()
        return folder

    def run(
        self,
        model: Path,
        flags: Sequence[str] = PLAIN,
        cc: Sequence[str] = FULL_CC,
        pan: Sequence[str] = (),
        timeout: float = 600,
    ) -> Run:
        """What SPIN's pan prints for a model; kept by content."""
        key = content_key(spin_version(), source_key(model), tuple(flags), tuple(cc), tuple(pan))
        kept = self.cache / f"{key}.json"
        if kept.exists():
            return _run_from_json(kept.read_text())
        try:
            folder = self.build(model, flags, cc)
            with self._own_folder(folder, pan) as where:
                result = execute(["./pan", *pan], where, timeout=timeout)
        except Rejected as refusal:
            result = Run(("spin",), 1, str(refusal), "", {})
        _write_atomically(kept, json.dumps(asdict(result)))
        return result

    def replay(self, model: Path, trail: str, flags: Sequence[str], where: Path, show: Sequence[str] = ("-p",)) -> Run:
        """What `spin -t` prints for a trail."""
        local = copy_model(model, where)
        os.utime(local, (0, 0))  # SPIN warns of a model newer than its trail
        (where / f"{model.name}.trail").write_text(trail)
        return execute(["spin", *flags, "-t", *show, local.name], where)

    @contextmanager
    def _own_folder(self, build: Path, pan: Sequence[str]) -> Iterator[Path]:
        """A folder for one run, so that trails of different runs do not mix."""
        where = build / f"run-{content_key(tuple(pan))}-{os.getpid()}"
        where.mkdir(exist_ok=True)
        shutil.copy(build / "pan", where / "pan")
        try:
            yield where
        finally:
            shutil.rmtree(where)


def _run_from_json(text: str) -> Run:
    values = json.loads(text)
    return Run(tuple(values["command"]), values["code"], values["out"], values["err"], values["trails"])


def _write_atomically(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_text(text)
    part.replace(path)


HSFPY = (sys.executable, "-m", "hsfpy")


class Hsfpy:
    """hsfpy from this checkout; a verifier is built once and shared by the tests of a session."""

    def __init__(self, scratch: Path, compiler: Sequence[str] = (CC, "-O1")) -> None:
        self.scratch = scratch
        self.compiler = compiler

    def call(self, *args: str | Path, cwd: Path, timeout: float = 300, env: dict[str, str] | None = None) -> Run:
        """Runs hsfpy with some arguments."""
        return execute([*HSFPY, *args], cwd, timeout=timeout, env=with_root(env))

    def build(
        self,
        model: Path,
        flags: Sequence[str] = PLAIN,
        cc: Sequence[str] = FULL_CC,
        extra: Sequence[str] = (),
    ) -> Path:
        """Writes and compiles a verifier; returns the folder it lies in. Raises Rejected."""
        written = self._write(model, flags)
        # By content of pan.c: flags that change nothing in it cost no further build.
        key = content_key(source_key(model), (written / "pan.c").read_bytes(), tuple(cc), tuple(extra))
        folder = self.scratch / f"hsfpy-{key}"
        with locked(self.scratch / f"hsfpy-{key}.lock"):
            if (folder / "done").exists():
                return folder
            shutil.rmtree(folder, ignore_errors=True)
            copy_model(model, folder)
            shutil.copy(written / "pan.c", folder / "pan.c")
            compiler = compiler_for(model, self.compiler, extra)
            if compiler == quick_compiler():
                self._compile(folder, [*compiler, *extra, *cc])
            else:
                self._link(folder, [*cc, *extra], "-O0" if "-O0" in compiler else "-O2")
            (folder / "done").touch()
        return folder

    @staticmethod
    def _compile(folder: Path, command: Sequence[str]) -> None:
        """Compiles pan.c as it is."""
        done = execute([*command, "-w", "-o", "pan", "pan.c"], folder)
        complaint = "\n".join(done.err.splitlines()[:5])
        assert (done.code, done.out, done.err) == (0, "", ""), f"pan.c does not compile cleanly\n{complaint}"

    @staticmethod
    def _link(folder: Path, flags: list[str], optimize: str) -> None:
        """The same verifier as `hsfpy -a` builds it: only the model is compiled, the rest comes from the cache."""
        model_part = (folder / "pan.c").read_text().removesuffix(runtime_sources())
        with Build(optimize, flags) as build:
            verifier = build.make(model_part, flags, "", keep=False)
        assert verifier is not None
        write_program(folder / "pan", verifier)

    def run(
        self,
        model: Path,
        flags: Sequence[str] = PLAIN,
        cc: Sequence[str] = FULL_CC,
        pan: Sequence[str] = (),
        extra: Sequence[str] = (),
        timeout: float = 600,
    ) -> Run:
        """What hsfpy's pan prints for a model. Raises Rejected when hsfpy refuses it."""
        folder = self.build(model, flags, cc, extra)
        where = folder / f"run-{content_key(tuple(pan))}-{os.getpid()}"
        shutil.rmtree(where, ignore_errors=True)
        where.mkdir()
        result = execute([folder / "pan", *pan], where, timeout=timeout)
        shutil.rmtree(where)
        return result

    def _write(self, model: Path, flags: Sequence[str]) -> Path:
        """Runs `hsfpy -a` once for a model and its flags."""
        key = content_key(source_key(model), tuple(flags))
        folder = self.scratch / f"hsfpy-{key}"
        with locked(self.scratch / f"hsfpy-{key}.lock"):
            if (folder / "refused").exists():
                raise Rejected((folder / "refused").read_text())
            if not (folder / "pan.c").exists():
                copy_model(model, folder)
                # CC=true: the directives differ from test to test, so the build is ours.
                made = self.call(*flags, "-a", model.name, cwd=folder, env={"CC": "true"})
                if made.code != 0:
                    (folder / "refused").write_text(made.out + made.err)
                    raise Rejected(made.out + made.err)
        return folder


def with_root(env: dict[str, str] | None) -> dict[str, str]:
    """The environment in which hsfpy is found from any folder."""
    merged = dict(os.environ, **(env or {}))
    paths = [str(ROOT), *filter(None, [merged.get("PYTHONPATH")])]
    merged["PYTHONPATH"] = os.pathsep.join(paths)
    return merged
