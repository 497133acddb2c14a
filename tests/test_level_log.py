"""The log of levels (runtime_c/level_log.c) by itself, under sanitizers."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_levels_come_back_as_they_were(tmp_path: Path) -> None:
    runtime = ROOT / "runtime_c"
    sources = [ROOT / "tests/c/level_log_test.c", runtime / "level_log.c", runtime / "util.c"]
    flags = ["-std=gnu11", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["gcc", *flags, f"-I{runtime}", *sources, "-o", tmp_path / "test"], check=True)
    done = subprocess.run([tmp_path / "test"], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
