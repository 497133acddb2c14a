"""What the tests of `hsfpy.ltl` compare with: the meaning of a formula on a word, and SPIN.

A word is a lasso: letters (sets of atoms that hold) of a prefix, then of a cycle repeated for ever.
"""

from __future__ import annotations

import random
import re
import subprocess

from hsfpy.ltl import formula as ltl
from hsfpy.ltl.automaton import Automaton, Edge, State
from hsfpy.ltl.formula import And, Constant, Formula, Next, Not, Or, Prop, Release, Until
from hsfpy.ltl.guards import Cube, Guards
from hsfpy.ltl.parser import parse

Letter = frozenset[str]
Word = tuple[list[Letter], list[Letter]]

ATOMS = ("a", "b", "c")


# ---------------------------------------------------------------- words and formulas at random


def random_word(rng: random.Random, atoms: tuple[str, ...] = ATOMS) -> Word:
    def letters(count: int) -> list[Letter]:
        return [frozenset(atom for atom in atoms if rng.random() < 0.5) for _ in range(count)]

    return letters(rng.randint(0, 4)), letters(rng.randint(1, 4))


def random_formula(rng: random.Random, size: int, with_next: bool, atoms: tuple[str, ...] = ATOMS) -> str:
    """Return the text of a formula with about `size` operators and atoms."""
    if size <= 1:
        return rng.choice([*atoms, *atoms, *atoms, "true", "false"])
    unary = ["!", "[]", "<>", *(["X"] if with_next else [])]
    if size == 2 or rng.random() < 0.4:
        return f"{rng.choice(unary)} ({random_formula(rng, size - 1, with_next, atoms)})"
    left = rng.randint(1, size - 2)
    first = random_formula(rng, left, with_next, atoms)
    second = random_formula(rng, size - 1 - left, with_next, atoms)
    return f"({first}) {rng.choice(['U', 'V', '&&', '||', '->', '<->'])} ({second})"


# ---------------------------------------------------------------- the meaning of a formula


def holds(formula: Formula, word: Word) -> bool:
    """Return whether the word satisfies the formula, by the definition of each operator."""
    prefix, cycle = word
    letters = prefix + cycle
    known: dict[Formula, list[bool]] = {}

    def after(i: int) -> int:
        return i + 1 if i + 1 < len(letters) else len(prefix)

    def fixed_point(now: list[bool], go_on: list[bool], start: bool) -> list[bool]:
        """Solve v[i] = now[i] or (go_on[i] and v[i+1]) from below or, with `start`, from above."""
        values = [start] * len(letters)
        for _ in range(2 * len(letters)):
            for i in reversed(range(len(letters))):
                values[i] = now[i] or (go_on[i] and values[after(i)])
        return values

    def values_of(node: Formula) -> list[bool]:
        if node not in known:
            known[node] = compute(node)
        return known[node]

    def compute(node: Formula) -> list[bool]:
        match node:
            case Constant(value=value):
                return [value] * len(letters)
            case Prop(text=text):
                return [text in letter for letter in letters]
            case Not(arg=arg):
                return [not value for value in values_of(arg)]
            case And(args=args):
                return [all(column) for column in zip(*map(values_of, args), strict=True)]
            case Or(args=args):
                return [any(column) for column in zip(*map(values_of, args), strict=True)]
            case Next(arg=arg):
                values = values_of(arg)
                return [values[after(i)] for i in range(len(letters))]
            case Until(left=left, right=right):
                return fixed_point(values_of(right), values_of(left), False)
            case Release(left=left, right=right):
                first, second = values_of(left), values_of(right)
                both = [a and b for a, b in zip(first, second, strict=True)]
                return fixed_point(both, second, True)

    return values_of(formula)[0]


# ---------------------------------------------------------------- SPIN's translation


def spin_claim(text: str, seconds: float = 20) -> str | None:
    """Return the never claim that SPIN writes for a formula, None if it does not finish."""
    try:
        done = subprocess.run(["spin", "-f", text], capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 and "never" in done.stdout else None


_OPTION = re.compile(
    r"\t:: (?:\((?P<guard>.*)\) -> goto (?P<target>\w+)"
    r"|atomic \{ \((?P<sink>.*)\) -> assert\(.*\) \}|(?P<false>false))$"
)


def read_claim(claim: str, atoms: tuple[str, ...] = ATOMS) -> Automaton:
    """Return the automaton of a never claim as SPIN or hsfpy writes it."""
    guards = Guards(atoms)
    names: dict[str, int] = {}
    rows: list[list[tuple[str, str]]] = []
    accepting: list[bool] = []
    labels: list[str] = []
    for line in claim.splitlines():
        if line.endswith(":") and not line.startswith("\t"):
            labels.append(line[:-1])
            continue
        if line in ("\tdo", "\tskip"):
            names.update(dict.fromkeys(labels, len(rows)))
            accepting.append(any(label.startswith("accept") for label in labels))
            rows.append([("1", "accept_all")] if line == "\tskip" else [])
            labels = []
        elif match := _OPTION.match(line):
            if match["target"]:
                rows[-1].append((match["guard"], match["target"]))
            elif match["sink"]:
                rows[-1].append((match["sink"], "accept_all"))
        elif not re.fullmatch(r"never .*\{.*|\}|\tod;|", line):
            raise AssertionError(f"a line that no never claim has: {line!r}")
    number_of = {index: name for name, index in reversed(names.items())}

    def cubes(text: str) -> tuple[Cube, ...]:
        return guards.cubes(guards.of_formula(ltl.nnf(parse(text, inline=True))))

    states = tuple(
        State(number_of[i], accepting[i], tuple(Edge(cubes(g), names[t]) for g, t in row)) for i, row in enumerate(rows)
    )
    return Automaton(states, 0, atoms)
