"""Writes SPIN's own answers into the expectations on top of tests/promela/*.pml.

    python tests/fill_expectations.py [NAME ...]

Keys that say how to run a model (flags, cc, pan, spin, compare) are kept; results are replaced.
Read the difference before committing it: the file says what the language means.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from oracle import (
    DEEP,
    PLAIN,
    PROMELA,
    RECIPE_KEYS,
    SELF_LOOP,
    Expectation,
    Spin,
    parse_report,
    quick_compiler,
    read_expectation,
)

SMALL = "-w18"


def spin_answers(spin: Spin, model: Path, recipe: Expectation) -> dict[str, str]:
    """The result keys for a model."""
    flags = (*PLAIN, *recipe.flags)
    order = spin.run(model, flags, recipe.cc, ("-n", DEEP, SMALL, *recipe.pan))
    if order.command == ("spin",):
        return {"reject": reject_text(order.out)}
    if SELF_LOOP in order.out:
        return {"reject": SELF_LOOP}
    full = parse_report(spin.run(model, flags, recipe.cc, ("-c0", "-n", DEEP, SMALL, *recipe.pan)).out)
    first = parse_report(order.out)
    answers = {"error": first.error or "none"}
    if first.depth is not None:
        answers["depth"] = str(first.depth)
    return answers | {
        "errors": str(full.errors),
        "stored": str(full.stored),
        "transitions": str(full.transitions),
    }


def reject_text(out: str) -> str:
    """The message of the first error, without what SPIN's parser saw (token codes)."""
    found = re.search(r"Error: (.*)", out) or re.search(r"(.*\S.*)", out)
    text = found.group(1) if found else ""
    return re.split(r"\t| near | statement separator", text)[0].replace(";", ",").strip()


def rewrite(model: Path, recipe: dict[str, str], answers: dict[str, str]) -> None:
    """Puts new expectation lines on top of a model."""
    body = re.sub(r"^/\* expect:.*\*/\n", "", model.read_text(), flags=re.M)
    lines = [recipe, answers] if recipe else [answers]
    head = "".join(f"/* expect: {'; '.join(f'{k}: {v}' for k, v in line.items())} */\n" for line in lines)
    model.write_text(head + body)


def main(names: list[str]) -> None:
    models = [PROMELA / f"{name}.pml" for name in names] or sorted(PROMELA.glob("*.pml"))
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(2) as pool:
        spin = Spin(Path(scratch) / "cache", Path(scratch), quick_compiler())

        def fill(model: Path) -> str:
            recipe = read_expectation(model)
            kept = {key: value for key, value in recipe.values.items() if key in RECIPE_KEYS}
            if recipe.spin_crashes or recipe.spin_is_wrong:
                return f"{model.stem}: left as it is, no answer of SPIN's to go by"
            try:
                answers = spin_answers(spin, model, recipe)
            except (AssertionError, subprocess.TimeoutExpired) as problem:
                return f"{model.stem}: NO ANSWER: {problem}"
            answers = {key: value for key, value in answers.items() if key in recipe.compared}
            rewrite(model, kept, answers)
            return f"{model.stem}: {answers}"

        for line in pool.map(fill, models):
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
