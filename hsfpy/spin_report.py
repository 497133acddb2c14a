"""Reading the report of SPIN's own verifier."""

from __future__ import annotations

import re


def read_report(text: str) -> tuple[int | None, int | None, int | None]:
    """States stored, transitions, and the number of steps to the first error."""
    depth = re.search(r"^pan:1: .* \(at depth (-?\d+)\)$", text, re.MULTILINE)
    stored = re.search(r"^\s*([\d.e+]+) states, stored", text, re.MULTILINE)
    transitions = re.search(r"^\s*([\d.e+]+) transitions", text, re.MULTILINE)
    if depth is None or stored is None or transitions is None:
        return None, None, None
    return int(float(stored[1])), int(float(transitions[1])), int(depth[1]) + 1
