"""Trails: reading them, and replaying them with the real SPIN."""

from __future__ import annotations

import re
from pathlib import Path

from oracle import Run, Spin


def steps(trail: str) -> list[tuple[int, int, int]]:
    """The steps of a trail as (depth, process, statement)."""
    lines = [tuple(int(number) for number in line.split(":")) for line in trail.splitlines()]
    return [(depth, pid, statement) for depth, pid, statement in lines if depth >= 0]


def last_depth(trail: str) -> int:
    """The number of the last step, 0 if there is none."""
    return max((depth for depth, _, _ in steps(trail)), default=0)


def spin_replay(spin: Spin, model: Path, trail: str, flags: tuple[str, ...], where: Path) -> Run:
    """`spin -t -p` of a trail; fails unless SPIN walks to its last step."""
    replay = spin.replay(model, trail, flags, where)
    assert replay.code == 0, replay.out
    ends = re.search(r"trail ends after (-?\d+) steps", replay.out)
    assert ends is not None, replay.out
    # In a cycle of the claim alone nothing of the program follows the mark; SPIN then counts from the mark.
    expected = -1 if trail.endswith("-1:-1:-1\n") else last_depth(trail)
    assert int(ends.group(1)) == expected, replay.out
    return replay


def assert_replays_in_spin(spin: Spin, model: Path, trail: str, flags: tuple[str, ...], where: Path) -> None:
    """Fails unless the real SPIN executes every step of a trail."""
    replay = spin_replay(spin, model, trail, flags, where)
    assert "transition failed" not in replay.out, replay.out
