"""Reading the report of SPIN's own verifier."""

from __future__ import annotations

import re


def read_counts(text: str) -> tuple[int | None, int | None]:
    """States stored and transitions."""
    stored = re.search(r"^\s*([\d.e+]+) states, stored", text, re.MULTILINE)
    transitions = re.search(r"^\s*([\d.e+]+) transitions", text, re.MULTILINE)
    if stored is None or transitions is None:
        return None, None
    return int(float(stored[1])), int(float(transitions[1]))


def read_report(text: str) -> tuple[int | None, int | None, int | None]:
    """States stored, transitions, and the number of steps to the first error."""
    depth = re.search(r"^pan:1: .* \(at depth (-?\d+)\)$", text, re.MULTILINE)
    stored, transitions = read_counts(text)
    if depth is None or stored is None:
        return None, None, None
    return stored, transitions, int(depth[1]) + 1


def stopped_by(text: str) -> str | None:
    """Which limit ended a search without an error: "memory", "depth", or None."""
    if re.search(r"reached -DMEMLIM bound|out of memory|memory limit", text):
        return "memory"
    return "depth" if "max search depth too small" in text else None


def program_steps(trail: str) -> int:
    """The steps of the program alone in a trail made with a never claim, whose steps have number 0."""
    return len(re.findall(r"^\d+:[1-9]\d*:", trail, re.MULTILINE))
