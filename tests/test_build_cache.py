"""Build results are kept by content: what is the same is not compiled again, what differs is, and
whatever happens to the cache, a run gives the same verifier."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from oracle import CC, HSFPY, Run, execute, parse_report, quick_compiler, with_root

from hsfpy import cache
from hsfpy.build import Build
from hsfpy.objects import Unit

MODEL = """byte g;
active [2] proctype P()
{
	byte x;
	x = g;
	g = x + 1;
	assert(g < 2)
}
"""
UNITS = ("hot", "warm", "cold", "options")  # of the runtime


class Workshop:
    """A folder with a model, a cache of its own, and a compiler that keeps account of its calls."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache" / "hsfpy"
        self.scratch = folder / "scratch"
        self.scratch.mkdir()
        self.log = folder / "calls"
        self.model = folder / "m.pml"
        self.model.write_text(MODEL)
        compiler = folder / "counting-cc"
        compiler.write_text(f'#!/bin/sh\necho "$@" >> {shlex.quote(str(self.log))}\nexec {quick_compiler()[0]} "$@"\n')
        compiler.chmod(0o755)
        changes = {"XDG_CACHE_HOME": str(folder / "cache"), "CC": str(compiler), "TMPDIR": str(self.scratch)}
        self.env = with_root(changes)

    def hsfpy(self, *words: str, cwd: Path | None = None, **changes: str) -> Run:
        return execute([*HSFPY, *words], cwd or self.folder, env=self.env | changes, timeout=120)

    def compiled(self) -> list[str]:
        """What was compiled or linked since the last call of this method, by names of output files."""
        calls = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return sorted(Path(words[words.index("-o") + 1]).name for words in map(str.split, calls))

    def entries(self, kind: str) -> list[Path]:
        return sorted(self.cache.glob(f"*.{kind}"))

    def errors(self, cwd: Path | None = None) -> int:
        """Runs ./pan, which finds the lost update."""
        return parse_report(execute(["./pan"], cwd or self.folder, timeout=60).out).errors


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


MODEL_ONLY = ["model.o", "model1.o", "pan"]
FIRST = sorted([*(f"{unit}.o" for unit in UNITS), *MODEL_ONLY])


def check_clean(workshop: Workshop) -> None:
    """Nothing half made is left behind."""
    assert not list(workshop.scratch.iterdir())
    assert not list(workshop.cache.glob("*.part")) and not list(workshop.cache.glob("*.lock"))


# ---------------------------------------------------------------- what is compiled when


def test_the_same_model_is_compiled_once(workshop: Workshop) -> None:
    first = workshop.hsfpy("-a", "m.pml")
    assert (first.code, first.out, first.err) == (0, "", "")
    assert workshop.compiled() == FIRST
    made = {name: (workshop.folder / name).read_bytes() for name in ("pan.c", "pan", "pan.h", "pan.m")}
    for name in made:
        (workshop.folder / name).unlink()
    second = workshop.hsfpy("-a", "m.pml")
    assert (second.code, second.out, second.err) == (0, "", "")
    assert workshop.compiled() == []
    assert {name: (workshop.folder / name).read_bytes() for name in made} == made
    assert workshop.errors() == 1
    check_clean(workshop)


def test_run_compiles_once(workshop: Workshop) -> None:
    first = workshop.hsfpy("-run", "m.pml")
    assert parse_report(first.out).errors == 1
    assert workshop.compiled() == FIRST
    second = workshop.hsfpy("-run", "m.pml")
    assert parse_report(second.out).errors == 1
    assert workshop.compiled() == []
    assert not (workshop.folder / "pan.c").exists()
    check_clean(workshop)


def test_another_model_compiles_only_itself(workshop: Workshop) -> None:
    workshop.hsfpy("-a", "m.pml")
    workshop.compiled()
    workshop.model.write_text(MODEL.replace("[2]", "[3]"))
    assert workshop.hsfpy("-a", "m.pml").code == 0
    assert workshop.compiled() == MODEL_ONLY


