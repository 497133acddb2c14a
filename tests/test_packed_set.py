"""The set of packed states (runtime_c/packed_set.c) by itself, with all sizes of entries, under sanitizers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# Compilers without integers of 128 bits multiply in another way.
WITHOUT_INT128 = "-U__SIZEOF_INT128__"
# Small tables grow as large ones do: by halves and thirds, where they are.
BY_HALVES = ("-DDOUBLED_BUCKETS=16", "-DEXTENDED_BYTES=65536")


@pytest.fixture(
    scope="module", params=[(), (WITHOUT_INT128,), BY_HALVES], ids=["int128", "portable", "by halves and thirds"]
)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("packed_set") / "test"
    sources = [ROOT / "tests/c/packed_set_test.c", ROOT / "runtime_c/packed_set.c", ROOT / "runtime_c/util.c"]
    flags = ["-std=gnu11", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", *request.param]
    subprocess.run(["gcc", *flags, f"-I{ROOT / 'runtime_c'}", *sources, "-o", output], check=True)
    return output


@pytest.mark.parametrize("bits", [40, 44, 50, 57, 63, 64, 65, 80, 100, 127, 128])
def test_members_are_found_again(bits: int, program: Path) -> None:
    done = subprocess.run([program, str(bits)], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
