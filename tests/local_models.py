"""Small random models in which processes do much by themselves, for comparing searches with and without reduction.

`random_model(seed)` has two to four processes with local variables, channels of one sender and one receiver each, loops
that end and loops that do not, and now and then a global variable (a, b or c, as in `liveness_models`), an assertion, a
label. Most states have a process with exactly one step that nobody notices.
"""

from __future__ import annotations

import random

from liveness_models import random_formula


class _Writer:
    def __init__(self, rng: random.Random, n: int, labels: tuple[str, ...]) -> None:
        self.rng = rng
        self.n = n
        self.labels = labels
        self.me = 0
        self.n_labels = 0

    def local(self) -> str:
        return self.rng.choice(("l", "k"))

    def condition(self) -> str:
        name = self.rng.choice(("l", "l", "k", "a", "b", "c")) if self.rng.random() < 0.3 else self.local()
        return f"{name} {self.rng.choice(('==', '!=', '<', '>'))} {self.rng.randrange(3)}"

    def local_step(self) -> str:
        name, other = self.local(), self.local()
        return self.rng.choice((f"{name} = ({name} + 1) % 3", f"{name} = {self.rng.randrange(3)}", f"{name} = {other}"))

    def global_step(self) -> str:
        name = self.rng.choice("abc")
        return self.rng.choice((f"{name} = {self.local()}", f"{name} = ({name} + 1) % 3", f"{self.local()} = {name}"))

    def message(self) -> str:
        """To or from the next process in the ring."""
        if self.rng.random() < 0.5:
            return f"q{self.me}!{self.rng.choice((self.local(), '1', '2'))}"
        return f"q{(self.me - 1) % self.n}?{self.rng.choice((self.local(), '_', '1'))}"

    def simple(self) -> str:
        kind = self.rng.randrange(20)
        if kind < 9:
            return self.local_step()
        if kind < 12:
            return self.global_step()
        if kind < 16:
            return self.message()
        if kind < 17:
            return f"assert({self.condition()} || {self.condition()})"
        if kind < 18:
            return self.condition()
        if kind < 19:
            return f"d_step {{ {self.local_step()}; {self.local_step()} }}"
        return f"atomic {{ {self.local_step()}; {self.rng.choice((self.global_step, self.message))()} }}"

    def guard(self) -> str:
        return self.rng.choice((self.condition, self.condition, self.message, self.local_step))()

    def selection(self) -> list[str]:
        if self.rng.random() < 0.6:  # one way only
            name, value = self.local(), self.rng.randrange(3)
            guards = [f"{name} == {value}", "else"]
        else:
            guards = [self.guard() for _ in range(2)] + (["timeout"] if self.rng.random() < 0.2 else [])
        return ["if", *(f":: {guard} -> {self.simple()}" for guard in guards), "fi"]

    def loop(self) -> list[str]:
        name = self.local()
        kind = self.rng.randrange(4)
        if kind == 0:
            return ["do", f":: {name} < 2 -> {name}++", ":: else -> break", "od"]
        if kind == 1:  # for ever, with a way out that others open or nobody
            return ["do", f":: {name} = 1 - {name}", f":: {self.rng.choice(('a == 2', 'false'))} -> break", "od"]
        return ["do", f":: {self.guard()} -> {self.simple()}", f":: {self.guard()} -> break", "od"]

    def labelled(self, lines: list[str]) -> list[str]:
        if not self.labels or self.rng.random() < 0.75:
            return lines
        self.n_labels += 1
        return [f"{self.rng.choice(self.labels)}{self.n_labels}:", *lines]

    def process(self, number: int) -> str:
        self.me = number
        lines: list[str] = []
        for _ in range(self.rng.randrange(2, 6)):
            part = self.rng.choices(([self.simple()], self.selection(), self.loop()), (6, 3, 1))[0]
            part = self.labelled(part)
            lines += [*part[:-1], part[-1] + ";"]
        if self.rng.random() < 0.5:
            lines = ["again:", *lines, "goto again"]
        else:
            lines.append("l = 0")
        body = "\n\t".join(["byte l, k;", *lines])
        return f"active proctype P{number}()\n{{\n\t{body}\n}}\n"


def random_model(seed: int, n_formulas: int = 0, labels: tuple[str, ...] = ("end",)) -> str:
    """A model, with ltl blocks p0, p1, ... if asked for."""
    rng = random.Random(f"local {seed}")
    n = rng.randrange(2, 5)
    writer = _Writer(rng, n, labels)
    parts = ["byte a, b, c;", *(f"chan q{i} = [{rng.choice((1, 1, 2))}] of {{ byte }};" for i in range(n))]
    parts += [writer.process(i) for i in range(n)]
    parts += [f"ltl p{i} {{ {random_formula(rng, 3)} }}" for i in range(n_formulas)]
    return "\n".join(parts) + "\n"