def test_units_link_with_a_strict_linker(workshop: Workshop) -> None:
    """tcc puts up with what is defined twice; others would fall back on all of pan.c, and nobody would notice."""
    compiler = workshop.folder / "counting-cc"
    compiler.write_text(compiler.read_text().replace(f"exec {quick_compiler()[0]} ", f"exec {CC} "))
    assert workshop.hsfpy("-a", "m.pml").code == 0
    assert workshop.compiled() == FIRST


def test_messages_are_remembered(workshop: Workshop) -> None:
    workshop.model.write_text(
        "byte x = 300; ltl p { [] (x < 300) } ltl q { <> (x > 2) } active proctype P() { x = 3 }\n"
    )
    first, second = workshop.hsfpy("-a", "m.pml"), workshop.hsfpy("-a", "m.pml")
    assert "ltl p: " in first.out and "never claims: q, p" in first.out
    assert (second.code, second.out, second.err) == (first.code, first.out, first.err)


@pytest.mark.parametrize("words", [["-o3"], ["-m"], ["-DX=1"], ["--invariant", "g < 2"], ["-O"]])
def test_options_make_a_difference(words: list[str], workshop: Workshop) -> None:
    workshop.hsfpy("-a", "m.pml")
    workshop.compiled()
    before = len(workshop.entries("model"))
    assert workshop.hsfpy(*words, "-a", "m.pml").code == 0
    assert len(workshop.entries("model")) == before + 1


def test_the_seed_of_random_runs_makes_no_difference(workshop: Workshop) -> None:
    for seed in ("-n1", "-n2"):  # without -n it is the time of day
        assert workshop.hsfpy(seed, "-a", "m.pml").code == 0
    assert len(workshop.entries("model")) == 1


def test_directives_make_a_difference(workshop: Workshop) -> None:
    workshop.hsfpy("-run", "m.pml")
    workshop.compiled()
    run = workshop.hsfpy("-run", "-bfs", "m.pml")
    assert "+ Breadth-First Search" in run.out
    assert workshop.compiled() == sorted(["options.o", *MODEL_ONLY])


def test_includes_of_the_model_count(workshop: Workshop) -> None:
    header = workshop.folder / "limit.h"
    workshop.model.write_text('#include "limit.h"\n' + MODEL.replace("g < 2", "g < LIMIT"))
    for limit, errors in ((2, 1), (9, 0), (2, 1)):
        header.write_text(f"#define LIMIT {limit}\n")
        assert workshop.hsfpy("-a", "m.pml").code == 0
        assert workshop.errors() == errors


def test_includes_of_embedded_c_count(workshop: Workshop) -> None:
    """The C compiler reads them, so nobody knows whether they are still the same."""
    header = workshop.folder / "limit.h"
    workshop.model.write_text(
        'c_decl {\n\\#include "limit.h"\n}\nactive proctype P() { assert(c_expr { LIMIT > 5 }) }\n'
    )
    for limit, errors in ((2, 1), (9, 0), (2, 1)):
        header.write_text(f"#define LIMIT {limit}\n")
        assert workshop.hsfpy("-a", "m.pml").code == 0
        assert workshop.errors() == errors


def test_the_file_name_counts(workshop: Workshop) -> None:
    workshop.hsfpy("-a", "m.pml")
    (workshop.folder / "other.pml").write_text(MODEL)
    workshop.hsfpy("-a", "other.pml")
    assert "pan: wrote other.pml.trail" in execute(["./pan"], workshop.folder).out


def test_another_compiler_counts(workshop: Workshop) -> None:
    workshop.hsfpy("-a", "m.pml")
    workshop.compiled()
    other = workshop.folder / "other-cc"
    other.write_text((workshop.folder / "counting-cc").read_text())
    other.chmod(0o755)
    assert workshop.hsfpy("-a", "m.pml", CC=str(other)).code == 0
    assert workshop.compiled() == FIRST


def test_a_wrong_model_leaves_nothing(workshop: Workshop) -> None:
    """The compilers started for the runtime are stopped."""
    workshop.model.write_text(MODEL.replace("x = g;", "x = h;"))
    run = workshop.hsfpy("-a", "m.pml")
    assert run.code == 1 and "h" in run.out
    check_clean(workshop)
    workshop.model.write_text(MODEL)
    assert workshop.hsfpy("-a", "m.pml").code == 0
    assert workshop.errors() == 1


