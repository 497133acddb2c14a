"""Small random models full of local values: scalars, arrays, fields of structs and parameters that are set, overwritten
and read in loops, selections, d_steps, unless and atomic, received, sent, printed, indexed and divided by; globals that
are only written; processes started with arguments, references to variables of others, accept labels.

`random_model(seed)` is for comparing searches that forget values with searches that do not.
"""

from __future__ import annotations

import random

_HEAD = """typedef Pair { byte a; byte b };
typedef Deep { Pair p; byte v[2] };
byte g, h;
byte unread;
Pair half;
chan q = [1] of { byte };
chan m = [1] of { byte, Pair };
chan r = [0] of { byte };
"""
_LOCALS = """byte x, y = 1, z;
	bool t;
	Deep d;
	byte v[2];"""
_SCALARS = ("x", "y", "z", "i", "d.p.a", "d.p.b")


class _Writer:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.loops = 2
        self.n_labels = 0
        self.scalars = rng.sample(_SCALARS, 3)  # with more there would be too many states
        self.array = rng.choice(("v", "d.v"))
        self.points: list[str] = []  # references to variables of other processes

    def one(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def place(self) -> str:
        """Something with a value."""
        index = self.one("0", "1", "t", self.scalars[0])
        return self.one(*self.scalars, *self.scalars, f"{self.array}[{index}]")

    def value(self) -> str:
        kind = self.rng.randrange(12)
        if kind < 3:
            return str(self.rng.randrange(3))
        if kind < 4:
            return f"({self.place()} + 1) % 3"
        if kind < 5:
            return f"(6 / {self.one('2', *self.scalars)}) % 3"
        if kind < 6:
            return f"({self.place()} == 1 -> {self.place()} : {self.place()})"
        return self.place() if kind < 10 else self.one("g", "h", *self.points)

    def condition(self) -> str:
        if self.rng.random() < 0.1:
            return self.one("t", "!t", "q?[1]", f"q?[eval({self.place()})]", "len(q) == 0")
        return f"{self.value()} {self.one('==', '!=', '<', '>')} {self.rng.randrange(3)}"

    def assignment(self) -> str:
        target = self.one(self.place(), self.place(), self.place(), "g", "h", "half.a")
        if self.rng.random() < 0.15:
            return self.one("unread", "half.b", "z", "unread = 1 - unread; z") + f" = {self.place()}"
        return self.one(f"{target} = {self.value()}", f"{target} = {self.value()}", "t = !t")

    def channel(self) -> str:
        scalar = self.one(*self.scalars)
        return self.one(
            f"q!{self.value()}", f"q?{self.place()}", f"q?eval({self.place()})", "q?_", f"q?<{scalar}>",
            f"m!{self.value()},d.p", f"m?{scalar},d.p", f"r!{self.place()}", f"r?{scalar}",
        )  # fmt: skip

    def simple(self) -> str:
        kind = self.rng.randrange(20)
        if kind < 11:
            return self.assignment()
        if kind < 14:
            return self.channel()
        if kind < 16:
            return f"assert({self.condition()} || {self.condition()})"
        if kind < 17:
            return f'printf("%d", {self.place()})'
        return self.condition() if kind < 18 else "skip"

    def quick(self) -> str:
        """For a d_step: does not block, as a rule."""
        return self.one(self.assignment(), f"if :: {self.condition()} -> {self.assignment()} :: else fi")

    def loop_inside(self) -> str:
        return (
            f"x = 0; do :: x < 2 -> {self.one('v[x] = y', 'y = v[x]', 'z = z + 1', 'y = 0')}; x++ :: else -> break od"
        )

    def d_step(self) -> str:
        points, self.points = self.points, []  # it may not look into other processes
        inside = self.one(self.quick(), self.loop_inside())
        text = f"d_step {{ {self.quick()}; {inside}; {self.quick()} }}"
        self.points = points
        return text

    def compound(self) -> list[str]:
        kind = self.rng.randrange(6)
        if kind == 0:
            return [self.d_step()]
        if kind == 1:
            return [f"atomic {{ {self.simple()}; {self.simple()} }}"]
        if kind == 2:
            return [f"{{ {self.simple()}; {self.simple()} }} unless {{ {self.condition()}; {self.simple()} }}"]
        if kind == 3 and self.loops:
            self.loops -= 1
            options = [f":: {self.condition()} -> {self.simple()}", f":: {self.simple()}; {self.simple()}"]
            return ["do", *options, f":: {self.condition()} -> break", "od"]
        guards = [self.condition(), "else"] if kind == 4 else [self.simple(), self.simple()]
        return ["if", *(f":: {guard} -> {self.simple()}" for guard in guards), "fi"]

    def body(self) -> list[str]:
        lines: list[str] = []
        for _ in range(self.rng.randrange(3, 7)):
            part = [self.simple()] if self.rng.random() < 0.6 else self.compound()
            if lines and self.rng.random() < 0.2:
                self.n_labels += 1
                part = [f"{self.one('accept', 'progress', 'end', 'at')}{self.n_labels}:", *part]
            lines += [*part[:-1], part[-1] + ";"]
        if self.rng.random() < 0.4:
            return ["again:", *lines, "goto again"]
        return [*lines, "skip"]


def random_model(seed: int) -> str:
    """A model as text."""
    rng = random.Random(f"values {seed}")
    writer = _Writer(rng)
    if rng.random() < 0.3:
        writer.points = [rng.choice(("P0:x", "P0:v[1]", "P0:z"))]
    parts = [_HEAD]
    for number in range(2):
        head = "active " if number == 0 or rng.random() < 0.5 else ""
        lines = "\n\t".join([_LOCALS, *writer.body()])
        parts.append(f"{head}proctype P{number}(byte i)\n{{\n\t{lines}\n}}\n")
        if not head:
            parts.append(f"init {{ run P1({rng.randrange(3)}); {rng.choice(('run P1(2)', 'skip'))} }}\n")
    if rng.random() < 0.3:
        parts.append(
            f"ltl p {{ {rng.choice(('[]', '<>', '[]<>'))} ({rng.choice(('g != 2', 'h == 1', 'P0:x < 2'))}) }}\n"
        )
    return "".join(parts)
