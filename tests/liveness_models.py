"""Small random models and formulas for comparing liveness verdicts; seeded, so a failure can be repeated."""

from __future__ import annotations

import random

ATOMS = ("a == 1", "b == 2", "c != 0", "a == b", "c == 2 || a == 0")
UNARY = ("[]", "<>", "!")
BINARY = ("U", "V", "&&", "||", "->")


def random_formula(rng: random.Random, depth: int) -> str:
    """A formula over the atoms with at most `depth` nested operators."""
    if depth == 0 or rng.random() < 0.15:
        return f"({rng.choice(ATOMS)})"
    if rng.random() < 0.55:
        return f"{rng.choice(UNARY)} ({random_formula(rng, depth - 1)})"
    left, right = random_formula(rng, depth - 1), random_formula(rng, depth - 1)
    return f"(({left}) {rng.choice(BINARY)} ({right}))"


def _assignment(rng: random.Random) -> str:
    target, source = rng.choice("abc"), rng.choice("abc")
    return rng.choice([f"{target} = {rng.randrange(3)}", f"{target} = ({source} + 1) % 3", f"{target} = {source}"])


def _guard(rng: random.Random) -> str:
    return f"{rng.choice('abc')} {rng.choice(['==', '!=', '<'])} {rng.randrange(1, 3)}"


def _option(rng: random.Random, name: str) -> str:
    kind = rng.randrange(9)
    if kind == 0:
        return f":: atomic {{ {_guard(rng)} -> {_assignment(rng)}; {_assignment(rng)} }}"
    if kind == 1:
        return f":: rv!{rng.randrange(3)}" if name != "P0" else f":: rv?{rng.choice('abc')}"
    if kind == 2:
        return f":: q!{rng.randrange(3)}" if rng.random() < 0.5 else f":: q?{rng.choice('abc')}"
    if kind == 3:
        return ":: timeout -> " + _assignment(rng)
    if kind == 4:
        return f":: {_guard(rng)} -> break"
    if kind == 5:
        return f":: d_step {{ {_guard(rng)}; {_assignment(rng)}; {_assignment(rng)} }}"
    return f":: {_guard(rng)} -> {_assignment(rng)}"


def _process(rng: random.Random, name: str, labels: tuple[str, ...]) -> str:
    options = [_option(rng, name) for _ in range(rng.randrange(2, 5))]
    label = f"\n    {rng.choice(labels)}_{name}: {_assignment(rng)};" if labels else ""
    return "\n".join(
        [
            f"active proctype {name}() {{",
            f"    {_assignment(rng)};{label}",
            "    do",
            *(f"    {option}" for option in options),
            "    od;",
            f"    {_assignment(rng)}",
            "}",
        ]
    )


def random_model(seed: int, n_formulas: int = 0, labels: tuple[str, ...] = ()) -> str:
    """A model of two or three processes, with ltl blocks p0, p1, ... or with labels in the processes."""
    rng = random.Random(seed)
    parts = ["byte a, b, c;", "chan rv = [0] of { byte };", "chan q = [1] of { byte };"]
    for i in range(rng.randrange(2, 4)):
        parts.append(_process(rng, f"P{i}", labels if i == 0 else ()))
    for i in range(n_formulas):
        parts.append(f"ltl p{i} {{ {random_formula(rng, 3)} }}")
    return "\n".join(parts) + "\n"