# ---------------------------------------------------------------- damage


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-10] ^= 1
    path.write_bytes(data)


def scribble(path: Path) -> None:
    path.write_bytes(os.urandom(1000))


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [cut, empty, flip, scribble, make_folder])
@pytest.mark.parametrize("kind", ["o", "pan", "model", "template"])
def test_damaged_entries(kind: str, damage: Callable[[Path], None], workshop: Workshop) -> None:
    workshop.hsfpy("-a", "m.pml")
    workshop.compiled()
    if kind in ("o", "template"):  # those are looked at only if there is something to build
        for entry in [*workshop.entries("pan"), *workshop.entries("model")]:
            entry.unlink()
    entries = workshop.entries(kind)
    assert entries
    for entry in entries:
        damage(entry)
    (workshop.folder / "pan").unlink()
    run = workshop.hsfpy("-a", "m.pml")
    assert (run.code, run.out, run.err) == (0, "", "")
    assert workshop.compiled() == {"o": FIRST, "model": []}.get(kind, MODEL_ONLY)
    assert workshop.errors() == 1
    if damage is not make_folder:
        workshop.hsfpy("-a", "m.pml")
        assert workshop.compiled() == []


# ---------------------------------------------------------------- many at once


def test_concurrent_builds(workshop: Workshop) -> None:
    """Eight runs with a cold cache, half of them of the same model."""
    limits = [2, 2, 2, 2, 3, 9, 10, 11]

    def build(number: int) -> int:
        folder = workshop.folder / f"at{number}"
        folder.mkdir()
        (folder / "m.pml").write_text(MODEL.replace("g < 2", f"g < {limits[number]}"))
        run = workshop.hsfpy("-a", "m.pml", cwd=folder)
        assert (run.code, run.out, run.err) == (0, "", "")
        return workshop.errors(folder)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(build, range(8))) == [1, 1, 1, 1, 0, 0, 0, 0]
    compiled = workshop.compiled()
    assert {name: compiled.count(name) for name in FIRST if name not in MODEL_ONLY} == {
        f"{unit}.o": 1 for unit in UNITS
    }, "one run makes an object, the others wait for it"
    check_clean(workshop)


def test_a_stopped_run_does_not_hold_up_others_for_ever(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(workshop.folder / "cache"))
    monkeypatch.setattr(cache, "_MAKER_PATIENCE", 0.2)
    first, second = cache.Turn("x.o"), cache.Turn("x.o")
    assert first.is_ours and not second.is_ours
    start = time.monotonic()
    assert second.wait() is None
    assert 0.1 < time.monotonic() - start < 5
    first.end()
    third = cache.Turn("x.o")
    assert third.is_ours
    third.end()


def test_waiting_ends_when_the_maker_gives_up_or_is_done(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(workshop.folder / "cache"))
    for made in (b"object", None):
        maker, waiting = cache.Turn("x.o"), cache.Turn("x.o")
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(waiting.wait)
            if made is not None:
                cache.store("x.o", made)
            maker.end()
            assert answer.result(timeout=10) == made
        waiting.end()
        (workshop.cache / "x.o").unlink(missing_ok=True)


def test_a_killed_run_does_not_block_the_next(workshop: Workshop) -> None:
    slow = workshop.folder / "slow-cc"
    slow.write_text("#!/bin/sh\nsleep 20\n")
    slow.chmod(0o755)
    run = subprocess.Popen([*HSFPY, "-a", "m.pml"], cwd=workshop.folder, env=workshop.env | {"CC": str(slow)})
    deadline = time.monotonic() + 20
    while not list(workshop.cache.glob("*.lock")) and time.monotonic() < deadline:
        time.sleep(0.02)
    run.kill()
    run.wait()
    slow.write_text(f'#!/bin/sh\nexec {quick_compiler()[0]} "$@"\n')
    os.utime(slow, ns=(0, 0))
    start = time.monotonic()
    assert workshop.hsfpy("-a", "m.pml", CC=str(slow)).code == 0
    assert time.monotonic() - start < 15
    assert workshop.errors() == 1


# ---------------------------------------------------------------- no room, no right


def check_works_uncached(workshop: Workshop, run: Run) -> None:
    assert (run.code, run.out, run.err) == (0, "", "")
    assert workshop.compiled() == FIRST
    assert workshop.errors() == 1
    assert not list(workshop.scratch.iterdir())


def test_no_cache_folder(workshop: Workshop) -> None:
    """A file stands in the way of the folder; not even root can make it."""
    (workshop.folder / "cache").write_text("")
    for _ in range(2):
        check_works_uncached(workshop, workshop.hsfpy("-a", "m.pml"))


@pytest.mark.parametrize("home", ["/proc", "/nowhere/at/all", ""])
def test_no_home(home: str, workshop: Workshop) -> None:
    check_works_uncached(workshop, workshop.hsfpy("-a", "m.pml", XDG_CACHE_HOME="/proc/none", HOME=home))


def mounted(workshop: Workshop, options: str, then: str = "") -> Run:
    """Runs hsfpy -a where the cache is a file system of its own."""
    place = workshop.folder / "cache"
    place.mkdir(exist_ok=True)
    script = f"mount -t tmpfs -o {options} none {shlex.quote(str(place))} && {then} exec {shlex.join(HSFPY)} -a m.pml"
    return execute(["unshare", "-Urm", "sh", "-c", script], workshop.folder, env=workshop.env, timeout=120)


def can_mount(tmp_path: Path) -> bool:
    try:
        return execute(["unshare", "-Urm", "mount", "-t", "tmpfs", "none", tmp_path], tmp_path).code == 0
    except OSError:
        return False


@pytest.mark.parametrize("options", ["ro", "size=4k", "size=64k", "size=200k", "nr_inodes=2"])
def test_full_or_read_only_cache(options: str, workshop: Workshop) -> None:
    if not can_mount(workshop.scratch):
        pytest.skip("needs the right to mount file systems of one's own (unshare -Urm)")
    check_works_uncached(workshop, mounted(workshop, options))


def test_full_disk_leaves_no_parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def no_room(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", no_room)
    cache.store("x.o", b"data")
    assert list((tmp_path / "hsfpy").iterdir()) == []
    assert cache.load("x.o") is None


# ---------------------------------------------------------------- size


def test_the_cache_does_not_grow_without_bound(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cache, "LIMIT", 20_000)
    folder = tmp_path / "hsfpy"
    cache.store("often.o", b"o" * 1000)
    for number in range(100):
        cache.store(f"{number}.o", b"x" * 1000)
        os.utime(folder / f"{number}.o", (number, number))
        assert cache.load("often.o") == b"o" * 1000
        assert sum(path.stat().st_size for path in folder.iterdir()) <= 20_000
    assert cache.load("99.o") is not None
    assert cache.load("0.o") is None


def test_leftovers_go(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "hsfpy"
    folder.mkdir()
    old, new = folder / "a.o.1.part", folder / "b.o.2.part"
    old.touch()
    new.touch()
    os.utime(old, (1000, 1000))
    cache.store("c.o", b"data")
    assert not old.exists() and new.exists()


def test_keys_tell_parts_apart() -> None:
    keys = {cache.key("o", parts) for parts in (["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["ab", "c", ""])}
    assert len(keys) == 5
    assert cache.key("o", ["a"]) != cache.key("pan", ["a"])


# ---------------------------------------------------------------- what the runtime is compiled with


def test_some_flags_reach_the_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sanitizers, limits that tests set, and directives that count; SPIN's others are told at run time."""
    given: list[list[str]] = []

    def units(optimize: str, directives: list[str]) -> list[Unit]:
        given.append(directives)
        return []

    monkeypatch.setattr("hsfpy.build.search_units", units)
    flags = ["-fsanitize=address,undefined", "-DSAFETY", "-DGUESSED_FROM=0", "-DPEG", "-g", "-DVECTORSZ=4096"]
    with Build("-O0", flags) as build:
        build.prepare()
    assert given == [["-fsanitize=address,undefined", "-DGUESSED_FROM=0", "-DPEG"]]
